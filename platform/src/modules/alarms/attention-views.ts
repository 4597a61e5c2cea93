import type { machines } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { covers, isInForce } from './shelves-store.ts'

/** The reason why an alarm no longer needs attention; `owner`: its machine has another one. */
export type AttentionEnd = 'confirmed' | 'cleared' | 'shelved' | 'outOfService' | 'owner'

/** An alarm, and whether it still needs attention. */
export interface Attention {
  readonly alarmId: number
  readonly machineId: number
  readonly level: machines.AlarmLevel
  /** When the platform got it, epoch milliseconds. */
  readonly receivedAt: number
  /** Null: it needs attention. */
  readonly end: AttentionEnd | null
}

/**
 * Whether alarms still need attention. Their rows stay locked until the end of the transaction, so that a confirmation
 * is either seen here or comes after the caller's commit.
 */
export async function listAttention(
  trx: Kysely<DB>,
  alarmIds: readonly number[],
  at: Date,
): Promise<Map<number, Attention>> {
  const { rows } = await sql<Attention>`
    select alarms.id as "alarmId", alarms.machine_id as "machineId", alarms.level,
      (extract(epoch from alarms.received_at) * 1000)::float8 as "receivedAt",
      case when not ${isSinceOwned({ column: 'alarms.machine_id' }, 'alarms.received_at')} then 'owner'
        when alarms.confirmed_at is not null then 'confirmed'
        when alarms.cleared_at is not null then 'cleared'
        else (select shelve.kind from alarm_shelves shelve
          where ${covers('shelve', 'alarms')} and ${isInForce('shelve', at)}
          order by shelve.kind limit 1) end as "end"
    from alarms where alarms.id = any(${[...alarmIds]}::bigint[])
    order by alarms.id for share of alarms`.execute(trx)
  return new Map(rows.map((row) => [row.alarmId, row]))
}
