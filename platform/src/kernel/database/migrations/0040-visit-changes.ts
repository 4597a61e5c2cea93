import { type Kysely, sql } from 'kysely'

/** A machine before and after a visit that controlled it, and the places that its tools wrote through ports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table visit_snapshots (
  visit_id bigint primary key references visits on delete cascade,
  -- When the visit first got control.
  begun_at timestamptz not null,
  ended_at timestamptz,
  -- When the values after it were kept.
  settled_at timestamptz,
  -- Values of writable variables, by their ids; once it is settled, only those that differ or were written.
  values_before jsonb not null default '{}',
  values_after jsonb not null default '{}',
  -- Of the agent's configuration; null where the agent has none that the platform can change.
  revision_before integer,
  revision_after integer,
  check (ended_at is not null or settled_at is null)
);
create index visit_snapshots_unsettled on visit_snapshots (visit_id) where settled_at is null and ended_at is not null;

create table port_writes (
  visit_id bigint not null references visits on delete cascade,
  port text not null,
  unit integer,
  place text not null,
  -- As the agent tells them; null: the tool had not read it before.
  from_value text,
  to_value text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The variable that has this place; samples may be in another database.
  tag_id bigint,
  unique nulls not distinct (visit_id, port, unit, place)
);
`)
    .execute(db)
}
