import type { dataCentre as cn } from '../cn/data-centre.ts'

export const dataCentre: typeof cn = {
  title: 'Data centre',
  menu: 'Data',
  space: (enterprise) => `Data centre of ${enterprise}`,
  tabs: {
    label: 'Data centre',
    boards: 'Boards',
    sites: 'Sites',
    sims: 'SIM cards',
    explorer: 'Explorer',
    exports: 'Exports',
    reports: 'Reports',
    retention: 'Retention',
  },
}
