import {
  parseRow,
  planOf,
  readAll,
  StreamRig,
} from '@busbar/platform/test-support/project-stream/stream-rig.ts'
import { sample, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { createUser } from '@busbar/testkit'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { withClient } from '../../kernel/database/database.ts'
import { raiseEpoch } from '../../kernel/facts/epoch.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { LogKeeper } from './log-keeper.ts'
import { ReaderStore } from './reader-store.ts'
import { StreamKeeping } from './stream-keeping.ts'
import type { NewRow } from './stream-row.ts'

const store = useStore()
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const { signal } = new AbortController()
let rig: StreamRig
let projectIds: [number, number]

beforeEach(async () => {
  rig = new StreamRig({ db: store.db, now: () => store.clock })
  const { userId } = await createUser(store.db)
  const { rows } = await sql<{ id: number }>`
    insert into projects (user_id, name, created_at) values (${userId}, 'A', now()), (${userId}, 'B', now())
    returning id`.execute(store.db)
  projectIds = rows.map(({ id }) => id) as [number, number]
})

const rowOfText = (text: string, time = store.clock): NewRow => ({
  ...{ linkId: 1, machineId: 1, kind: 'row', late: false, time },
  text: `"text":${JSON.stringify(text)}}`,
})

const textsOf = async (projectId: number, after = 0) =>
  (await rig.streams.read(projectId, after, { maxRows: 10_000, maxBytes: 1e9 })).map((row) => [
    row.no,
    parseRow(row).text,
  ])

const keep = (bytesMax = 1e12, projectBytesMax?: number) =>
  new StreamKeeping({
    db: store.db,
    samplesDb: store.db,
    bytesMax,
    ...(projectBytesMax && { projectBytesMax }),
  }).run({
    now: store.clock,
    previous: store.clock - minuteMs,
    signal,
  })

async function appendOne(projectId: number, text: string): Promise<void> {
  store.clock += 1_000
  await rig.streams.append(projectId, [rowOfText(text)])
}

const sizeOf = async (projectId: number) => {
  const { rows } = await sql<{ bytes: number; real: number; chunks: number }>`
    select bytes, (select sum(length(bytes)) from project_stream where project_id = ${projectId})::bigint as real,
           (select count(*) from project_stream where project_id = ${projectId})::int as chunks
    from project_streams where project_id = ${projectId}`.execute(store.db)
  return rows[0]
}

describe('a stream', () => {
  it('is read from any number, by rows and by bytes', async () => {
    const [projectId] = projectIds
    for (let turn = 0; turn < 40; turn++)
      await rig.streams.append(
        projectId,
        Array.from({ length: 3 }, (_, place) => rowOfText(`${turn}.${place}`)),
      )
    const all = await textsOf(projectId)
    expect(all.map(([no]) => no)).toEqual(Array.from({ length: 120 }, (_, place) => place + 1))
    for (const after of [0, 1, 2, 3, 58, 119, 120]) {
      const rows = await rig.streams.read(projectId, after, { maxRows: 70, maxBytes: 1e9 })
      expect(rows.map(({ no }) => no)).toEqual(all.slice(after, after + 70).map(([no]) => no))
    }
    expect(await rig.streams.read(projectId, 5, { maxRows: 70, maxBytes: 1 })).toHaveLength(1)
  })

  it('joins small pieces after a minute, without a change of any row', async () => {
    const [projectId, other] = projectIds
    for (let turn = 0; turn < 30; turn++) {
      await appendOne(projectId, `value ${turn}`)
      if (turn % 7 === 0) await appendOne(other, 'other')
    }
    const before = await textsOf(projectId)
    store.clock += minuteMs + 1_000
    await keep()
    expect(await textsOf(projectId)).toEqual(before)
    expect(await textsOf(projectId, 17)).toEqual(before.slice(17))
    const size = await sizeOf(projectId)
    expect(size).toMatchObject({ chunks: 1, bytes: size?.real })
  })

  it('forgets what is older than 72 hours', async () => {
    const [projectId] = projectIds
    for (const text of ['a', 'b', 'c']) await appendOne(projectId, text)
    store.clock += 72 * hourMs - 1_500
    await appendOne(projectId, 'd')
    await keep()
    expect(await textsOf(projectId)).toEqual([
      [3, 'c'],
      [4, 'd'],
    ])
    expect(await rig.streams.heads([projectId])).toMatchObject(
      new Map([[projectId, { firstNo: 3, nextNo: 5 }]]),
    )
    const size = await sizeOf(projectId)
    expect(size?.bytes).toBe(size?.real)
  })

  it('loses its oldest rows where it, or all together, are too large', async () => {
    const [projectId, other] = projectIds
    for (let turn = 0; turn < 10; turn++) await appendOne(projectId, crypto.randomUUID().repeat(10))
    await appendOne(other, 'small')
    await keep(1e12, 500)
    expect((await sizeOf(projectId))?.bytes).toBeLessThanOrEqual(500)
    const kept = await textsOf(projectId)
    expect(kept.at(-1)?.[0]).toBe(10)
    expect((await rig.streams.heads([projectId])).get(projectId)?.firstNo).toBe(kept[0]?.[0])
    expect(await textsOf(other)).toHaveLength(1)
    await keep(1)
    expect(await textsOf(projectId)).toEqual([])
    expect((await rig.streams.heads([projectId])).get(projectId)).toMatchObject({ firstNo: 11, nextNo: 11 })
  })

  it('has another epoch after a restore, because numbers of its rows are given again', async () => {
    for (const projectId of projectIds) await appendOne(projectId, 'a')
    const before = await rig.streams.heads(projectIds)
    await withClient(store.db, raiseEpoch)
    const after = await rig.streams.heads(projectIds)
    for (const projectId of projectIds) {
      expect(after.get(projectId)?.epoch).not.toBe(before.get(projectId)?.epoch)
      expect(after.get(projectId)).toMatchObject({ firstNo: 1, nextNo: 2 })
    }
  })

  it('goes with its project', async () => {
    for (const projectId of projectIds) await appendOne(projectId, 'a')
    await store.db.deleteFrom('projects').where('id', '=', projectIds[0]).execute()
    await keep()
    expect([...(await rig.streams.heads(projectIds)).keys()]).toEqual([projectIds[1]])
  })
})

describe('the log of samples', () => {
  const countRows = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from sample_log`.execute(store.db)).rows[0]
      ?.count
  /** Drops what may go of the log. */
  const maintain = async () => {
    await store.telemetry.flush()
    await store.telemetry.jobs
      .find(({ name }) => name === 'telemetry.log')
      ?.run({ now: store.clock, previous: undefined, signal })
  }
  let keeper: LogKeeper
  let machineId: number

  beforeEach(async () => {
    keeper = new LogKeeper({
      ...{ samplesDb: store.db, streams: rig.streams, logger: silentLogger, now: () => store.clock },
      store: new ReaderStore(store.db, 'another process'),
    })
    store.telemetry.keepLogFor(keeper)
    machineId = await store.createMachine()
  })

  const plan = (everyS: number) =>
    planOf(projectIds[0], [{ machineId, machineCode: '1'.repeat(19) }], { everyS })
  const kinds = async () => (await rig.rowsOf(projectIds[0])).map(({ kind }) => kind)

  it('waits for the reader of streams, and tells each project what it lost after six hours', async () => {
    rig.setPlans(plan(0))
    const reader = await rig.open()
    await readAll(reader)
    await store.telemetry.append(machineId, [sample('flow', 1)])
    await readAll(reader)
    store.clock += 3 * hourMs
    await store.telemetry.append(machineId, [sample('flow', 2)])
    await maintain()
    expect(await countRows()).toBe(1)
    const missedAt = store.clock
    store.clock += 5 * hourMs
    await maintain()
    expect(await countRows()).toBe(1)
    expect(await keeper.unreadMs()).toBe(5 * hourMs)
    expect(await kinds()).toEqual(['row'])
    store.clock += 2 * hourMs
    await maintain()
    expect(await countRows()).toBe(0)
    expect(await kinds()).toEqual(['row', 'gap'])
    const { gap } = parseRow((await rig.rowsOf(projectIds[0])).at(-1) as never)
    expect(gap.from).toBeLessThanOrEqual(missedAt)
    expect(gap.to).toBeGreaterThan(missedAt)
  })

  it('waits for the end of intervals, and for nobody once no project reports', async () => {
    rig.setPlans(plan(3_600))
    const reader = await rig.open()
    await readAll(reader)
    await store.telemetry.append(machineId, [sample('flow', 1)])
    await readAll(reader)
    store.clock += 3 * hourMs
    await maintain()
    expect(await countRows()).toBe(1)
    await readAll(reader)
    await maintain()
    expect([await countRows(), await kinds()]).toEqual([0, ['row']])
    await store.telemetry.append(machineId, [sample('flow', 2)])
    rig.setPlans()
    await readAll(reader)
    store.clock += 3 * hourMs
    await maintain()
    expect([await countRows(), await kinds()]).toEqual([0, ['row']])
  })

  it('that a machine had to drop a part of is told as a gap, once', async () => {
    const [projectId] = projectIds
    rig.setPlans(plan(0))
    const reader = await rig.open()
    await readAll(reader)
    store.clock += 1_000
    const lost = { kind: 'lost' as const, from: store.clock - hourMs, to: store.clock - minuteMs, samples: 3 }
    await store.telemetry.append(machineId, [lost])
    await expect
      .poll(
        async () => {
          await readAll(reader)
          return (await rig.rowsOf(projectId)).map(parseRow)
        },
        { timeout: 10_000, interval: 500 },
      )
      .toEqual([{ machineCode: '1'.repeat(19), time: lost.to, gap: { from: lost.from, to: lost.to } }])
    await store.telemetry.append(machineId, [lost])
    await readAll(reader)
    expect(await rig.rowsOf(projectId)).toHaveLength(1)
  })
})
