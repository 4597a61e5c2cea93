import type { placeSources as cn } from '../cn/place-sources.ts'

export const placeSources: typeof cn = {
  manual: 'Set by hand',
  search: 'Set by an address',
  gps: 'Satellites',
  wifi: 'WiFi',
  cells: 'Base stations',
  ip: 'Network address',
}
