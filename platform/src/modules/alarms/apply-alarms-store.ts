import { CompiledQuery, type Transaction } from 'kysely'
import type pg from 'pg'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { AlarmChange } from './alarm-change.ts'
import type { AlarmEvent } from './alarm-event.ts'
import type { AlarmFacts } from './alarm-facts.ts'
import { type Alarm, type AppliedAlarms, applyAlarms, type KnownAlarms } from './apply-alarms.ts'

/**
 * Applies a batch of events of any number of machines, in their order and within the caller's transaction, and answers
 * the changes. It needs as many statements for one event as for thousands.
 *
 * A process that raises an alarm for the first time at the same moment as another fails with a unique violation, and
 * succeeds on the next try: it then finds the alarm open.
 */
export async function writeAlarms(
  client: pg.ClientBase,
  events: readonly AlarmEvent[],
  facts?: AlarmFacts,
): Promise<AlarmChange[]> {
  const told = await writeEvents((text, values) => client.query(text, values), events)
  if (told.length > 0) await facts?.recordAll(client, told)
  return told
}

/** The same within a transaction of the platform. */
export async function writeAlarmsWithin(
  trx: Transaction<DB>,
  events: readonly AlarmEvent[],
  facts: AlarmFacts,
): Promise<AlarmChange[]> {
  const told = await writeEvents((text, values) => trx.executeQuery(CompiledQuery.raw(text, values)), events)
  if (told.length > 0) await facts.recordAll(trx, told)
  return told
}

/** Asks the transaction of the caller. */
type Ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<{ rows: Row[] }>

async function writeEvents(ask: Ask, events: readonly AlarmEvent[]): Promise<AlarmChange[]> {
  if (events.length === 0) return []
  const applied = applyAlarms(await readKnown(ask, events), events)
  const { changes } = applied
  if (changes.length > 0) await storeApplied(ask, applied)
  return changes.map(({ alarm, told }): AlarmChange => ({ ...told, alarmId: alarm.id ?? 0 }))
}

/** Reads the alarms of `events`, and locks them until the end of the transaction. */
async function readKnown(ask: Ask, events: readonly AlarmEvent[]): Promise<KnownAlarms> {
  const machineIds: number[] = []
  const ruleIds: number[] = []
  const keys: string[] = []
  const instants: Date[] = []
  const lates: boolean[] = []
  const areTold: boolean[] = []
  const seek = ({ machineId, ruleId, key, toldAt }: AlarmEvent, at: number, late: boolean) => {
    machineIds.push(machineId)
    ruleIds.push(ruleId ?? 0)
    keys.push(key)
    instants.push(new Date(at))
    lates.push(late)
    areTold.push(toldAt !== undefined)
  }
  const raising = new Set<number>()
  for (const event of events) {
    const { machineId, state, late, at, standing } = event
    seek(event, at, late)
    // The clearing of the past may uncover an alarm that stands since then.
    if (late && standing?.state === 'raised') seek(event, Math.max(standing.since, at), false)
    if (state === 'raised' || standing?.state === 'raised') raising.add(machineId)
  }
  // In one statement with the counts of open ones: rows with a level are alarms, the others counts.
  const { rows } = await ask<AlarmRow | CountRow>(
    `-- plan: known-alarms
     with known as (
     select id, machine_id, key, rule_id, level, text, tag_id, value, limit_value, instruction, raised_at, received_at,
            cleared_at, count, raised_told_at, cleared_told_at
     from alarms
     where id = any(array(
       select found.id
       from unnest($1::bigint[], $6::bigint[], $2::text[], $3::timestamptz[], $4::boolean[],
                   $7::boolean[])
         as told (machine_id, rule_id, key, at, late, is_told)
       cross join lateral (
         (select id from alarms where machine_id = told.machine_id and coalesce(rule_id, 0) = told.rule_id
            and key = told.key and cleared_at is null limit 1)
         union all
         (select id from alarms where machine_id = told.machine_id and coalesce(rule_id, 0) = told.rule_id
            and key = told.key and raised_at = told.at and cleared_at is not null
            order by raised_told_at nulls first limit 1)
         union all
         (select id from alarms where told.is_told and machine_id = told.machine_id
            and coalesce(rule_id, 0) = told.rule_id and key = told.key and cleared_at is not null
            order by raised_at desc, id desc limit 1)
         union all
         (select id from alarms where told.late and machine_id = told.machine_id
            and coalesce(rule_id, 0) = told.rule_id and key = told.key
            and raised_at <= told.at order by raised_at desc, id desc limit 1)
         union all
         (select id from alarms where told.late and machine_id = told.machine_id
            and coalesce(rule_id, 0) = told.rule_id and key = told.key
            and raised_at <= told.at and cleared_at > told.at limit 1)
       ) found))
     order by id for no key update)
     select * from known
     union all
     select null, machine_id, null, null, null, null, null, null, null, null, null, null, null,
            (select count(*)::int from alarms where machine_id = told.machine_id and cleared_at is null), null, null
     from unnest($5::bigint[]) as told (machine_id)`,
    [machineIds, keys, instants, lates, [...raising], ruleIds, areTold],
  )
  const alarms: Alarm[] = []
  const openCounts = new Map<number, number>()
  for (const row of rows) {
    if (row.level === null) openCounts.set(row.machine_id, row.count)
    else alarms.push(alarmOf(row))
  }
  return { alarms, openCounts }
}

