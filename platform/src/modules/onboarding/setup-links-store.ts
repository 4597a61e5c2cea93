import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>
type Trx = Transaction<DB>

/** Puts the link in place of the machine's former one. */
export async function replaceLink(
  trx: Trx,
  link: {
    readonly tokenHash: Buffer
    readonly machineId: number
    readonly brandId: number
    /** Sealed. */
    readonly secret: Buffer
    readonly at: Date
    readonly expireAt: Date
  },
): Promise<void> {
  await removeLinkOf(trx, link.machineId)
  await trx
    .insertInto('setup_links')
    .values({
      token_hash: link.tokenHash,
      machine_id: link.machineId,
      brand_id: link.brandId,
      secret: link.secret,
      created_at: link.at,
      expire_at: link.expireAt,
    })
    .execute()
}

export async function findLink(db: Db, tokenHash: Buffer) {
  return db
    .selectFrom('setup_links')
    .innerJoin('machines', 'machines.id', 'setup_links.machine_id')
    .select([
      'setup_links.machine_id',
      'setup_links.brand_id',
      'setup_links.secret',
      'setup_links.expire_at',
      'setup_links.asked_at',
      'setup_links.acknowledged_at',
      'machines.code',
    ])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}
export type LinkRow = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** The machine's own link, at any stage; undefined where none is kept. */
export async function findLinkOf(db: Db, machineId: number) {
  return db
    .selectFrom('setup_links')
    .select(['expire_at', 'asked_at', 'acknowledged_at'])
    .where('machine_id', '=', machineId)
    .executeTakeFirst()
}

/** Notes that the secret was fetched; false where the link was replaced or used meanwhile. */
export async function noteAsked(db: Db, tokenHash: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('setup_links')
    .set((row) => ({ asked_at: row.fn.coalesce('asked_at', row.val(at)) }))
    .where('token_hash', '=', tokenHash)
    .where('acknowledged_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Ends a link and forgets its secret; false where it had ended. */
export async function acknowledgeLink(trx: Db, tokenHash: Buffer, at: Date): Promise<boolean> {
  const result = await trx
    .updateTable('setup_links')
    .set({ acknowledged_at: at, secret: null })
    .where('token_hash', '=', tokenHash)
    .where('acknowledged_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function removeLinkOf(trx: Db, machineId: number): Promise<void> {
  await trx.deleteFrom('setup_links').where('machine_id', '=', machineId).execute()
}

export async function removeLinksOver(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('setup_links').where('expire_at', '<', before).execute()
}
