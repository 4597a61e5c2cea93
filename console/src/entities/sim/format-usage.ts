import { formatNumber, joinUnit } from '../../shared/i18n/format-number.ts'

/** A volume in the unit that keeps it short, as plans name it: "840 MB", "1.25 GB". 1 GB is 1,000 MB. */
export function formatMb(mb: number): string {
  const units = ['MB', 'GB', 'TB'] as const
  let value = mb
  let place = 0
  while (value >= 999.5 && place < units.length - 1) {
    value /= 1_000
    place++
  }
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return joinUnit(formatNumber(Number(value.toFixed(digits))), units[place] ?? '')
}

/** From here on a volume is nearly used up, and used up: in percent. */
const nearPercent = 80
const fullPercent = 100

export type UsageLevel = 'calm' | 'near' | 'full'

/** The used part of a volume, of 1, and how near its end it is; undefined without a volume or a figure. */
export function shareOf(
  usedMb: number | null,
  totalMb: number | null,
): { readonly share: number; readonly level: UsageLevel } | undefined {
  if (usedMb === null || !totalMb) return undefined
  const share = usedMb / totalMb
  const percent = share * 100
  return { share, level: percent >= fullPercent ? 'full' : percent >= nearPercent ? 'near' : 'calm' }
}
