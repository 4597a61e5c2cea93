import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { sql } from 'kysely'
import { type AlarmFixture, type FixtureMachine, memberDailyMax } from './alarm-fixture.ts'
import type { Taken } from './providers.ts'
import type { ToldAlarm } from './traffic.ts'

interface AlarmRow {
  readonly id: number
  readonly machine_id: number
  readonly rule_id: number | null
  readonly mark: string
  readonly level: string
  readonly count: number
  readonly is_open: boolean
  /** A rule raised it by values that the machine kept, and it is over: it may be handled after its end, and notifies nobody then. */
  readonly is_past: boolean
  readonly raised: number
  readonly raisings: number
  readonly facts: number
  readonly run_step: number | null
  readonly run_end: string | null
}

interface NoteRow {
  readonly id: number
  readonly alarm_id: number
  readonly machine_id: number
  readonly user_id: number | null
  readonly contact_id: number | null
  readonly channel: 'push' | 'voice' | 'message' | 'sms' | 'email'
  readonly step: number
  readonly level: string
  readonly state: string
  readonly reason: string
  readonly segments: number
  readonly digest_id: number | null
  readonly created_at: Date
  readonly settled_at: Date | null
  readonly phone: string | null
  readonly email: string | null
  readonly outgoing_id: number | null
  readonly queued_at: Date | null
  readonly outgoing_state: string | null
  readonly outcomes: readonly (string | null)[] | null
}

/** The state after a run, and the expected one. */
export interface Aftermath {
  readonly db: Database
  readonly fixture: AlarmFixture
  /** By machine: the alarms it sent, by their marks. */
  readonly told: ReadonlyMap<number, ReadonlyMap<string, ToldAlarm>>
  readonly taken: readonly Taken[]
  readonly hasReceipts: boolean
}

/** The messages that may have gone out twice, by their own account. */
export interface Finding {
  readonly violations: string[]
  readonly alarms: number
  readonly messages: number
  readonly digests: number
  readonly maybeTwice: number
  readonly takenTwice: number
}

const markOf = (text: string): string => /T\d{6}Z/.exec(text)?.[0] ?? ''

/** Compares the state after a run with the rules for every run. */
export async function checkAftermath(aftermath: Aftermath): Promise<Finding> {
  const { db, fixture } = aftermath
  const machineIds = fixture.machines.map(({ machineId }) => machineId)
  const alarms = await listAlarms(db, machineIds)
  const notes = await listNotes(db, machineIds)
  const messages = checkMessages(aftermath, alarms, notes)
  const violations = [
    ...fixture.machines.flatMap((machine) => checkAlarms(aftermath, machine, alarms)),
    ...fixture.machines.flatMap((machine) => checkRows(machine, alarms, notes)),
    ...notes.flatMap(checkRow),
    ...messages.violations,
    ...checkDailyLimits(fixture, notes),
    ...(await checkStocks(db, notes)),
    ...(await checkUnread(db, machineIds, alarms)),
    ...(await checkLeftovers(db)),
  ]
  return {
    violations,
    alarms: alarms.length,
    messages: notes.filter(isMessage).length,
    digests: notes.filter((note) => note.digest_id === note.id).length,
    maybeTwice: notes.filter((note) => isMessage(note) && note.reason === 'maybeTwice').length,
    takenTwice: messages.takenTwice,
  }
}

async function listAlarms(db: Database, machineIds: readonly number[]): Promise<AlarmRow[]> {
  const { rows } = await sql<AlarmRow>`
    select alarm.id, alarm.machine_id, alarm.rule_id, alarm.text::text as mark, alarm.level, alarm.count,
           alarm.cleared_at is null as is_open,
           alarm.rule_id is not null and alarm.cleared_at is not null
             and alarm.received_at - alarm.raised_at > interval '5 minutes' as is_past, run.step as run_step, run.end_reason as run_end,
           (select count(*)::int from alarm_events event where event.alarm_id = alarm.id and kind = 'raised') as raised,
           (select coalesce(sum(raisings), 0)::int from alarm_events event where event.alarm_id = alarm.id) as raisings,
           (select count(*)::int from facts where kind = 'alarm.raised' and machine_id = alarm.machine_id
              and (payload->>'alarmId')::bigint = alarm.id) as facts
    from alarms alarm left join alarm_escalation_runs run on run.alarm_id = alarm.id
    where alarm.machine_id = any(${[...machineIds]}::bigint[]) order by alarm.id`.execute(db)
  return rows.map((row) => ({ ...row, mark: markOf(row.mark) }))
}

