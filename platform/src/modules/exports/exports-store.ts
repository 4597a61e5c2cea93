import type { ExportState } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { ExportWish } from './export-wish.ts'

export type Db = Kysely<DB>

/** The request, with the person's names for the devices at that time. */
export interface StoredWish extends ExportWish {
  readonly machines: readonly { readonly id: number; readonly name: string }[]
}

export interface StoredExport {
  readonly id: string
  readonly userId: number
  readonly name: string
  readonly wish: StoredWish
  readonly state: ExportState
  readonly progress: number
  readonly rows: number | null
  readonly damaged: number
  readonly fileId: number | null
  readonly bytes: number | null
  readonly reason: string
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly expiresAt: Date | null
}

const columns = sql`exports.id, exports.user_id as "userId", exports.name, exports.wish,
  case when exports.state <> 'ready' or files.state = 'ready' then exports.state
    when files.state = 'displaced' then 'displaced' else 'expired' end as state,
  exports.progress, exports.rows, exports.damaged, exports.file_id as "fileId", files.bytes, exports.reason,
  exports.created_at as "createdAt", exports.ended_at as "endedAt", files.expires_at as "expiresAt"`

export async function createExport(
  db: Db,
  row: {
    readonly id: string
    readonly userId: number
    readonly name: string
    readonly wish: StoredWish
    readonly at: Date
  },
): Promise<void> {
  await db
    .insertInto('exports')
    .values({
      id: row.id,
      user_id: row.userId,
      name: row.name,
      wish: JSON.stringify(row.wish),
      state: 'waiting',
      created_at: row.at,
    })
    .execute()
}

/** A person's exports, the newest first. */
export async function listExports(db: Db, userId: number, max: number): Promise<StoredExport[]> {
  const { rows } = await sql<StoredExport>`
    select ${columns} from exports left join files on files.id = exports.file_id
     where exports.user_id = ${userId} order by exports.created_at desc, exports.id limit ${max}`.execute(db)
  return rows
}

export async function findExport(db: Db, id: string): Promise<StoredExport | undefined> {
  const { rows } = await sql<StoredExport>`
    select ${columns} from exports left join files on files.id = exports.file_id where exports.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Exports of a person that wait or run, the oldest first. */
export async function listOpen(db: Db, userId: number): Promise<{ id: string }[]> {
  return db
    .selectFrom('exports')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'running'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The oldest open export of each person whose open exports have no job. */
export async function listWithoutJob(db: Db, queue: string): Promise<{ id: string; userId: number }[]> {
  const { rows } = await sql<{ id: string; userId: number }>`
    select distinct on (user_id) id, user_id as "userId" from exports
     where state in ('waiting', 'running') and not exists (
       select from exports other join jobs.job on job.name = ${queue} and job.id = other.id
        where other.user_id = exports.user_id and job.state in ('created', 'retry', 'active'))
     order by user_id, created_at, id`.execute(db)
  return rows
}

/** Begins a try; undefined if the export is not open any more. */
export async function beginExport(db: Db, id: string): Promise<StoredExport | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({ state: 'running', progress: 0 })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0n ? findExport(db, id) : undefined
}

export async function noteProgress(db: Db, id: string, progress: number): Promise<void> {
  await db
    .updateTable('exports')
    .set({ progress })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Notes the file of an export; false if it is not open any more. */
export async function finishExport(
  trx: Db,
  id: string,
  done: { readonly fileId: number; readonly rows: number; readonly damaged: number; readonly at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('exports')
    .set({
      state: 'ready',
      progress: 1,
      file_id: done.fileId,
      rows: done.rows,
      damaged: done.damaged,
      ended_at: done.at,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends an open export without a file; false if it is not open. */
export async function endExport(
  db: Db,
  id: string,
  end: { readonly state: 'failed' | 'cancelled'; readonly reason: string; readonly at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({ state: end.state, reason: end.reason, ended_at: end.at })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeExport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('exports').where('id', '=', id).execute()
}

/** Removes exports that were requested before an instant; files do not live that long. */
export async function removeOld(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('exports')
    .where('created_at', '<', before)
    .where('state', 'not in', ['waiting', 'running'])
    .execute()
}
