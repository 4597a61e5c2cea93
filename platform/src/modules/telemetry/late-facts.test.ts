import { createMachine } from '@busbar/testkit/builders.ts'
import { useDatabase } from '@busbar/testkit/test-site.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BusEvents, createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import {
  type AlarmRecord,
  createTelemetry,
  type LostRecord,
  type SampleRecord,
  type Telemetry,
  uplinkLimits,
} from './index.ts'

const minuteMs = 60_000
const clock = Date.UTC(2026, 10, 20, 12)

const database = useDatabase()
let telemetry: Telemetry
let machineId: number
let told: BusEvents['late'][]
let latestTold: BusEvents['values'][]

beforeAll(async () => {
  const bus = createLocalBus(silentLogger)
  bus.subscribe('late', (event) => told.push(event))
  bus.subscribe('values', (event) => latestTold.push(event))
  telemetry = createTelemetry({ db: database.db, bus, logger: silentLogger, now: () => clock })
  await telemetry.start()
})

beforeEach(async () => {
  machineId = (await createMachine(database.db)).machineId
  told = []
  latestTold = []
})

afterAll(async () => {
  await telemetry.stop()
})

const sample = (value: number, time: number, late: boolean): SampleRecord => ({
  kind: 'sample',
  group: '',
  tag: 'temp',
  type: 'float64',
  value,
  quality: 192,
  time,
  late,
})
const lost = (from: number, to: number, samples = 10): LostRecord => ({ kind: 'lost', from, to, samples })

describe('samples of the past', () => {
  it('are recorded once per commit, as the span they cover; live ones are not', async () => {
    await telemetry.append(machineId, [sample(1, clock, false)])
    expect(told).toEqual([])
    await telemetry.append(machineId, [
      sample(2, clock - 10 * minuteMs, true),
      sample(3, clock - 60 * minuteMs, true),
      sample(4, clock + 1, false),
    ])
    expect(told).toEqual([{ machineId, from: clock - 60 * minuteMs, to: clock - 10 * minuteMs }])
    expect(latestTold.map(({ values }) => values.map(({ value }) => value))).toEqual([[1], [4]])
  })

  it('of before 2000 or after tomorrow are refused, and of a time to come move nothing', async () => {
    await telemetry.append(machineId, [sample(1, clock - 1, false)])
    const ahead = clock + 120 * minuteMs
    const refused = await telemetry.append(machineId, [
      sample(2, 0, true),
      sample(2, clock + 25 * 60 * minuteMs, true),
      sample(3, ahead, true),
    ])
    expect(refused).toHaveLength(1)
    expect(told).toEqual([{ machineId, from: ahead, to: ahead }])
    expect((await telemetry.listLatest(machineId)).map(({ value }) => value)).toEqual([1])
  })

  it('fill the last hour of a sparkline', async () => {
    await telemetry.append(machineId, [sample(5, clock, false)])
    const [tag] = await telemetry.listTags(machineId, 'en')
    const tagId = tag?.tagId ?? 0
    await telemetry.sparks([tagId])
    await telemetry.append(machineId, [
      sample(7, clock - 30 * minuteMs, true),
      sample(9, clock - 90 * minuteMs, true),
    ])
    const spark = (await telemetry.sparks([tagId])).get(tagId)
    expect(spark?.filter((value) => value !== null)).toEqual([7, 5])
  })
})

describe('data that a machine had to drop', () => {
  const spans = () =>
    database.db
      .selectFrom('lost_spans')
      .select(['from_at', 'to_at', 'samples'])
      .where('machine_id', '=', machineId)
      .orderBy('to_at')
      .execute()

  it('is stored and published once, however often it is sent', async () => {
    const span = lost(clock - 60 * minuteMs, clock - 50 * minuteMs, 600)
    await telemetry.append(machineId, [span])
    await telemetry.append(machineId, [span, span])
    expect(await spans()).toEqual([{ from_at: new Date(span.from), to_at: new Date(span.to), samples: 600 }])
    expect(told).toEqual([{ machineId, from: span.from, to: span.to }])
  })

  it('is ignored when it is impossible', async () => {
    await telemetry.append(machineId, [
      lost(clock, clock - 1),
      lost(0, clock),
      lost(clock, clock + 25 * 3_600_000),
      lost(Number.NaN, clock),
      lost(clock - 1, clock, 0),
      lost(clock - 1, clock, 1e300),
    ])
    expect(await spans()).toEqual([])
    expect(told).toEqual([])
  })

  it('beyond the limit of a machine drops the spans that ended first', async () => {
    const all = Array.from({ length: uplinkLimits.lostSpansMax + 2 }, (_, number) =>
      lost(clock - 3_600_000 + number, clock - 3_600_000 + number),
    )
    await telemetry.append(machineId, all)
    const kept = await spans()
    expect(kept).toHaveLength(uplinkLimits.lostSpansMax)
    expect(kept[0]?.from_at.getTime()).toBe(clock - 3_600_000 + 2)
  })
})

