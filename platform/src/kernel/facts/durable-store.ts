import { type Kysely, sql, type Transaction } from 'kysely'
import { withKeptPlan } from '../database/kept-plan.ts'
import type { DB } from '../database/schema.gen.ts'
import type { Fact } from './fact-kinds.ts'
import type { FactRow } from './facts-store.ts'

/** A place in the order of all facts: facts up to and including it were handled. */
export interface Position {
  readonly epoch: number
  readonly xid: string
  readonly id: number
}

/** The position of a reader; facts recorded before `readFrom` are before it. */
export interface Cursor extends Position {
  readonly readFrom: Date
}

/** A stored cursor, with the reason why it does not advance. */
export interface StoredCursor extends Cursor {
  readonly failingId: number | null
  readonly failures: number
  /** Not to be tried before; null: at once. */
  readonly retryAt: Date | null
  readonly now: Date
}

export interface ReadRow extends FactRow, Position {
  readonly recorded_at: Date
}

/** The result of one read. */
export interface FactBatch {
  readonly stored: Position
  /** Everything before it has been read, if fewer facts came than the limit. */
  readonly horizon: Cursor
  readonly now: Date
  readonly rows: readonly ReadRow[]
}

/** A transaction may be open for this time before it records. */
const transactionDaysMax = 1

/**
 * Creates the follower's cursor at the present if it has none: it follows from there on. Facts that are recorded during
 * a transaction that began earlier are followed as well.
 */
export async function createCursor(db: Kysely<DB>, name: string): Promise<void> {
  await sql`
    insert into fact_followers (name, epoch, xid, id, read_from)
    select ${name}, epoch, pg_snapshot_xmin(pg_current_snapshot()), 0,
           now() - make_interval(days => ${transactionDaysMax})
    from fact_epoch
    on conflict (name) do nothing`.execute(db)
}

const cursorColumns = sql`epoch, xid::text, id, read_from as "readFrom", failing_id as "failingId", failures,
  retry_at as "retryAt", clock_timestamp() as now`

export async function findCursor(db: Kysely<DB>, name: string): Promise<StoredCursor> {
  const { rows } = await sql<StoredCursor>`
    select ${cursorColumns} from fact_followers where name = ${name}`.execute(db)
  if (!rows[0]) throw new Error(`The follower ${name} has no cursor.`)
  return rows[0]
}

/** The cursor under its lock; undefined while another process has it. */
export async function lockCursor(trx: Transaction<DB>, name: string): Promise<StoredCursor | undefined> {
  const { rows } = await sql<StoredCursor>`
    select ${cursorColumns} from fact_followers where name = ${name} for update skip locked`.execute(trx)
  return rows[0]
}

/**
 * The next facts of these kinds, in the order of their transactions. In the current epoch only those of transactions
 * before the oldest that is still running: no fact can come before them any more.
 */
export async function readFacts(
  db: Kysely<DB>,
  name: string,
  { from, kinds, count }: { from: Cursor; kinds: readonly string[]; count: number },
): Promise<FactBatch> {
  const statement = sql<
    { horizon: string; current: number; now: Date; stored: Position } & Omit<ReadRow, 'id'> & {
        id: number | null
      }
  >`
    with snapshot as (
      select current.epoch as current, pg_snapshot_xmin(pg_current_snapshot()) as horizon, now() as now,
             stored.epoch, stored.xid, stored.id
      from fact_epoch current, fact_followers stored where stored.name = ${name}
    )
    select snapshot.current, snapshot.horizon::text, snapshot.now,
           jsonb_build_object('epoch', snapshot.epoch, 'xid', snapshot.xid::text, 'id', snapshot.id) as stored,
           fact.id, fact.epoch, fact.xid::text, fact.kind, fact.machine_id, fact.user_id, fact.enterprise_id,
           fact.payload, fact.at, fact.recorded_at
    from snapshot left join lateral (
      select * from facts
      where (epoch, xid, id) > (${from.epoch}::int, ${from.xid}::xid8, ${from.id}::bigint)
        and (epoch, xid, id) > (snapshot.epoch, snapshot.xid, snapshot.id)
        and recorded_at >= ${from.readFrom}
        and (epoch < snapshot.current or xid < snapshot.horizon)
        and kind = any(${[...kinds]}::text[])
      order by epoch, xid, id
      limit ${count}
    ) fact on true
    order by fact.epoch, fact.xid, fact.id`
  // Asked several times a second, and the partitions take longer to plan than to read.
  const { rows } = await withKeptPlan('next-facts', statement).execute(db)
  const [first] = rows
  if (!first) throw new Error(`The follower ${name} has no cursor.`)
  const readFrom = new Date(first.now.getTime() - transactionDaysMax * 86_400_000)
  return {
    stored: first.stored,
    horizon: { epoch: first.current, xid: first.horizon, id: 0, readFrom },
    now: first.now,
    rows: rows.filter((row) => row.id !== null) as ReadRow[],
  }
}

