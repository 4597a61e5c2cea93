/** `toPrecision` writes no more. */
const digitsMax = 100
/** A float64 holds every number of so many digits. */
export const charactersHeld = 15
/** In valid JSON each text has its end. */
const textOrLongNumberPattern = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]{15,}(?:[eE][-+]?\d+)?/g

/**
 * Whether a number loses digits as a float64: printed with as many digits as it was written with, it is another. So
 * `0.10000000000000001`, the float64 nearest to a tenth in 17 digits, is not rounded, and 2^53 + 1 is.
 */
export function isRounded(written: string): boolean {
  if (written.length <= charactersHeld) return false
  const number = Number(written)
  if (!Number.isFinite(number) || String(number) === written) return false
  const digits = digitsOf(written)
  if (digits === '') return false
  return digits.length > digitsMax || digitsOf(number.toPrecision(digits.length)) !== digits
}

/** The numbers in JSON that are rounded, by what they become, as they were written: several that become one too. */
export function findRounded(json: string): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>()
  const rounded = new Set<number>()
  for (const [written] of json.matchAll(textOrLongNumberPattern)) {
    if (written.startsWith('"')) continue
    const number = Number(written)
    found.set(number, (found.get(number) ?? new Set()).add(written))
    if (isRounded(written)) rounded.add(number)
  }
  for (const number of found.keys()) if (!rounded.has(number)) found.delete(number)
  return found
}

/** The digits of a number that count, from the first to the last that is not 0. */
function digitsOf(written: string): string {
  const [mantissa = ''] = written.split(/e/i, 1)
  const digits = mantissa.replaceAll(/\D/g, '').replace(/^0+/, '')
  // `0+$` would begin again at each 0 within.
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
