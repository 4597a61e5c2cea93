import { sql } from 'kysely'
import type { EmbeddingIds } from './embedding.ts'
import type { Db } from './visits-store.ts'

/** A one-use code opens a visit of a member on one host; one with a visit leads another tab into that visit. */
export interface EmbeddingCode extends EmbeddingIds {
  readonly userId: number
  readonly machineId: number
  readonly host: string
  readonly visitId: number | null
}

/** Stores a code as its hash. */
export async function createEmbeddingCode(
  db: Db,
  codeHash: Buffer,
  code: EmbeddingCode,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('embedding_codes')
    .values({
      code_hash: codeHash,
      project_id: code.projectId,
      link_id: code.linkId,
      project_key_id: code.keyId,
      user_id: code.userId,
      machine_id: code.machineId,
      host: code.host,
      visit_id: code.visitId,
      expires_at: expiresAt,
    })
    .execute()
}

/** Takes a code: it is gone afterwards, also where it is too old. */
export async function takeEmbeddingCode(
  db: Db,
  codeHash: Buffer,
  now: Date,
): Promise<EmbeddingCode | undefined> {
  const { rows } = await sql<EmbeddingCode>`
    with taken as (delete from embedding_codes where code_hash = ${codeHash} returning *)
    select project_id as "projectId", link_id as "linkId", project_key_id as "keyId", user_id as "userId",
           machine_id as "machineId", host, visit_id as "visitId"
    from taken where expires_at > ${now}`.execute(db)
  return rows[0]
}

/** Drops codes that ran out. */
export async function removeOldEmbeddingCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('embedding_codes').where('expires_at', '<=', now).execute()
}
