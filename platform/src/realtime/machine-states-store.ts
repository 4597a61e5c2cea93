import { sql, type Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'

/** A reason to publish a machine's state; `xid`: of the transaction that committed it, null without a row. */
export interface Cause {
  readonly machineId: number
  readonly xid: string | null
}

/**
 * Locks the machines and answers those with a cause that no process has published yet. Of several processes with the
 * same cause one publishes it: the horizon of a machine's last publication is stored under the lock, and until the
 * commit no other process reads that machine's state, so that the last published state is the newest.
 */
export async function takeUnpublished(trx: Transaction<DB>, causes: readonly Cause[]): Promise<number[]> {
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
