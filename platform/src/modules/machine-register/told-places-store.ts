import { sql, type Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** Data by which a machine is found, as it told it; nothing of it has been checked. */
export interface ToldPlace {
  readonly machineId: number
  /** Each only if it was told since the last time. */
  readonly gps?: unknown
  readonly cells?: unknown
  readonly wifi?: unknown
  /** When each of them came, epoch milliseconds. */
  readonly at: Readonly<Record<string, number>>
}

export interface TakeOptions {
  readonly now: number
  /** A machine that tells more often has its newest taken, after this time. */
  readonly restMs: number
  /** Machines that are left for later. */
  readonly except: readonly number[]
}

/**
 * Takes the oldest news of a machine's place; undefined: there are none. Of several processes one gets it, and it stays
 * until the commit of the transaction that uses it. The row remains with what was told last. News from before the present
 * owner are removed.
 */
export async function takeToldPlace(
  trx: Transaction<DB>,
  { now, restMs, except }: TakeOptions,
): Promise<ToldPlace | undefined> {
  const { rows } = await sql<{
    machine_id: number
    told: Record<string, unknown>
    fresh: string[]
    is_former: boolean
  }>`
    with due as materialized (
      select told.machine_id, told.fresh, told.told_at < machines.owned_since as is_former
      from told_places told join machines on machines.id = told.machine_id
      where told.fresh <> '{}' and (told.taken_at is null or told.taken_at <= ${new Date(now - restMs)})
        and told.machine_id <> all(${[...except]}::bigint[])
      order by told.told_at limit 1
      for update of told skip locked
    ), removed as (
      delete from told_places using due where told_places.machine_id = due.machine_id and due.is_former
    )
    update told_places set fresh = '{}', taken_at = ${new Date(now)} from due
    where told_places.machine_id = due.machine_id and due.is_former is not true
    returning told_places.machine_id, told_places.told, due.fresh`.execute(trx)
  const [row] = rows
  if (!row) return undefined
  const fresh = Object.fromEntries(row.fresh.map((name) => [name, row.told[name]]))
  return { ...fresh, machineId: row.machine_id, at: (row.told.at ?? {}) as ToldPlace['at'] }
}

export async function deleteToldPlace(trx: Transaction<DB>, machineId: number): Promise<void> {
  await trx.deleteFrom('told_places').where('machine_id', '=', machineId).execute()
}
