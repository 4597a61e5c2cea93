import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { listKept } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { aside, createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withClient } from '../../../kernel/database/database.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import { decodeChunk } from './chunk.ts'
import { TailFlush } from './flush.ts'
import { logKeptMs, logPieceMs } from './log-partitions.ts'
import { LogRowEncoder, type SampleSink } from './log-row.ts'
import { checkAdded, LogClosed, SampleLog } from './sample-log.ts'
import { type LogTicket, Tail } from './tail.ts'

const startedAt = Date.UTC(2026, 10, 20, 12)
const hourMs = 3_600_000
const tagIds = [1, 2, 3]

let database: TestDatabase
let clock: number
let stores: Store[]

beforeEach(async () => {
  database = await createTestDatabase()
  clock = startedAt
  stores = []
})

afterEach(async () => {
  for (const store of stores) await store.flush.stop()
  await database.drop()
})

/** The writing side of a process: its log, its tail and its flush. */
class Store {
  readonly log: SampleLog
  readonly tail: Tail
  readonly flush: TailFlush
  readonly incarnation = randomUUID()
  acknowledged = 0

  constructor(options: { nodeId?: string; flushSamples?: number; isLiving?: () => Promise<boolean> } = {}) {
    const { nodeId = 'main', flushSamples, isLiving } = options
    const { db } = database
    const now = () => clock
    this.log = new SampleLog({ db, nodeId, logger: silentLogger, now })
    const name = { nodeId, incarnation: this.incarnation }
    this.tail = new Tail(name)
    this.flush = new TailFlush(
      { db, log: this.log, tail: this.tail, nodeId, logger: silentLogger, now, flushSamples, isLiving },
      name,
    )
  }

  /** Commits a sample of each tag, and acknowledges it when the tail has it. */
  async append(): Promise<void> {
    const ticket = this.tail.begin()
    try {
      const at = startedAt + ticket.seq
      await this.commit(ticket, at)
      this.tail.fill(ticket, (sink) => addSamples(sink, at))
      this.acknowledged++
    } finally {
      this.tail.end(ticket)
    }
    this.flush.check()
  }

  async commit(ticket: LogTicket, at: number): Promise<void> {
    await this.log.ready()
    const encoder = new LogRowEncoder()
    addSamples(encoder, at)
    const text = this.log.batchStatements(randomUUID(), ticket, encoder.count, encoder.finish())
    checkAdded(await withClient(database.db, (client) => client.query(text)))
  }

  /** The number of samples of the first tag that a reader sees: the tail first, then the chunks. */
  async countSeen(): Promise<number> {
    const tail = (await this.tail.read([1], 0, startedAt + 24 * hourMs)).get(1)
    const times = new Set(tail ? Array.from(tail.times) : [])
    for (const time of await timesInChunks(1)) times.add(time)
    return times.size
  }
}

function addSamples(sink: SampleSink, at: number): void {
  for (const tagId of tagIds) sink.add(tagId, 'float64', at, at, 192, false, tagId, at)
}

async function timesInChunks(tagId: number): Promise<number[]> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from sample_chunks where tag_id = ${tagId}`.execute(database.db)
  return rows.flatMap(({ bytes }) => Array.from(decodeChunk(bytes).times))
}

async function open(options?: ConstructorParameters<typeof Store>[0]): Promise<Store> {
  const store = new Store(options)
  stores.push(store)
  await store.flush.recover()
  return store
}

const positions = async () =>
  (
    await sql<{ seq: number }>`select seq from sample_log_positions order by opened_at, seq desc`.execute(
      database.db,
    )
  ).rows.map(({ seq }) => seq)

const logged = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from sample_log`.execute(database.db)).rows[0]
    ?.count

const hinderText = (statement: string) =>
  `create or replace function hinder() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$`

/** Makes every chunk fail, or wait, before it is stored; answers how that ends. */
async function hinder(statement: string): Promise<() => Promise<void>> {
  await sql
    .raw(
      `${hinderText(statement)};
       create trigger hinder before insert on sample_chunks for each row execute function hinder()`,
    )
    .execute(database.db)
  // Dropping the trigger would wait for the flush that is tried again, and that one for it.
  return async () => void (await sql.raw(hinderText('null')).execute(database.db))
}

