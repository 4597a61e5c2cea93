import type { machines } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { NamedWindow } from './notifications-store.ts'
import type { Recipient } from './recipients.ts'

type Db = Kysely<DB>

interface WindowRow {
  user_id: number | null
  contact_id: number | null
  machine_id: number
  channel: string
  opened_at: Date
  critical: number
  critical_since: Date | null
}

/** Windows whose digest is due, as they are without it, under their locks; those that another process has are left out. */
export async function takeDue(trx: Db, at: Date, count: number): Promise<NamedWindow[]> {
  const { rows } = await sql<WindowRow>`
    select user_id, contact_id, machine_id, channel, opened_at, critical, critical_since from notification_windows
    where digest_due_at <= ${at} order by digest_due_at limit ${count} for update skip locked`.execute(trx)
  return rows.map((row) => ({
    userId: row.user_id,
    contactId: row.contact_id,
    machineId: row.machine_id,
    channel: row.channel,
    openedAt: row.opened_at.getTime(),
    digestDueAt: undefined,
    waitingSince: undefined,
    waiting: 0,
    critical: row.critical,
    criticalSince: row.critical_since?.getTime(),
  }))
}

/** An alarm that waits for a digest. */
export interface WaitingRow {
  readonly id: number
  readonly alarm_id: number
  readonly machine_id: number
  readonly user_id: number | null
  readonly contact_id: number | null
  readonly channel: string
  readonly level: machines.AlarmLevel
  readonly rule_id: number | null
  readonly tag_id: number | null
  readonly text: unknown
  readonly value: string | number | boolean | null
  readonly limit_value: string | number | boolean | null
}

/** The waiting notifications of these windows, the earliest first. */
export async function listWaiting(trx: Db, windows: readonly NamedWindow[]): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select note.id, note.alarm_id, note.machine_id, note.user_id, note.contact_id, note.channel, note.level,
           alarm.rule_id, alarm.tag_id, alarm.text, alarm.value, alarm.limit_value
    from unnest(${windows.map(({ userId }) => userId)}::bigint[], ${windows.map(({ contactId }) => contactId)}::bigint[],
      ${windows.map(({ machineId }) => machineId)}::bigint[], ${windows.map(({ channel }) => channel)}::text[])
      as due (user_id, contact_id, machine_id, channel)
    join notifications note on note.state = 'waiting' and note.machine_id = due.machine_id
      and note.channel = due.channel and note.user_id is not distinct from due.user_id
      and note.contact_id is not distinct from due.contact_id
    join alarms alarm on alarm.id = note.alarm_id
    order by note.id for update of note`.execute(trx)
  return rows
}

/** Makes several rows one digest, which the first of them carries: its time is the digest's, not its alarm's. */
export async function join(trx: Db, rowsOf: ReadonlyMap<number, readonly number[]>, at: Date): Promise<void> {
  const [bearers, ids] = [
    [...rowsOf].flatMap(([bearer, rows]) => rows.map(() => bearer)),
    [...rowsOf.values()].flat(),
  ]
  if (ids.length === 0) return
  await sql`
    update notifications set state = 'queued', digest_id = given.bearer,
      created_at = case when notifications.id = given.bearer then ${at} else created_at end
    from unnest(${ids}::bigint[], ${bearers}::bigint[]) as given (id, bearer)
    where notifications.id = given.id`.execute(trx)
}

/** Messages that went today to each person, in all and about each machine. */
export interface Used {
  of(recipient: Recipient, channel: string): { readonly day: number; readonly machineDay: number }
  /** One more goes. */
  add(recipient: Recipient, channel: string): void
}

/** Counts the messages of today on the clocks of each recipient; the alarms of a digest are one message. */
export async function countSent(
  trx: Db,
  requests: readonly { readonly recipient: Recipient; readonly channel: string }[],
  at: Date,
): Promise<Used> {
  const people = requests.map(({ recipient }) => recipient)
  const { rows } = await sql<{ place: number; day: number; machine_day: number }>`
    select request.place::int as place, counted.day, counted.machine_day
    from unnest(${people.map(({ userId }) => userId)}::bigint[], ${people.map(({ contactId }) => contactId)}::bigint[],
      ${people.map(({ machineId }) => machineId)}::bigint[], ${people.map(({ timeZone }) => timeZone)}::text[],
      ${requests.map(({ channel }) => channel)}::text[])
      with ordinality as request (user_id, contact_id, machine_id, zone, channel, place)
    cross join lateral (
      select count(*)::int as day, count(*) filter (where note.machine_id = request.machine_id)::int as machine_day
      from notifications note
      where (note.user_id = request.user_id or note.contact_id = request.contact_id) and note.channel = request.channel
        and note.created_at >= date_trunc('day', ${at}::timestamptz at time zone request.zone) at time zone request.zone
        and note.state in ('queued', 'sent', 'delivered', 'failed')
        and (note.digest_id is null or note.digest_id = note.id)
    ) counted`.execute(trx)
  const day = new Map<string, number>()
  const machineDay = new Map<string, number>()
  const keysOf = ({ userId, contactId, machineId }: Recipient, channel: string) => {
    const person = `${userId}/${contactId}/${channel}`
    return [person, `${person}/${machineId}`] as const
  }
  for (const row of rows) {
    const request = requests[row.place - 1]
    if (!request) continue
    const [person, machine] = keysOf(request.recipient, request.channel)
    day.set(person, row.day)
    machineDay.set(machine, row.machine_day)
  }
  return {
    of(recipient, channel) {
      const [person, machine] = keysOf(recipient, channel)
      return { day: day.get(person) ?? 0, machineDay: machineDay.get(machine) ?? 0 }
    },
    add(recipient, channel) {
      const [person, machine] = keysOf(recipient, channel)
      day.set(person, (day.get(person) ?? 0) + 1)
      machineDay.set(machine, (machineDay.get(machine) ?? 0) + 1)
    },
  }
}

/** Deletes windows that ended long ago, so that they do not accumulate; answers how many. */
export async function removeOldWindows(db: Db, before: Date, count: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notification_windows where ctid in (
      select ctid from notification_windows
      where digest_due_at is null and opened_at < ${before} limit ${count} for update skip locked)`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
