import type pg from 'pg'
import type { AlarmChange } from './alarm-change.ts'
import type { AlarmEvent } from './alarm-event.ts'
import type { AlarmFacts } from './alarm-facts.ts'
import { type Alarm, applyAlarms, type KnownAlarms } from './apply-alarms.ts'

/**
 * Applies a batch of events of any number of machines, in their order and within the caller's transaction, and answers
 * what changed. It takes as many statements for one event as for thousands.
 *
 * A process that raises an alarm for the first time at the same moment as another fails with a unique violation, and
 * succeeds when it is tried again: it then finds the alarm open.
 */
export async function writeAlarms(
  client: pg.ClientBase,
  events: readonly AlarmEvent[],
  facts?: AlarmFacts,
): Promise<AlarmChange[]> {
  if (events.length === 0) return []
  const { created, updated, changes } = applyAlarms(await readKnown(client, events), events)
  // The index of open alarms lets an alarm be raised anew only after it ended.
  if (updated.length > 0) await updateAlarms(client, updated)
  if (created.length > 0) await createAlarms(client, created)
  const told = changes.map(({ alarm, told }): AlarmChange => ({ ...told, alarmId: alarm.id ?? 0 }))
  if (told.length > 0) await facts?.recordAll(client, told)
  return told
}

/** Reads what `events` touch, and locks it until the end of the transaction. */
async function readKnown(client: pg.ClientBase, events: readonly AlarmEvent[]): Promise<KnownAlarms> {
  const machineIds: number[] = []
  const keys: string[] = []
  const instants: Date[] = []
  const lates: boolean[] = []
  const ask = ({ machineId, key }: AlarmEvent, at: number, late: boolean) => {
    machineIds.push(machineId)
    keys.push(key)
    instants.push(new Date(at))
    lates.push(late)
  }
  const raising = new Set<number>()
  for (const event of events) {
    const { machineId, state, late, at, standing } = event
    ask(event, at, late)
    // The clearing of the past may uncover an alarm that stands since then.
    if (late && standing?.state === 'raised') ask(event, Math.max(standing.since, at), false)
    if (state === 'raised' || standing?.state === 'raised') raising.add(machineId)
  }
  // In one statement with the counts of open ones: rows with a level are alarms, the others counts.
  const { rows } = await client.query<AlarmRow | CountRow>(
    `with known as (
     select id, machine_id, key, level, text, raised_at, received_at, cleared_at, count from alarms
     where id = any(array(
       select found.id
       from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::boolean[]) as told (machine_id, key, at, late)
       cross join lateral (
         (select id from alarms where machine_id = told.machine_id and key = told.key and cleared_at is null limit 1)
         union all
         (select id from alarms where machine_id = told.machine_id and key = told.key
            and raised_at = told.at and cleared_at is not null limit 1)
         union all
         (select id from alarms where told.late and machine_id = told.machine_id and key = told.key
            and raised_at <= told.at order by raised_at desc limit 1)
         union all
         (select id from alarms where told.late and machine_id = told.machine_id and key = told.key
            and raised_at <= told.at and cleared_at > told.at limit 1)
       ) found))
     order by id for no key update)
     select * from known
     union all
     select null, machine_id, null, null, null, null, null, null,
            (select count(*)::int from alarms where machine_id = told.machine_id and cleared_at is null)
     from unnest($5::bigint[]) as told (machine_id)`,
    [machineIds, keys, instants, lates, [...raising]],
  )
  const alarms: Alarm[] = []
  const openCounts = new Map<number, number>()
  for (const row of rows) {
    if (row.level === null) openCounts.set(row.machine_id, row.count)
    else alarms.push(alarmOf(row))
  }
  return { alarms, openCounts }
}

async function updateAlarms(client: pg.ClientBase, alarms: readonly Alarm[]): Promise<void> {
  await client.query(
    `update alarms set level = now.level, text = now.text, count = now.count,
       cleared_at = case when now.cleared_at is not null then greatest(alarms.raised_at, now.cleared_at) end
     from unnest($1::bigint[], $2::text[], $3::jsonb[], $4::int[], $5::timestamptz[])
       as now (id, level, text, count, cleared_at)
     where alarms.id = now.id`,
    [
      alarms.map(({ id }) => id),
      alarms.map(({ level }) => level),
      alarms.map(({ text }) => JSON.stringify(text)),
      alarms.map(({ count }) => count),
      alarms.map(({ clearedAt }) => dateOf(clearedAt)),
    ],
  )
}

/** Creates alarms with ids in their order. */
async function createAlarms(client: pg.ClientBase, alarms: readonly Alarm[]): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `insert into alarms (machine_id, key, level, text, raised_at, received_at, cleared_at, count)
     select machine_id, key, level, text, raised_at, received_at, cleared_at, count
     from unnest($1::bigint[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[], $6::timestamptz[],
                 $7::timestamptz[], $8::int[])
       with ordinality as come (machine_id, key, level, text, raised_at, received_at, cleared_at, count, place)
     order by place
     returning id`,
    [
      alarms.map(({ machineId }) => machineId),
      alarms.map(({ key }) => key),
      alarms.map(({ level }) => level),
      alarms.map(({ text }) => JSON.stringify(text)),
      alarms.map(({ raisedAt }) => dateOf(raisedAt)),
      alarms.map(({ receivedAt }) => dateOf(receivedAt)),
      alarms.map(({ clearedAt }) => dateOf(clearedAt)),
      alarms.map(({ count }) => count),
    ],
  )
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  for (const [place, alarm] of alarms.entries()) alarm.id = ids[place]
}

/** How many alarms of a machine stand. */
interface CountRow {
  readonly machine_id: number
  readonly level: null
  readonly count: number
}

interface AlarmRow {
  readonly id: number
  readonly machine_id: number
  readonly key: string
  readonly level: AlarmEvent['level']
  readonly text: AlarmEvent['text']
  readonly raised_at: Date
  readonly received_at: Date
  readonly cleared_at: Date | null
  readonly count: number
}

const alarmOf = (row: AlarmRow): Alarm => ({
  id: row.id,
  machineId: row.machine_id,
  key: row.key,
  level: row.level,
  text: row.text,
  raisedAt: row.raised_at.getTime(),
  receivedAt: row.received_at.getTime(),
  clearedAt: row.cleared_at?.getTime(),
  count: row.count,
})

const dateOf = (at: number | undefined) => (at === undefined ? null : new Date(at))
