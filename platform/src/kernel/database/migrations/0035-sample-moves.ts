import { type Kysely, sql } from 'kysely'

/** How far the samples of version 1.5, a row each, are moved into chunks; and how long each space keeps its samples. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(moves).execute(db)
  await sql.raw(retention).execute(db)
}

// Everything of a partition of `samples` up to this tag and time is in chunks. The row goes with the partition.
const moves = `
create table sample_moves (
  partition text primary key,
  tag_id bigint not null default 0,
  /* Microseconds since 1970, as exact as a sample's time. */
  micros bigint not null default 0,
  samples bigint not null default 0,
  began_at timestamptz not null default now()
);
`

// A space is a person's or an enterprise's. The newest row whose time has come counts. Without one the platform's own
// lengths do.
const retention = `
create table data_retention (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  raw_days int not null check (raw_days > 0),
  minute_days int not null check (minute_days >= raw_days),
  hour_days int not null check (hour_days >= minute_days),
  effective_at timestamptz not null,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index data_retention_user on data_retention (user_id, id) where user_id is not null;
create index data_retention_enterprise on data_retention (enterprise_id, id) where enterprise_id is not null;
`