async function listNotes(db: Database, machineIds: readonly number[]): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select note.*, person.phone, coalesce(contact.email, person.email) as email, outgoing.id as outgoing_id,
           outgoing.created_at as queued_at, outgoing.state as outgoing_state,
           (select array_agg(outcome order by attempt) from outgoing_attempts where outgoing_id = outgoing.id) as outcomes
    from notifications note
    left join users person on person.id = note.user_id
    left join alarm_contacts contact on contact.id = note.contact_id
    left join outgoing on outgoing.notification_id = note.id
    where note.machine_id = any(${[...machineIds]}::bigint[]) order by note.id`.execute(db)
  return rows
}

/** Every alarm is raised, once, and has the count of its machine's messages. */
function checkAlarms(
  { told }: Aftermath,
  { machineId }: FixtureMachine,
  alarms: readonly AlarmRow[],
): string[] {
  const expected = told.get(machineId) ?? new Map<string, ToldAlarm>()
  const found = alarms.filter((alarm) => alarm.machine_id === machineId)
  const strange = found
    .filter(({ mark }) => !expected.has(mark))
    .map(({ id }) => `alarm ${id} was told by nobody`)
  return [
    ...strange,
    ...[...expected].flatMap(([mark, { count, isOpen, isRule }]) => {
      const rows = found.filter((alarm) => alarm.mark === mark)
      const [row] = rows
      if (!row || rows.length > 1) return [`${mark} is ${rows.length} alarms`]
      return [
        row.count !== count && `${mark} counts ${row.count} of ${count}`,
        row.is_open !== isOpen && `${mark} is ${row.is_open ? 'open' : 'over'}`,
        (row.rule_id !== null) !== isRule && `${mark} is of ${row.rule_id ?? 'the machine'}`,
        row.raised !== 1 && `${mark} was raised ${row.raised} times`,
        row.raisings !== row.count && `the events of ${mark} count ${row.raisings} of ${row.count}`,
        row.facts !== 1 && `${mark} has ${row.facts} facts of its raising`,
      ].filter((fault) => fault !== false)
    }),
  ]
}

/** Everybody has one row for each alarm, channel and step, and there are no other rows. */
function checkRows(
  machine: FixtureMachine,
  alarms: readonly AlarmRow[],
  notes: readonly NoteRow[],
): string[] {
  const { machineId, listeners, steps } = machine
  const found = notes.filter((note) => note.machine_id === machineId)
  return alarms
    .filter((alarm) => alarm.machine_id === machineId)
    .flatMap((alarm) => {
      const isGrave = alarm.level === 'critical' || alarm.level === 'major'
      const mayRun = steps.length > 0 && isGrave
      // An alarm that was over before its fact was read notifies nobody.
      const isRunRight = alarm.run_step === null ? !mayRun || !alarm.is_open : mayRun
      const taken = alarm.run_end === 'done' ? steps.length : (alarm.run_step ?? 1) - 1
      const wanted = [
        ...listeners.flatMap(({ userId, contactId, channels }) =>
          channels.map((channel) => `${userId ?? 0}/${contactId ?? 0}/${channel}/0`),
        ),
        ...steps.slice(0, taken).flatMap((step, place) => step.map((name) => `${name}/${place + 1}`)),
      ].sort()
      const rows = found
        .filter((note) => note.alarm_id === alarm.id)
        .map((note) => `${note.user_id ?? 0}/${note.contact_id ?? 0}/${note.channel}/${note.step}`)
        .sort()
      return [
        ...(isRunRight ? [] : [`the run of ${alarm.mark} is wrong`]),
        ...(alarm.run_step !== null && alarm.run_end === null
          ? [`the run of ${alarm.mark} has not ended`]
          : []),
        ...(alarm.run_step !== null && alarm.is_open && alarm.run_end !== 'done'
          ? [`the run of ${alarm.mark}, which is open, ended by ${alarm.run_end}`]
          : []),
        ...(rows.join() === wanted.join() || (alarm.is_past && rows.length === 0)
          ? []
          : [`${alarm.mark} has ${rows.join()} instead of ${wanted.join()}`]),
      ]
    })
}

function checkRow(note: NoteRow): string[] {
  const name = `row ${note.id} (${note.channel}, ${note.state} ${note.reason})`
  const ends = ['sent', 'delivered', 'failed', 'skipped']
  const isLoud = note.channel === 'sms' || note.channel === 'email'
  const isAlone = note.digest_id === null || note.digest_id === note.id
  const wantsMessage = isLoud && isAlone && note.state !== 'skipped'
  return [
    !ends.includes(note.state) && `${name} has not ended`,
    (note.state === 'skipped' || note.state === 'failed') && note.reason === '' && `${name} has no reason`,
    note.settled_at === null && `${name} was not settled`,
    wantsMessage !== (note.outgoing_id !== null) && `${name} has ${note.outgoing_id ? 'a' : 'no'} message`,
  ].filter((fault) => fault !== false)
}

const isMessage = (note: NoteRow): boolean => note.outgoing_id !== null
const mayHaveArrived = (outcomes: readonly (string | null)[]) =>
  outcomes.filter((outcome) => outcome === null || outcome === 'unknown').length

/**
 * Compares the messages that providers took with the rows of sent ones: nobody got one twice, unless the answer to a
 * try was lost and the row says so.
 */
function checkMessages(
  { taken, hasReceipts }: Aftermath,
  alarms: readonly AlarmRow[],
  notes: readonly NoteRow[],
): { violations: string[]; takenTwice: number } {
  const marks = new Map(alarms.map(({ id, mark }) => [id, mark]))
  const sizes = new Map<number, number>()
  for (const { digest_id: id } of notes) if (id !== null) sizes.set(id, (sizes.get(id) ?? 0) + 1)
  const nameOf = (note: NoteRow) => {
    const to = note.channel === 'sms' ? note.phone : note.email
    const what = note.digest_id === null ? marks.get(note.alarm_id) : `${sizes.get(note.id)} alarms`
    return `${note.channel} ${what} to ${to}`
  }
  const counts = new Map<string, number>()
  for (const each of taken) {
    const digest = /(\d+) alarms?\b/.exec(each.text)
    const what = digest ? `${digest[1]} alarms` : markOf(each.text)
    const name = `${each.channel} ${what} to ${each.to}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const groups = new Map<string, NoteRow[]>()
  for (const note of notes.filter(isMessage))
    groups.set(nameOf(note), [...(groups.get(nameOf(note)) ?? []), note])
  const violations = [...counts.keys()]
    .filter((name) => !groups.has(name))
    .map((name) => `${name} is in no row`)
  let takenTwice = 0
  for (const [name, rows] of groups) {
    const count = counts.get(name) ?? 0
    const sent = rows.filter(
      ({ state, outcomes }) => state !== 'failed' || outcomes?.includes('accepted'),
    ).length
    const maybe = rows.reduce((sum, { outcomes }) => sum + mayHaveArrived(outcomes ?? []), 0)
    const told = rows.filter(({ reason, state }) => reason === 'maybeTwice' || state === 'failed').length
    if (count < sent) violations.push(`${name} was taken ${count} times, and ${sent} were sent`)
    if (count > sent + maybe)
      violations.push(`${name} was taken ${count} times, at most ${sent + maybe} are known`)
    if (count > sent && told === 0) violations.push(`${name} was taken ${count} times, and no row says so`)
    if (count > rows.length) takenTwice++
  }
  for (const note of notes.filter(isMessage)) {
    const before = mayHaveArrived((note.outcomes ?? []).slice(0, -1))
    const isMaybe = note.outcomes?.at(-1) === 'accepted' && before > 0
    if (isMaybe !== (note.reason === 'maybeTwice'))
      violations.push(`${nameOf(note)} counts ${note.outcomes?.join()}`)
    if (note.outgoing_state === 'queued') violations.push(`${nameOf(note)} is still queued`)
    if (hasReceipts && note.channel === 'sms' && note.state === 'sent')
      violations.push(`${nameOf(note)} arrived, and its row does not say so`)
  }
  return { violations, takenTwice }
}

