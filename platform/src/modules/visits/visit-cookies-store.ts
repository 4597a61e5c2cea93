import { sql } from 'kysely'
import type { Db } from './visits-store.ts'

/** The visit of a code or cookie, and the only host it is valid on. */
export interface Bound {
  readonly visitId: number
  readonly host: string
}

/** Stores a one-use code as its hash. */
export async function createVisitCode(
  db: Db,
  code: Bound & { codeHash: Buffer; stateHash: Buffer; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('visit_codes')
    .values({
      code_hash: code.codeHash,
      visit_id: code.visitId,
      host: code.host,
      state_hash: code.stateHash,
      expires_at: code.expiresAt,
    })
    .execute()
}

/** A code of a live visit, without using it up. */
export async function findVisitCode(db: Db, codeHash: Buffer, now: Date) {
  return db
    .selectFrom('visit_codes')
    .innerJoin('visits', 'visits.id', 'visit_codes.visit_id')
    .select(['visit_codes.visit_id', 'visit_codes.host', 'visit_codes.state_hash'])
    .where('visit_codes.code_hash', '=', codeHash)
    .where('visit_codes.expires_at', '>', now)
    .where('visits.ended_at', 'is', null)
    .where('visits.ends_at', '>', now)
    .executeTakeFirst()
}

/** Takes a code of a live visit: it is gone afterwards, for every browser. */
export async function takeVisitCode(db: Db, codeHash: Buffer, now: Date) {
  const { rows } = await sql<{ visit_id: number; host: string; state_hash: Buffer }>`
    with taken as (delete from visit_codes where code_hash = ${codeHash} returning *)
    select taken.visit_id, taken.host, taken.state_hash
    from taken join visits on visits.id = taken.visit_id
    where taken.expires_at > ${now} and visits.ended_at is null and visits.ends_at > ${now}`.execute(db)
  return rows[0]
}

/** Stores a cookie as its hash. */
export async function createVisitCookie(db: Db, cookieHash: Buffer, bound: Bound): Promise<void> {
  await db
    .insertInto('visit_cookies')
    .values({ cookie_hash: cookieHash, visit_id: bound.visitId, host: bound.host })
    .execute()
}

/** The visit of a cookie, and its host. */
export async function findVisitCookie(db: Db, cookieHash: Buffer): Promise<Bound | undefined> {
  const row = await db
    .selectFrom('visit_cookies')
    .select(['visit_id', 'host'])
    .where('cookie_hash', '=', cookieHash)
    .executeTakeFirst()
  return row && { visitId: row.visit_id, host: row.host }
}

/**
 * Drops codes that ran out, and cookies of visits that ended before `cookiesBefore`: their reason is not needed any
 * more.
 */
export async function removeOldCodes(db: Db, now: Date, cookiesBefore: Date): Promise<void> {
  await db.deleteFrom('visit_codes').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('visit_cookies')
    .using('visits')
    .whereRef('visits.id', '=', 'visit_cookies.visit_id')
    .where('visits.ended_at', '<', cookiesBefore)
    .execute()
}
