import { type Kysely, sql } from 'kysely'

/** What the platform asked of providers by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table place_asks (
  machine_id bigint primary key references machines on delete cascade,
  -- When a provider was or will be asked about the machine.
  asked_at timestamptz not null,
  -- The signals by which it was found, and when that was.
  heard text,
  heard_at timestamptz
);
`)
    .execute(db)
}
