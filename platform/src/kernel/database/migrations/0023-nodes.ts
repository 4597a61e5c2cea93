import { type Kysely, sql } from 'kysely'

/** The processes of a platform, and which of them holds a connection or has sent a write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(nodes).execute(db)
}

// No references: a row outlives the node that wrote it.
const nodes = `
create table nodes (
  id text primary key,
  heartbeat_at timestamptz not null default now()
);

alter table machine_connections add column node_id text;
alter table writes add column node_id text;
`