/** A day on the clocks of these people. */
const dayOf = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

/** A digest goes while fewer than the daily most went, and is left out once they did. */
function checkDailyLimits({ machines }: AlarmFixture, notes: readonly NoteRow[]): string[] {
  const limited = machines.filter(({ hasRule }) => !hasRule).flatMap(({ listeners }) => listeners)
  return limited.flatMap(({ userId }) =>
    (['sms', 'email'] as const).flatMap((channel) => {
      const own = notes.filter((note) => note.user_id === userId && note.channel === channel)
      const sent = own.filter(isMessage)
      const countBefore = (at: Date, day = dayOf(at)) =>
        sent.filter(
          ({ queued_at: queuedAt, created_at: createdAt }) =>
            queuedAt !== null && queuedAt < at && dayOf(createdAt) === day,
        ).length
      return own.flatMap((note) => {
        if (note.reason === 'limited' && note.settled_at) {
          // The clock may pass midnight between the decision and its row.
          const before = Math.max(
            countBefore(note.settled_at),
            countBefore(note.settled_at, dayOf(note.created_at)),
          )
          if (before < memberDailyMax) return [`row ${note.id} is limited after ${before} messages`]
        }
        if (note.digest_id !== note.id || !note.queued_at) return []
        const before = countBefore(note.queued_at)
        return before >= memberDailyMax ? [`digest ${note.id} is number ${before + 1} of its day`] : []
      })
    }),
  )
}

