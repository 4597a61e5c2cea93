import type pg from 'pg'
import type { AlarmRecord } from './uplink-record.ts'
import { uplinkLimits } from './uplink-record.ts'

/** An alarm with its machine and its judged time, epoch milliseconds. */
export interface MachineAlarm {
  readonly machineId: number
  readonly alarm: AlarmRecord
  readonly at: number
  readonly receivedAt: number
}

/**
 * Raises or clears one alarm. Raised again while it is open it counts up (decision 49), unless the message is a repeat:
 * the same raising told twice, or a birth that says how things are. True when anything changed.
 */
export async function applyAlarm(client: pg.ClientBase, entry: MachineAlarm): Promise<boolean> {
  const { machineId, alarm } = entry
  const at = new Date(entry.at)
  if (alarm.state === 'cleared') {
    const { rowCount } = await client.query(
      `update alarms set cleared_at = greatest(raised_at, $3)
       where machine_id = $1 and key = $2 and cleared_at is null and (not $4 or raised_at <= $3)`,
      // A clearing of the past is of an earlier raising, not of the one that stands.
      [machineId, alarm.key, at, alarm.late],
    )
    return (rowCount ?? 0) > 0
  }
  const { rowCount } = await client.query(
    `insert into alarms (machine_id, key, level, text, raised_at, received_at)
     select $1, $2, $3, $4::jsonb, $5, $6
     where not exists (select from alarms where machine_id = $1 and key = $2 and raised_at = $5 and cleared_at is not null)
       and (select count(*) from (select from alarms where machine_id = $1 and cleared_at is null limit $8) open) < $8
     on conflict (machine_id, key) where cleared_at is null do update
       set count = alarms.count + case when not $7 and excluded.raised_at > alarms.raised_at then 1 else 0 end,
           level = excluded.level, text = excluded.text
       where (not $7 and excluded.raised_at > alarms.raised_at)
          or alarms.level <> excluded.level or alarms.text <> excluded.text`,
    [
      machineId,
      alarm.key,
      alarm.level,
      JSON.stringify(alarm.text),
      at,
      new Date(entry.receivedAt),
      alarm.isRepeat,
      uplinkLimits.openAlarmsMax,
    ],
  )
  return (rowCount ?? 0) > 0
}

/** Merges facts about a machine over those it has; false when it knew them all, or they would be too many. */
export async function mergeAttributes(
  client: pg.ClientBase,
  machineId: number,
  attributes: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update machines set attributes = attributes || $2::jsonb
     where id = $1 and not attributes @> $2::jsonb and octet_length((attributes || $2::jsonb)::text) <= $3`,
    [machineId, JSON.stringify(attributes), uplinkLimits.attributesBytesMax],
  )
  return (rowCount ?? 0) > 0
}
