import type { notifications as contract, machines } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Window } from './decide.ts'

type Db = Kysely<DB>

/** An alarm with notifications. */
export interface ToldAlarm {
  readonly id: number
  readonly machine_id: number
  readonly rule_id: number | null
  readonly tag_id: number | null
  readonly key: string
  readonly level: machines.AlarmLevel
  readonly text: unknown
  readonly value: string | number | boolean | null
  readonly limit_value: string | number | boolean | null
  readonly count: number
  readonly raised_at: Date
  readonly received_at: Date
  readonly confirmed_at: Date | null
  readonly cleared_at: Date | null
}

export async function listAlarms(db: Db, alarmIds: readonly number[]): Promise<Map<number, ToldAlarm>> {
  const { rows } = await withKeptPlan(
    'told-alarms',
    sql<ToldAlarm>`
    select id, machine_id, rule_id, tag_id, key, level, text, value, limit_value, count, raised_at, received_at,
           confirmed_at, cleared_at
    from alarms where id = any(${[...alarmIds]}::bigint[])`,
  ).execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A row to be written. */
export interface NewNotification {
  readonly factId: number
  readonly alarmId: number
  readonly machineId: number
  readonly userId: number | null
  readonly contactId: number | null
  readonly channel: contract.NotificationChannel
  readonly step: number
  readonly level: machines.AlarmLevel
  readonly state: contract.NotificationState
  readonly reason: contract.NotificationReason | ''
  readonly segments: number
  readonly isFirst: boolean
}

/**
 * Writes notifications, and windows with them, in one statement; answers the notifications' ids by the place of each.
 * An existing one has no id: its fact was handled before and needs nothing more.
 */
export async function createNotifications(
  trx: Db,
  rows: readonly NewNotification[],
  at: Date,
  windows: readonly NamedWindow[] = [],
): Promise<(number | undefined)[]> {
  if (rows.length === 0) {
    await saveWindows(trx, windows)
    return []
  }
  const given = rows.map((row, place) => ({
    place,
    fact_id: row.factId,
    alarm_id: row.alarmId,
    machine_id: row.machineId,
    user_id: row.userId,
    contact_id: row.contactId,
    channel: row.channel,
    step: row.step,
    level: row.level,
    state: row.state,
    reason: row.reason,
    segments: row.segments,
    is_first: row.isFirst,
  }))
  const { rows: made } = await withKeptPlan(
    'notifications-and-windows',
    sql<{ id: number; place: number }>`
    with given as (
      select *, nextval(pg_get_serial_sequence('notifications', 'id')) as id
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (place int, fact_id bigint, alarm_id bigint,
        machine_id bigint, user_id bigint, contact_id bigint, channel text, step int, level text, state text, reason text,
        segments int, is_first boolean)
    ), made as (
      insert into notifications (id, fact_id, alarm_id, machine_id, user_id, contact_id, channel, step, level, state,
        reason, segments, is_first, created_at, settled_at)
      overriding system value
      select id, fact_id, alarm_id, machine_id, user_id, contact_id, channel, step, level, state, reason, segments,
        is_first, ${at}, case when state in ('waiting', 'queued') then null else ${at}::timestamptz end
      from given order by place
      on conflict do nothing
      returning id
    ), windows as (${savingOf(windows)})
    select made.id, given.place from made join given using (id)`,
  ).execute(trx)
  const ids = new Map(made.map(({ id, place }) => [place, id]))
  return rows.map((_, place) => ids.get(place))
}

/** Ends notifications without a message. */
export async function skip(
  trx: Db,
  ids: readonly number[],
  reason: contract.NotificationReason,
  at: Date,
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update notifications set state = 'skipped', reason = ${reason}, segments = 0, settled_at = ${at}
    where id = any(${[...ids]}::bigint[])`.execute(trx)
}

/** Ends notifications whose messages no service sends, and those that share such a message. */
export async function keep(trx: Db, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update notifications set state = 'kept', settled_at = ${at}
    where id = any(${[...ids]}::bigint[]) or digest_id = any(${[...ids]}::bigint[])`.execute(trx)
}

/** The alarms that a person got by a channel as critical, as `alarm/user/contact/channel`. */
export async function listToldCritical(trx: Db, alarmIds: readonly number[]): Promise<Set<string>> {
  if (alarmIds.length === 0) return new Set()
  const { rows } = await sql<{ told: string }>`
    select distinct concat_ws('/', alarm_id, coalesce(user_id, 0), coalesce(contact_id, 0), channel) as told
    from notifications where alarm_id = any(${[...alarmIds]}::bigint[]) and level = 'critical'`.execute(trx)
  return new Set(rows.map(({ told }) => told))
}

/** The frames of facts that have a row, as `fact/user/step`. */
export async function listFramed(trx: Db, factIds: readonly number[]): Promise<Set<string>> {
  if (factIds.length === 0) return new Set()
  const { rows } = await withKeptPlan(
    'told-frames',
    sql<{ framed: string }>`
    select concat_ws('/', fact_id, user_id, step) as framed from notifications
    where fact_id = any(${[...factIds]}::bigint[]) and channel = 'push'`,
  ).execute(trx)
  return new Set(rows.map(({ framed }) => framed))
}

const keyOf = (row: {
  user_id: number | null
  contact_id: number | null
  machine_id: number
  channel: string
}) => windowKey({ userId: row.user_id, contactId: row.contact_id, machineId: row.machine_id }, row.channel)

/** Names the window of a person or contact, a machine and a channel. */
export const windowKey = (
  of: { readonly userId: number | null; readonly contactId: number | null; readonly machineId: number },
  channel: string,
) => `${of.userId ?? 0}/${of.contactId ?? 0}/${of.machineId}/${channel}`

interface WindowRow {
  user_id: number | null
  contact_id: number | null
  machine_id: number
  channel: string
  opened_at: Date
  digest_due_at: Date | null
  waiting_since: Date | null
  waiting: number
  critical: number
  critical_since: Date | null
}

/** The windows of these machines and channels, locked against other senders, such as the job that sends digests. */
export async function lockWindows(
  trx: Db,
  machineIds: readonly number[],
  channels: readonly contract.NotificationChannel[],
): Promise<Map<string, Window>> {
  const { rows } = await withKeptPlan(
    'told-windows',
    sql<WindowRow>`
    select * from notification_windows
    where machine_id = any(${[...machineIds]}::bigint[]) and channel = any(${[...channels]}::text[])
    order by machine_id, coalesce(user_id, 0), coalesce(contact_id, 0), channel for update`,
  ).execute(trx)
  return new Map(
    rows.map((row) => [
      keyOf(row),
      {
        openedAt: row.opened_at.getTime(),
        digestDueAt: row.digest_due_at?.getTime(),
        waitingSince: row.waiting_since?.getTime(),
        waiting: row.waiting,
        critical: row.critical,
        criticalSince: row.critical_since?.getTime(),
      },
    ]),
  )
}

/** A window with its name. */
export interface NamedWindow extends Window {
  readonly userId: number | null
  readonly contactId: number | null
  readonly machineId: number
  readonly channel: string
}

const dateOf = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())

