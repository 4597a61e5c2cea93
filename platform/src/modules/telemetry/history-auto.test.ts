import { createMachine, type TestMachine } from '@busbar/testkit/builders.ts'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createTelemetry, type SampleRecord, type Telemetry } from './index.ts'
import { qualityNumber } from './tag-type.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const start = Date.UTC(2026, 10, 20, 12)

const database = useDatabase()
let telemetry: Telemetry
let machine: TestMachine
let clock = start + 24 * hourMs

beforeAll(async () => {
  telemetry = createTelemetry({
    db: database.db,
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    now: () => clock,
  })
  await telemetry.start()
})

afterAll(async () => {
  await telemetry.stop()
})

beforeEach(async () => {
  clock = start + 24 * hourMs
  machine = await createMachine(database.db)
})

type Sample = readonly [at: number, value: SampleRecord['value'], quality?: number]

async function store(tag: string, type: NonNullable<SampleRecord['type']>, samples: readonly Sample[]) {
  for (let first = 0; first < samples.length; first += 1_000) {
    const some = samples.slice(first, first + 1_000)
    await telemetry.append(
      machine.machineId,
      some.map(([at, value, quality = qualityNumber.good]) => ({
        kind: 'sample',
        group: '',
        tag,
        type,
        value,
        quality,
        time: at,
        late: true,
      })),
    )
  }
  return await idOf(tag)
}

async function idOf(tag: string): Promise<number> {
  const found = (await telemetry.listTags(machine.machineId, 'en')).find((one) => one.tag === tag)
  if (!found) throw new Error(`no tag ${tag}`)
  return found.tagId
}

