import { formatNumber } from './format.ts'

const units = ['B', 'KB', 'MB', 'GB'] as const
const step = 1_024

/** A size as people read it: `1.2 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let place = 0
  while (value >= step && place < units.length - 1) {
    value /= step
    place++
  }
  return `${formatNumber(value, value < 10 && place > 0 ? 1 : 0)} ${units[place]}`
}
