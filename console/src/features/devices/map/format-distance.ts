import { formatNumber, narrowSpace } from '../../../shared/i18n/index.ts'

const kilometre = 1_000
const roundedFrom = 10_000

/** `850 m`, `3.2 km`, `1,214 km`. */
export function formatDistance(metres: number): string {
  if (metres < kilometre) return `${formatNumber(Math.round(metres))}${narrowSpace}m`
  const scale = metres < roundedFrom ? 1 : 0
  return `${formatNumber(metres / kilometre, scale)}${narrowSpace}km`
}
