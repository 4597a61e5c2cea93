import { createMachine } from '@busbar/testkit/builders.ts'
import { aside, createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fillDiskOf } from '../../../test-support/full-disk.ts'
import { type BusEvents, createLocalBus } from '../../kernel/bus/bus.ts'
import { type Database, openDatabase, withClient } from '../../kernel/database/database.ts'
import { ensureEpoch } from '../../kernel/facts/epoch.ts'
import { Facts } from '../../kernel/facts/facts.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { listStrips } from '../../modules/machines/connection-strips.ts'
import { gapsOf, listConnectedSpans } from '../../modules/telemetry/index.ts'
import { Presence } from './presence.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const noon = Date.UTC(2026, 10, 20, 12)

let database: TestDatabase
let presence: Presence
let clock: number
let machineId: number
let events: BusEvents['presence'][]
let stale: number[]

beforeEach(async () => {
  database = await createTestDatabase()
  clock = noon
  events = []
  stale = []
  machineId = (await createMachine(database.db)).machineId
  presence = open()
  await presence.start()
})

afterEach(async () => {
  await presence.stop()
  await database.drop()
})

type PresenceFacts = ConstructorParameters<typeof Presence>[0]['facts']

function countFacts() {
  const calls: number[] = []
  const recordAll = async (_: unknown, facts: readonly unknown[]) => {
    if (facts.length > 0) calls.push(facts.length)
  }
  return { calls, facts: { recordAll, wake: () => undefined } }
}

function open(more: { nodeId?: string; commits?: Database; facts?: PresenceFacts } = {}): Presence {
  const bus = createLocalBus(silentLogger)
  bus.subscribe('presence', (event) => events.push(event))
  const telemetry = { markStale: (id: number) => void stale.push(id) }
  return new Presence({ db: database.db, bus, logger: silentLogger, now: () => clock, telemetry, ...more })
}

const connections = () =>
  database.db
    .selectFrom('machine_connections')
    .select(['started_at', 'last_seen_at', 'ended_at'])
    .orderBy('started_at')
    .execute()

/** The last time online in the machine's own row. */
async function ownSeenAt(): Promise<Date | null | undefined> {
  const row = await database.db
    .selectFrom('machines')
    .select('last_seen_at')
    .where('id', '=', machineId)
    .executeTakeFirst()
  return row?.last_seen_at
}

async function addConnection(from: number, to: number | null): Promise<void> {
  await database.db
    .insertInto('machine_connections')
    .values({
      machine_id: machineId,
      protocol: 'tcp/mqtt',
      address: '127.0.0.1',
      started_at: new Date(from),
      last_seen_at: new Date(to ?? from),
      ended_at: to === null ? null : new Date(to),
    })
    .execute()
}

it('reports machines that come and go, and marks values that become stale', async () => {
  const online = presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  expect(presence.isOnline(machineId)).toBe(true)
  clock += 5_000
  online.lastSeenAt = clock
  clock += 1_000
  presence.end(machineId, online)
  expect(events).toEqual([
    { machineId, online: true, at: noon },
    { machineId, online: false, at: noon + 6_000 },
  ])
  expect(stale).toEqual([machineId])
  expect(presence.lastSeenAt(machineId)).toBe(noon + 5_000)
  await expect
    .poll(connections)
    .toEqual([
      { started_at: new Date(noon), last_seen_at: new Date(noon + 5_000), ended_at: new Date(noon + 6_000) },
    ])
  // The machine's own row is written after the commit of its connection.
  await expect.poll(ownSeenAt).toEqual(new Date(noon + 5_000))
})

it('goes on with the newest connection, and an old one’s end changes nothing', async () => {
  const old = presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  clock += 1_000
  const young = presence.begin(machineId, 'tcp/mqtt', '10.0.0.2')
  presence.end(machineId, old)
  expect(presence.isOnline(machineId)).toBe(true)
  expect(events).toHaveLength(1)
  await expect.poll(async () => (await connections()).length).toBe(2)
  expect((await connections()).map((row) => row.ended_at)).toEqual([new Date(noon + 1_000), null])
  presence.end(machineId, young)
  expect(events).toHaveLength(2)
})

