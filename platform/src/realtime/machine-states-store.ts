import { sql, type Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'

/** A reason to tell a machine's state; `xid`: of the transaction it was committed in, null where it stands in no row. */
export interface Cause {
  readonly machineId: number
  readonly xid: string | null
}

/**
 * Locks the machines and answers those that have a cause which no process has told yet. Of several processes that heard
 * of a cause one tells it: what the last telling of a machine read is stored under the lock, until the commit nobody
 * else reads that machine's state, and so the last state told is the newest.
 */
export async function takeUntold(trx: Transaction<DB>, causes: readonly Cause[]): Promise<number[]> {
  const machineIds = [...new Set(causes.map(({ machineId }) => machineId))]
  await sql`
    insert into machine_states_told (machine_id)
    select id from unnest(${machineIds}::bigint[]) as machine (id) order by id
    on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ machine_id: number }>`
    with locked as materialized (
      select machine_id, epoch, seen from machine_states_told
      where machine_id = any(${machineIds}::bigint[]) order by machine_id for update
    ), cause as (
      select machine_id, xid
      from unnest(${causes.map(({ machineId }) => machineId)}::bigint[], ${causes.map(({ xid }) => xid)}::xid8[])
        as cause (machine_id, xid)
    )
    update machine_states_told told
    set epoch = present.epoch, seen = pg_current_snapshot()::text
    from locked, fact_epoch present
    where told.machine_id = locked.machine_id and (
      locked.epoch is distinct from present.epoch
      or exists (
        select from cause where cause.machine_id = locked.machine_id
          and (cause.xid is null or not pg_visible_in_snapshot(cause.xid, locked.seen::pg_snapshot))))
    returning told.machine_id`.execute(trx)
  return rows.map((row) => row.machine_id)
}