describe('alarms of an outage', () => {
  const alarm = (state: AlarmRecord['state'], minutesAgo: number, more: Partial<AlarmRecord> = {}) => ({
    kind: 'alarm' as const,
    key: 'E1',
    level: 'major' as const,
    text: { en: 'Oil pressure low' },
    state,
    isRepeat: false,
    time: clock - minutesAgo * minuteMs,
    late: true,
    ...more,
  })
  /** As a birth reports it. */
  const standing = (state: AlarmRecord['state'], minutesAgo: number) =>
    alarm(state, minutesAgo, { late: false, isRepeat: true })
  const under = (state: AlarmRecord['state'], minutesAgo: number) => ({
    standing: { state, time: clock - minutesAgo * minuteMs },
  })
  const list = async () =>
    (
      await database.db
        .selectFrom('alarms')
        .select(['raised_at', 'cleared_at', 'count'])
        .where('machine_id', '=', machineId)
        .orderBy('raised_at')
        .execute()
    ).map(({ raised_at, cleared_at, count }) => [
      (clock - raised_at.getTime()) / minuteMs,
      cleared_at && (clock - cleared_at.getTime()) / minuteMs,
      count,
    ])

  it('that are over are never active, not between their two messages and not when the second is lost', async () => {
    await telemetry.append(machineId, [standing('cleared', 30)])
    await telemetry.append(machineId, [alarm('raised', 40, under('cleared', 30))])
    expect(await list()).toEqual([[40, 40, 1]])
    for (let times = 0; times < 2; times++) {
      await telemetry.append(machineId, [
        alarm('raised', 40, under('cleared', 30)),
        alarm('cleared', 30, under('cleared', 30)),
      ])
    }
    expect(await list()).toEqual([[40, 30, 1]])
  })

  it('raised after the machine reported it as cleared is active, though its message comes as late', async () => {
    await telemetry.append(machineId, [standing('cleared', 30)])
    await telemetry.append(machineId, [alarm('raised', 20, under('cleared', 30))])
    expect(await list()).toEqual([[20, null, 1]])
  })

  it('that is active stays active while the one before it is filled in', async () => {
    await telemetry.append(machineId, [standing('raised', 10)])
    for (const record of [alarm('raised', 40), alarm('cleared', 30), alarm('raised', 10)]) {
      await telemetry.append(machineId, [{ ...record, ...under('raised', 10) }])
    }
    expect(await list()).toEqual([
      [40, 30, 1],
      [10, null, 1],
    ])
  })

  it('that was cleared and raised anew meanwhile is two, and never seems over', async () => {
    await telemetry.append(machineId, [alarm('raised', 0, { late: false })])
    await database.db
      .updateTable('alarms')
      .set({ raised_at: new Date(clock - 60 * minuteMs) })
      .where('machine_id', '=', machineId)
      .execute()
    await telemetry.append(machineId, [standing('raised', 10)])
    await telemetry.append(machineId, [alarm('cleared', 30, under('raised', 10))])
    expect(await list()).toEqual([
      [60, 30, 1],
      [10, null, 1],
    ])
    await telemetry.append(machineId, [alarm('raised', 10, under('raised', 10))])
    expect(await list()).toHaveLength(2)
  })

  it('raised in the outage and reported by the birth is active since its arrival', async () => {
    await telemetry.append(machineId, [standing('raised', 40)])
    expect(await list()).toEqual([[40, null, 1]])
  })
})
