import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>

/** The reader of a list: a person's own, or an enterprise's as this person sees it. */
export interface ListReader {
  readonly userId: number
  readonly enterpriseId?: number
}

/** The moment of the database from which a list is read, as PostgreSQL writes it. */
export async function readSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(db)
  return rows[0]?.snapshot ?? ''
}

/**
 * The moment of now, if no transaction that `since` did not see noted a change of the list, and every note since then is
 * still there; undefined otherwise. A transaction that began before `since` and committed after it is not seen by it.
 */
export async function findUnchangedSince(
  db: Db,
  since: string,
  { userId, enterpriseId }: ListReader,
): Promise<string | undefined> {
  const inList =
    enterpriseId === undefined
      ? sql`not note.attributes_only and exists (
          select from machine_list_entries entry
          where entry.user_id = ${userId} and entry.machine_id = note.machine_id)`
      : sql`note.enterprise_id = ${enterpriseId} or exists (
          select from enterprise_machines device
          where device.enterprise_id = ${enterpriseId} and device.machine_id = note.machine_id)`
  const { rows } = await sql<{ snapshot: string; is_unchanged: boolean }>`
    select pg_current_snapshot()::text as snapshot,
           pg_snapshot_xmin(${since}::pg_snapshot) >= (select xid from machine_list_trims)
           and not exists (
             select from machine_list_changes note
             where note.xid >= pg_snapshot_xmin(${since}::pg_snapshot)
               and not pg_visible_in_snapshot(note.xid, ${since}::pg_snapshot)
               and (note.user_id = ${userId} or ${inList} or exists (
                 select from enterprise_members member
                 where member.user_id = ${userId} and member.enterprise_id = note.enterprise_id))
           ) as is_unchanged`.execute(db)
  const [row] = rows
  return row?.is_unchanged ? row.snapshot : undefined
}

/** Removes the notes of transactions that had ended at the last call. */
export async function trimListChanges(db: Db): Promise<void> {
  const now = sql<string>`pg_snapshot_xmin(pg_current_snapshot())`
  await db.transaction().execute(async (trx) => {
    const trim = await trx
      .updateTable('machine_list_trims')
      // A number of another cluster, which a backup may bring, may be years ahead.
      .set((row) => ({ xid: sql`least(${row.ref('next_xid')}, ${now})`, next_xid: now }))
      .returning('xid')
      .executeTakeFirstOrThrow()
    await trx.deleteFrom('machine_list_changes').where('xid', '<', trim.xid).execute()
  })
}
