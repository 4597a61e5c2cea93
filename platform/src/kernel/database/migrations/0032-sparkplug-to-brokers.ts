import { type Kysely, sql } from 'kysely'

/** Destinations that are brokers get Sparkplug B. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- The bdSeq of the last connection as an edge node; the first one has 0.
alter table destinations add column bd_seq smallint not null default 255 check (bd_seq between 0 and 255);
update destinations set mqtt = mqtt || '{"group": "", "edgeNode": ""}' where mqtt is not null;
`)
    .execute(db)
}
