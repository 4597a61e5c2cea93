import { type Kysely, sql } from 'kysely'

/** Nodes whose certificates and processes of before an instant count no more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}

// `started_at` is null where a node of the version before wrote the row.
const tables = `
alter table nodes add column started_at timestamptz;

create table revoked_nodes (
  node_id text primary key,
  revoked_at timestamptz not null
);
`
