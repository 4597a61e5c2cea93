import type { PlaceSource } from '@busbar/contract'

export const placeSources: Readonly<Record<PlaceSource, string>> = {
  manual: '手动设置',
  search: '按地址设置',
  gps: '卫星定位',
  wifi: 'WiFi 定位',
  cells: '基站定位',
  ip: '网络地址',
}