/**
 * Writes rows and their events in one statement, and gives the created ones their ids. The index of open alarms lets an
 * alarm be raised anew only after it ended, so the insertion waits for the update.
 */
async function storeApplied(ask: Ask, { created, updated, changes }: AppliedAlarms): Promise<void> {
  const places = new Map(created.map((alarm, index) => [alarm, index + 1]))
  const { rows } = await ask<{ id: number; alarm_id: number }>(storing, [
    updated.map(({ id }) => id),
    ...columnsOf(updated),
    created.map(({ machineId }) => machineId),
    created.map(({ key }) => key),
    created.map(({ ruleId }) => ruleId ?? null),
    created.map(({ raisedAt }) => dateOf(raisedAt)),
    created.map(({ receivedAt }) => dateOf(receivedAt)),
    ...columnsOf(created),
    changes.map(({ alarm }) => alarm.id ?? null),
    changes.map(({ alarm }) => (alarm.id === undefined ? places.get(alarm) : null)),
    changes.map(({ alarm }) => alarm.machineId),
    changes.map(({ told }) => told.kind.slice('alarm.'.length)),
    changes.map(({ told }) => dateOf(told.at)),
    changes.map(({ receivedAt }) => dateOf(receivedAt)),
    changes.map(({ told }) => told.level),
    changes.map(({ raisings }) => raisings),
    changes.map(({ told }) => told.count),
    changes.map(({ told }) => jsonOf(told.value)),
    changes.map(({ note }) => note ?? ''),
  ])
  const stored = rows.toSorted((a, b) => a.id - b.id)
  for (const [place, { alarm }] of changes.entries()) alarm.id ??= stored[place]?.alarm_id
}

