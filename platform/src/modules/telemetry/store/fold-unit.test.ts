import { expect, it } from 'vitest'
import { silentLogger } from '../../../kernel/logger.ts'
import { type ChunkSamples, encodeChunk } from './chunk.ts'
import { dayStartOf, foldedPart, hourMs, hourOf, movedPart } from './chunk-rows.ts'
import { DamagedChunks } from './damaged-chunks.ts'
import { foldDay } from './fold-unit.ts'

const at = Date.UTC(2026, 10, 20, 12)

const one = (value: number): ChunkSamples => ({
  times: [at],
  qualities: [192],
  lates: [0],
  filled: [1],
  column: { type: 'float64', values: [value] },
  stamps: new Map(),
})

it('a row of version 1.5 stays the first of its time, though its day was folded before it was moved', () => {
  const hour = hourOf(at)
  const stored = (from: number, span: number, part: number, value: number) => {
    const samples = one(value)
    return { tagId: 1, hour: from, span, part, count: 1, bytes: encodeChunk(samples) }
  }
  const folded = foldDay(
    [stored(dayStartOf(hour), 24, foldedPart, 2), stored(hour, 1, movedPart, 1)],
    new DamagedChunks(silentLogger),
  )
  expect(folded?.parts.map(({ samples }) => samples.column.values[0])).toEqual([1])
  expect(folded?.parts.map((part) => part.hour * hourMs)).toEqual([dayStartOf(hour) * hourMs])
})
