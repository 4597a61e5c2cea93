import { type Kysely, sql } from 'kysely'

/** Tells processes with the same node id apart, and keeps when a node was given up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(incarnations).execute(db)
}

// Rows of before name no process: the next start of their node takes them.
const incarnations = `
alter table nodes
  add column incarnation text not null default '',
  add column steady_since timestamptz not null default now(),
  add column declared_dead_at timestamptz;
`