it('ends the connections that a crash left open, at the time they were last seen', async () => {
  await addConnection(noon - hourMs, null)
  await database.db
    .updateTable('machine_connections')
    .set({ last_seen_at: new Date(noon - minuteMs) })
    .execute()
  const next = open()
  await next.start()
  expect((await connections()).map((row) => row.ended_at)).toEqual([new Date(noon - minuteMs)])
  // The machine's own row may have been a minute behind.
  expect(await ownSeenAt()).toEqual(new Date(noon - minuteMs))
  await next.stop()
})

it('notes in the machine’s own row once a minute that it was seen', async () => {
  await presence.stop()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    presence = open()
    await presence.start()
    const online = presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
    await expect.poll(ownSeenAt).toEqual(new Date(noon))
    const seeAfter = async (ms: number) => {
      clock = noon + ms
      online.lastSeenAt = clock
      vi.advanceTimersByTime(10_000)
      await expect
        .poll(async () => (await connections()).map((row) => row.last_seen_at))
        .toEqual([new Date(clock)])
    }
    await seeAfter(10_000)
    expect(await ownSeenAt()).toEqual(new Date(noon))
    await seeAfter(minuteMs)
    await expect.poll(ownSeenAt).toEqual(new Date(noon + minuteMs))
  } finally {
    vi.useRealTimers()
  }
})

it('10,000 machines that go at once are one statement of facts', async () => {
  const { facts, calls } = countFacts()
  const storm = open({ facts })
  await storm.start()
  const ids = Array.from({ length: 10_000 }, (_, index) => 1_000_000 + index)
  for (const id of ids) storm.begin(id, 'tcp/mqtt', '10.0.0.1')
  for (const id of ids) storm.end(id)
  await storm.stop()
  expect(calls).toEqual([20_000])
})

it('a coming and a going are recorded with the connection, once', async () => {
  const recording = await openRecording()
  await recording.start()
  recording.end(machineId, recording.begin(machineId, 'tcp/mqtt', '10.0.0.1'))
  await recording.stop()
  expect(await listFacts()).toEqual([
    { kind: 'machine.online', machine_id: machineId },
    { kind: 'machine.offline', machine_id: machineId },
  ])
})

async function openRecording(more: { nodeId?: string; commits?: Database } = {}) {
  const bus = createLocalBus(silentLogger)
  const facts = new Facts({ db: database.db, bus, logger: silentLogger, now: () => clock })
  await ensureEpoch(database.db)
  await facts.keepPartitions()
  return open({ ...more, facts })
}

/** Comings and goings: that the first one is the first has its own test. */
const listFacts = () =>
  database.db
    .selectFrom('facts')
    .select(['kind', 'machine_id'])
    .where('kind', '!=', 'machine.connectedFirst')
    .orderBy('id')
    .execute()

it('the machines of a node that died are recorded as gone', async () => {
  const second = await openRecording({ nodeId: 'second' })
  await second.start()
  presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(async () => (await connections()).length).toBe(1)
  await second.endSilent()
  expect(await listFacts()).toEqual([{ kind: 'machine.offline', machine_id: machineId }])
  await second.stop()
})

it('comings and goings are kept while facts are locked, and written later', async () => {
  const commits = openDatabase(database.connection, { poolMax: 1, lockMsMax: 50 })
  const recording = await openRecording({ commits })
  await recording.start()
  await withClient(
    database.db,
    aside(async (client) => {
      await client.query('begin')
      await client.query('lock table facts in access exclusive mode')
      recording.end(machineId, recording.begin(machineId, 'tcp/mqtt', '10.0.0.1'))
      await recording.stop()
      await client.query('rollback')
    }),
  )
  await recording.stop()
  await commits.destroy()
  expect(await connections()).toMatchObject([{ ended_at: new Date(noon) }])
  expect(await listFacts()).toEqual([
    { kind: 'machine.online', machine_id: machineId },
    { kind: 'machine.offline', machine_id: machineId },
  ])
})

it('comings and goings are kept while the disk is full, and written when it has room', async () => {
  const recording = await openRecording()
  const disk = await fillDiskOf(database.db, 'machine_connections')
  recording.end(machineId, recording.begin(machineId, 'tcp/mqtt', '10.0.0.1'))
  await disk.met()
  await disk.giveRoom()
  await expect.poll(connections, { timeout: 10_000 }).toMatchObject([{ ended_at: new Date(noon) }])
  expect(await listFacts()).toEqual([
    { kind: 'machine.online', machine_id: machineId },
    { kind: 'machine.offline', machine_id: machineId },
  ])
  await recording.stop()
})

