import type { ChunkSamples, ChunkValues } from './chunk.ts'

/**
 * The samples of all sources in the order of their times, one for each time: of two with the same time the one of the
 * earlier source, and within a source the first. All are of one tag, and so of one type, which the first source has.
 */
export function mergeSamples(sources: readonly ChunkSamples[]): ChunkSamples {
  const [first, ...others] = sources
  if (!first) throw new Error('There are no samples to merge.')
  if (others.length === 0 && (first.isRising ?? isRising(first.times))) return first
  return pick(sources, orderOf(sources))
}

/** The samples from one place to another, `to` excluded. */
export function sliceSamples(samples: ChunkSamples, from: number, to: number): ChunkSamples {
  if (from === 0 && to === samples.times.length) return samples
  const order = new Float64Array(to - from)
  for (let place = from; place < to; place++) order[place - from] = place
  return pick([samples], order)
}

/** The first place whose time is not before `time`. */
export function placeOf(times: ArrayLike<number>, time: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Sources follow each other in one count of places: place + the samples of all sources before it. */
function orderOf(sources: readonly ChunkSamples[]): Float64Array {
  const sorted = sources.map(({ times }) => risingPlaces(times))
  const bases = basesOf(sources)
  let order = sorted[0] as Float64Array
  let timesOfOrder = timesAt(sources, bases, order)
  for (let source = 1; source < sources.length; source++) {
    const places = sorted[source] as Float64Array
    const base = bases[source] as number
    const times = (sources[source] as ChunkSamples).times
    const merged = new Float64Array(order.length + places.length)
    const mergedTimes = new Float64Array(merged.length)
    let [left, right, count] = [0, 0, 0]
    while (left < order.length || right < places.length) {
      const leftTime = left < order.length ? (timesOfOrder[left] as number) : Number.POSITIVE_INFINITY
      const place = places[right] as number
      const rightTime = right < places.length ? (times[place] as number) : Number.POSITIVE_INFINITY
      if (leftTime <= rightTime) {
        merged[count] = order[left] as number
        mergedTimes[count++] = leftTime
        left++
        if (leftTime === rightTime) right++
      } else {
        merged[count] = base + place
        mergedTimes[count++] = rightTime
        right++
      }
    }
    order = merged.subarray(0, count)
    timesOfOrder = mergedTimes.subarray(0, count)
  }
  return order
}

/** The places of a source in the order of their times, the first of each time. */
function risingPlaces(times: ArrayLike<number>): Float64Array {
  const places = Float64Array.from({ length: times.length }, (_, place) => place)
  if (isRising(times)) return places
  places.sort((a, b) => (times[a] as number) - (times[b] as number) || a - b)
  let count = 0
  for (const place of places)
    if (count === 0 || times[place] !== times[places[count - 1] as number]) places[count++] = place
  return places.subarray(0, count)
}

function isRising(times: ArrayLike<number>): boolean {
  for (let place = 1; place < times.length; place++)
    if (!((times[place] as number) > (times[place - 1] as number))) return false
  return true
}

function basesOf(sources: readonly ChunkSamples[]): number[] {
  let base = 0
  return sources.map(({ times }) => {
    const before = base
    base += times.length
    return before
  })
}

function timesAt(
  sources: readonly ChunkSamples[],
  bases: readonly number[],
  order: Float64Array,
): Float64Array {
  const { times } = sources[0] as ChunkSamples
  const base = bases[0] as number
  return order.map((place) => times[place - base] as number)
}

function pick(sources: readonly ChunkSamples[], order: Float64Array): ChunkSamples {
  const bases = basesOf(sources)
  const ends = bases.map((base, place) => base + (sources[place] as ChunkSamples).times.length)
  const values = sources.map(valuePlaces)
  const count = order.length
  const times = new Float64Array(count)
  const qualities = new Uint16Array(count)
  const lates = new Uint16Array(count)
  const filled = new Uint16Array(count)
  const stamps = new Map<number, number>()
  const { type } = (sources[0] as ChunkSamples).column
  const column = valuesOf(type, count) as { type: typeof type; values: unknown[] }
  let filledCount = 0
  for (let out = 0; out < count; out++) {
    const at = order[out] as number
    let source = 0
    while (at >= (ends[source] as number)) source++
    const place = at - (bases[source] as number)
    const samples = sources[source] as ChunkSamples
    times[out] = samples.times[place] as number
    qualities[out] = samples.qualities[place] as number
    lates[out] = samples.lates[place] as number
    if (samples.filled[place] === 1) {
      filled[out] = 1
      column.values[filledCount++] = samples.column.values[(values[source] as Uint32Array)[place] as number]
    }
    const stamp = samples.stamps.get(place)
    if (stamp !== undefined) stamps.set(out, stamp)
  }
  return { times, qualities, lates, filled, column: cut(column as ChunkValues, filledCount), stamps }
}

/** For each place how many values there are before it. */
function valuePlaces({ filled }: ChunkSamples): Uint32Array {
  const places = new Uint32Array(filled.length)
  let count = 0
  for (let place = 0; place < filled.length; place++) {
    places[place] = count
    count += filled[place] as number
  }
  return places
}

function valuesOf(type: ChunkValues['type'], count: number): ChunkValues {
  if (type === 'string') return { type, values: [] }
  if (type === 'int64') return { type, values: new BigInt64Array(count) }
  return { type, values: new Float64Array(count) }
}

function cut(column: ChunkValues, count: number): ChunkValues {
  if (column.type === 'string') return column
  if (column.type === 'int64')
    return { type: column.type, values: (column.values as BigInt64Array).subarray(0, count) }
  return { type: column.type, values: (column.values as Float64Array).subarray(0, count) }
}
