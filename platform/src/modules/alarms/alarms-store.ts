import { type Kysely, sql, type Transaction } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { AlarmChange } from './alarm-change.ts'
import { isRepeat, repeatsBegin } from './alarm-repeats.ts'

type Db = Kysely<DB>

/** The one who confirms an alarm: a person with an account, or a contact by a link. */
export type Confirmer = { readonly userId: number } | { readonly contactId: number }

/** An alarm in a change, epoch milliseconds. */
type ToldRow = Omit<AlarmChange, 'kind' | 'until' | 'contactId' | 'userId'>
const told = sql`alarms.machine_id as "machineId", alarms.id as "alarmId", key, level, text, count,
  rule_id as "ruleId", tag_id as "tagId", value, limit_value as "limit"`

/**
 * Confirms alarms: those of `ids`, with `repeats` also their earlier repeats, or all of a machine; of earlier owners of
 * a machine none. Answers those that were not confirmed before. A confirmation is an event of its alarm.
 */
export async function confirmAlarms(
  db: Db,
  alarms: {
    readonly machineId?: number
    readonly ids?: readonly number[] | undefined
    readonly repeats?: boolean | undefined
  },
  by: { readonly who: Confirmer; readonly at: Date; readonly note?: string | undefined },
): Promise<AlarmChange[]> {
  const { machineId, ids, repeats = false } = alarms
  if (machineId === undefined && ids === undefined) return []
  const { who, at, note = '' } = by
  const userId = 'userId' in who ? who.userId : null
  const contactId = 'contactId' in who ? who.contactId : null
  const isNamed = ids
    ? sql`and id = any(${repeats ? sql`array(${withRepeats(ids, at)})` : sql`${[...ids]}::bigint[]`})`
    : sql``
  const isOfMachine = machineId === undefined ? sql`` : sql`and machine_id = ${machineId}`
  // Locked in the order in which the ingest locks them, so that neither waits for the other in a circle.
  const { rows } = await sql<Omit<ToldRow, 'at'>>`
    with unseen as (
      select id from alarms
      where confirmed_at is null ${isOfMachine} ${isNamed}
        and ${isSinceOwned(machineId ?? { column: 'alarms.machine_id' }, 'alarms.received_at')}
      order by id for no key update
    ), seen as (
      update alarms set confirmed_at = ${at}, confirmed_by = ${userId}, confirmed_contact_id = ${contactId}, note = ${note}
      from unseen where alarms.id = unseen.id
      returning alarms.*
    ), events as (
      insert into alarm_events (alarm_id, machine_id, kind, at, received_at, user_id, contact_id, note, level, count)
      select id, machine_id, 'confirmed', ${at}, ${at}, ${userId}, ${contactId}, ${note}, level, count
      from seen order by id
    )
    select ${told} from seen as alarms order by id`.execute(db)
  return rows.map((row) => ({
    kind: 'alarm.confirmed',
    ...withoutNulls(row),
    at: at.getTime(),
    ...('userId' in who ? { userId: who.userId } : { contactId: who.contactId }),
  }))
}

/** The ids of unconfirmed alarms: these, and their earlier repeats. */
const withRepeats = (ids: readonly number[], at: Date) => sql`
  select alarm.id from alarms named
  join alarms alarm on ${isRepeat('alarm', 'named')} and (alarm.raised_at, alarm.id) <= (named.raised_at, named.id)
  where named.id = any(${[...ids]}::bigint[]) and alarm.confirmed_at is null
    and (alarm.raised_at >= ${repeatsBegin(at)} or alarm.id = named.id)`

/**
 * Ends the alarms of a machine that stand, because it changes hands: its next birth raises those that still do. Answers
 * them to be recorded.
 */
export async function endAlarms(
  trx: Transaction<DB>,
  of: { readonly machineId: number },
  at: Date,
): Promise<AlarmChange[]> {
  const { rows } = await sql<ToldRow>`
    with open as (
      select id from alarms where machine_id = ${of.machineId} and cleared_at is null
      order by id for no key update
    ), ended as (
      update alarms set cleared_at = greatest(raised_at, ${at}::timestamptz)
      from open where alarms.id = open.id
      returning alarms.*
    ), events as (
      insert into alarm_events (alarm_id, machine_id, kind, at, received_at, level, count)
      select id, machine_id, 'cleared', cleared_at, ${at}, level, count from ended order by id
    )
    select ${told}, (extract(epoch from cleared_at) * 1000)::float8 as at from ended as alarms order by id`.execute(
    trx,
  )
  return rows.map((row) => ({ kind: 'alarm.cleared', ...withoutNulls(row) }))
}

/** Facts leave out missing fields. */
function withoutNulls<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row
}