it('leaves connections of a living node, and ends those of a dead one at its last heartbeat', async () => {
  presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(async () => (await connections()).length).toBe(1)
  const heartbeat = (at: RawBuilder<Date>) =>
    sql`insert into nodes (id, heartbeat_at) values ('main', ${at})
        on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`.execute(database.db)
  await heartbeat(sql<Date>`now()`)
  await addJudge('second')
  const second = open({ nodeId: 'second' })
  await second.start()
  await second.endSilent()
  expect((await connections()).map((row) => row.ended_at)).toEqual([null])
  expect(events).toHaveLength(1)

  await heartbeat(sql<Date>`now() - interval '11 s'`)
  await second.endSilent()
  const { heartbeat_at } = await database.db
    .selectFrom('nodes')
    .select('heartbeat_at')
    .where('id', '=', 'main')
    .executeTakeFirstOrThrow()
  const startedAt = (await connections())[0]?.started_at ?? 0
  expect((await connections()).map((row) => row.ended_at)).toEqual([
    new Date(Math.max(Number(heartbeat_at), Number(startedAt))),
  ])
  expect(events.at(-1)).toMatchObject({ machineId, online: false })

  // It was only slow: its connections are open again.
  await presence.rewrite()
  expect((await connections()).map((row) => row.ended_at)).toEqual([null])
  await second.stop()
})

/** A node that has lived long enough to give others up. */
const addJudge = (id: string) =>
  sql`insert into nodes (id, steady_since) values (${id}, now() - interval '1 min')`.execute(database.db)

async function openTwo() {
  const first = await openRecording()
  const second = await openRecording({ nodeId: 'second' })
  await first.start()
  await second.start()
  return { first, second }
}

const kinds = async () => (await listFacts()).map(({ kind }) => kind)

it('a node that counted as dead and comes back records its machines as online again', async () => {
  const { first, second } = await openTwo()
  first.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(kinds).toEqual(['machine.online'])
  // The first node has no row in `nodes`: it counts as gone.
  await second.endSilent()
  expect(await kinds()).toEqual(['machine.online', 'machine.offline'])
  await first.rewrite()
  const story = ['machine.online', 'machine.offline', 'machine.online']
  expect(await kinds()).toEqual(story)
  expect((await connections()).map((row) => row.ended_at)).toEqual([null])
  await first.rewrite()
  expect(await kinds()).toEqual(story)
  await second.stop()
  await first.stop()
  expect(await kinds()).toEqual([...story, 'machine.offline'])
})

it('a node that comes back while the database is not well opens its connections again later', async () => {
  const commits = openDatabase(database.connection, { poolMax: 1, lockMsMax: 50 })
  const first = await openRecording({ commits })
  const second = await openRecording({ nodeId: 'second' })
  first.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(kinds).toEqual(['machine.online'])
  await second.endSilent()
  await withClient(database.db, async (client) => {
    await client.query('begin')
    await client.query('lock table machine_connections in access exclusive mode')
    await first.rewrite()
    await client.query('rollback')
  })
  const ends = async () => (await connections()).map((row) => row.ended_at)
  expect(await ends()).toHaveLength(1)
  expect(await ends()).not.toEqual([null])
  await expect.poll(ends).toEqual([null])
  expect(await kinds()).toEqual(['machine.online', 'machine.offline', 'machine.online'])
  await first.stop()
  await commits.destroy()
})

it('a machine that reconnects to a node that counted as dead is recorded as online', async () => {
  const { first, second } = await openTwo()
  first.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(kinds).toEqual(['machine.online'])
  await second.endSilent()
  first.begin(machineId, 'tcp/mqtt', '10.0.0.2')
  await expect.poll(kinds).toEqual(['machine.online', 'machine.offline', 'machine.online'])
  await first.rewrite()
  expect(await kinds()).toHaveLength(3)
  await second.stop()
  await first.stop()
})

