import { type Kysely, sql } from 'kysely'

/** Scheduled reports of people and enterprises, who gets them, and what became of each run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(reports).execute(db)
}

// `due_at` of a run is null where a person asked for it. A scheduled time has one run.
const reports = `
create table reports (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  name text not null,
  content jsonb not null,
  every text not null check (every in ('day', 'week', 'month')),
  weekday smallint not null check (weekday between 1 and 7),
  month_day smallint not null check (month_day between 0 and 28),
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null,
  formats text[] not null check (cardinality(formats) > 0),
  lang text not null check (lang in ('cn', 'en')),
  next_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint references users on delete set null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index reports_user on reports (user_id) where user_id is not null;
create index reports_enterprise on reports (enterprise_id) where enterprise_id is not null;
create index reports_updated_by on reports (updated_by);
create index reports_next on reports (next_at) where next_at is not null;

create table report_recipients (
  report_id bigint not null references reports on delete cascade,
  user_id bigint references users on delete cascade,
  contact_id bigint references alarm_contacts on delete cascade,
  check (num_nonnulls(user_id, contact_id) = 1),
  unique nulls not distinct (report_id, user_id, contact_id)
);
create index report_recipients_user on report_recipients (user_id);
create index report_recipients_contact on report_recipients (contact_id);

create table report_runs (
  id bigint generated always as identity primary key,
  report_id bigint not null references reports on delete cascade,
  due_at timestamptz,
  asked_by bigint references users on delete set null,
  is_sent boolean not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'making', 'done', 'failed')),
  attempt int not null default 0,
  error text,
  left_out jsonb not null default '{}',
  queued_at timestamptz not null,
  ended_at timestamptz,
  unique (report_id, due_at)
);
create index report_runs_report on report_runs (report_id, id desc);
create index report_runs_asked_by on report_runs (asked_by);
create index report_runs_open on report_runs (id) where state in ('waiting', 'making');

-- What one reader or several get: with the same devices under the same names, in one language.
create table report_versions (
  id bigint generated always as identity primary key,
  run_id bigint not null references report_runs on delete cascade,
  is_own boolean not null,
  machine_ids bigint[] not null
);
create index report_versions_run on report_versions (run_id);

create table report_files (
  id bigint generated always as identity primary key,
  version_id bigint not null references report_versions on delete cascade,
  format text not null check (format in ('pdf', 'xlsx', 'csv')),
  file_id bigint references files on delete set null,
  name text not null,
  bytes bigint not null
);
create index report_files_version on report_files (version_id);
create index report_files_file on report_files (file_id);

create table report_deliveries (
  id bigint generated always as identity primary key,
  run_id bigint not null references report_runs on delete cascade,
  version_id bigint references report_versions on delete set null,
  user_id bigint references users on delete cascade,
  contact_id bigint references alarm_contacts on delete cascade,
  state text not null check (state in ('sent', 'link', 'tooLarge', 'noRight', 'noEmail', 'left')),
  unseen int not null default 0,
  check (num_nonnulls(user_id, contact_id) = 1)
);
create index report_deliveries_run on report_deliveries (run_id);
create index report_deliveries_version on report_deliveries (version_id);
create index report_deliveries_user on report_deliveries (user_id);
create index report_deliveries_contact on report_deliveries (contact_id);
`
