import type { operator as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

export type Db = Kysely<DB>

export interface StoredImport {
  readonly id: string
  readonly userId: number
  readonly address: string
  readonly state: contract.ImportState
  readonly lines: number
  readonly done: number
  readonly created: number
  readonly secrets: number
  /** Lines that were refused before the import began. */
  readonly refused: readonly contract.RefusedLine[]
  readonly reason: string
  readonly createdAt: Date
  readonly endedAt: Date | null
}

const columns = sql`id, user_id as "userId", address, state, lines, done, created, secrets, refused, reason,
  created_at as "createdAt", ended_at as "endedAt"`

type NewImport = Pick<StoredImport, 'id' | 'userId' | 'address' | 'lines' | 'refused'>

/** Notes an import with its sealed parts. */
export async function createImport(
  trx: Db,
  { id, userId, address, lines, refused }: NewImport,
  sealed: readonly Buffer[],
  at: Date,
): Promise<void> {
  await trx
    .insertInto('machine_imports')
    .values({
      ...{ id, user_id: userId, address, lines, state: 'waiting', created_at: at },
      ...{ done: refused.length, refused: JSON.stringify(refused) },
    })
    .execute()
  if (sealed.length === 0) return
  await sql`insert into machine_import_parts (import_id, part, sealed)
    select ${id}::uuid, part - 1, sealed
      from unnest(${sealed as Buffer[]}::bytea[]) with ordinality as parts (sealed, part)`.execute(trx)
}

/** Imports of a person that run, or whose secrets are not saved. Call it under the lock of the person. */
export async function countKept(trx: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from machine_imports
     where user_id = ${userId} and (ended_at is null or secrets > 0)`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Removes a person's imports that have ended and are saved, beyond the newest ones. */
export async function removeSaved(trx: Db, userId: number, newest: number): Promise<void> {
  await sql`delete from machine_imports where id in (
    select id from machine_imports where user_id = ${userId} and ended_at is not null and secrets = 0
     order by created_at desc offset ${newest})`.execute(trx)
}

/** A person's imports, the newest first. */
export async function listImports(db: Db, userId: number): Promise<StoredImport[]> {
  const { rows } = await sql<StoredImport>`
    select ${columns} from machine_imports where user_id = ${userId} order by created_at desc, id`.execute(db)
  return rows
}

export async function findImport(db: Db, id: string): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`select ${columns} from machine_imports where id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** An import under a lock until the end of the transaction: one process at a time registers a part of it. */
export async function lockImport(trx: Db, id: string): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`
    select ${columns} from machine_imports where id = ${id} for update`.execute(trx)
  return rows[0]
}

/** Imports that are open and have no job. */
export async function listWithoutJob(trx: Db, queue: string): Promise<{ id: string; userId: number }[]> {
  const { rows } = await sql<{ id: string; userId: number }>`
    select id, user_id as "userId" from machine_imports where ended_at is null and not exists (
      select from jobs.job where job.name = ${queue} and job.id = machine_imports.id
         and job.state in ('created', 'retry', 'active'))`.execute(trx)
  return rows
}

/** Begins a try; undefined if the import is not open any more. */
export async function beginImport(db: Db, id: string): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`
    update machine_imports set state = 'running' where id = ${id} and ended_at is null
      returning ${columns}`.execute(db)
  return rows[0]
}

export interface StoredPart {
  readonly part: number
  readonly sealed: Buffer
}

/** The next part whose machines are not registered. */
export async function findNextPart(db: Db, importId: string): Promise<StoredPart | undefined> {
  const { rows } = await sql<StoredPart>`
    select part, sealed from machine_import_parts
     where import_id = ${importId} and not is_done order by part limit 1`.execute(db)
  return rows[0]
}

/** Whether the machines of a part are not registered. */
export async function isPartOpen(trx: Db, importId: string, part: number): Promise<boolean> {
  const row = await trx
    .selectFrom('machine_import_parts')
    .select('is_done')
    .where('import_id', '=', importId)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.is_done === false
}

/** Puts the sealed secrets of registered machines in the place of their lines. */
export async function finishPart(
  trx: Db,
  importId: string,
  one: {
    readonly part: number
    readonly lines: number
    readonly created: number
    readonly sealed: Buffer | null
    readonly refused: readonly contract.RefusedLine[]
  },
): Promise<void> {
  await trx
    .updateTable('machine_import_parts')
    .set({ is_done: true, sealed: one.sealed, refused: JSON.stringify(one.refused) })
    .where('import_id', '=', importId)
    .where('part', '=', one.part)
    .execute()
  await sql`update machine_imports set done = done + ${one.lines}, created = created + ${one.created},
    secrets = secrets + ${one.created} where id = ${importId}`.execute(trx)
}

/** Ends an open import; the lines that it did not register are gone. */
export async function endImport(
  trx: Db,
  id: string,
  end: { readonly state: 'done' | 'failed' | 'stopped'; readonly reason: string; readonly at: Date },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('machine_imports')
    .set({ state: end.state, reason: end.reason, ended_at: end.at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n)
    await trx
      .deleteFrom('machine_import_parts')
      .where('import_id', '=', id)
      .where('is_done', '=', false)
      .execute()
}

/** The sealed secrets of an import, and the lines that were refused while it ran, in order. */
export async function listDoneParts(
  db: Db,
  importId: string,
): Promise<{ part: number; sealed: Buffer | null; refused: contract.RefusedLine[] }[]> {
  const { rows } = await sql<{ part: number; sealed: Buffer | null; refused: contract.RefusedLine[] }>`
    select part, sealed, refused from machine_import_parts
     where import_id = ${importId} and is_done order by part`.execute(db)
  return rows
}

/** Removes the secrets of an import for good. */
export async function removeSecrets(trx: Db, id: string): Promise<void> {
  await trx.updateTable('machine_imports').set({ secrets: 0 }).where('id', '=', id).execute()
  await trx.updateTable('machine_import_parts').set({ sealed: null }).where('import_id', '=', id).execute()
}

/** Removes imports that ended before an instant. */
export async function removeOld(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('machine_imports').where('ended_at', '<', before).execute()
}
