/** The frame of the data centre. The texts of its pages are loaded with them. */
export const dataCentre = {
  title: '数据中心',
  /** In the bottom bar of a phone. */
  menu: '数据',
  space: (enterprise: string) => `${enterprise} 的数据中心`,
  tabs: {
    label: '数据中心',
    boards: '看板',
    sites: '厂区',
    sims: '物联网卡',
    explorer: '数据分析',
    exports: '数据导出',
    reports: '定期报告',
    retention: '保留期限',
  },
}
