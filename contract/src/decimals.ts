/** The shortest decimal notation that identifies a number: its digits, and the place of the first. */
function shortest(value: number): { digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e')
  return { digits: mantissa.replace('.', ''), exponent: Number(exponent) }
}

/** Decimal places a number is written with: 62.25 has two, 1200 none. */
export function decimalPlaces(value: number): number {
  const { digits, exponent } = shortest(value)
  return Math.max(0, digits.length - 1 - exponent)
}

/** Whether a float32 gives a number back with the digits it was written with: 62.2 is one, 16777217 is not. */
export function isFloat32(value: number): boolean {
  const held = Math.fround(value)
  return Number.isFinite(held) && Number(held.toPrecision(shortest(value).digits.length)) === value
}
