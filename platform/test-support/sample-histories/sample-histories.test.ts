import { expect, test } from 'vitest'
import type { Telemetry } from '../../src/modules/telemetry/index.ts'
import { playHistory, testHistories } from '../histories/history.ts'
import { sampleHistory } from './sample-history.ts'
import type { PlantFault } from './store-rig.ts'

const msMax = 300_000
/** A planted fault is found within these. */
const plantedSteps = 100

testHistories('the store of samples answers like a model in memory', sampleHistory(), { steps: 150, msMax })

type Points = Awaited<ReturnType<Telemetry['history']>>['series'][number]['points']

/** A store whose answers are changed where a series is of this kind. */
const spoil =
  (kind: 'raw' | 'buckets' | 'changes', change: (points: Points) => Points): PlantFault =>
  (telemetry) => ({
    async history(request) {
      const answer = await telemetry.history(request)
      const series = answer.series.map((one) =>
        one.kind === kind && one.points.length > 2 ? { ...one, points: change(one.points) } : one,
      )
      return { ...answer, series }
    },
  })

/** A store that loses one message in `every` after it acknowledged it. */
const forget =
  (every: number): PlantFault =>
  (telemetry) => {
    let count = 0
    return {
      append: (...sent) => (++count % every === 0 ? Promise.resolve([]) : telemetry.append(...sent)),
    }
  }

const faults: readonly (readonly [string, PlantFault])[] = [
  ['a lost message', forget(50)],
  ['a lost sample', spoil('raw', (points) => points.slice(1))],
  ['a sample told twice', spoil('raw', (points) => points.concat(points.slice(-1)))],
  ['a lost change of a state', spoil('changes', (points) => points.toSpliced(1, 1))],
  [
    'an average that is off by a millionth of a millionth and more',
    spoil('buckets', (points) =>
      points.map(([at, value, ...more]) => [
        at,
        typeof value === 'number' && !Number.isInteger(value) ? value * (1 + 1e-9) : value,
        ...more,
      ]),
    ),
  ],
  [
    'an integer that went through a double',
    spoil('raw', (points) =>
      points.map(([at, value, ...more]) => [
        at,
        typeof value === 'string' && /^-?\d+$/.test(value) ? String(Number(value)) : value,
        ...more,
      ]),
    ),
  ],
  [
    'a bad quality that looks good',
    spoil('raw', (points) => points.map(([at, value, low, high]) => [at, value, low, high])),
  ],
  [
    'a value that holds a millisecond longer',
    (telemetry) => ({
      async statistics(request) {
        const told = await telemetry.statistics(request)
        return told.map((one) => ({ ...one, knownMs: one.knownMs && one.knownMs + 1 }))
      },
    }),
  ],
  [
    'a newest value that stays',
    (telemetry) => {
      const first = new Map<number, Awaited<ReturnType<Telemetry['listLatest']>>[number]>()
      return {
        async listLatest(machineId) {
          const values = await telemetry.listLatest(machineId)
          for (const value of values) if (!first.has(value.tagId)) first.set(value.tagId, value)
          return values.map((value) => first.get(value.tagId) ?? value)
        },
      }
    },
  ],
]

test.each(faults)(
  'the model finds out %s',
  async (_name, plant) => {
    const { faults: found } = await playHistory(sampleHistory(plant), { seed: 1, steps: plantedSteps })
    expect(found).not.toEqual([])
  },
  msMax,
)
