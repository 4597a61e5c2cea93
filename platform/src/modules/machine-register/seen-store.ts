import { type Kysely, sql } from 'kysely'
import { type Database, withClient } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

/**
 * Machines whose rows one statement locks to note when they were seen: alarms of machines wait for its locks, and the
 * values of all machines for the alarms.
 */
const machinesPerUpdate = 200

/** A machine that was seen, epoch milliseconds. */
export interface SeenMachine {
  readonly machineId: number
  readonly lastSeenAt: number
}

/** Stores when machines were seen; never a time before their present owner. */
export async function updateLastSeen(db: Kysely<DB>, machines: readonly SeenMachine[]): Promise<void> {
  for (let from = 0; from < machines.length; from += machinesPerUpdate) {
    const part = machines.slice(from, from + machinesPerUpdate)
    const machineIds = part.map(({ machineId }) => machineId)
    const seen = part.map(({ lastSeenAt }) => new Date(lastSeenAt))
    await sql`
      update machines set last_seen_at = now.last_seen_at
      from unnest(${machineIds}::bigint[], ${seen}::timestamptz[]) as now (id, last_seen_at)
      where machines.id = now.id and machines.id = any(${machineIds}::bigint[])
        and (machines.last_seen_at is null or machines.last_seen_at < now.last_seen_at)
        and (machines.owned_since is null or machines.owned_since <= now.last_seen_at)`.execute(db)
  }
}

/** The clock offset of a machine from the platform's in ms (positive: ahead), and the time of the measurement. */
export interface SeenClock {
  readonly machineId: number
  readonly offsetMs: number
  readonly at: number
}

/**
 * Notes machines' clocks; answers the machines that were written. Rows that another transaction holds are left for
 * the next message, so that no process waits for another.
 */
export async function updateClocks(db: Database, clocks: readonly SeenClock[]): Promise<ReadonlySet<number>> {
  const { rows } = await withClient(db, (client) =>
    client.query<{ id: number }>(
      `with free as (
         select id from machines where id = any($1::bigint[]) for no key update skip locked
       )
       update machines set clock_offset_ms = seen.offset_ms, clock_seen_at = seen.at
       from free join unnest($1::bigint[], $2::float8[], $3::timestamptz[]) as seen (id, offset_ms, at) using (id)
       where machines.id = free.id
       returning machines.id`,
      [
        clocks.map(({ machineId }) => machineId),
        clocks.map(({ offsetMs }) => offsetMs),
        clocks.map(({ at }) => new Date(at)),
      ],
    ),
  )
  return new Set(rows.map(({ id }) => id))
}
