import { placeLimits } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>

/** The day of a machine’s owner, by which its refreshes are counted. */
export interface OwnerDay {
  readonly machineId: number
  /** By IANA. */
  readonly zone: string
  readonly at: Date
}

const dayOf = ({ zone, at }: OwnerDay) => sql<string>`(${at}::timestamptz at time zone ${zone})::date`

/** The refreshes of a day that were used, and when the next day begins. */
export async function findRefreshes(db: Db, of: OwnerDay): Promise<{ used: number; resetAt: Date }> {
  const { rows } = await sql<{ used: number; resetAt: Date }>`
    select coalesce((select used from place_refreshes where machine_id = ${of.machineId} and day = ${dayOf(of)}), 0) as used,
           (${dayOf(of)} + 1)::timestamp at time zone ${of.zone} as "resetAt"`.execute(db)
  return rows[0] as { used: number; resetAt: Date }
}

/** Takes one of the day’s refreshes; false: there is none left. One statement, so that two at once never take the same. */
export async function takeRefresh(db: Db, of: OwnerDay): Promise<boolean> {
  const { rows } = await sql`
    insert into place_refreshes as taken (machine_id, day, used) values (${of.machineId}, ${dayOf(of)}, 1)
    on conflict (machine_id, day) do update set used = taken.used + 1
      where taken.used < ${placeLimits.refreshesPerDay}
    returning used`.execute(db)
  return rows.length > 0
}

/** Gives one back to the day from which it was taken. */
export async function giveRefreshBack(db: Db, of: OwnerDay): Promise<void> {
  await sql`update place_refreshes set used = used - 1
            where machine_id = ${of.machineId} and day = ${dayOf(of)} and used > 0`.execute(db)
}