it('after a takeover by another node the machine is online, and the old connection records no offline', async () => {
  const { first, second } = await openTwo()
  first.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(async () => (await connections()).length).toBe(1)
  second.begin(machineId, 'tcp/mqtt', '10.0.0.2')
  await expect.poll(async () => (await connections()).length).toBe(2)
  const story = ['machine.online', 'machine.online']
  expect(await kinds()).toEqual(story)
  // The later end of its old connection is not recorded, nor one that came and went there at the same moment.
  first.end(machineId)
  first.end(machineId, first.begin(machineId, 'tcp/mqtt', '10.0.0.1'))
  await first.stop()
  expect((await kinds()).at(-1)).toBe('machine.online')
  expect(await kinds()).not.toContain('machine.offline')
  await second.stop()
  expect((await kinds()).at(-1)).toBe('machine.offline')
})

it('a time without the database does not end connections of a node that comes back after another one', async () => {
  presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(async () => (await connections()).length).toBe(1)
  // Both were silent, and the second one beats first.
  await sql`insert into nodes (id, heartbeat_at, steady_since) values
    ('main', now() - interval '15 s', now() - interval '1 min'), ('second', now(), now())`.execute(
    database.db,
  )
  const second = open({ nodeId: 'second' })
  await second.start()
  await second.endSilent()
  expect((await connections()).map((row) => row.ended_at)).toEqual([null])
  // It waited as long as it waits for anybody, and the first one is still silent.
  await sql`update nodes set steady_since = now() - interval '11 s' where id = 'second'`.execute(database.db)
  await second.endSilent()
  expect((await connections()).map((row) => row.ended_at)).not.toEqual([null])
  await second.stop()
})

it('the machines of a node that died are recorded as offline', async () => {
  presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(async () => (await connections()).length).toBe(1)
  const { calls, facts } = countFacts()
  const second = open({ nodeId: 'second', facts })
  // The first node has no heartbeat.
  await second.endSilent()
  expect(calls).toEqual([1])
})

it('a machine that connects to another node is held there, whatever the former node writes later', async () => {
  presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(async () => (await connections()).length).toBe(1)
  const second = open({ nodeId: 'second' })
  await second.start()
  clock += minuteMs
  second.begin(machineId, 'tcp/mqtt', '10.0.0.2')
  const ends = async () => (await connections()).map((row) => row.ended_at)
  await expect.poll(ends).toEqual([new Date(noon + minuteMs), null])
  await presence.rewrite()
  expect(await ends()).toEqual([new Date(noon + minuteMs), null])
  clock += minuteMs
  await presence.stop()
  expect(await ends()).toEqual([new Date(noon + minuteMs), null])
  await second.stop()
  expect(await ends()).toEqual([new Date(noon + minuteMs), new Date(noon + 2 * minuteMs)])
})

it('a machine that connects to a process with the same node id does not stop the writes of other machines', async () => {
  presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await expect.poll(async () => (await connections()).length).toBe(1)
  const copy = open()
  const other = await createMachine(database.db)
  clock += minuteMs
  copy.begin(machineId, 'tcp/mqtt', '10.0.0.2')
  copy.begin(other.machineId, 'tcp/mqtt', '10.0.0.3')
  await expect
    .poll(async () => (await connections()).map((row) => row.ended_at))
    .toEqual([new Date(noon + minuteMs), null, null])
  await copy.stop()
})

it('ends everything when the platform stops', async () => {
  presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await presence.stop()
  expect((await connections()).map((row) => row.ended_at)).toEqual([new Date(noon)])
})

it('draws 24 hours: unknown, fine, gap, fault', async () => {
  clock = noon + 30 * minuteMs
  const hour = (ago: number) => noon - ago * hourMs
  // Known since 10 hours ago; away for ten minutes 7 hours ago, for all of the hour 5 hours ago; here now.
  await addConnection(hour(10) + 10 * minuteMs, hour(7) + 20 * minuteMs)
  await addConnection(hour(7) + 30 * minuteMs, hour(5) - 1)
  await addConnection(hour(4) + 500, null)
  await database.db
    .insertInto('alarms')
    .values(
      [
        { level: 'major', from: hour(9) + minuteMs, to: hour(8) + minuteMs },
        { level: 'minor', from: hour(2), to: hour(1) },
      ].map(({ level, from, to }) => ({
        machine_id: machineId,
        key: level,
        level,
        text: '{}',
        raised_at: new Date(from),
        received_at: new Date(from),
        cleared_at: new Date(to),
      })),
    )
    .execute()
  // Connected, but the measurements of a minute 3 hours ago were lost.
  await database.db
    .insertInto('lost_spans')
    .values({
      machine_id: machineId,
      from_at: new Date(hour(3) + 5 * minuteMs),
      to_at: new Date(hour(3) + 6 * minuteMs),
      samples: 60,
    })
    .execute()
  const strip = (await listStrips(database.db, [machineId, 4711], clock)).of.get(machineId)
  expect(strip).toEqual([...Array(13).fill(0), 1, 3, 3, 2, 1, 3, 1, 2, 1, 1, 1])
  expect((await listStrips(database.db, [4711], clock)).of.get(4711)).toEqual(Array(24).fill(0))
})

