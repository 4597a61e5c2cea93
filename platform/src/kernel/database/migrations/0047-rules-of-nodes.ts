import { type Kysely, sql } from 'kysely'

/** The node that evaluates a rule; null: none does yet. Another node takes it over when the machine comes there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table alarm_rules add column node_id text').execute(db)
}
