import type pg from 'pg'
import { type AlarmEvent, openAlarmsMax } from '../../src/modules/alarms/index.ts'

/** Applies one event with separate statements. The rule in the table's own words, to compare with. */
export async function applyOne(client: pg.ClientBase, entry: AlarmEvent): Promise<boolean> {
  if (await isApplied(client, entry)) return false
  if (!entry.late) return entry.state === 'raised' ? raise(client, entry) : clear(client, entry)
  return entry.state === 'raised' ? raiseLate(client, entry) : clearLate(client, entry)
}

/** Whether the machine has sent this before, or something newer of the same alarm in the 15 minutes after it. */
async function isApplied(client: pg.ClientBase, { machineId, key, state, toldAt }: AlarmEvent) {
  if (toldAt === undefined) return false
  const { rows } = await client.query<{ applied: boolean | null }>(
    `with open as (select * from alarms where machine_id = $1 and key = $2 and cleared_at is null),
       ended as (select * from alarms where machine_id = $1 and key = $2 and cleared_at is not null
                 order by raised_at desc, id desc limit 1),
       newest as (select case when exists (select from open) then (select raised_told_at from open)
                  else (select greatest(raised_told_at, cleared_told_at) from ended) end as at)
     select (select at > $3 and at <= $3 + interval '15 minutes' from newest) is true
         or $4 and exists (select from (table open union all table ended) known where raised_told_at = $3)
         or not $4 and exists (select from ended where cleared_told_at = $3) as applied`,
    [machineId, key, new Date(toldAt), state === 'raised'],
  )
  return rows[0]?.applied === true
}

async function raise(client: pg.ClientBase, entry: AlarmEvent) {
  const { rowCount } = await client.query(
    `insert into alarms (machine_id, key, level, text, raised_at, received_at, raised_told_at)
     select $1, $2, $3, $4::jsonb, $5, $6, $9::timestamptz
     where not exists (select from alarms where machine_id = $1 and key = $2 and raised_at = $5 and cleared_at is not null
                         and ($9::timestamptz is null or raised_told_at is null))
       and (select count(*) from (select from alarms where machine_id = $1 and cleared_at is null limit $8) open) < $8
     on conflict (machine_id, coalesce(rule_id, 0), key) where cleared_at is null do update
       set count = alarms.count + case when ${counts} then 1 else 0 end,
           raised_told_at = case when ${counts} then excluded.raised_told_at else alarms.raised_told_at end,
           level = excluded.level, text = excluded.text
       where ${counts} or alarms.level <> excluded.level or alarms.text <> excluded.text`,
    [...columnsOf(entry), entry.isRepeat, openAlarmsMax, dateOrNull(entry.toldAt)],
  )
  return (rowCount ?? 0) > 0
}

const counts = `(not $7 and (excluded.raised_at > alarms.raised_at
  or (excluded.raised_told_at is not null and alarms.raised_told_at is not null)))`

const dateOrNull = (at: number | undefined) => (at === undefined ? null : new Date(at))

async function clear(client: pg.ClientBase, { machineId, key, at, toldAt }: AlarmEvent): Promise<boolean> {
  const { rowCount } = await client.query(
    `update alarms set cleared_at = greatest(raised_at, $3), cleared_told_at = $4
     where machine_id = $1 and key = $2 and cleared_at is null`,
    [machineId, key, new Date(at), dateOrNull(toldAt)],
  )
  return (rowCount ?? 0) > 0
}

/**
 * A raising of the past opens an alarm only if it may still be active; otherwise it lasts until its clearing arrives.
 */
async function raiseLate(client: pg.ClientBase, entry: AlarmEvent): Promise<boolean> {
  const { machineId, key, at, standing } = entry
  const { rows } = await client.query<{ raised_at: Date }>(
    'select raised_at from alarms where machine_id = $1 and key = $2 and cleared_at is null',
    [machineId, key],
  )
  const open = rows[0]
  // A state from before that raising does not show its end.
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

/** A clearing of the past ends the raising before it; an alarm that is active by now is another. */
async function clearLate(client: pg.ClientBase, entry: AlarmEvent): Promise<boolean> {
  const { machineId, key, at, standing } = entry
  const { rows } = await client.query<{ wasOpen: boolean }>(
    `update alarms set cleared_at = $3
     from (select id, cleared_at is null as open from alarms
           where machine_id = $1 and key = $2 and raised_at <= $3 order by raised_at desc, id desc limit 1) before
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
