import { type ByteReader, BytesDamaged } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Writes small whole numbers that rarely change: each with the length of its run. */
export function writeRuns(writer: ByteWriter, values: ArrayLike<number>): void {
  let place = 0
  while (place < values.length) {
    const value = values[place] as number
    let end = place + 1
    while (end < values.length && values[end] === value) end++
    writer.varint(value)
    writer.varint(end - place)
    place = end
  }
}

/** Reads `count` numbers below 65,536 that `writeRuns` wrote. */
export function readRuns(reader: ByteReader, count: number): Uint16Array {
  const values = new Uint16Array(count)
  let place = 0
  while (place < count) {
    const value = reader.varint()
    const end = place + reader.varint()
    if (end > count || end === place || value > 0xffff) throw new BytesDamaged('a run is too long')
    values.fill(value, place, end)
    place = end
  }
  return values
}
