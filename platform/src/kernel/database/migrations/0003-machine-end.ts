import { type Kysely, sql } from 'kysely'

/** The machine's end of the line: its clock, its language and zone, and what it had to drop. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(machineEnd).execute(db)
}

const machineEnd = `
update machines set adapter = null where adapter not in ('sparkplug', 'json', 'vendor', 'weintek');
alter table machines
  add constraint machines_adapter check (adapter in ('sparkplug', 'json', 'vendor', 'weintek')),
  add column time_zone text not null default 'Asia/Shanghai',
  add column clock_offset_ms double precision,
  add column clock_seen_at timestamptz,
  add constraint machines_clock check ((clock_offset_ms is null) = (clock_seen_at is null));

create table lost_spans (
  machine_id bigint not null references machines on delete cascade,
  from_at timestamptz not null,
  to_at timestamptz not null,
  samples bigint not null check (samples > 0),
  received_at timestamptz not null default now(),
  primary key (machine_id, from_at, to_at),
  check (to_at >= from_at)
);

alter table raw_messages add column detail text not null default '';
update raw_messages set detail = verdict, verdict = 'unknownShape';
`
