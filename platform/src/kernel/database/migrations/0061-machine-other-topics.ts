import { type Kysely, sql } from 'kysely'

/** Whether a machine publishes values on topics that are not its own: each is a group of variables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table machines add column other_topics boolean not null default false`.execute(db)
}