/** The next number of a sequence that looks like chance and is the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const auto = (tagIds: readonly number[], from: number, to: number, points: number, intervalMs: number) =>
  telemetry.history({ tagIds, from, to, points, intervalMs, agg: 'auto' })

describe('history that chooses its own form', () => {
  it('shows every sample of a tag with few, and of one with many no spike is lost in its intervals', async () => {
    const random = createRandom(7)
    const samples: [number, number, number][] = []
    for (let at = start; at < start + 30 * minuteMs; at += 1 + Math.floor(random() * 2 * secondMs)) {
      const quality =
        random() < 0.03 ? qualityNumber.bad : random() < 0.03 ? qualityNumber.uncertain : qualityNumber.good
      samples.push([at, Math.round(random() * 1e6) / 1e3 + (random() < 0.01 ? 5_000 : 0), quality])
    }
    const fast = await store('fast', 'float64', samples)
    const slow = await store('slow', 'float64', [
      [start + 61_234, 1.5],
      [start + 20 * minuteMs, 2.5],
    ])
    const { series } = await auto([fast, slow], start, start + 30 * minuteMs, 600, 10 * secondMs)
    expect(series.map(({ kind }) => kind)).toEqual(['buckets', 'raw'])
    expect(series[1]?.points.map(([at, value]) => [at - start, value])).toEqual([
      [61_234, 1.5],
      [20 * minuteMs, 2.5],
    ])

    const buckets = Map.groupBy(samples, ([at]) => at - ((at - start) % (10 * secondMs)))
    const expected = [...buckets].map(([at, inside]) => {
      const values = inside.filter(([, , quality]) => quality !== qualityNumber.bad).map(([, value]) => value)
      if (values.length === 0) return { at, mean: null, low: null, high: null, quality: 'bad' }
      const isUncertain = inside.some(([, , quality]) => quality === qualityNumber.uncertain)
      return {
        at,
        mean: values.reduce((sum, value) => sum + value, 0) / values.length,
        low: Math.min(...values),
        high: Math.max(...values),
        quality: isUncertain ? 'uncertain' : undefined,
      }
    })
    const told = series[0]?.points.map(([at, mean, low, high, quality]) => ({ at, mean, low, high, quality }))
    expect(told?.map(({ mean: _, ...rest }) => rest)).toEqual(expected.map(({ mean: _, ...rest }) => rest))
    told?.forEach(({ mean }, place) => {
      const wanted = expected[place]?.mean ?? null
      if (wanted === null) expect(mean).toBe(null)
      else expect(mean).toBeCloseTo(wanted, 6)
    })
  })

  it('keeps every change of a switch that was read a thousand times, a pulse of one reading included', async () => {
    const samples = Array.from(
      { length: 1_500 },
      (_, second) => [start + second * secondMs, second >= 700 && second !== 1_101] as const,
    )
    const id = await store('on', 'bool', samples)
    const { series } = await auto([id], start, start + 1_500 * secondMs, 500, minuteMs)
    expect(series[0]?.kind).toBe('changes')
    const points = series[0]?.points ?? []
    expect(points.length).toBeLessThan(40)
    const changes = points.filter(([, value], place) => place === 0 || points[place - 1]?.[1] !== value)
    expect(changes.map(([at, value]) => [(at - start) / secondMs, value])).toEqual([
      [0, false],
      [700, true],
      [1_101, false],
      [1_102, true],
    ])
    expect(points.at(-1)?.[0]).toBe(start + 1_499 * secondMs)
  })

  it('shows that a switch that flaps was both within an interval', async () => {
    const samples = Array.from(
      { length: 400 },
      (_, place) => [start + place * secondMs, place % 2 === 1] as const,
    )
    const id = await store('flaps', 'bool', samples)
    const { series } = await auto([id], start, start + 400 * secondMs, 100, 100 * secondMs)
    expect(series[0]).toMatchObject({ kind: 'buckets', intervalMs: 100 * secondMs })
    expect(series[0]?.points.map(([, ...rest]) => rest)).toEqual(Array(4).fill([true, 0, 1]))
  })

  it('gives the samples beside the stretch, so that present values are visible, and the gaps up to them', async () => {
    const id = await store('t', 'float64', [
      [start - 20 * minuteMs, 1],
      [start + 30 * minuteMs, 2],
      [start + 90 * minuteMs, 3],
    ])
    await database.db
      .insertInto('machine_connections')
      .values(
        [
          [-60, -10],
          [-5, 80],
          [85, 24 * 60],
        ].map(([from = 0, to = 0]) => ({
          machine_id: machine.machineId,
          protocol: 'tcp/json',
          address: '127.0.0.1',
          started_at: new Date(start + from * minuteMs),
          last_seen_at: new Date(start + to * minuteMs),
          ended_at: new Date(start + to * minuteMs),
        })),
      )
      .execute()
    const { series, gaps } = await auto([id], start, start + hourMs, 100, minuteMs)
    expect(series[0]?.before).toEqual([start - 20 * minuteMs, 1, 1, 1])
    expect(series[0]?.after).toEqual([start + 90 * minuteMs, 3, 3, 3])
    expect(gaps.map(([from, to]) => [(from - start) / minuteMs, (to - start) / minuteMs])).toEqual([
      [-10, -5],
      [80, 85],
    ])
  })

  it('finds the newest value before the stretch however old it is', async () => {
    const id = await store('seldom', 'string', [[start - 9 * 24 * hourMs, 'late']])
    clock = start - 5 * 24 * hourMs
    await telemetry.append(machine.machineId, [
      {
        kind: 'sample',
        group: '',
        tag: 'seldom',
        type: 'string',
        value: 'recipe 4',
        quality: 192,
        time: clock,
        late: false,
      },
    ])
    await expect
      .poll(async () => (await auto([id], start, start + hourMs, 100, minuteMs)).series[0]?.before, {
        timeout: 10_000,
      })
      .toEqual([clock, 'recipe 4', null, null])
  })

  it('reports the lost spans of the machine', async () => {
    const id = await store('t', 'float64', [[start, 1]])
    await telemetry.append(machine.machineId, [
      { kind: 'lost', from: start + minuteMs, to: start + 2 * minuteMs, samples: 12_400 },
      { kind: 'lost', from: start + 2 * hourMs, to: start + 3 * hourMs, samples: 5 },
    ])
    const { lost } = await auto([id], start, start + hourMs, 100, minuteMs)
    expect(lost).toEqual([[start + minuteMs, start + 2 * minuteMs, 12_400]])
  })

  it('reports from when on a raw answer is cut off, and nothing when it is complete', async () => {
    const id = await store(
      't',
      'float64',
      [0, 1, 2].map((place) => [start + place * secondMs, place]),
    )
    const read = (points: number) =>
      telemetry.history({ tagIds: [id], from: start, to: start + minuteMs, points, agg: 'raw' })
    expect((await read(2)).series[0]).toMatchObject({ cutAt: start + 2 * secondMs })
    expect((await read(2)).series[0]?.points).toHaveLength(2)
    expect((await read(3)).series[0]).toMatchObject({ cutAt: null })
  })

  it('leads from a version of a tag to the one of another type before and after it', async () => {
    const first = await store('level', 'int64', [[start, 5n]])
    const second = await store('level', 'float64', [[start + minuteMs, 5.5]])
    expect(second).not.toBe(first)
    const { series } = await auto([first, second], start, start + hourMs, 100, minuteMs)
    expect(series.map(({ version }) => version)).toMatchObject([
      { name: 'level', type: 'int64', retiredAt: clock, earlierId: null, laterId: second },
      { name: 'level', type: 'float64', retiredAt: null, earlierId: first, laterId: null },
    ])
    expect(series.map(({ points }) => points.map(([, value]) => value))).toEqual([[5], [5.5]])
  })
})
