import { type Kysely, sql } from 'kysely'

/**
 * Keeps the machine's own times of an alarm's newest raising and of its clearing, so that an event which is sent again
 * after a lost acknowledgement changes nothing (docs/decisions/0048-alarm-states.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(times).execute(db)
}

// The index finds the last alarm of a key, which each event of a machine asks for.
const times = `
alter table alarms
  add column raised_told_at timestamptz,
  add column cleared_told_at timestamptz;
create index alarms_last on alarms (machine_id, key, coalesce(rule_id, 0), raised_at desc);
`
