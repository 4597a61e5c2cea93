import { type Kysely, sql } from 'kysely'

/** The log of samples: a row of a commit holds all of its samples; it is kept until they are in chunks, and for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table sample_log (
  node_id text not null,
  incarnation text not null,
  seq bigint not null,
  committed_at timestamptz not null,
  samples int not null,
  bytes bytea not null
) partition by range (committed_at);
alter table sample_log alter bytes set storage external;
create index sample_log_seq on sample_log (node_id, incarnation, seq);

create table sample_log_positions (
  node_id text not null,
  incarnation text not null,
  seq bigint not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (node_id, incarnation)
);
`)
    .execute(db)
}
