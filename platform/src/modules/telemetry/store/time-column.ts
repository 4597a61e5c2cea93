import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Writes epoch milliseconds in any order as differences of differences: a steady pace is all zeros. */
export function writeTimes(writer: ByteWriter, times: ArrayLike<number>): void {
  let before = 0
  let pace = 0
  for (let place = 0; place < times.length; place++) {
    const time = times[place] as number
    const step = time - before
    writer.zigzag(step - pace)
    // The first time is not a step from another one.
    pace = place === 0 ? 0 : step
    before = time
  }
}

/** Reads `count` times that `writeTimes` wrote. */
export const readTimes = (reader: ByteReader, count: number): Float64Array =>
  readOrderedTimes(reader, count).times

/** The same, with whether each is later than the one before. */
export function readOrderedTimes(
  reader: ByteReader,
  count: number,
): { times: Float64Array; isRising: boolean } {
  const times = reader.numbers(count)
  return { times, isRising: reader.sumsOfSums(times) }
}