/**
 * Age of the oldest fact of these kinds that was not handled, in ms; 0 without one. Facts that may not be read yet,
 * because an older transaction still runs, count as well.
 */
export async function readLag(
  db: Kysely<DB>,
  name: string,
  { from, kinds }: { from: Cursor; kinds: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ lagMs: number }>`
    select greatest(extract(epoch from clock_timestamp() - fact.recorded_at) * 1000, 0)::float8 as "lagMs"
    from fact_followers stored, lateral (
      select recorded_at from facts
      where (epoch, xid, id) > (${from.epoch}::int, ${from.xid}::xid8, ${from.id}::bigint)
        and (epoch, xid, id) > (stored.epoch, stored.xid, stored.id)
        and recorded_at >= ${from.readFrom}
        and kind = any(${[...kinds]}::text[])
      order by epoch, xid, id
      limit 1
    ) fact
    where stored.name = ${name}`.execute(db)
  return rows[0]?.lagMs ?? 0
}

/** Moves the cursor; deletes the failures before it. */
export async function moveCursor(trx: Kysely<DB>, name: string, to: Cursor): Promise<void> {
  await sql`
    update fact_followers
    set epoch = ${to.epoch}, xid = ${to.xid}::xid8, id = ${to.id}, read_from = ${to.readFrom},
        failing_id = null, failures = 0, retry_at = null
    where name = ${name}`.execute(trx)
}

export async function storeFailure(
  trx: Kysely<DB>,
  name: string,
  { factId, failures, retryMs }: { factId: number; failures: number; retryMs: number },
): Promise<void> {
  await sql`
    update fact_followers
    set failing_id = ${factId}, failures = ${failures},
        retry_at = clock_timestamp() + make_interval(secs => ${retryMs / 1_000})
    where name = ${name}`.execute(trx)
}

/** A fact that a follower could not handle. */
export interface SetAside {
  readonly follower: string
  readonly factId: number
  readonly fact: Fact
  readonly error: string
  readonly failures: number
  readonly setAsideAt: Date
}

export async function setAside(
  trx: Kysely<DB>,
  entry: Omit<SetAside, 'setAsideAt' | 'factId'>,
): Promise<void> {
  const { follower, fact, error, failures } = entry
  await trx
    .insertInto('facts_set_aside')
    .values({ follower, fact_id: fact.id, fact: JSON.stringify(fact), error, failures })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The oldest first. */
export async function listSetAside(
  db: Kysely<DB>,
  { offset, count }: { offset: number; count: number },
): Promise<SetAside[]> {
  const rows = await db
    .selectFrom('facts_set_aside')
    .selectAll()
    .orderBy('set_aside_at')
    .orderBy('fact_id')
    .orderBy('follower')
    .offset(offset)
    .limit(count)
    .execute()
  return rows.map((row) => ({
    follower: row.follower,
    factId: row.fact_id,
    fact: row.fact as unknown as Fact,
    error: row.error,
    failures: row.failures,
    setAsideAt: row.set_aside_at,
  }))
}

export async function countSetAside(db: Kysely<DB>): Promise<number> {
  const { count } = await db
    .selectFrom('facts_set_aside')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Takes a fact out of those set aside, under its lock; undefined if it is not there or being retried. */
export async function takeSetAside(
  trx: Transaction<DB>,
  follower: string,
  factId: number,
): Promise<Fact | undefined> {
  const { rows } = await sql<{ fact: Fact }>`
    delete from facts_set_aside
    where (follower, fact_id) = (
      select follower, fact_id from facts_set_aside
      where follower = ${follower} and fact_id = ${factId} for update skip locked)
    returning fact`.execute(trx)
  return rows[0]?.fact
}

export async function updateSetAsideError(
  db: Kysely<DB>,
  { follower, factId, error }: { follower: string; factId: number; error: string },
): Promise<void> {
  await db
    .updateTable('facts_set_aside')
    .set(({ eb }) => ({ error, failures: eb('failures', '+', 1) }))
    .where('follower', '=', follower)
    .where('fact_id', '=', factId)
    .execute()
}
