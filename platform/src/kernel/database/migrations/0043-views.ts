import { type Kysely, sql } from 'kysely'

/** Saved views of the explorer, and notes of people on the past of machines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(views).execute(db)
}

const views = `
create table views (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  name text not null,
  state jsonb not null,
  updated_at timestamptz not null,
  updated_by bigint references users on delete set null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index views_user on views (user_id) where user_id is not null;
create index views_enterprise on views (enterprise_id) where enterprise_id is not null;
create index views_updated_by on views (updated_by);

create table annotations (
  id bigint generated always as identity primary key,
  from_at timestamptz not null,
  to_at timestamptz not null,
  text text not null,
  user_id bigint references users on delete set null,
  created_at timestamptz not null,
  check (from_at <= to_at)
);
create index annotations_user on annotations (user_id);

create table annotation_machines (
  machine_id bigint not null references machines on delete cascade,
  annotation_id bigint not null references annotations on delete cascade,
  primary key (machine_id, annotation_id)
);
create index annotation_machines_annotation on annotation_machines (annotation_id);
`
