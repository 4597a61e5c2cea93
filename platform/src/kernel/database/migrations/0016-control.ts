import { type Kysely, sql } from 'kysely'

/** When a visit's control falls free unless a page of it is open; null until that was counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table controllers add column release_at timestamptz`.execute(db)
}
