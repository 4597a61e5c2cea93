import type pg from 'pg'
import { judgeTime } from './judge-sample.ts'
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
 * the same raising told twice, or a birth that says how things are. Late news fill the list: what stands now they do not
 * change where the machine has told it. True when anything changed.
 */
export async function applyAlarm(client: pg.ClientBase, entry: MachineAlarm): Promise<boolean> {
  const { alarm } = entry
  if (!alarm.late) return alarm.state === 'raised' ? raise(client, entry) : clear(client, entry)
  return alarm.state === 'raised' ? raiseLate(client, entry) : clearLate(client, entry)
}

async function raise(client: pg.ClientBase, { machineId, alarm, at, receivedAt }: MachineAlarm) {
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
    [...columnsOf(alarm, machineId, at, receivedAt), alarm.isRepeat, uplinkLimits.openAlarmsMax],
  )
  return (rowCount ?? 0) > 0
}

async function clear(client: pg.ClientBase, { machineId, alarm, at }: MachineAlarm): Promise<boolean> {
  const { rowCount } = await client.query(
    `update alarms set cleared_at = greatest(raised_at, $3)
     where machine_id = $1 and key = $2 and cleared_at is null`,
    [machineId, alarm.key, new Date(at)],
  )
  return (rowCount ?? 0) > 0
}

/** A raising of the past opens an alarm only where it may still stand; else it lasts until its clearing is told. */
async function raiseLate(client: pg.ClientBase, entry: MachineAlarm): Promise<boolean> {
  const { machineId, alarm, at, receivedAt } = entry
  const { rows } = await client.query<{ raised_at: Date }>(
    'select raised_at from alarms where machine_id = $1 and key = $2 and cleared_at is null',
    [machineId, alarm.key],
  )
  const open = rows[0]
  const { standing } = alarm
  // What the machine said of it before that raising says nothing of its end.
  const isOver = open
    ? open.raised_at.getTime() > at
    : standing?.state === 'cleared' && (standing.time ?? Number.POSITIVE_INFINITY) >= at
  if (!isOver) return raise(client, entry)
  const { rowCount } = await client.query(
    `insert into alarms (machine_id, key, level, text, raised_at, received_at, cleared_at)
     select $1, $2, $3, $4::jsonb, $5, $6, $5
     where not exists (select from alarms where machine_id = $1 and key = $2
                         and raised_at <= $5 and (raised_at = $5 or cleared_at > $5))`,
    columnsOf(alarm, machineId, at, receivedAt),
  )
  return (rowCount ?? 0) > 0
}

/** A clearing of the past ends the raising before it; one that stands by now is another. */
async function clearLate(client: pg.ClientBase, entry: MachineAlarm): Promise<boolean> {
  const { machineId, alarm, at, receivedAt } = entry
  const { rows } = await client.query<{ wasOpen: boolean }>(
    `update alarms set cleared_at = $3
     from (select id, cleared_at is null as open from alarms
           where machine_id = $1 and key = $2 and raised_at <= $3 order by raised_at desc limit 1) before
     where alarms.id = before.id and (before.open or (alarms.cleared_at = alarms.raised_at and raised_at < $3))
     returning before.open as "wasOpen"`,
    [machineId, alarm.key, new Date(at)],
  )
  const ended = rows[0]
  if (!ended) return false
  if (ended.wasOpen && alarm.standing?.state === 'raised') {
    const since = judgeTime(alarm.standing.time, true, receivedAt).at
    await raise(client, { ...entry, at: Math.max(since, at) })
  }
  return true
}

function columnsOf(alarm: AlarmRecord, machineId: number, at: number, receivedAt: number): unknown[] {
  const text = JSON.stringify(alarm.text)
  return [machineId, alarm.key, alarm.level, text, new Date(at), new Date(receivedAt)]
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
