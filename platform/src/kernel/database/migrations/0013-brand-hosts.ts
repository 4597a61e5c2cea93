import { type Kysely, sql } from 'kysely'

/** A brand that is given up is archived: its hosts show the default brand, which is never an archived one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table brands
      add column archived_at timestamptz,
      add check (archived_at is null or not is_default)`.execute(db)
}
