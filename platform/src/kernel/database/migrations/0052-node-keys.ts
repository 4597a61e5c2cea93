import { type Kysely, sql } from 'kysely'

/** The public key of each node's process, by which others check what it permits (X25519, base64url). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null where a node of the version before wrote the row: it permits nothing to others.
  await sql`alter table nodes add column public_key text`.execute(db)
}
