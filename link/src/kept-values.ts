/** A GUID as a text. */
export const guidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Whether a text that a controller gave back is the one that was written: the blanks with which it fills a text up
 * do not count, nor does the case of a GUID, which has no meaning (RFC 9562, 4).
 */
export function isSameText(written: string, kept: string): boolean {
  const [left, right] = [written.trimEnd(), kept.trimEnd()]
  return left === right || (guidPattern.test(left) && left.toLowerCase() === right.toLowerCase())
}

const powers = Array.from({ length: 10 }, (_, places) => 10 ** places)
/** Digits that tell every float32 from all others. */
const float32Digits = 9
/** A float32 holds every whole number up to here. */
const wholeMost = 2 ** 24

/**
 * The decimal with the fewest digits that a float32 holds as this one: 0.1, which comes back as 0.10000000149011612,
 * is 0.1 again. Numbers that a float32 does not hold stay as they are.
 */
export function decimalOfFloat32(value: number): number {
  const isWhole = Number.isInteger(value)
  if (!Number.isFinite(value) || Math.fround(value) !== value || (isWhole && Math.abs(value) <= wholeMost))
    return value
  // Quicker than by texts, and enough for all but very small numbers.
  for (const power of isWhole ? [] : powers) {
    const decimal = Math.round(value * power) / power
    if (Math.fround(decimal) === value) return decimal
  }
  for (let digits = 1; digits < float32Digits; digits++) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return decimal
  }
  return Number(value.toPrecision(float32Digits))
}
