import { type Kysely, sql } from 'kysely'

/** An enterprise's new devices get a rule on absence, unless the enterprise switched that off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table enterprises add column has_away_rules boolean not null default true`.execute(db)
}
