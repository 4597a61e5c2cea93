import type { brands as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { PictureKind } from './read-picture.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A picture to store; its key consists of purpose and content. */
export interface NewUpload {
  readonly key: string
  readonly purpose: contract.UploadPurpose
  readonly userId: number
  readonly kind: PictureKind
  readonly content: Buffer
}

/** Keeps a picture; the same one again only begins its time anew. */
export async function createUpload(db: Db, upload: NewUpload): Promise<void> {
  await db
    .insertInto('uploads')
    .values({
      key: upload.key,
      purpose: upload.purpose,
      user_id: upload.userId,
      kind: upload.kind,
      content: upload.content,
    })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ created_at: sql`now()` }))
    .execute()
}

/** Number of a person's stored pictures. */
export async function countUploads(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('uploads')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.count
}

/**
 * Removes the pictures that nothing shows any more, uploaded before an instant. Those of brands and enterprises stay: mails
 * that were sent show them.
 */
export async function removeUnused(db: Db, before: Date): Promise<void> {
  const shown = sql`'/uploads/' || uploads.key || '.' || uploads.kind`
  await sql`
    delete from uploads where created_at < ${before} and (
      purpose = 'sitePlan' and not exists (select from site_plans where picture = ${shown})
      or purpose = 'projectImage' and not exists (select from machines where project_image = ${shown})
      or purpose = 'machineType' and not exists (select from machine_types where picture = ${shown})
    )`.execute(db)
}

/** A picture with its content type. */
export async function findUpload(db: Db, key: string) {
  return db.selectFrom('uploads').select(['kind', 'content']).where('key', '=', key).executeTakeFirst()
}

/** The stored ones of these keys for a purpose, with their kinds. */
export async function listUploads(db: Db, purpose: contract.UploadPurpose, keys: readonly string[]) {
  return db
    .selectFrom('uploads')
    .select(['key', 'kind'])
    .where('purpose', '=', purpose)
    .where('key', 'in', [...keys])
    .execute()
}

/** Whether a person may give an enterprise of theirs its logo. */
export async function isEnterpriseAdmin(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('enterprise_members as member')
    .innerJoin('enterprises', 'enterprises.id', 'member.enterprise_id')
    .select('member.user_id')
    .where('member.user_id', '=', userId)
    .where('member.role', 'in', ['owner', 'admin'])
    .where('enterprises.state', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a person holds a key of any machine, or may get one by an enterprise. The machine itself is checked later. */
export async function mayHoldKey(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('machines')
    .select('id as found')
    .where('owner_user_id', '=', userId)
    .unionAll((query) =>
      query
        .selectFrom('machine_grants')
        .select('id as found')
        .where('user_id', '=', userId)
        .where('role', '=', 'bkey'),
    )
    .unionAll((query) =>
      query
        .selectFrom('enterprise_members as member')
        .innerJoin('enterprises', 'enterprises.id', 'member.enterprise_id')
        .select('member.user_id as found')
        .where('member.user_id', '=', userId)
        .where('enterprises.state', '=', 'active'),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
