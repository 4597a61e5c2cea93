import type { alarms } from '@busbar/contract'

interface Targets {
  readonly acceptable: number
  readonly manageable: number
}

export interface Band {
  readonly rating: alarms.AlarmRating
  readonly from: number
  readonly to: number
}

/** The bands of a rate: up to acceptable, up to manageable, and above. The scale has room for the value. */
export function bandsOf(
  { acceptable, manageable }: Targets,
  value: number,
): { readonly bands: readonly Band[]; readonly end: number } {
  const end = Math.max(manageable * 2, value * 1.15)
  return {
    end,
    bands: [
      { rating: 'acceptable', from: 0, to: acceptable },
      { rating: 'manageable', from: acceptable, to: manageable },
      { rating: 'tooMany', from: manageable, to: end },
    ],
  }
}

/** The position of a value between 0 and 1: half the rate stands at half the way. */
export function placeIn(value: number, end: number): number {
  return Math.min(Math.max(value, 0), end) / end
}