describe('a flush', () => {
  it('writes the tail as chunks and moves the position; another flush writes nothing', async () => {
    const store = await open()
    for (let count = 0; count < 5; count++) await store.append()
    await store.flush.flush()
    expect(store.tail.count).toBe(0)
    expect(await positions()).toEqual([5])
    await store.flush.flush()
    for (const tagId of tagIds) expect(await timesInChunks(tagId)).toHaveLength(5)
    await store.append()
    expect(await store.countSeen()).toBe(6)
  })

  it('begins by itself when the tail is large', async () => {
    const store = await open({ flushSamples: 30 })
    for (let count = 0; count < 12; count++) await store.append()
    await expect.poll(() => timesInChunks(1)).toHaveLength(10)
  })

  it('that fails is tried until it succeeds, and nothing is stored twice', async () => {
    const store = await open()
    await store.append()
    const end = await hinder(`raise exception 'full' using errcode = '53100'`)
    const flushed = store.flush.flush()
    await store.append()
    expect(await store.countSeen()).toBe(2)
    expect(await positions()).toEqual([0])
    await end()
    await flushed
    expect(await timesInChunks(1)).toHaveLength(1)
    expect(await positions()).toEqual([1])
    expect(await store.countSeen()).toBe(2)
  })

  it('whose connection is lost while it writes is repeated, and stores nothing twice', async () => {
    const store = await open()
    for (let count = 0; count < 3; count++) await store.append()
    const end = await hinder('perform pg_sleep(0.2)')
    const flushed = store.flush.flush()
    for (let killed = 0; killed < 3; ) {
      const { rows } = await sql<{ ended: boolean }>`
        select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ilike 'copy sample_chunks%'
          and state = 'active'`.execute(database.db)
      killed += rows.length
      await sleep(10)
    }
    await end()
    await flushed
    for (const tagId of tagIds) expect(await timesInChunks(tagId)).toHaveLength(3)
  })

  it('whose commit succeeds and whose answer is lost is not repeated', async () => {
    const store = await open()
    for (let count = 0; count < 3; count++) await store.append()
    const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
    let lost = 0
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      const answer = query.apply(this, given)
      if (given[0] !== 'commit' || lost > 0 || !(answer instanceof Promise)) return answer
      lost++
      return answer.then(() => Promise.reject(new Error('Connection terminated')))
    })
    try {
      await store.flush.flush()
    } finally {
      spy.mockRestore()
    }
    expect(lost).toBe(1)
    expect(await positions()).toEqual([3])
    for (const tagId of tagIds) expect(await timesInChunks(tagId)).toHaveLength(3)
    expect(store.tail.count).toBe(0)
  })

  it('waits for commits that are on their way, and takes their rows along', async () => {
    const store = await open()
    await store.append()
    const ticket = store.tail.begin()
    const flushed = store.flush.flush()
    await store.append()
    await store.commit(ticket, startedAt + ticket.seq)
    store.tail.fill(ticket, (sink) => addSamples(sink, startedAt + ticket.seq))
    store.tail.end(ticket)
    await flushed
    expect(await timesInChunks(1)).toEqual([startedAt + 1, startedAt + 2])
    expect(await positions()).toEqual([2])
  })

  it('takes rows with unanswered commits along, and leaves out uncommitted ones', async () => {
    const store = await open()
    const [stored, given] = [store.tail.begin(), store.tail.begin()]
    await store.commit(stored, startedAt + stored.seq)
    store.tail.end(stored)
    store.tail.end(given)
    await store.flush.flush()
    expect(await timesInChunks(1)).toEqual([startedAt + 1])
    expect(await positions()).toEqual([2])
  })

  it('hides no acknowledged sample from a reader at any moment', async () => {
    const store = await open({ flushSamples: 15 })
    const end = await hinder('perform pg_sleep(0.003)')
    let isDone = false
    const reading = (async () => {
      while (!isDone) {
        const { acknowledged } = store
        expect(await store.countSeen()).toBeGreaterThanOrEqual(acknowledged)
      }
    })()
    for (let count = 0; count < 100; count++) await store.append()
    await store.flush.flush()
    isDone = true
    await reading
    await end()
    expect(await timesInChunks(1)).toHaveLength(100)
  })

  it('that cannot keep up makes commits wait, and memory stays bounded', async () => {
    const store = await open({ flushSamples: 30 })
    const end = await hinder(`raise exception 'full' using errcode = '53100'`)
    while (!store.flush.isFull) await store.append()
    expect(store.tail.size).toBeLessThan(120)
    let hasRoom = false
    const room = store.flush.room().then(() => {
      hasRoom = true
    })
    await sleep(20)
    expect(hasRoom).toBe(false)
    await end()
    await room
    expect(store.flush.isFull).toBe(false)
    expect(await store.countSeen()).toBe(store.acknowledged)
  })
})