const storing = `-- plan: stored-alarms
  with updated as (
    update alarms set level = now.level, text = now.text, tag_id = now.tag_id, value = now.value,
      limit_value = now.limit_value, instruction = now.instruction, count = now.count,
      cleared_at = case when now.cleared_at is not null then greatest(alarms.raised_at, now.cleared_at) end,
      raised_told_at = now.raised_told_at, cleared_told_at = now.cleared_told_at
    from unnest($1::bigint[], $2::text[], $3::jsonb[], $4::bigint[], $5::jsonb[], $6::jsonb[], $7::jsonb[], $8::int[],
                $9::timestamptz[], $10::timestamptz[], $11::timestamptz[])
      as now (id, level, text, tag_id, value, limit_value, instruction, count, cleared_at, raised_told_at,
              cleared_told_at)
    where alarms.id = now.id
    returning alarms.id
  ), created as (
    insert into alarms (machine_id, key, rule_id, raised_at, received_at, level, text, tag_id, value, limit_value,
                        instruction, count, cleared_at, raised_told_at, cleared_told_at)
    select machine_id, key, rule_id, raised_at, received_at, level, text, tag_id, value, limit_value, instruction, count,
           cleared_at, raised_told_at, cleared_told_at
    from unnest($12::bigint[], $13::text[], $14::bigint[], $15::timestamptz[], $16::timestamptz[], $17::text[],
                $18::jsonb[], $19::bigint[], $20::jsonb[], $21::jsonb[], $22::jsonb[], $23::int[], $24::timestamptz[],
                $25::timestamptz[], $26::timestamptz[])
      with ordinality as come (machine_id, key, rule_id, raised_at, received_at, level, text, tag_id, value, limit_value,
                               instruction, count, cleared_at, raised_told_at, cleared_told_at, place)
    where (select count(*) from updated) >= 0
    order by place
    returning id
  ), placed as (
    select id, row_number() over (order by id) as place from created
  )
  insert into alarm_events (alarm_id, machine_id, kind, at, received_at, level, raisings, count, value, note)
  select coalesce(told.alarm_id, placed.id), machine_id, kind, at, received_at, level, raisings, count, value, note
  from unnest($27::bigint[], $28::bigint[], $29::bigint[], $30::text[], $31::timestamptz[], $32::timestamptz[],
              $33::text[], $34::int[], $35::int[], $36::jsonb[], $37::text[])
    with ordinality as told (alarm_id, created_place, machine_id, kind, at, received_at, level, raisings, count, value,
                             note, place)
  left join placed on placed.place = told.created_place
  order by told.place
  returning id, alarm_id`

/** The columns that a change may set, each as an array. */
function columnsOf(alarms: readonly Alarm[]): unknown[] {
  return [
    alarms.map(({ level }) => level),
    alarms.map(({ text }) => JSON.stringify(text)),
    alarms.map(({ tagId }) => tagId ?? null),
    alarms.map(({ value }) => jsonOf(value)),
    alarms.map(({ limit }) => jsonOf(limit)),
    alarms.map(({ instruction }) => jsonOf(instruction)),
    alarms.map(({ count }) => count),
    alarms.map(({ clearedAt }) => dateOf(clearedAt)),
    alarms.map(({ raisedToldAt }) => dateOf(raisedToldAt)),
    alarms.map(({ clearedToldAt }) => dateOf(clearedToldAt)),
  ]
}

/** Number of active alarms of a machine. */
interface CountRow {
  readonly machine_id: number
  readonly level: null
  readonly count: number
}

interface AlarmRow {
  readonly id: number
  readonly machine_id: number
  readonly key: string
  readonly rule_id: number | null
  readonly level: AlarmEvent['level']
  readonly text: AlarmEvent['text']
  readonly tag_id: number | null
  readonly value: Alarm['value']
  readonly limit_value: Alarm['limit']
  readonly instruction: AlarmEvent['instruction'] | null
  readonly raised_at: Date
  readonly received_at: Date
  readonly cleared_at: Date | null
  readonly count: number
  readonly raised_told_at: Date | null
  readonly cleared_told_at: Date | null
}

const alarmOf = (row: AlarmRow): Alarm => ({
  id: row.id,
  machineId: row.machine_id,
  key: row.key,
  ruleId: row.rule_id ?? undefined,
  level: row.level,
  text: row.text,
  tagId: row.tag_id ?? undefined,
  value: row.value,
  limit: row.limit_value,
  instruction: row.instruction ?? undefined,
  raisedAt: row.raised_at.getTime(),
  receivedAt: row.received_at.getTime(),
  clearedAt: row.cleared_at?.getTime(),
  count: row.count,
  raisedToldAt: row.raised_told_at?.getTime(),
  clearedToldAt: row.cleared_told_at?.getTime(),
})

const dateOf = (at: number | undefined) => (at === undefined ? null : new Date(at))

const jsonOf = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))
