import { expect, test } from 'vitest'
import { decimalOfFloat32 } from './kept-values.ts'

test('a float32 written as 0.1 is 0.1, and not 0.10000000149011612', () => {
  for (const written of [0.1, -21.3, 5.1e-12, 3.4e38, 1e-40, 8_388_607.5, 123_456_790])
    expect(decimalOfFloat32(Math.fround(written))).toBe(written)
})

test('numbers that a float32 does not hold, and those that it holds exactly, stay as they are', () => {
  for (const value of [0.1, Math.PI, 123_456_789, 16_777_215, 0, -0, Number.NaN, Infinity])
    expect(decimalOfFloat32(value)).toBe(value)
})

test('float32 of all sizes keep their bits, in the fewest digits that do', () => {
  const bits = new DataView(new ArrayBuffer(4))
  const infinity = 0x7f80_0000
  const step = 104_729
  for (let pattern = 1; pattern < infinity; pattern += step) {
    bits.setUint32(0, pattern)
    const value = bits.getFloat32(0)
    const decimal = decimalOfFloat32(value)
    if (Math.fround(decimal) !== value) expect.fail(`${value} became ${decimal}`)
    const digits = decimal.toExponential().replace(/e.*|\D/g, '').length
    if (Math.abs(value) < 2 ** 24 && Number.isInteger(value)) continue
    if (digits === 1) continue
    if (Math.fround(Number(value.toPrecision(digits - 1))) === value)
      expect.fail(`${value} is shorter than ${decimal}`)
  }
})