describe('after a crash', () => {
  it('the tail is rebuilt from the log, after the rows that are in chunks', async () => {
    const before = await open()
    for (let count = 0; count < 4; count++) await before.append()
    await before.flush.flush()
    for (let count = 0; count < 3; count++) await before.append()
    const after = await open()
    expect(after.tail.count).toBe(3 * tagIds.length)
    expect(await after.countSeen()).toBe(7)
    // Rows that the tail has taken over are not taken over once more.
    await after.flush.takeOver('main', after.incarnation)
    expect(await timesInChunks(1)).toHaveLength(4)
    await after.flush.flush()
    expect(await timesInChunks(1)).toHaveLength(7)
    expect(await listKept(database.db)).toHaveLength(7 * tagIds.length)
    const third = await open()
    expect(third.tail.count).toBe(0)
  })

  it('the replaced process can no longer commit, and its flush meanwhile stores nothing twice', async () => {
    const before = await open()
    await before.append()
    const after = await open()
    await expect(before.append()).rejects.toThrow(LogClosed)
    await before.flush.flush()
    await after.flush.flush()
    expect(await listKept(database.db)).toHaveLength(tagIds.length)
    expect(await after.countSeen()).toBe(1)
  })

  it('a commit of the process before that is under way is waited for', async () => {
    const before = await open()
    await before.append()
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const ticket = before.tail.begin()
    const encoder = new LogRowEncoder()
    addSamples(encoder, startedAt + ticket.seq)
    const text = before.log.rowStatements(ticket, encoder.count, encoder.finish())
    const commit = withClient(database.db, async (client) => {
      await client.query('begin')
      checkAdded(await client.query(text))
      begun.resolve()
      await held.promise
      await client.query('commit')
    })
    await begun.promise
    const opening = open()
    await sleep(50)
    held.resolve()
    await commit
    expect((await opening).tail.count).toBe(2 * tagIds.length)
  })

  it('the log of a dead node is taken over, and the node continues with another log when it is back', async () => {
    let isLiving = false
    const dead = await open({ nodeId: 'dead', isLiving: async () => isLiving })
    await dead.append()
    const living = await open({ nodeId: 'living' })
    expect(await living.log.listOtherNodes()).toEqual(['dead'])
    await living.flush.takeOver('dead')
    expect(await timesInChunks(1)).toHaveLength(1)
    await expect(dead.append()).rejects.toThrow(LogClosed)
    isLiving = true
    dead.flush.look()
    await expect.poll(() => dead.append().catch(() => 'closed')).toBeUndefined()
    await dead.flush.flush()
    await living.flush.takeOver('dead')
    expect(await timesInChunks(1)).toHaveLength(2)
  })

  it('a damaged row is logged and left out, the others are read', async () => {
    const before = await open()
    for (let count = 0; count < 3; count++) await before.append()
    await sql`update sample_log set bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1) where seq = 2`.execute(
      database.db,
    )
    expect((await open()).tail.count).toBe(2 * tagIds.length)
  })
})

describe('a partition of the log', () => {
  const isOver = () => {
    clock += logKeptMs + 2 * logPieceMs
  }

  it('goes when all of it is in chunks, its newest values are written and it is two hours old, not before', async () => {
    const store = await open()
    await store.append()
    await store.log.noteLatest(store.tail.settled, store.tail.settled.seq)
    isOver()
    await store.log.partitions.drop()
    expect(await logged()).toBe(1)
    await store.flush.flush()
    clock = startedAt + logKeptMs
    await store.log.partitions.drop()
    expect(await logged()).toBe(1)
    isOver()
    await sql`update sample_log_positions set latest_seq = 0`.execute(database.db)
    await store.log.partitions.drop()
    expect(await logged()).toBe(1)
    await store.log.noteLatest(store.tail.settled, store.tail.settled.seq)
    await store.log.partitions.drop()
    expect(await logged()).toBe(0)
    expect(await timesInChunks(1)).toHaveLength(1)
  })

  it('that a reader uses stays, and no commit waits for it', async () => {
    const store = await open()
    await store.append()
    await store.flush.flush()
    await store.log.noteLatest(store.tail.settled, store.tail.settled.seq)
    isOver()
    await database.db.transaction().execute(
      aside(async (reader) => {
        await sql`select count(*) from sample_log`.execute(reader)
        await Promise.all([store.log.partitions.drop(), store.append()])
        expect(await logged()).toBe(2)
      }),
    )
    await store.log.partitions.drop()
    expect(await logged()).toBe(1)
  })

  it('is made when the clock is somewhere else', async () => {
    const store = await open()
    for (const at of [startedAt + 500 * hourMs, startedAt - 500 * hourMs]) {
      clock = at
      await store.append()
    }
    expect(await logged()).toBe(2)
  })
})
