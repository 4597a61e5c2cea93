import { formatNumber, joinUnit } from './format-number.ts'

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const
const step = 1_024

/** A size in the unit that keeps it short: "840 B", "1.2 MB". Limits of the platform are round in these units. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let place = 0
  while (value >= step - 0.5 && place < units.length - 1) {
    value /= step
    place++
  }
  return joinUnit(formatNumber(value, value < 10 && place > 0 ? 1 : 0), units[place] ?? '')
}
