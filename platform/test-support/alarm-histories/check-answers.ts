import { alarms, messages, notifications } from '@busbar/contract'
import type { TestPlatform, TestUser } from '@busbar/testkit'
import { sql } from 'kysely'
import type { AlarmMessages } from './alarm-messages.ts'
import type { AlarmModel, ModelAlarm } from './alarm-model.ts'
import type { Cast } from './cast.ts'
import { differences } from './check-round.ts'
import { seesAlarms, shareOf } from './rights.ts'
import type { Seen } from './seen.ts'

const dayMs = 86_400_000

interface Known {
  readonly cast: Cast
  readonly model: AlarmModel
  readonly alarmMessages: AlarmMessages
  readonly seen: Seen
}

/**
 * A person's answers about each machine equal the model's: empty without a right, and without the former owner's time.
 */
export async function auditPerson(
  { db }: TestPlatform,
  { cast, model, alarmMessages, seen }: Known,
  person: TestUser,
  now: number,
): Promise<string[]> {
  const { userId } = person
  const client = cast.clientOf(person)
  const faults: string[] = []
  const listed = await db
    .selectFrom('machine_list_entries')
    .select('machine_id')
    .where('user_id', '=', userId)
    .execute()
  const sees = ({ machineId }: { readonly machineId: number }) =>
    seesAlarms(shareOf(seen.rights, machineId, userId, now))
  const own = model.alarms.filter(sees)
  const isListed = ({ machineId }: ModelAlarm) => listed.some(({ machine_id }) => machine_id === machineId)
  const stage = (alarm: ModelAlarm) => model.stageOf(alarm, now)
  const place = (what: string) => `${what} of person ${userId}`
  for (const { id: machineId } of cast.machines) {
    const { list, total } = await client.call(alarms.listAlarms, { machineId, pageSize: 200 })
    const wanted = own.filter((one) => one.machineId === machineId)
    if (total !== wanted.length)
      faults.push(`${place('list')}: ${total} of ${machineId}, not ${wanted.length}`)
    if (wanted.length > 200) continue
    faults.push(
      ...differences(
        wanted.map((one) => `${one.key} ${one.raisedAt} ${one.count} ${stage(one)}`),
        list.map((row) => `${row.key} ${row.raisedAt} ${row.count} ${row.stage}`),
      ).map((each) => `${place('list')} of ${machineId}: ${each}`),
    )
  }
  const counted = await client.call(alarms.countAlarms, {})
  const open = own.filter((one) => one.isOpen && isListed(one))
  const active = open.filter((one) => !['shelved', 'outOfService'].includes(stage(one)))
  const byLevel = { critical: 0, major: 0, minor: 0, info: 0 }
  for (const { level } of active) byLevel[level]++
  const wanted = {
    active: active.length,
    unconfirmed: own.filter((one) => isListed(one) && !one.isConfirmed).length,
    shelved: open.filter((one) => stage(one) === 'shelved').length,
    outOfService: open.filter((one) => stage(one) === 'outOfService').length,
    byLevel,
  }
  const { active: stands, unconfirmed, shelved, outOfService, byLevel: levels } = counted
  const told = { active: stands, unconfirmed, shelved, outOfService, byLevel: levels }
  if (JSON.stringify(told) !== JSON.stringify(wanted))
    faults.push(`${place('counts')}: ${JSON.stringify(told)}, not ${JSON.stringify(wanted)}`)
  const raised = counted.byDay.reduce((sum, day) => sum + day.raised, 0)
  const raisings = own.filter(isListed).reduce((sum, { count }) => sum + count, 0)
  if (raised !== raisings) faults.push(`${place('days')}: raised ${raised} times, not ${raisings}`)
  const { total, list: unread } = await client.call(messages.listMessages, {
    scene: 'alarm',
    read: false,
    pageSize: 200,
  })
  if (total !== alarmMessages.countOf(userId))
    faults.push(
      `${place('unread messages')}: ${total}, not ${alarmMessages.countOf(userId)} ${JSON.stringify(unread)}`,
    )
  return faults
}

