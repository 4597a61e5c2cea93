import type { visits } from '@busbar/contract'

/** The ways of a change; that of a tool with the name of its port. */
const ways: Record<visits.ChangeWay, (port: string) => string> = {
  write: () => '在平台写入',
  page: () => '在设备页面更改',
  port: (port) => `用工具经端口 ${port} 写入`,
}

export const visitChangesText = {
  ways,
  /** An address in a controller, with the unit of Modbus. */
  place: (place: string, unit: number) => `${place}（站号 ${unit}）`,
  none: '本次访问未更改任何值',
  noneYet: '访问仍在进行，目前尚未更改任何值。',
  never: '本次访问未取得过控制权，未更改任何值',
  open: '访问仍在进行，以下为目前的变更。',
  settling: '访问刚结束，正在等待最后的值…',
  cut: '变更过多，未能全部列出。',
  revision: (from: number, to: number) => `采集程序配置已更改：版本 ${from} → 版本 ${to}`,
  drifts: (count: string) => `其他变化（${count}）`,
  driftsHint: '未见这些值的写入记录：它们自行变化，或以平台看不到的方式更改。',
  selectAll: '全选',
  select: (name: string) => `选择 ${name}`,
  most: (count: string) => `每次最多 ${count} 个`,
  putBack: '恢复原值',
  putBackTitle: (count: string) => `恢复 ${count} 个值？`,
  putBackHint: '原值会写入设备，需要控制权。此后又被更改的值不会恢复。',
  ofUnchanged: (name: string, why: string) => `${name}：${why}`,
  report: {
    title: '变更',
    none: '此时间范围内，访问未留下变更。',
    change: '原值 → 现值',
    way: '方式',
    total: '变更数',
  },
}
