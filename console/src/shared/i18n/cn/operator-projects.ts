/** Of the list of all projects, which comes with it. */
export const operatorProjectsText = {
  lead: '全部项目的状态、积压和本月额度。停止后项目不再投递数据，数据最多保留 72 小时。',
  search: '项目、企业或所有者',
  columns: { name: '项目', state: '状态', lag: '积压', quota: '本月行数', machines: '设备' },
  inTime: '无积压',
  lag: (rows: string, lasts: string) => `${rows} 行，${lasts}`,
  quota: (rows: string, of: string) => `${rows} / ${of}`,
  stop: '停止',
  confirmStop: (name: string) => `停止“${name}”？`,
  confirmStopBody: '项目立即不再投递数据，成员会看到原因。',
  resume: '恢复',
  confirmResume: (name: string) => `恢复“${name}”？`,
  confirmResumeBody: '各数据去向从停下的地方继续。',
  empty: '暂无项目',
}
