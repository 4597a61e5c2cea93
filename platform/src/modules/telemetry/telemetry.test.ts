import { createHash } from 'node:crypto'
import { openFacts } from '@busbar/platform/test-support/facts/open-facts.ts'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMember,
  createMachine as createOwnedMachine,
  createTeam,
  createUser,
} from '@busbar/testkit'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BusEvents, createLocalBus } from '../../kernel/bus/bus.ts'
import { Facts } from '../../kernel/facts/facts.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { changeOwner } from '../access/index.ts'
import {
  type AlarmRecord,
  createTelemetry,
  RecordsRefused,
  type SampleRecord,
  type Telemetry,
  type UplinkRecord,
} from './index.ts'
import { ownerFollower } from './next-owner.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

let database: TestDatabase
let telemetry: Telemetry
let clock: number
let events: { [Topic in 'values' | 'tags']: BusEvents[Topic][] }

beforeEach(async () => {
  database = await createTestDatabase()
  clock = Date.UTC(2026, 10, 20, 12)
  telemetry = await open()
})

afterEach(async () => {
  await telemetry.stop()
  await database.drop()
})

async function open(): Promise<Telemetry> {
  const bus = createLocalBus(silentLogger)
  events = { values: [], tags: [] }
  bus.subscribe('values', (event) => events.values.push(event))
  bus.subscribe('tags', (event) => events.tags.push(event))
  const options = { db: database.db, bus, logger: silentLogger, now: () => clock }
  const opened = createTelemetry({ ...options, facts: new Facts(options) })
  await opened.start()
  return opened
}

let lastCode = 0

/** The people who were told of a machine's tag limit. */
async function listTold(): Promise<number[]> {
  const rows = await database.db
    .selectFrom('messages')
    .select('user_id')
    .where('type', '=', 'tagLimit')
    .execute()
  return rows.map((message) => message.user_id)
}

