import type pg from 'pg'
import { type AlarmEvent, openAlarmsMax } from './alarm-event.ts'

/**
 * Raises or clears one alarm. Raised again while it is open it counts up (decision 49), unless the message is a repeat:
 * the same raising told twice, or a birth that says how things are. Late news fill the list: what stands now they do not
 * change where the machine has told it. True when anything changed.
 */
export async function applyAlarm(client: pg.ClientBase, entry: AlarmEvent): Promise<boolean> {
  if (!entry.late) return entry.state === 'raised' ? raise(client, entry) : clear(client, entry)
  return entry.state === 'raised' ? raiseLate(client, entry) : clearLate(client, entry)
}

async function raise(client: pg.ClientBase, entry: AlarmEvent) {
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
    [...columnsOf(entry), entry.isRepeat, openAlarmsMax],
  )
  return (rowCount ?? 0) > 0
}

async function clear(client: pg.ClientBase, { machineId, key, at }: AlarmEvent): Promise<boolean> {
  const { rowCount } = await client.query(
    `update alarms set cleared_at = greatest(raised_at, $3)
     where machine_id = $1 and key = $2 and cleared_at is null`,
    [machineId, key, new Date(at)],
  )
  return (rowCount ?? 0) > 0
}

/** A raising of the past opens an alarm only where it may still stand; else it lasts until its clearing is told. */
async function raiseLate(client: pg.ClientBase, entry: AlarmEvent): Promise<boolean> {
  const { machineId, key, at, standing } = entry
  const { rows } = await client.query<{ raised_at: Date }>(
    'select raised_at from alarms where machine_id = $1 and key = $2 and cleared_at is null',
    [machineId, key],
  )
  const open = rows[0]
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
    columnsOf(entry),
  )
  return (rowCount ?? 0) > 0
}

/** A clearing of the past ends the raising before it; one that stands by now is another. */
async function clearLate(client: pg.ClientBase, entry: AlarmEvent): Promise<boolean> {
  const { machineId, key, at, standing } = entry
  const { rows } = await client.query<{ wasOpen: boolean }>(
    `update alarms set cleared_at = $3
     from (select id, cleared_at is null as open from alarms
           where machine_id = $1 and key = $2 and raised_at <= $3 order by raised_at desc limit 1) before
     where alarms.id = before.id and (before.open or (alarms.cleared_at = alarms.raised_at and raised_at < $3))
     returning before.open as "wasOpen"`,
    [machineId, key, new Date(at)],
  )
  const ended = rows[0]
  if (!ended) return false
  if (ended.wasOpen && standing?.state === 'raised')
    await raise(client, { ...entry, at: Math.max(standing.since, at) })
  return true
}

function columnsOf({ machineId, key, level, text, at, receivedAt }: AlarmEvent): unknown[] {
  return [machineId, key, level, JSON.stringify(text), new Date(at), new Date(receivedAt)]
}
