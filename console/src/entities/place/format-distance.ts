import { formatNumber, joinUnit } from '../../shared/i18n/index.ts'

const kilometre = 1_000
/** From here on tenths of a kilometre say nothing. */
const roundedFrom = 10_000

/** `850 m`, `3.2 km`, `5 km`, `1,214 km`. */
export function formatDistance(metres: number): string {
  if (metres < kilometre) return joinUnit(formatNumber(Math.round(metres)), 'm')
  const decimals = metres < roundedFrom && metres % kilometre ? 1 : 0
  return joinUnit(formatNumber(metres / kilometre, decimals), 'km')
}
