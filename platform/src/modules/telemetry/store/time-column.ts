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
    // The first time is no step from another one.
    pace = place === 0 ? 0 : step
    before = time
  }
}

/** Reads `count` times that `writeTimes` wrote. */
export function readTimes(reader: ByteReader, count: number): Float64Array {
  const times = new Float64Array(count)
  reader.zigzags(times)
  let time = 0
  let pace = 0
  for (let place = 0; place < count; place++) {
    const step = (times[place] as number) + pace
    time += step
    times[place] = time
    pace = place === 0 ? 0 : step
  }
  return times
}
