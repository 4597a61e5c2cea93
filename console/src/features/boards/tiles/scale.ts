import { chartNumber } from '../../../shared/ui/data/tag-value.ts'
import type { FoundTag } from '../board-data.ts'

/** A scale of a gauge or a bar. */
export interface Scale {
  readonly min: number
  readonly max: number
}

/** The scale of a variable: as the tile says, else its own limits, else one with room for the value. */
export function scaleOf(
  tag: Pick<FoundTag, 'min' | 'max'>,
  own: { readonly min: number | null; readonly max: number | null },
  value: number | null,
): Scale {
  const min = own.min ?? tag.min ?? 0 - niceAbove(-(value ?? 0))
  const max = own.max ?? tag.max ?? Math.max(niceAbove(value ?? 0), min + 1)
  return max > min ? { min, max } : { min, max: min + 1 }
}

/** The next of 1, 2, 5 times a power of ten above a value, with a fifth of room. */
function niceAbove(value: number): number {
  if (value <= 0) return 0
  const wanted = value * 1.2
  const power = 10 ** Math.floor(Math.log10(wanted))
  return ([1, 2, 5, 10].find((step) => step * power >= wanted) ?? 10) * power
}

/** The position of a value on a scale, 0 to 1; null if it is not a number. */
export function shareOf(value: Parameters<typeof chartNumber>[0], { min, max }: Scale): number | null {
  const number = chartNumber(value)
  return number === null ? null : Math.min(Math.max((number - min) / (max - min), 0), 1)
}
