import { type ByteReader, BytesDamaged } from './byte-reader.ts'
import { type ByteWriter, zigzagMax } from './byte-writer.ts'

const form = { small: 0, large: 1 } as const
const smallMax = BigInt(zigzagMax / 2)
const twoTo32 = 2 ** 32
/** Above it a multiple of 2^32 is not an exact double. */
const highMax = 2 ** 21

/** Writes 64-bit whole numbers, each as the difference to the one before. */
export function writeIntegers(writer: ByteWriter, values: ArrayLike<bigint>): void {
  if (everySmall(values)) {
    writer.byte(form.small)
    let before = 0
    for (let place = 0; place < values.length; place++) {
      const value = Number(values[place])
      writer.zigzag(value - before)
      before = value
    }
    return
  }
  writer.byte(form.large)
  const steps = Buffer.alloc(8)
  let before = 0n
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as bigint
    steps.writeBigInt64LE(BigInt.asIntN(64, value - before))
    writer.bytes(steps)
    before = value
  }
}

/** Reads `count` whole numbers that `writeIntegers` wrote. */
export function readIntegers(reader: ByteReader, count: number): BigInt64Array {
  const { buffer, byteOffset } = reader.numbers(count)
  const values = new BigInt64Array(buffer, byteOffset, count)
  const kind = reader.byte()
  if (kind === form.small) {
    // Halves of 32 bits: a bigint for each would take longer than all else.
    const halves = new Int32Array(buffer, byteOffset, count * 2)
    const sums = reader.numbers(count)
    reader.sums(sums, 1)
    for (let place = 0; place < count; place++) {
      const value = sums[place] as number
      halves[place * 2] = value
      halves[place * 2 + 1] = Math.floor(value / twoTo32)
    }
    return values
  }
  if (kind !== form.large) throw new BytesDamaged('whole numbers of an unknown form')
  let value = 0n
  for (let place = 0; place < count; place++) {
    value = BigInt.asIntN(64, value + reader.bytes(8).readBigInt64LE())
    values[place] = value
  }
  return values
}

function everySmall(values: ArrayLike<bigint>): boolean {
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as bigint
    if (value > smallMax || value < -smallMax) return false
  }
  return true
}

/** The same as numbers; undefined if one of them is not an exact double. */
export function exactNumbers(values: ArrayLike<bigint>): Float64Array | undefined {
  const longs = values instanceof BigInt64Array ? values : BigInt64Array.from(values as bigint[])
  const lows = new Uint32Array(longs.buffer, longs.byteOffset, longs.length * 2)
  const highs = new Int32Array(longs.buffer, longs.byteOffset, longs.length * 2)
  const numbers = new Float64Array(longs.length)
  for (let place = 0; place < numbers.length; place++) {
    const high = highs[place * 2 + 1] as number
    if (high >= highMax || high < -highMax) return undefined
    numbers[place] = high * twoTo32 + (lows[place * 2] as number)
  }
  return numbers
}

/** The sum; of whole numbers that a double would not hold exactly as a bigint. */
export function addExact(a: number | bigint, b: number | bigint, isInteger: boolean): number | bigint {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (!isInteger || Number.isSafeInteger(sum)) return sum
  }
  return BigInt(a) + BigInt(b)
}
