import { type Kysely, sql } from 'kysely'

/** Which work each node does and whether it leaves, and until when a machine may take to come to another node. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}

// Null where a node of the version before wrote the row.
const tables = `
alter table nodes
  add column roles text[],
  add column version text,
  add column wire_version int,
  add column leaving_at timestamptz;

alter table machine_connections add column expected_until timestamptz;
`
