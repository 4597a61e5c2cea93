import { telemetry as contract } from '@busbar/contract'
import { failureOf } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, it } from 'vitest'
import type { UplinkRecord, UplinkValue } from './index.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const site = useSite()
/** A past hour: the samples below are within it. */
const start = Math.floor((Date.now() - 30 * hourMs) / hourMs) * hourMs

async function openMachine() {
  const owner = await site.createUser()
  const machine = await site.createMachine({ owner: owner.userId })
  return { owner, machineId: machine.machineId, client: site.as(owner) }
}

/** Samples by minutes from `start`. */
async function store(
  machineId: number,
  tag: string,
  type: 'bool' | 'int64' | 'float64' | 'string',
  values: readonly (readonly [minute: number, value: UplinkValue])[],
): Promise<number> {
  const records = values.map(
    ([minute, value]): UplinkRecord => ({
      kind: 'sample',
      group: '',
      tag,
      type,
      value,
      quality: 192,
      time: start + minute * minuteMs,
      late: true,
    }),
  )
  await site.platform.telemetry.append(machineId, records)
  const tags = await site.platform.telemetry.listTags(machineId, 'en')
  return tags.find((one) => one.tag === tag)?.tagId ?? 0
}

const hour = { from: start, to: start + hourMs }

describe('GET /api/v1/data/statistics', () => {
  it('answers numbers, switches and texts of several tags in the requested order', async () => {
    const { machineId, client } = await openMachine()
    const number = await store(machineId, 'temp', 'float64', [
      [0, 20],
      [30, 40],
      [45, 10],
    ])
    const bool = await store(machineId, 'on', 'bool', [
      [0, true],
      [15, false],
      [20, true],
    ])
    const text = await store(machineId, 'mode', 'string', [
      [0, 'auto'],
      [50, 'manual'],
    ])
    const found = await client.call(contract.getStatistics, { tagIds: [text, number, bool], ...hour })
    expect(found).toEqual([
      expect.objectContaining({
        tagId: text,
        machineId,
        basis: 'samples',
        count: 2,
        mean: null,
        min: null,
        delta: null,
        states: [
          { value: 'auto', ms: 50 * minuteMs, times: 1 },
          { value: 'manual', ms: 10 * minuteMs, times: 1 },
        ],
      }),
      {
        tagId: number,
        machineId,
        basis: 'samples',
        samples: 3,
        count: 3,
        min: { value: 10, at: start + 45 * minuteMs, withinMs: 0 },
        max: { value: 40, at: start + 30 * minuteMs, withinMs: 0 },
        mean: 70 / 3,
        timeMean: (20 * 30 + 40 * 15 + 10 * 15) / 60,
        first: { value: 20, at: start, withinMs: 0 },
        last: { value: 10, at: start + 45 * minuteMs, withinMs: 0 },
        delta: { value: 30, resets: 1 },
        states: null,
        otherStatesMs: null,
        knownMs: hourMs,
        badMs: 0,
        gapMs: 0,
      },
      expect.objectContaining({
        tagId: bool,
        states: [
          { value: true, ms: 55 * minuteMs, times: 2 },
          { value: false, ms: 5 * minuteMs, times: 1 },
        ],
        otherStatesMs: 0,
      }),
    ])
  })

  it('does not count a value while the device was away or where samples were lost', async () => {
    const { machineId, client } = await openMachine()
    const at = (minute: number) => new Date(start + minute * minuteMs)
    await site.db
      .insertInto('machine_connections')
      .values([
        {
          machine_id: machineId,
          started_at: at(-60),
          ended_at: at(20),
          last_seen_at: at(20),
          protocol: 'plain',
          address: '',
        },
        {
          machine_id: machineId,
          started_at: at(40),
          ended_at: at(600),
          last_seen_at: at(600),
          protocol: 'plain',
          address: '',
        },
      ])
      .execute()
    const tag = await store(machineId, 'speed', 'float64', [
      [0, 10],
      [45, 50],
    ])
    const [found] = await client.call(contract.getStatistics, { tagIds: [tag], ...hour })
    expect(found).toMatchObject({
      knownMs: 35 * minuteMs,
      gapMs: 20 * minuteMs,
      timeMean: (10 * 20 + 50 * 15) / 35,
      mean: 30,
    })
    await site.platform.telemetry.append(machineId, [
      { kind: 'lost', from: at(50).getTime(), to: at(55).getTime(), samples: 9 },
    ])
    const [lossy] = await client.call(contract.getStatistics, { tagIds: [tag], ...hour })
    expect(lossy).toMatchObject({ knownMs: 25 * minuteMs, gapMs: 25 * minuteMs + 1 })
  })

  it('keeps counters exact that a double cannot hold', async () => {
    const { machineId, client } = await openMachine()
    const tag = await store(machineId, 'energy', 'int64', [
      [0, 9_007_199_254_740_993n],
      [10, 9_007_199_254_740_996n],
      [20, 2n],
    ])
    const [found] = await client.call(contract.getStatistics, { tagIds: [tag], ...hour })
    expect(found).toMatchObject({
      max: { value: '9007199254740996' },
      min: { value: 2 },
      delta: { value: 5, resets: 1 },
    })
  })

  it('gives a variable that falls often no rise, and a counter that started again twice one', async () => {
    const { machineId, client } = await openMachine()
    const valuesOf = (value: (minute: number) => number) =>
      Array.from({ length: 60 }, (_, minute) => [minute, value(minute)] as const)
    const gauge = await store(
      machineId,
      'temp',
      'float64',
      valuesOf((minute) => 20 + 10 * (minute % 6)),
    )
    const counter = await store(
      machineId,
      'shots',
      'float64',
      valuesOf((minute) => 100 + (minute % 30)),
    )
    const [temp, shots] = await client.call(contract.getStatistics, { tagIds: [gauge, counter], ...hour })
    expect([temp?.delta, shots?.delta]).toEqual([null, { value: 29 + 100 + 29, resets: 1 }])
  })

  it('lists at most 50 states one by one, the longest of them', async () => {
    const { machineId, client } = await openMachine()
    const tag = await store(
      machineId,
      'batch',
      'string',
      Array.from({ length: 60 }, (_, minute) => [minute, `batch ${minute % 55}`] as const),
    )
    const [found] = await client.call(contract.getStatistics, { tagIds: [tag], ...hour })
    expect(found?.states).toHaveLength(50)
    expect(found?.states?.[0]).toEqual({ value: 'batch 0', ms: 2 * minuteMs, times: 2 })
    expect(found?.otherStatesMs).toBe(5 * minuteMs)
  })

  it('answers empty for a span that ends before it begins, or that is still to come', async () => {
    const { machineId, client } = await openMachine()
    const tag = await store(machineId, 'temp', 'float64', [[0, 20]])
    const [reversed] = await client.call(contract.getStatistics, {
      tagIds: [tag],
      from: hour.to,
      to: hour.from,
    })
    expect(reversed).toMatchObject({ samples: 0, knownMs: 0, mean: null })
    const next = Date.now() + hourMs
    const [future] = await client.call(contract.getStatistics, {
      tagIds: [tag],
      from: next,
      to: next + hourMs,
    })
    expect(future).toMatchObject({ samples: 0, knownMs: 0, mean: null })
  })

  it('is refused of tags that the caller may not see, and of more than 20', async () => {
    const { machineId } = await openMachine()
    const tag = await store(machineId, 'temp', 'float64', [[0, 20]])
    const stranger = site.as(await site.createUser())
    expect((await failureOf(stranger, contract.getStatistics, { tagIds: [tag], ...hour })).http).toBe(403)
    const many = Array.from({ length: 21 }, (_, place) => place + 1)
    expect((await failureOf(stranger, contract.getStatistics, { tagIds: many, ...hour })).http).toBe(400)
  })
})
