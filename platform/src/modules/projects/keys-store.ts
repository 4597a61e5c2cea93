import { sql } from 'kysely'
import type { Db } from './links-store.ts'

/** A key of a project that is valid now. */
export interface KeyRow {
  readonly id: number
  readonly hash: Buffer
  readonly sealed: Buffer
  readonly createdAt: Date
  readonly endsAt: Date | null
  readonly lastUsedAt: Date | null
  readonly lastUsedFrom: string
}

/** The keys of a project that are valid, the newest first. */
export async function listKeys(db: Db, projectId: number, at: Date): Promise<KeyRow[]> {
  return db
    .selectFrom('project_keys')
    .select([
      'id',
      'hash',
      'sealed',
      'created_at as createdAt',
      'ends_at as endsAt',
      'last_used_at as lastUsedAt',
      'last_used_from as lastUsedFrom',
    ])
    .where('project_id', '=', projectId)
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', at)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The key with a hash, if it is valid: for calls that name no project. */
export async function findKey(
  db: Db,
  hash: Buffer,
  at: Date,
): Promise<{ readonly keyId: number; readonly projectId: number } | undefined> {
  return db
    .selectFrom('project_keys')
    .select(['id as keyId', 'project_id as projectId'])
    .where('hash', '=', hash)
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', at)]))
    .executeTakeFirst()
}

/** When a key ends, if that is known; undefined for one that is gone. */
export async function findKeyEnd(db: Db, id: number): Promise<{ readonly endsAt: Date | null } | undefined> {
  return db.selectFrom('project_keys').select('ends_at as endsAt').where('id', '=', id).executeTakeFirst()
}

export async function createKey(
  trx: Db,
  key: { readonly projectId: number; readonly hash: Buffer; readonly sealed: Buffer; readonly at: Date },
): Promise<void> {
  await trx
    .insertInto('project_keys')
    .values({ project_id: key.projectId, hash: key.hash, sealed: key.sealed, created_at: key.at })
    .execute()
}

/** Ends the newest key at an instant, and at once those before it: two are valid at most. */
export async function endFormerKeys(trx: Db, projectId: number, endsAt: Date): Promise<void> {
  await trx
    .deleteFrom('project_keys')
    .where('project_id', '=', projectId)
    .where('ends_at', 'is not', null)
    .execute()
  await trx.updateTable('project_keys').set({ ends_at: endsAt }).where('project_id', '=', projectId).execute()
}

export async function removeKeys(trx: Db, projectId: number): Promise<void> {
  await trx.deleteFrom('project_keys').where('project_id', '=', projectId).execute()
}

/** Removes keys whose time is over; answers their projects. */
export async function removeEndedKeys(db: Db, at: Date): Promise<number[]> {
  const rows = await db
    .deleteFrom('project_keys')
    .where('ends_at', '<=', at)
    .returning('project_id')
    .execute()
  return [...new Set(rows.map((row) => row.project_id))]
}

/** Notes a use, unless the same was noted less than a minute before. */
export async function noteUse(
  db: Db,
  id: number,
  { from, at, fetches }: { readonly from: string; readonly at: Date; readonly fetches: boolean },
): Promise<void> {
  const ago = sql`${at}::timestamptz - interval '1 minute'`
  await sql`
    update project_keys set last_used_at = ${at}, last_used_from = ${from},
      last_fetched_at = case when ${fetches} then ${at}::timestamptz else last_fetched_at end
    where id = ${id} and (last_used_at is null or last_used_from <> ${from} or last_used_at < ${ago}
      or ${fetches} and (last_fetched_at is null or last_fetched_at < ${ago}))`.execute(db)
}

/** Notes that a connection of a key is still there. */
export async function noteStillUsed(db: Db, id: number, at: Date): Promise<void> {
  await db
    .updateTable('project_keys')
    .set({ last_used_at: at, last_fetched_at: at })
    .where('id', '=', id)
    .execute()
}

/**
 * Notes that the owner is told of wrong keys; answers the project's name, undefined if they were told within the last
 * day.
 */
export async function noteGuesses(trx: Db, projectId: number, at: Date): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    update projects set wrong_keys_told_at = ${at}
    where id = ${projectId}
      and (wrong_keys_told_at is null or wrong_keys_told_at < ${at}::timestamptz - interval '1 day')
    returning name`.execute(trx)
  return rows[0]?.name
}