/** Writes windows as they are now. One that nothing opened is not kept. */
export async function saveWindows(trx: Db, windows: readonly NamedWindow[]): Promise<void> {
  if (windows.every(({ openedAt }) => openedAt === undefined)) return
  await withKeptPlan('saved-windows', savingOf(windows)).execute(trx)
}

function savingOf(windows: readonly NamedWindow[]): RawBuilder<unknown> {
  const open = windows.filter(({ openedAt }) => openedAt !== undefined)
  const given = open.map((window) => ({
    user_id: window.userId,
    contact_id: window.contactId,
    machine_id: window.machineId,
    channel: window.channel,
    opened_at: dateOf(window.openedAt),
    digest_due_at: dateOf(window.digestDueAt),
    waiting_since: dateOf(window.waitingSince),
    waiting: window.waiting,
    critical: window.critical,
    critical_since: dateOf(window.criticalSince),
  }))
  return sql`
    insert into notification_windows (user_id, contact_id, machine_id, channel, opened_at, digest_due_at, waiting_since,
      waiting, critical, critical_since)
    select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (user_id bigint, contact_id bigint,
      machine_id bigint, channel text, opened_at timestamptz, digest_due_at timestamptz, waiting_since timestamptz,
      waiting int, critical int, critical_since timestamptz)
    order by machine_id, coalesce(user_id, 0), coalesce(contact_id, 0), channel
    on conflict (coalesce(user_id, 0), coalesce(contact_id, 0), machine_id, channel) do update
    set opened_at = excluded.opened_at, digest_due_at = excluded.digest_due_at, waiting_since = excluded.waiting_since,
        waiting = excluded.waiting, critical = excluded.critical, critical_since = excluded.critical_since`
}