/** The next owner of a machine gets no alarm, event, number or notification record from before. */
export async function auditNextOwner(
  { cast }: Known,
  next: TestUser,
  { machineId, former }: { readonly machineId: number; readonly former: number | undefined },
  now: number,
): Promise<string[]> {
  const client = cast.clientOf(next)
  const [journal, quality, files] = await Promise.all([
    client.call(alarms.listAlarmJournal, { machineId }),
    client.call(alarms.getAlarmQuality, { machineId, from: now - dayMs, to: now + 1 }),
    client.call(alarms.exportAlarms, { machineId }),
  ])
  const faults = [
    ...journal.list.map((event) => `the next owner of ${machineId} reads ${JSON.stringify(event)}`),
    ...(quality.raised > 0 ? [`the next owner of ${machineId} counts ${quality.raised} raisings`] : []),
    ...(files.lines > 0 ? [`the next owner of ${machineId} gets ${files.lines} lines`] : []),
  ]
  if (former === undefined) return faults
  const asked = [
    client.call(alarms.getAlarm, { id: former }),
    client.call(notifications.listTold, { alarmId: former }),
  ]
  for (const answer of await Promise.allSettled(asked))
    if (answer.status === 'fulfilled') faults.push(`the next owner is answered of alarm ${former}`)
  return faults
}

/** Every SMS that goes was reserved once and settled at most once; each message that goes is in the outbox once. */
export async function checkLedger({ db }: TestPlatform, { machines }: Cast): Promise<string[]> {
  const { rows } = await sql<{ wrong: string }>`
    with going as (
      select note.id, note.channel, note.state, note.segments, note.digest_id from notifications note
      where note.machine_id = any(${machines.map(({ id }) => id)}::bigint[]) and note.channel in ('sms', 'email')
        and (note.digest_id is null or note.digest_id = note.id)
    ), counted as (
      select going.*,
        (select count(*) from outgoing where notification_id = going.id) as mails,
        (select count(*) from sms_stock_records where notification_id = going.id and kind = 'reserve'
           and segments = going.segments) as reserved,
        (select count(*) from sms_stock_records where notification_id = going.id and kind = 'take') as taken,
        (select count(*) from sms_stock_records where notification_id = going.id and kind = 'giveBack') as returned
      from going
    )
    select row_to_json(counted)::text as wrong from counted
    where mails <> (case when state in ('queued', 'sent', 'delivered', 'failed') then 1 else 0 end)
       or reserved <> (case when channel = 'sms' then mails else 0 end)
       or taken <> (case when channel = 'sms' and state in ('sent', 'delivered') then 1 else 0 end)
       or returned <> (case when channel = 'sms' and state = 'failed' then 1 else 0 end)
    limit 3`.execute(db)
  return rows.map(({ wrong }) => `a message and its payment differ: ${wrong}`)
}

/**
 * The raisings of an alarm's events are its count, and each event was recorded as a fact of its kind: of all that was ever
 * written.
 */
export async function checkEvents({ db }: TestPlatform, { machines }: Cast): Promise<string[]> {
  const of = sql`machine_id = any(${machines.map(({ id }) => id)}::bigint[])`
  const { rows } = await sql<{ wrong: string }>`
    select format('alarm %s counts %s', id, count) as wrong from alarms
    where ${of} and count <> (select sum(raisings) from alarm_events event where event.alarm_id = alarms.id)
    union all
    select format('%s: %s events, %s facts', kind, event.count, fact.count)
    from (select kind, count(*) from alarm_events where ${of} group by kind) event
    full join (select substr(kind, length('alarm.') + 1) as kind, count(*) from facts
               where ${of} and kind like 'alarm.%' group by kind) fact using (kind)
    where event.count is distinct from fact.count`.execute(db)
  return rows.map(({ wrong }) => wrong)
}
