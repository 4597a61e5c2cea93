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

/** One run that is not longer is shared by all that read it: most columns are one. */
const sharedMax = 8 * 1024
/** Good, late or not, filled or not, and the usual lengths are some; others are rare. */
const sharedNumbersMax = 8
const shared = new Map<number, Uint16Array>()

/** Reads `count` numbers below 65,536 that `writeRuns` wrote. They may be shared: they are not written into. */
export function readRuns(reader: ByteReader, count: number): Uint16Array {
  let values: Uint16Array | undefined
  let place = 0
  while (place < count) {
    const value = reader.varint()
    const end = place + reader.varint()
    if (end > count || end === place || value > 0xffff) throw new BytesDamaged('a run is too long')
    if (place === 0 && end === count) return oneRun(value, count)
    values ??= new Uint16Array(count)
    values.fill(value, place, end)
    place = end
  }
  return values ?? new Uint16Array(0)
}

function oneRun(value: number, count: number): Uint16Array {
  let known = count > sharedMax ? undefined : shared.get(value)
  if (!known) {
    if (count > sharedMax || shared.size >= sharedNumbersMax) return new Uint16Array(count).fill(value)
    known = new Uint16Array(sharedMax).fill(value)
    shared.set(value, known)
  }
  return known.subarray(0, count)
}
