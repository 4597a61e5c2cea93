import { type Kysely, sql } from 'kysely'

/** The machine's own stamp of a sample that is stored at another time, and of a newest value. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sample_stamps (
      tag_id bigint not null,
      at timestamptz not null,
      stamp timestamptz not null
    )`.execute(db)
  await sql`
    create index sample_stamps_at on sample_stamps using brin (at)
    with (pages_per_range = 16, autosummarize = on)`.execute(db)
  await sql`alter table tag_latest add column stamp timestamptz`.execute(db)
}
