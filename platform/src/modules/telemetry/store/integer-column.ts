import { type ByteReader, BytesDamaged } from './byte-reader.ts'
import { type ByteWriter, zigzagMax } from './byte-writer.ts'

const form = { small: 0, large: 1 } as const
const smallMax = BigInt(zigzagMax / 2)

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
  const values = new BigInt64Array(count)
  const kind = reader.byte()
  if (kind === form.small) {
    let value = 0
    for (let place = 0; place < count; place++) {
      value += reader.zigzag()
      values[place] = BigInt(value)
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
