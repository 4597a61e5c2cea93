import { type Kysely, sql } from 'kysely'

/** Chunks hold the samples of a tag for an hour, or for a day, as columns; averages answer long histories. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(chunks).execute(db)
  await sql.raw(averages).execute(db)
}

// Hours count from 1970. `span`: the hours of a chunk, 1 or 24. `part`: 0 was folded from all others of its time, -1 came
// from the rows of version 1.5, and those above 0 wait to be folded. The bytes are packed already, so PostgreSQL stores
// them as they are.
const chunks = `
create sequence sample_parts as int;

create table sample_chunks (
  tag_id bigint not null,
  hour int not null,
  span smallint not null check (span in (1, 24)),
  part int not null check (part >= -1),
  count int not null check (count > 0),
  bytes bytea not null,
  primary key (tag_id, hour, part, span) include (count)
) partition by range (hour);
alter table sample_chunks alter column bytes set storage external;
create index sample_chunks_parts on sample_chunks (hour, tag_id) where part <> 0;
create index sample_chunks_small on sample_chunks (tag_id, hour) where part = 0 and span = 1 and count <= 170;
create table sample_chunks_rest partition of sample_chunks default;
`

// `step`: the minutes of a bucket, 1 or 60. A row of minutes is of an hour until its day is folded, all others are of a day.
const averages = `
create table sample_averages (
  tag_id bigint not null,
  step smallint not null check (step in (1, 60)),
  hour int not null,
  span smallint not null check (span in (1, 24)),
  bytes bytea not null,
  primary key (tag_id, step, hour, span)
);
alter table sample_averages alter column bytes set storage external;
create index sample_averages_hours on sample_averages (tag_id, hour) where step = 1 and span = 1;
`
