import { type Kysely, sql } from 'kysely'

/** Orders alarms of one key that were raised at the same instant, so that the index still finds the last of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
drop index alarms_last;
create index alarms_last on alarms (machine_id, key, coalesce(rule_id, 0), raised_at desc, id desc);
`)
    .execute(db)
}