/** A stock is the sum of its records, and each message was reserved and settled once. */
async function checkStocks(db: Database, notes: readonly NoteRow[]): Promise<string[]> {
  const { rows: stocks } = await sql<{ id: number; stock: number; sum: number; last: number; low: number }>`
    select stock.id, stock.stock, sum(record.change)::int as sum, min(record.remaining)::int as low,
           (array_agg(record.remaining order by record.id desc))[1]::int as last
    from sms_stocks stock join sms_stock_records record on record.stock_id = stock.id group by stock.id`.execute(
    db,
  )
  const { rows: records } = await sql<{ notification_id: number; kinds: string[]; segments: number[] }>`
    select notification_id, array_agg(kind order by id) as kinds, array_agg(distinct segments) as segments
    from sms_stock_records where notification_id is not null group by notification_id`.execute(db)
  const of = new Map(records.map((record) => [record.notification_id, record]))
  return [
    ...stocks
      .filter(({ stock, sum, last, low }) => stock !== sum || stock !== last || low < 0)
      .map(
        ({ id, stock, sum, last }) =>
          `stock ${id} is ${stock}; its records sum up to ${sum} and end with ${last}`,
      ),
    ...notes
      .filter(({ channel }) => channel === 'sms')
      .flatMap((note) => {
        const { kinds = [], segments = [] } = of.get(note.id) ?? {}
        const isTaken = note.outcomes?.includes('accepted') ?? note.outgoing_state === 'sent'
        const wanted = note.outgoing_id === null ? '' : isTaken ? 'reserve,take' : 'reserve,giveBack'
        if (kinds.join() !== wanted)
          return [`row ${note.id} (${note.state}) has ${kinds.join()} instead of ${wanted}`]
        const isPriced = note.outgoing_id === null || segments.join() === String(note.segments)
        return isPriced ? [] : [`row ${note.id} costs ${note.segments} and ${segments.join()}`]
      }),
  ]
}

/** Everybody has one message for each alarm, with its count, and as many to read. */
async function checkUnread(
  db: Database,
  machineIds: readonly number[],
  alarms: readonly AlarmRow[],
): Promise<string[]> {
  const { rows } = await sql<{
    user_id: number
    alarm_id: number
    messages: number
    count: number
    unread: number
  }>`
    select link.user_id, link.alarm_id, count(*)::int as messages, max((message.params->>'count')::int) as count,
           count(*) filter (where message.read_at is null)::int as unread
    from alarm_messages link join messages message on message.id = link.message_id
    join alarms alarm on alarm.id = link.alarm_id
    where alarm.machine_id = any(${[...machineIds]}::bigint[])
    group by link.user_id, link.alarm_id`.execute(db)
  const { rows: all } = await sql<{ user_id: number; unread: number; told: number }>`
    select user_id, count(*) filter (where read_at is null)::int as unread,
           (select count(*)::int from notifications note where note.user_id = messages.user_id
             and note.channel = 'message' and note.state = 'sent') as told
    from messages where machine_id = any(${[...machineIds]}::bigint[]) group by user_id`.execute(db)
  const counts = new Map(alarms.map(({ id, count }) => [id, count]))
  return [
    ...rows
      .filter((row) => row.messages !== 1 || row.unread !== 1 || row.count !== counts.get(row.alarm_id))
      .map((row) => `the message of alarm ${row.alarm_id} to ${row.user_id} tells of ${row.count}`),
    ...all
      .filter(({ unread, told }) => unread !== told)
      .map((row) => `${row.user_id} has ${row.unread} messages to read, and was told of ${row.told}`),
  ]
}

/** All work is done, and no fact was set aside. */
async function checkLeftovers(db: Database): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'fact set aside: ' || error as what from facts_set_aside
    union all select 'waits for a digest' from notification_windows where waiting > 0 and digest_due_at is not null
    union all select 'job ' || name || ' is ' || state from jobs.job
      where name in ('sms', 'email') and state in ('created', 'retry', 'active')`.execute(db)
  return rows.map(({ what }) => what)
}
