import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { escapeLike, isFound } from '../../kernel/database/search.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** Any one number: who holds this advisory lock seals. */
const sealLockNumber = 4_807_526_977

/** An entry as it is stored. */
export interface NewEntry {
  readonly at: Date
  readonly actorUserId: number | null
  readonly action: string
  readonly target: string
  readonly address: string
  readonly terminal: string
  readonly result: 'ok' | 'refused'
  /** JSON text. */
  readonly detail: string
}

export async function createEntry(db: Db, entry: NewEntry): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      at: entry.at,
      actor_user_id: entry.actorUserId,
      action: entry.action,
      target: entry.target,
      address: entry.address,
      terminal: entry.terminal,
      result: entry.result,
      detail: entry.detail,
    })
    .execute()
}

/** The name of a session's terminal; empty when the session is gone. */
export async function findTerminalName(db: Db, sessionId: number): Promise<string> {
  const row = await db
    .selectFrom('sessions')
    .select('terminal_name')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.terminal_name ?? ''
}

/** Locks sealing until the end of the transaction; false if another process is sealing. */
export async function lockSealing(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${sealLockNumber}::bigint) as locked`.execute(trx)
  return rows[0]?.locked === true
}

/** The columns of an entry that a seal covers, as texts that stay the same wherever the database is moved to. */
const sealedColumns = sql<string>`json_build_array(
  id, (extract(epoch from at) * 1000000)::bigint::text, actor_user_id, action, target, address, terminal, result, detail::text
)::text`.as('text')

/** Entries in no batch yet, oldest first. */
export async function listOpenEntries(db: Db, count: number): Promise<{ id: number; text: string }[]> {
  return db
    .selectFrom('audit_entries')
    .select(['id', sealedColumns])
    .where('batch_id', 'is', null)
    .orderBy('id')
    .limit(count)
    .execute()
}

/** The texts of a batch's entries, oldest first. */
export async function listBatchTexts(db: Db, batchId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .select(sealedColumns)
    .where('batch_id', '=', batchId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.text)
}

/** The next batches after one, in order. */
export async function listBatches(db: Db, afterId: number, count: number) {
  return db
    .selectFrom('audit_batches')
    .select(['id', 'entries', 'key_id', 'mac'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(count)
    .execute()
}

export async function findLastBatch(db: Db): Promise<{ id: number; mac: Buffer } | undefined> {
  return db
    .selectFrom('audit_batches')
    .select(['id', 'mac'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Stores a batch and puts its entries into it. */
export async function createBatch(
  trx: Db,
  batch: { id: number; keyId: string; mac: Buffer; sealedAt: Date; entryIds: readonly number[] },
): Promise<void> {
  await trx
    .insertInto('audit_batches')
    .values({
      id: batch.id,
      entries: batch.entryIds.length,
      key_id: batch.keyId,
      mac: batch.mac,
      sealed_at: batch.sealedAt,
    })
    .execute()
  await sql`update audit_entries set batch_id = ${batch.id} where id = any(${batch.entryIds}::bigint[])`.execute(
    trx,
  )
}

/** Number of entries that wait for a seal, and the time of the oldest. */
export async function countOpenEntries(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return db
    .selectFrom('audit_entries')
    .select([sql<number>`count(*)`.as('count'), sql<Date | null>`min(at)`.as('oldestAt')])
    .where('batch_id', 'is', null)
    .executeTakeFirstOrThrow()
}

/** Number of people of a search that are searched in the log. */
const peopleMax = 200

/** The subject of entries. */
export type EntrySubject =
  | { readonly userId: number; readonly accounts: readonly string[] }
  | { readonly machineCode: string }
  | { readonly eid: number }

/** The conditions of a list of entries. */
export interface EntryFilter {
  readonly about?: EntrySubject | undefined
  /** False: the newest come first. */
  readonly isOldestFirst?: boolean
  readonly actorUserId?: number | undefined
  readonly result?: 'ok' | 'refused' | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** The beginning of an action, a target or an address, or a part of the actor's name or account. */
  readonly search?: string | undefined
  /** Acts by and on these are searched, in place of those by anybody and from an address. */
  readonly among?: { readonly userIds: readonly number[]; readonly codes: readonly string[] } | undefined
}

/** By conditions with an index: `detail` alone is not indexed. */
function isAbout(about: EntrySubject) {
  if ('machineCode' in about) return sql<boolean>`entry.target = ${about.machineCode}`
  if ('eid' in about) return sql<boolean>`entry.id in (${entriesOfEnterprise(about.eid)})`
  return sql<boolean>`(entry.actor_user_id = ${about.userId}
    or entry.target = any(${about.accounts}::text[])
    or entry.action like 'enterprise.member.%' and entry.target = ${String(about.userId)})`
}

/**
 * Acts in and on an enterprise, on its machines since it owns them, and the answers of owners to its maintenance windows.
 */
const entriesOfEnterprise = (eid: number) => sql`
  select id from audit_entries where action like 'enterprise.%' and detail ->> 'eid' = ${String(eid)}
  union all
  select id from audit_entries where action = 'machine.maintenance' and detail ->> 'eid' = ${String(eid)}
  union all
  select act.id from machines join audit_entries act on act.target = machines.code
  where machines.owner_enterprise_id = ${eid} and act.action like 'machine.%'
    and (machines.owned_since is null or act.at >= machines.owned_since)`

/** People whose acts a search means, by their ids: with the names in the same condition no index would serve it. */
async function findSearched(db: Db, search: string): Promise<number[]> {
  const people = await db
    .selectFrom('users')
    .select('id')
    .where(isFound('users', sql.ref('search_text'), search))
    .limit(peopleMax)
    .execute()
  return people.map(({ id }) => id)
}

/** A page of entries, newest first, with their actors; `total` counts up to `countedMax`. */
export async function listEntries(
  db: Db,
  filter: EntryFilter,
  { offset, count, countedMax }: { offset: number; count: number; countedMax: number },
) {
  let query = db.selectFrom('audit_entries as entry')
  const { actorUserId, result, search, about } = filter
  const direction = filter.isOldestFirst ? 'asc' : 'desc'
  if (about) query = query.where(isAbout(about))
  if (actorUserId !== undefined) query = query.where('entry.actor_user_id', '=', actorUserId)
  if (result) query = query.where('entry.result', '=', result)
  if (filter.from) query = query.where('entry.at', '>=', filter.from)
  if (filter.to) query = query.where('entry.at', '<=', filter.to)
  if (search) {
    const { among } = filter
    const ids = among?.userIds ?? (await findSearched(db, search))
    const begins = `${escapeLike(search)}%`
    query = query.where((where) =>
      where.or([
        where('entry.action', 'like', begins),
        where('entry.target', 'like', begins),
        sql<boolean>`entry.actor_user_id = any(${ids}::bigint[])`,
        among
          ? sql<boolean>`entry.target = any(${[...ids.map(String), ...among.codes]}::text[])`
          : where('entry.address', 'like', begins),
      ]),
    )
  }
  const shown = query.select('entry.id').orderBy('entry.id', direction).offset(offset).limit(count)
  const counted = query.select(sql<number>`1`.as('one')).limit(countedMax).as('counted')
  const [rows, total] = await Promise.all([
    db
      .selectFrom('audit_entries as entry')
      .where('entry.id', 'in', shown)
      .leftJoin('users', 'users.id', 'entry.actor_user_id')
      .select([
        'entry.id',
        'entry.at',
        'entry.actor_user_id',
        'users.name as actor',
        'users.is_operator',
        'entry.action',
        'entry.target',
        'entry.address',
        'entry.terminal',
        'entry.result',
        'entry.detail',
        'entry.batch_id',
      ])
      .orderBy('entry.id', direction)
      .execute(),
    db.selectFrom(counted).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type EntryRow = Awaited<ReturnType<typeof listEntries>>['rows'][number]
