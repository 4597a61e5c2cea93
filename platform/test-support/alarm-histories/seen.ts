import { DeviceInformSchema, fromBinary, Scene } from '@busbar/contract/push'
import type { TestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import type { Cast } from './cast.ts'
import type { Rights } from './rights.ts'

export interface SeenAlarm {
  readonly id: number
  readonly machine: number
  readonly rule: number | null
  readonly key: string
  readonly level: 'critical' | 'major' | 'minor' | 'info'
  readonly raised: number
  readonly open: boolean
  readonly confirmed: boolean
  readonly count: number
}

export interface SeenEvent {
  readonly id: number
  readonly machine: number
  readonly alarm: number | null
  readonly kind: string
  readonly at: number
  readonly user: number | null
}

export interface SeenFact {
  readonly id: number
  readonly machine: number
  readonly kind: string
  readonly alarm: number | null
  readonly level: string
  readonly user: number | null
}

export interface SeenNote {
  readonly id: number
  readonly fact: number
  readonly alarm: number
  readonly machine: number
  readonly user: number
  readonly channel: string
  readonly state: string
  readonly reason: string
}

export interface SeenMail {
  readonly id: number
  readonly note: number
  readonly user: number
  readonly machine: number
}

export interface SeenStock {
  readonly id: number
  readonly user: number | null
  readonly eid: number | null
  readonly stock: number
  readonly sum: number
}

/** Until where something was seen. */
export interface Marks {
  readonly event: number
  readonly fact: number
  readonly note: number
  readonly mail: number
  readonly frame: number
}

/** The tables of one history after a round. */
export interface Seen {
  readonly rights: Rights
  /** From the time of each machine's present owner. */
  readonly alarms: readonly SeenAlarm[]
  /** Alarms that stand and that the owner of now may not see. */
  readonly hidden: readonly { readonly id: number; readonly machine: number }[]
  readonly shelves: readonly { readonly id: number; readonly machine: number }[]
  readonly rules: readonly SeenRule[]
  readonly stocks: readonly SeenStock[]
  /** Messages of alarms that their readers have not read, as `alarm/user`. */
  readonly unread: readonly string[]
  /** Since the marks. */
  readonly events: readonly SeenEvent[]
  readonly facts: readonly SeenFact[]
  readonly notes: readonly SeenNote[]
  readonly mails: readonly SeenMail[]
  readonly frames: readonly { readonly user: number; readonly machine: number }[]
  readonly marks: Marks
}

export interface SeenRule {
  readonly id: number
  readonly machine: number
  readonly limit: number
  readonly level: SeenAlarm['level']
}

interface Row extends Omit<Seen, 'frames' | 'marks'> {
  readonly frames: readonly { readonly id: number; readonly user: number; readonly body: string }[]
}

export const noMarks: Marks = { event: 0, fact: 0, note: 0, mail: 0, frame: 0 }

/** Reads everything of a history in one statement. */
export async function readSeen({ db }: TestPlatform, cast: Cast, marks: Marks): Promise<Seen> {
  const machines = cast.machines.map(({ id }) => id)
  const users = [...cast.people, cast.boss, cast.mender].map(({ userId }) => userId)
  const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`
  const list = (rows: ReturnType<typeof sql>) =>
    sql`(select coalesce(json_agg(found order by found.id), '[]') from (${rows}) found)`
  const since = sql`coalesce((select owned_since from machines where machines.id = machine_id), '-infinity')`
  const of = sql`machine_id = any(${machines}::bigint[])`
  const { rows } = await sql<{ seen: Row }>`select json_build_object(
    'rights', json_build_object(
      'machines', ${list(sql`select id, owner_user_id as owner, owner_enterprise_id as eid, ${ms('owned_since')} as since
        from machines where id = any(${machines}::bigint[])`)},
      'grants', ${list(sql`select id, machine_id as machine, user_id as user, role, ${ms('until')} as until, alarms
        from machine_grants where ${of}`)},
      'banned', ${list(sql`select user_id as id, machine_id as machine, user_id as user from machine_blacklist where ${of}`)},
      'members', ${list(sql`select user_id as id, user_id as user, enterprise_id as eid, role, rights from enterprise_members
        where enterprise_id = ${cast.eid}`)},
      'windows', ${list(sql`select span.id, span.machine_id as machine, ${cast.mender.userId}::bigint as user,
          ${ms('start_at')} as start, ${ms('stop_at')} as stop
        from maintenance_windows span join enterprise_machines device
          on device.machine_id = span.machine_id and device.enterprise_id = span.enterprise_id
        where span.${of} and span.enterprise_id = ${cast.menderEid} and state = 'accepted'`)}),
    'alarms', ${list(sql`select id, machine_id as machine, rule_id as rule, key, level, ${ms('raised_at')} as raised,
        cleared_at is null as open, confirmed_at is not null as confirmed, count from alarms
      where ${of} and received_at >= ${since}`)},
    'hidden', ${list(sql`select id, machine_id as machine from alarms
      where ${of} and cleared_at is null and received_at < ${since}`)},
    'shelves', ${list(sql`select id, machine_id as machine from alarm_shelves where ${of} and ended_at is null`)},
    'rules', ${list(sql`select id, machine_id as machine, (condition ->> 'limit')::int as limit, level from alarm_rules
      where ${of}`)},
    'stocks', ${list(sql`select id, user_id as user, enterprise_id as eid, stock, (select coalesce(sum(change), 0)::int
        from sms_stock_records where stock_id = sms_stocks.id) as sum
      from sms_stocks where enterprise_id = ${cast.eid} or user_id = any(${users}::bigint[])`)},
    'unread', (select coalesce(json_agg(concat_ws('/', link.alarm_id, link.user_id)), '[]') from alarm_messages link
      join messages on messages.id = link.message_id
      where link.user_id = any(${users}::bigint[]) and messages.read_at is null),
    'events', ${list(sql`select id, machine_id as machine, alarm_id as alarm, kind, ${ms('at')} as at, user_id as user
      from alarm_events where ${of} and id > ${marks.event} and received_at >= ${since}`)},
    'facts', ${list(sql`select id, machine_id as machine, kind, (payload ->> 'alarmId')::bigint as alarm,
        coalesce(payload ->> 'level', '') as level, user_id as user
      from facts where ${of} and id > ${marks.fact} and kind like 'alarm.%'`)},
    'notes', ${list(sql`select id, fact_id as fact, alarm_id as alarm, machine_id as machine, user_id as user, channel, state,
        reason from notifications where ${of} and id > ${marks.note}`)},
    'mails', ${list(sql`select outgoing.id, note.id as note, note.user_id as user, note.machine_id as machine from outgoing
      join notifications note on note.id = outgoing.notification_id where note.${of} and outgoing.id > ${marks.mail}`)},
    'frames', ${list(sql`select id, user_id as user, encode(body, 'hex') as body from user_events
      where user_id = any(${users}::bigint[]) and id > ${marks.frame}
        and scene in (${Scene.DEVICE_ALARM}, ${Scene.VOICE})`)}
  ) as seen`.execute(db)
  const [row] = rows
  if (!row) throw new Error('nothing was read')
  const { frames, ...seen } = row.seen
  const last = (found: readonly { readonly id: number }[], mark: number) => found.at(-1)?.id ?? mark
  return {
    ...seen,
    frames: frames.map(({ user, body }) => ({
      user,
      machine: Number(fromBinary(DeviceInformSchema, Buffer.from(body, 'hex')).deviceId),
    })),
    marks: {
      event: last(seen.events, marks.event),
      fact: last(seen.facts, marks.fact),
      note: last(seen.notes, marks.note),
      mail: last(seen.mails, marks.mail),
      frame: last(frames, marks.frame),
    },
  }
}
