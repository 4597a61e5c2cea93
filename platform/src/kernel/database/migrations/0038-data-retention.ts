import { type Kysely, sql } from 'kysely'

/** Keeps how long a person or an enterprise wants the samples of their machines to be kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(retention).execute(db)
}

// Of a space the row with the latest `effective_at` that is past counts; a later one is a shortening that waits.
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
create unique index data_retention_user on data_retention (user_id, effective_at) where user_id is not null;
create unique index data_retention_enterprise
  on data_retention (enterprise_id, effective_at) where enterprise_id is not null;
`
