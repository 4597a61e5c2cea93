import { type Kysely, sql } from 'kysely'

/** A client without cookies is asked whether somebody else began a registration for its account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index registrations_account on registrations (account_hash)`.execute(db)
}
