import { type AverageStep, type Averages, averageHour } from './averages.ts'
import { BytesDamaged } from './byte-reader.ts'
import { type ChunkSamples, decodeChunk } from './chunk.ts'
import { inArrival, type StoredChunk } from './chunk-fetch.ts'
import { type ChunkPart, dayStartOf, foldedPart, hourMs, hoursPerDay } from './chunk-rows.ts'
import type { DamagedChunks } from './damaged-chunks.ts'
import { mergeSamples, placeOf, sliceSamples } from './merge-samples.ts'

/**
 * Hours with at most this number of samples share one chunk once their day is over; the index of small chunks has the
 * same number.
 */
export const smallSamplesMax = 170

/** The result of folding some chunks of a tag, all of one day. */
export interface Folded {
  readonly tagId: number
  /** The hour at which the day begins. */
  readonly day: number
  /** The chunks that go. */
  readonly gone: readonly StoredChunk[]
  /** The chunks that replace them. */
  readonly parts: readonly ChunkPart[]
  /** The hours that were folded anew, each with its averages; undefined: it is read from its chunk. */
  readonly hours: ReadonlyMap<number, Readonly<Record<AverageStep, Averages | undefined>>>
  /** Whether folded chunks touch an hour: without them its averages may count samples that are deleted. */
  hadFolded(hour: number): boolean
}

const foldedAmong = (chunks: readonly StoredChunk[]) => (wanted: number) =>
  chunks.some(({ part, hour, span }) => part === foldedPart && hour <= wanted && wanted < hour + span)

/**
 * Folds all chunks of an hour into one. Undefined if there is nothing to fold, or if bytes are damaged: those chunks
 * stay.
 */
export function foldHour(chunks: readonly StoredChunk[], damaged: DamagedChunks): Folded | undefined {
  const [first] = chunks
  const samples = first && mergeChunks(chunks, damaged)
  if (!samples) return undefined
  const { tagId, hour } = first
  return {
    tagId,
    day: dayStartOf(hour),
    gone: chunks,
    parts: [{ tagId, hour, span: 1, samples }],
    hours: new Map([[hour, averagesOf(hour, samples)]]),
    hadFolded: foldedAmong(chunks),
  }
}

/**
 * Folds the chunks of a day that is over: an hour with many samples keeps a chunk of its own, the others share one.
 * Undefined as for an hour.
 */
export function foldDay(chunks: readonly StoredChunk[], damaged: DamagedChunks): Folded | undefined {
  const [first] = chunks
  if (!first) return undefined
  const { tagId } = first
  const day = dayStartOf(first.hour)
  const gone = touchedOf(chunks)
  if (gone.length === 0) return undefined
  const samples = mergeChunks(gone, damaged)
  if (!samples) return undefined
  const hours = new Map<number, Record<AverageStep, Averages | undefined>>()
  const parts: ChunkPart[] = []
  const small: ChunkSamples[] = []
  for (let hour = day; hour < day + hoursPerDay; hour++) {
    const from = placeOf(samples.times, hour * hourMs)
    const to = placeOf(samples.times, (hour + 1) * hourMs)
    if (from === to) continue
    const ofHour = sliceSamples(samples, from, to)
    hours.set(hour, averagesOf(hour, ofHour))
    if (to - from > smallSamplesMax) parts.push({ tagId, hour, span: 1, samples: ofHour })
    else small.push(ofHour)
  }
  if (small.length > 0) parts.push({ tagId, hour: day, span: hoursPerDay, samples: mergeSamples(small) })
  return { tagId, day, gone, parts, hours, hadFolded: foldedAmong(gone) }
}

/** The chunks of a day that are folded anew: not the large ones that nothing was added to. */
function touchedOf(chunks: readonly StoredChunk[]): StoredChunk[] {
  const isOfDay = chunks.some(({ span, part }) => span > 1 && part !== foldedPart)
  const added = new Set(
    chunks.flatMap(({ hour, span, part }) => (span === 1 && part !== foldedPart ? hour : [])),
  )
  const touched = chunks.filter(
    ({ hour, span, count }) => span > 1 || isOfDay || added.has(hour) || count <= smallSamplesMax,
  )
  const isDone = touched.length === 1 && touched[0]?.span === hoursPerDay && touched[0].part === foldedPart
  return isDone ? [] : touched
}

const averagesOf = (hour: number, samples: ChunkSamples): Record<AverageStep, Averages | undefined> => ({
  1: averageHour(hour, samples, 1),
  60: averageHour(hour, samples, 60),
})

function mergeChunks(chunks: readonly StoredChunk[], damaged: DamagedChunks): ChunkSamples | undefined {
  const sources: ChunkSamples[] = []
  for (const chunk of inArrival(chunks))
    try {
      sources.push(decodeChunk(chunk.bytes))
    } catch (error) {
      if (!(error instanceof BytesDamaged)) throw error
      damaged.tell({ ...chunk, table: 'sample_chunks', error })
    }
  return sources.length === chunks.length ? mergeSamples(sources) : undefined
}