it('answers gaps', async () => {
  await addConnection(noon - 3 * hourMs, noon - 2 * hourMs)
  await addConnection(noon - hourMs, null)
  const range = { from: noon - 5 * hourMs, to: noon + hourMs, now: clock }
  expect(gapsOf((await listConnectedSpans(database.db, [machineId], range)).get(machineId), range)).toEqual([
    [noon - 2 * hourMs, noon - hourMs],
  ])
})

it('a reconnect that is not written yet does not cost everybody else the time they were seen', async () => {
  const seenFlushMs = 10_000
  const { machineId: otherId } = await createMachine(database.db)
  await presence.stop()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    presence = open()
    await presence.start()
    const other = presence.begin(otherId, 'tcp/mqtt', '10.0.0.2')
    presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
    await expect.poll(async () => (await connections()).length).toBe(2)
    clock += minuteMs
    other.lastSeenAt = clock
    presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
    vi.advanceTimersByTime(seenFlushMs)
  } finally {
    vi.useRealTimers()
  }
  await expect
    .poll(async () =>
      (await connections()).some(
        (row) => Number(row.last_seen_at) === clock && Number(row.started_at) < clock,
      ),
    )
    .toBe(true)
})

it('many machines seen since the last time are noted some at a time', async () => {
  const { rows: machines } = await sql<{ id: number }>`
    insert into machines (code, type, name, secret_hash)
    select '7' || lpad(n::text, 18, '0'), 'test', 'Seen ' || n, sha256('') from generate_series(1, 250) n returning id`.execute(
    database.db,
  )
  await presence.stop()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    presence = open()
    await presence.start()
    const online = machines.map(({ id }) => presence.begin(id, 'tcp/mqtt', '10.0.0.2'))
    const count = async () =>
      (await sql`select from machine_connections where ended_at is null`.execute(database.db)).rows.length
    await expect.poll(count).toBe(machines.length)
    clock += minuteMs
    for (const one of online) one.lastSeenAt = clock
    vi.advanceTimersByTime(10_000)
  } finally {
    vi.useRealTimers()
  }
  const writes = async () => {
    const { rows } = await sql<{ seen: number }>`
      select count(*)::int as seen from machine_connections where last_seen_at = ${new Date(clock)}
      group by xmin::text order by 1 desc`.execute(database.db)
    return rows.map(({ seen }) => seen)
  }
  await expect.poll(writes, { timeout: 10_000 }).toEqual([100, 100, 50])
})

it('a machine was gone at the moment it was let go, or never, where the clock of its node was wrong', async () => {
  const held = presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await presence.flush()
  const before = performance.now()
  presence.letGo(machineId, held)
  await presence.flush()
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from expected_until - now())::float8 as seconds from machine_connections`.execute(
    database.db,
  )
  expect(rows[0]?.seconds).toBeGreaterThan(9.9 - (performance.now() - before) / 1_000)
  expect(rows[0]?.seconds).toBeLessThanOrEqual(10)
  await presence.endSilent()
  expect((await connections()).map(({ ended_at }) => ended_at)).toEqual([null])
})

it('a machine that comes back before its departure is written blocked the writing of every connection', async () => {
  presence.letGo(machineId, presence.begin(machineId, 'http', '10.0.0.1'))
  presence.begin(machineId, 'http', '10.0.0.1')
  await presence.flush()
  expect((await connections()).map(({ ended_at }) => ended_at !== null).toSorted()).toEqual([false, true])
})
