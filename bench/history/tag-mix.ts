import type { ChunkSamples, ChunkValues } from '@busbar/platform/modules/telemetry/store/chunk.ts'
import { hourMs } from '@busbar/platform/modules/telemetry/store/chunk-rows.ts'

/** A tag of the mix: how often it sends, and how its values go. */
export interface MixTag {
  readonly id: number
  readonly name: string
  readonly type: ChunkValues['type']
  readonly stepMs: number
  valueAt(at: number, place: number): number | bigint | string
}

/** The kinds that take turns: one per second except for the slow one. */
const kinds: Omit<MixTag, 'id'>[] = [
  {
    name: 'temperature, one digit',
    type: 'float64',
    stepMs: 1_000,
    valueAt: (at) => Math.round((40 + 5 * Math.sin(at / hourMs) + wander(at) * 0.2) * 10) / 10,
  },
  {
    name: 'temperature, single precision',
    type: 'float64',
    stepMs: 1_000,
    valueAt: (at) => Math.fround(Math.round((20 + 2 * Math.sin(at / hourMs) + wander(at) * 0.3) * 10) / 10),
  },
  {
    name: 'noise of three digits',
    type: 'float64',
    stepMs: 1_000,
    valueAt: (at) => Math.round(wander(at) * 999) / 10,
  },
  { name: 'counter', type: 'int64', stepMs: 1_000, valueAt: (at) => BigInt(Math.floor(at / 700)) },
  {
    name: 'switch',
    type: 'bool',
    stepMs: 1_000,
    valueAt: (at) => Number(Math.floor(at / 200_000) % 3 === 0),
  },
  {
    name: 'text',
    type: 'string',
    stepMs: 1_000,
    valueAt: (at) => ['running', 'waiting', 'stopped'][Math.floor(at / 450_000) % 3] as string,
  },
  {
    name: 'slow, one a minute',
    type: 'float64',
    stepMs: 60_000,
    valueAt: (at) => Math.round((7 + wander(at)) * 100) / 100,
  },
]

/** The first tag of each request is a temperature; the whole mix comes after the others. */
export const mixTag = (id: number, kind: number): MixTag => ({
  id,
  ...(kinds[kind] as (typeof kinds)[number]),
})
export const kindsCount = kinds.length

/** From 0 to 1, as chance would have it, and the same in every run. */
function wander(at: number): number {
  const mixed = Math.imul((at / 1_000) | 0, 0x9e3779b1) ^ 0x5bd1e995
  return ((Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0) % 10_000) / 10_000
}

/** The samples of an hour, as a part holds them; stamps of a machine come a few milliseconds off the second. */
export function hourOfSamples(tag: MixTag, hour: number): ChunkSamples {
  const count = hourMs / tag.stepMs
  const times = new Float64Array(count)
  const values: (number | bigint | string)[] = []
  for (let place = 0; place < count; place++) {
    const at = hour * hourMs + place * tag.stepMs
    times[place] = at + Math.floor(wander(at + tag.id * 1_000) * 3)
    values.push(tag.valueAt(at, place))
  }
  return {
    times,
    qualities: new Uint16Array(count).fill(192),
    lates: new Uint16Array(count),
    filled: new Uint16Array(count).fill(1),
    column: columnOf(tag.type, values),
    stamps: new Map(),
  }
}

function columnOf(type: ChunkValues['type'], values: (number | bigint | string)[]): ChunkValues {
  if (type === 'string') return { type, values: values as string[] }
  if (type === 'int64') return { type, values: BigInt64Array.from(values as bigint[]) }
  return { type, values: Float64Array.from(values as number[]) }
}
