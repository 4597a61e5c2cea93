import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'

/** A reason to publish a machine's state; `xid`: of the transaction that committed it, null without a row. */
export interface Cause {
  readonly machineId: number
  readonly xid: string | null
}

/** Creates the missing rows of machines; outside of the transaction that publishes them, because others would wait for it. */
export async function createUnpublished(db: Kysely<DB>, machineIds: readonly number[]): Promise<void> {
  await sql`
    insert into machine_states_told (machine_id)
    select id from unnest(${[...machineIds]}::bigint[]) as machine (id)
    where not exists (select from machine_states_told where machine_id = id) order by id
    on conflict do nothing`.execute(db)
}

/** `taken`: machines that this transaction publishes; `busy`: those that another one is publishing at this moment. */
export interface Taken {
  readonly taken: readonly number[]
  readonly busy: readonly number[]
}

/**
 * Locks the machines with a cause that no process has published yet. Of several processes with the same cause one
 * publishes it: the horizon of a machine's last publication is stored under the lock, and until the commit no other
 * process reads that machine’s state, so that the last published state is the newest. The lock is never waited for: every
 * process follows the same alarms, and would hold a connection for as long as another one publishes.
 */
export async function takeUnpublished(trx: Transaction<DB>, causes: readonly Cause[]): Promise<Taken> {
  const machineIds = [...new Set(causes.map(({ machineId }) => machineId))]
  const { rows } = await sql<{ machine_id: number; is_taken: boolean }>`
    with cause as (
      select machine_id, xid
      from unnest(${causes.map(({ machineId }) => machineId)}::bigint[], ${causes.map(({ xid }) => xid)}::xid8[])
        as cause (machine_id, xid)
    ), untold as materialized (
      select told.machine_id from machine_states_told told, fact_epoch present
      where machine_id = any(${machineIds}::bigint[]) and ${isUntold(sql`told`)}
    ), locked as materialized (
      select machine_id, epoch, seen from machine_states_told
      where machine_id in (select machine_id from untold) order by machine_id for update skip locked
    ), taken as (
      update machine_states_told told
      set epoch = present.epoch, seen = pg_current_snapshot()::text
      from locked, fact_epoch present
      where told.machine_id = locked.machine_id and ${isUntold(sql`locked`)}
      returning told.machine_id
    )
    select machine_id, machine_id in (select machine_id from taken) as is_taken from untold
    where machine_id in (select machine_id from taken) or machine_id not in (select machine_id from locked)`.execute(
    trx,
  )
  const idsOf = (isTaken: boolean) =>
    rows.filter((row) => row.is_taken === isTaken).map((row) => row.machine_id)
  return { taken: idsOf(true), busy: idsOf(false) }
}

/** SQL: one of the causes came after the last publication. */
const isUntold = (told: RawBuilder<unknown>) => sql`(
  ${told}.epoch is distinct from present.epoch
  or exists (
    select from cause where cause.machine_id = ${told}.machine_id
      and (cause.xid is null or not pg_visible_in_snapshot(cause.xid, ${told}.seen::pg_snapshot))))`