/** Ends the notifications of alarms that wait for a digest. */
export async function endWaiting(
  trx: Db,
  alarmIds: readonly number[],
  reason: contract.NotificationReason,
  at: Date,
): Promise<void> {
  if (alarmIds.length === 0) return
  await sql`
    update notifications set state = 'skipped', reason = ${reason}, settled_at = ${at}
    where alarm_id = any(${[...alarmIds]}::bigint[]) and state = 'waiting'`.execute(trx)
}

/** Ends the waiting notifications of alarms that a shelving covers. */
export async function endCovered(
  trx: Db,
  cover: {
    readonly machineId: number
    readonly scope: string
    readonly key?: string | undefined
    readonly ruleId?: number | undefined
    readonly tagId?: number | undefined
  },
  reason: contract.NotificationReason,
  at: Date,
): Promise<void> {
  await sql`
    update notifications note set state = 'skipped', reason = ${reason}, settled_at = ${at}
    from alarms alarm
    where note.machine_id = ${cover.machineId} and note.state = 'waiting' and alarm.id = note.alarm_id
      and (${cover.scope} = 'machine'
        or ${cover.scope} = 'alarm' and alarm.rule_id is null and alarm.key = ${cover.key ?? null}
        or ${cover.scope} = 'rule' and alarm.rule_id = ${cover.ruleId ?? null}::bigint
        or ${cover.scope} = 'tag' and alarm.tag_id = ${cover.tagId ?? null}::bigint)`.execute(trx)
}

/** Deletes the waiting notifications and the windows of a machine that goes to another owner. */
export async function endOfOwner(trx: Db, machineId: number, at: Date): Promise<void> {
  await sql`
    update notifications set state = 'skipped', reason = 'noRight', settled_at = ${at}
    where machine_id = ${machineId} and state = 'waiting'`.execute(trx)
  await sql`delete from notification_windows where machine_id = ${machineId}`.execute(trx)
}

/**
 * Deletes notifications from before an instant, at most `count`; answers whether there may be more. Ids rise with time,
 * so that only the oldest are read.
 */
export async function removeOld(db: Db, before: Date, count: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from notifications where id in (
      select id from (select id, created_at from notifications order by id limit ${count}) oldest
      where created_at < ${before})`.execute(db)
  return Number(numAffectedRows ?? 0) === count
}

/** The messages of alarms by person: `alarm/user`. */
export async function listAlarmMessages(trx: Db, alarmIds: readonly number[]): Promise<Map<string, number>> {
  if (alarmIds.length === 0) return new Map()
  const { rows } = await withKeptPlan(
    'told-messages',
    sql<{ alarm_id: number; user_id: number; message_id: number }>`
    select * from alarm_messages where alarm_id = any(${[...alarmIds]}::bigint[])`,
  ).execute(trx)
  return new Map(rows.map((row) => [`${row.alarm_id}/${row.user_id}`, row.message_id]))
}

export async function saveAlarmMessages(
  trx: Db,
  alarmMessages: readonly { readonly alarmId: number; readonly userId: number; readonly messageId: number }[],
): Promise<void> {
  if (alarmMessages.length === 0) return
  await trx
    .insertInto('alarm_messages')
    .values(
      alarmMessages.map((message) => ({
        alarm_id: message.alarmId,
        user_id: message.userId,
        message_id: message.messageId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
