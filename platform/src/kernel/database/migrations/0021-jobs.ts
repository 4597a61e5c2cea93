import { type Kysely, sql } from 'kysely'

/** Beside pg-boss's own tables: clock jobs with their last run, and how far the running jobs are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
  await sql.raw(outgoing).execute(db)
}

const tables = `
create schema if not exists jobs;

create table jobs.clock_job (
  name text primary key,
  every_s int not null,
  due_at timestamptz not null,
  -- Until then nobody else starts it; null while it does not run.
  leased_until timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  -- The platform's clock at the beginning of the last run that succeeded.
  told_at timestamptz,
  error text not null default '',
  failures int not null default 0
);

create table jobs.progress (
  job_id uuid primary key,
  done int not null,
  total int not null,
  at timestamptz not null default now()
);
`

// A message's tries are its job's.
const outgoing = `
drop index outgoing_queued;
alter table outgoing drop column next_try_at;
create index outgoing_queued on outgoing (kind) where state = 'queued';
`
