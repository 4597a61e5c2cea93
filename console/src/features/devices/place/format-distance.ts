import { formatNumber, joinUnit } from '../../../shared/i18n/index.ts'

const metresMax = 1_000
const exactKilometresMax = 100

/** Metres below a kilometre, and no more digits than anybody reads above it. */
export function formatDistance(metres: number): string {
  if (metres < metresMax) return joinUnit(formatNumber(Math.round(metres)), 'm')
  const kilometres = metres / 1_000
  return joinUnit(formatNumber(kilometres, kilometres < exactKilometresMax && kilometres % 1 ? 1 : 0), 'km')
}