async function createMachine(): Promise<number> {
  const row = await database.db
    .insertInto('machines')
    .values({
      code: String(++lastCode).padStart(19, '1'),
      type: 'press',
      name: 'Press 1',
      secret_hash: createHash('sha256').update('secret').digest(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

function sample(tag: string, value: SampleRecord['value'], more: Partial<SampleRecord> = {}): SampleRecord {
  const type =
    typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'bigint'
        ? 'int64'
        : typeof value === 'string'
          ? 'string'
          : 'float64'
  return { kind: 'sample', group: '', tag, type, value, quality: 192, time: undefined, late: false, ...more }
}

function alarm(key: string, state: 'raised' | 'cleared', more: Partial<AlarmRecord> = {}): AlarmRecord {
  return {
    kind: 'alarm',
    key,
    level: 'major',
    text: { en: 'Oil pressure low' },
    state,
    isRepeat: false,
    time: undefined,
    late: false,
    ...more,
  }
}

async function rowsOf(machineId: number) {
  const { rows } = await sql<{
    name: string
    version: number
    at: Date
    quality: number
    late: boolean
    num: number | null
    int: string | null
    text: string | null
  }>`
    select tags.name, version, at, quality, late, num, int::text as int, text
    from samples join tags on tags.id = tag_id where machine_id = ${machineId} order by tags.id, at`.execute(
    database.db,
  )
  return rows
}

async function latestOf(machineId: number, tag: string) {
  const tags = await telemetry.listTags(machineId, 'en')
  const id = tags.find((one) => one.tag === tag)?.tagId
  return (await telemetry.listLatest(machineId)).find((value) => value.tagId === id)
}

describe('append', () => {
  it('stores every type under its own column and tells it after the commit', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [
      sample('temp', 21.5),
      sample('count', 9_007_199_254_740_993n),
      sample('on', true),
      sample('recipe', '甜点 🍰'),
    ])
    expect(await rowsOf(machineId)).toMatchObject([
      { name: 'temp', num: 21.5, int: null, text: null, quality: 192, late: false },
      { name: 'count', num: null, int: '9007199254740993', text: null },
      { name: 'on', num: null, int: '1', text: null },
      { name: 'recipe', num: null, int: null, text: '甜点 🍰' },
    ])
    expect(events.values).toHaveLength(1)
    expect(events.values[0]?.values.map(({ value }) => value)).toEqual([
      21.5,
      9_007_199_254_740_993n,
      true,
      '甜点 🍰',
    ])
    expect(events.tags).toEqual([{ machineId }])
    expect((await latestOf(machineId, 'count'))?.value).toBe(9_007_199_254_740_993n)
  })

  it('gathers many callers into few transactions, each resolved after its commit', async () => {
    const machines = await Promise.all(Array.from({ length: 10 }, createMachine))
    await Promise.all(machines.map((id) => telemetry.append(id, [sample('n', 0)])))
    const before = telemetry.stats().commitSeconds.count
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        telemetry.append(machines[index % 10] as number, [sample('n', index, { time: clock + 1 + index })]),
      ),
    )
    expect(telemetry.stats().commitSeconds.count - before).toBeLessThan(20)
    const { rows } = await sql<{ count: number }>`select count(*) from samples`.execute(database.db)
    expect(rows[0]?.count).toBe(510)
    expect(telemetry.stats().waiting).toBe(0)
  })

  it('has what it acknowledged in the database', async () => {
    const machineId = await createMachine()
    for (let n = 0; n < 20; n++) {
      await telemetry.append(machineId, [sample('n', n, { time: clock + n })])
      expect(await rowsOf(machineId)).toHaveLength(n + 1)
    }
  })

  it('keeps two samples without a time of one millisecond apart', async () => {
    const machineId = await createMachine()
    await Promise.all([1, 2, 3].map((n) => telemetry.append(machineId, [sample('n', n)])))
    expect((await latestOf(machineId, 'n'))?.value).toBe(3)
    expect(new Set((await rowsOf(machineId)).map((row) => row.at.getTime())).size).toBe(3)
  })

  it('refuses what one machine cannot have and stores what came beside it', async () => {
    const [good, gone] = await Promise.all([createMachine(), createMachine()])
    await telemetry.append(gone, [sample('n', 1)])
    await database.db.deleteFrom('machines').where('id', '=', gone).execute()
    const results = await Promise.allSettled([
      telemetry.append(good, [sample('a', 1)]),
      telemetry.append(gone, [sample('another', 1)]),
      telemetry.append(good, [sample('b', 2)]),
    ])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(RecordsRefused)
    expect((await rowsOf(good)).map((row) => row.name)).toEqual(['a', 'b'])
  })

  it('writes a batch once, even when the answer to its commit was lost', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [sample('n', 0, { time: clock })])
    const before = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db)
    expect(before.rows).toHaveLength(1)
    const appends = Array.from({ length: 200 }, (_, index) =>
      telemetry.append(machineId, [sample('n', index, { time: clock + 1 + index }), sample(`t${index}`, 1)]),
    )
    // Ends every connection in the middle of it; who was asked to commit may or may not have.
    const killer = await createTestDatabase({ empty: true })
    for (let round = 0; round < 5; round++) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
                where datname = ${database.connection.database}`.execute(killer.db)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await killer.drop()
    await Promise.all(appends)
    const { rows } = await sql<{ all: number; distinct: number }>`
      select count(*) as all, count(distinct (tag_id, at)) as distinct from samples`.execute(database.db)
    expect(rows[0]).toEqual({ all: 401, distinct: 401 })
  })
})

describe('values', () => {
  it('stores NaN, infinities, too long texts and too big integers as bad without a value', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [
      sample('nan', Number.NaN),
      sample('inf', Number.POSITIVE_INFINITY),
      sample('long', '汉'.repeat(342)),
      sample('nul', 'a\0b'),
      sample('big', 2n ** 63n),
      sample('fits', '汉'.repeat(341)),
    ])
    const rows = await rowsOf(machineId)
    expect(rows.slice(0, 5).map((row) => [row.quality, row.num, row.int, row.text])).toEqual(
      Array(5).fill([0, null, null, null]),
    )
    expect(rows[5]).toMatchObject({ quality: 192, text: '汉'.repeat(341) })
    expect(await latestOf(machineId, 'nan')).toMatchObject({ value: null, quality: 'bad' })
  })

  it('makes a new version of a tag that changes its type', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [sample('a', 1)])
    const [first] = await telemetry.listTags(machineId, 'en')
    await telemetry.append(machineId, [sample('a', true, { time: clock + 1 })])
    const tags = await telemetry.listTags(machineId, 'en')
    expect(tags).toMatchObject([{ tag: 'a', type: 'bool' }])
    expect(tags[0]?.tagId).not.toBe(first?.tagId)
    expect((await rowsOf(machineId)).map((row) => [row.version, row.num, row.int])).toEqual([
      [1, 1, null],
      [2, null, '1'],
    ])
  })

  it('makes both versions when a tag changes its type within one message', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [sample('a', 1), sample('a', 'x'), sample('a', true), sample('b', 1)])
    expect((await rowsOf(machineId)).map((row) => [row.name, row.version])).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 2],
      ['a', 3],
    ])
    expect((await telemetry.listTags(machineId, 'en')).map((tag) => tag.type).sort()).toEqual([
      'bool',
      'float64',
    ])
  })

  it('stores the first 5,000 tags and tells the keys once that there are more', async () => {
    const machineId = await createMachine()
    const user = await database.db
      .insertInto('users')
      .values({ name: 'Wang Fang', email: 'wang@example.com', password_hash: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await database.db
      .updateTable('machines')
      .set({ owner_user_id: user.id })
      .where('id', '=', machineId)
      .execute()
    const records: UplinkRecord[] = Array.from({ length: 5_002 }, (_, index) => sample(`t${index}`, index))
    expect(await telemetry.append(machineId, records)).toEqual(['t5000', 't5001'])
    expect(await telemetry.append(machineId, [sample('t5003', 1), sample('t0', 2)])).toEqual(['t5003'])
    expect(await rowsOf(machineId)).toHaveLength(5_001)
    await telemetry.settled()
    const messages = await database.db
      .selectFrom('messages')
      .select(['user_id', 'tab', 'type', 'params'])
      .execute()
    expect(messages).toEqual([
      {
        user_id: user.id,
        tab: 'device',
        type: 'tagLimit',
        params: { max: 5000, refused: ['t5000', 't5001'], machine: expect.any(String) },
      },
    ])
  })

  it('tells who looks after an enterprise’s machine of the limit too, and nobody whose account is locked', async () => {
    const { db } = database
    const enterprise = await createEnterprise(db)
    const { machineId } = await createEnterpriseMachine(db, enterprise.eid)
    const [manager, locked] = [
      await createMember(db, enterprise.eid, 'member', ['manage']),
      await createMember(db, enterprise.eid, 'admin'),
    ]
    await createTeam(db, {
      eid: enterprise.eid,
      kind: 'manage',
      memberIds: [manager.userId],
      machineIds: [machineId],
    })
    await db.updateTable('users').set({ state: 'locked' }).where('id', '=', locked.userId).execute()
    await telemetry.append(
      machineId,
      Array.from({ length: 5_001 }, (_, index) => sample(`t${index}`, index)),
    )
    await telemetry.settled()
    expect(new Set(await listTold())).toEqual(new Set([enterprise.owner.userId, manager.userId]))
  })

  it('tells the next owner nothing of tags that were refused for the former one', async () => {
    const { db } = database
    const [ann, ben] = [await createUser(db), await createUser(db)]
    const { machineId } = await createOwnedMachine(db, { owner: ann.userId })
    await telemetry.append(
      machineId,
      Array.from({ length: 5_000 }, (_, index) => sample(`t${index}`, index)),
    )
    // The message of Ann's agent arrives before the change of owner, and is written after it.
    const { facts, stop } = await openFacts(db, [ownerFollower])
    await db.transaction().execute((trx) => changeOwner({ trx, facts }, machineId, ben, new Date(clock + 5)))
    await stop()
    expect(await telemetry.append(machineId, [sample('recipe of Ann', 1)])).toEqual([])
    await telemetry.settled()
    expect(await listTold()).toEqual([])
  })

  it('is acknowledged though nobody can be told of its limit now, and they are told later', async () => {
    const { db } = database
    const owner = await createUser(db)
    const { machineId } = await createOwnedMachine(db, { owner: owner.userId })
    const { machineId: another } = await createOwnedMachine(db)
    const records = Array.from({ length: 5_001 }, (_, index) => sample(`t${index}`, index))
    await db.transaction().execute(async (trx) => {
      await sql`lock table messages in exclusive mode`.execute(trx)
      expect(await telemetry.append(machineId, records)).toEqual(['t5000'])
      expect(await telemetry.append(another, [sample('flow', 1)])).toEqual([])
      expect(await listTold()).toEqual([])
    })
    await telemetry.settled()
    expect(await listTold()).toEqual([owner.userId])
  })

  it('takes over what the machine says about a tag', async () => {
    const machineId = await createMachine()
    const definition = {
      kind: 'tagDefinition',
      group: 'oven',
      tag: 'temp',
      type: 'float64',
      label: { cn: '温度', en: 'Temperature' },
      unit: '°C',
      scale: 1,
      min: 0,
      max: 300,
      readOnly: false,
      isKey: true,
    } as const
    await telemetry.append(machineId, [definition, sample('temp', 200, { group: 'oven' })])
    expect(await telemetry.listTags(machineId, 'cn')).toMatchObject([
      { group: 'oven', tag: 'temp', name: '温度', unit: '°C', scale: 1, min: 0, max: 300, readOnly: false },
    ])
    await telemetry.append(machineId, [definition])
    await telemetry.append(machineId, [{ ...definition, unit: 'K' }])
    expect(events.tags).toHaveLength(2)
    expect((await telemetry.listTags(machineId, 'en'))[0]).toMatchObject({ name: 'Temperature', unit: 'K' })
    const row = await database.db.selectFrom('tags').select(['unit', 'is_key']).executeTakeFirst()
    expect(row).toEqual({ unit: 'K', is_key: true })
  })
})

describe('time and truth', () => {
  it('stores a live sample of a wrong clock at its arrival, uncertain, and moves latest', async () => {
    const machineId = await createMachine()
    for (const [tag, time] of [
      ['old', clock - 6 * minuteMs],
      ['ahead', clock + 6 * minuteMs],
      ['unset', Date.UTC(1999, 11, 31)],
      ['far', clock + 30 * hourMs],
    ] as const) {
      await telemetry.append(machineId, [sample(tag, 1, { time })])
      expect(await latestOf(machineId, tag)).toMatchObject({ time: clock, quality: 'uncertain' })
    }
    await telemetry.append(machineId, [sample('fine', 1, { time: clock - 4 * minuteMs })])
    expect(await latestOf(machineId, 'fine')).toMatchObject({ time: clock - 4 * minuteMs, quality: 'good' })
  })

  it('fills history with what is late, and does not move latest', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [sample('a', 1, { time: clock })])
    await telemetry.append(machineId, [
      sample('a', 2, { time: clock - 30 * 24 * hourMs, late: true }),
      sample('a', 3, { time: clock + 1, late: true }),
      sample('a', 4, { time: clock - 200 * 24 * hourMs, late: true }),
    ])
    expect(await latestOf(machineId, 'a')).toMatchObject({ value: 1 })
    expect((await rowsOf(machineId)).map((row) => [row.num, row.late])).toEqual([
      [4, true],
      [2, true],
      [1, false],
      [3, true],
    ])
    const { rows } = await sql<{ num: number; home: string }>`
      select num, tableoid::regclass::text as home from samples order by at`.execute(database.db)
    expect(rows.map((row) => row.home)).toEqual([
      'samples_rest',
      'samples_20261021',
      'samples_20261120',
      'samples_20261120',
    ])
  })

  it('moves latest only forward', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [sample('a', 1, { time: clock })])
    await telemetry.append(machineId, [sample('a', 2, { time: clock - minuteMs })])
    await telemetry.append(machineId, [sample('a', 3, { time: clock - 1 })])
    expect(await latestOf(machineId, 'a')).toMatchObject({ value: 1, time: clock })
    expect(events.values).toHaveLength(1)
  })

  it('is not held up by values of a time when the platform’s own clock was hours ahead', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [sample('a', 1), sample('b', 1)])
    clock += 3 * hourMs
    await telemetry.append(machineId, [sample('a', 2), sample('b', 2)])
    const [tag] = await telemetry.listTags(machineId, 'en')
    await telemetry.sparks([tag?.tagId ?? 0])
    telemetry.markStale(machineId)
    clock -= 3 * hourMs - 1_000
    await telemetry.append(machineId, [sample('a', 3, { time: clock })])
    expect(await latestOf(machineId, 'a')).toMatchObject({ value: 3, time: clock, quality: 'good' })
    expect(await latestOf(machineId, 'b')).toMatchObject({ value: 2, quality: 'stale' })
    expect((await telemetry.sparks([tag?.tagId ?? 0])).get(tag?.tagId ?? 0)?.at(-1)).toBe(2)
    await telemetry.stop()
    telemetry = await open()
    expect(await latestOf(machineId, 'a')).toMatchObject({ value: 3 })
  })

  it('reads as stale after the machine went, until fresh values come', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [sample('a', 1), sample('b', 2)])
    clock += 1000
    telemetry.markStale(machineId)
    expect(events.values.at(-1)?.values.map((value) => value.quality)).toEqual(['stale', 'stale'])
    expect(await latestOf(machineId, 'a')).toMatchObject({ value: 1, quality: 'stale' })
    clock += 1000
    await telemetry.append(machineId, [sample('a', 5)])
    expect(await latestOf(machineId, 'a')).toMatchObject({ value: 5, quality: 'good' })
    expect(await latestOf(machineId, 'b')).toMatchObject({ value: 2, quality: 'stale' })
  })

  it('values of a group are stale from when its device went, not from when that was told', async () => {
    const machineId = await createMachine()
    const value = (group: string, number: number) => ({ ...sample('a', number, { time: clock }), group })
    await telemetry.append(machineId, [value('plc', 1), value('plc/oven', 2), value('other', 3)])
    const takenAt = clock
    clock += minuteMs
    telemetry.markStale(machineId, 'plc', clock - 1_000)
    const told = () =>
      telemetry.listLatest(machineId).then((values) => values.map(({ value: _, ...rest }) => rest))
    const gone = { quality: 'stale', time: clock - 1_000 }
    const there = { quality: 'good', time: takenAt }
    expect(await told()).toMatchObject([gone, gone, there])
    // A wrong clock is not believed, also in the next message.
    for (const wrong of [clock - hourMs, clock + hourMs, 0]) {
      telemetry.markStale(machineId, 'plc', wrong)
      expect((await told())[0]).toMatchObject({ quality: 'stale', time: clock })
    }
    telemetry.markStale(machineId, 'plc', clock + 4 * minuteMs)
    clock += 1_000
    await telemetry.append(machineId, [value('plc', 5)])
    expect((await told())[0]).toMatchObject({ quality: 'good', time: clock })
    telemetry.markStale(machineId)
    expect((await told())[0]).toMatchObject({ quality: 'stale', time: clock })
  })
})

describe('newest values', () => {
  it('are flushed about every second', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [
      sample('a', 1),
      sample('on', true),
      sample('s', 'x'),
      sample('big', 5n),
    ])
    await expect
      .poll(
        () =>
          database.db
            .selectFrom('tag_latest')
            .select(['num', 'int', 'text', 'quality'])
            .orderBy('tag_id')
            .execute(),
        {
          timeout: 5_000,
        },
      )
      .toEqual([
        { num: 1, int: null, text: null, quality: 192 },
        { num: null, int: 1, text: null, quality: 192 },
        { num: null, int: null, text: 'x', quality: 192 },
        { num: null, int: 5, text: null, quality: 192 },
      ])
  })

  it('come back after a crash from the samples that were not flushed', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [sample('a', 1, { time: clock })])
    clock += 5000
    await telemetry.append(machineId, [sample('a', 2, { time: clock }), sample('b', 7, { time: clock })])
    await telemetry.append(machineId, [sample('b', 9, { time: clock - hourMs, late: true })])
    clock += 1000
    // Another process on the same data, as after a kill: what this one has in memory is not there.
    await database.db
      .updateTable('telemetry_state')
      .set({ latest_flushed_at: new Date(clock - 4000) })
      .execute()
    await database.db.deleteFrom('tag_latest').execute()
    const other = await open()
    try {
      expect((await other.listLatest(machineId)).map((latest) => [latest.value, latest.quality])).toEqual([
        [2, 'stale'],
        [7, 'stale'],
      ])
    } finally {
      await other.stop()
    }
  })
})

describe('alarms', () => {
  const alarmsOf = () =>
    database.db
      .selectFrom('alarms')
      .select(['key', 'level', 'count', 'raised_at', 'cleared_at'])
      .orderBy('id')
      .execute()
  const listFacts = async () => {
    const rows = await database.db.selectFrom('facts').select('kind').orderBy('id').execute()
    return rows.map(({ kind }) => kind)
  }

  it('are raised, counted while open, cleared and raised anew', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [alarm('E1', 'raised', { time: clock - 1000 })])
    await telemetry.append(machineId, [alarm('E1', 'raised', { time: clock })])
    expect(await alarmsOf()).toMatchObject([{ key: 'E1', count: 2, cleared_at: null }])
    await telemetry.append(machineId, [alarm('E1', 'cleared', { time: clock + 1000 })])
    await telemetry.append(machineId, [alarm('E1', 'raised', { time: clock + 2000 })])
    expect(await alarmsOf()).toMatchObject([
      { count: 2, cleared_at: new Date(clock + 1000) },
      { count: 1, cleared_at: null },
    ])
    expect(await listFacts()).toEqual(['alarm.raised', 'alarm.counted', 'alarm.cleared', 'alarm.raised'])
  })

  it('are the same when the message comes twice or a birth repeats them', async () => {
    const machineId = await createMachine()
    const raised = alarm('E1', 'raised', { time: clock })
    await telemetry.append(machineId, [raised])
    await telemetry.append(machineId, [raised])
    await telemetry.append(machineId, [alarm('E1', 'raised', { time: clock + 500, isRepeat: true })])
    expect(await alarmsOf()).toMatchObject([{ count: 1 }])
    expect(await listFacts()).toEqual(['alarm.raised'])
    await telemetry.append(machineId, [alarm('E1', 'cleared', { time: clock + 1000 }), raised])
    expect(await alarmsOf()).toMatchObject([{ count: 1, cleared_at: new Date(clock + 1000) }])
  })

  it('are not ended by the end of an earlier time, told late after an outage', async () => {
    const machineId = await createMachine()
    await telemetry.append(machineId, [alarm('E1', 'raised', { time: clock, isRepeat: true })])
    const past = { late: true, time: clock - hourMs }
    await telemetry.append(machineId, [alarm('E1', 'raised', past), alarm('E1', 'cleared', past)])
    expect(await alarmsOf()).toMatchObject([
      { count: 1, cleared_at: null },
      { cleared_at: new Date(past.time) },
    ])
    await telemetry.append(machineId, [alarm('E1', 'cleared', { late: true, time: clock + 1000 })])
    expect(await alarmsOf()).toMatchObject([{ cleared_at: new Date(clock + 1000) }, {}])
  })
})

it('merges what a machine says about itself', async () => {
  const machineId = await createMachine()
  await telemetry.append(machineId, [{ kind: 'attributes', attributes: { model: 'P-100', ip: '10.0.0.1' } }])
  await telemetry.append(machineId, [{ kind: 'attributes', attributes: { ip: '10.0.0.2' } }])
  const row = await database.db.selectFrom('machines').select('attributes').executeTakeFirst()
  expect(row?.attributes).toEqual({ model: 'P-100', ip: '10.0.0.2' })
})
