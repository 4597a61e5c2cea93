import { type Kysely, sql } from 'kysely'

/** Lists of alarms by need: what asks first, then by level, the latest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index alarms_urgency on alarms ((case
      when cleared_at is null then case when confirmed_at is null then 12 else 8 end
      when confirmed_at is null then 4 else 0 end
      + (case level when 'critical' then 3 when 'major' then 2 when 'minor' then 1 else 0 end)), raised_at, id)
      include (machine_id, received_at)`.execute(db)
}
