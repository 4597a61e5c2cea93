import type { Lang, machines } from '@busbar/contract'
import { sql, type Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'

/*
 * Notifications of the demo's past alarms: to its owner in the page and by e-mail, and to a recipient without an
 * account by e-mail. Alarms within ten minutes of a message went in one digest, as in production.
 */

const minuteMs = 60_000
const windowMs = 10 * minuteMs
const shift: Readonly<Record<Lang, string>> = { cn: '泵站夜班', en: 'Night shift' }
const shiftMail = 'night-shift@example.com'

/** A past alarm, epoch milliseconds. */
export interface ToldPast {
  readonly alarmId: number
  readonly level: machines.AlarmLevel
  readonly raisedAt: number
}

interface Of {
  readonly machineId: number
  readonly ownerId: number
  readonly lang: Lang
  readonly madeAt: number
}

/** Writes the notifications of alarms of one machine, which are in the order of their raising. */
export async function createDemoNotifications(
  trx: Transaction<DB>,
  of: Of,
  alarms: readonly ToldPast[],
): Promise<void> {
  const contactId = await createContact(trx, of)
  const rows: (ToldPast & { readonly isFirst: boolean; readonly sentAt: number; readonly digest: number })[] =
    []
  let [openedAt, digest] = [Number.NEGATIVE_INFINITY, 0]
  for (const alarm of alarms) {
    const isFirst = alarm.raisedAt - openedAt >= windowMs
    if (isFirst) [openedAt, digest] = [alarm.raisedAt, 0]
    else digest ||= alarm.alarmId
    rows.push({ ...alarm, isFirst, digest, sentAt: (isFirst ? alarm.raisedAt : openedAt + windowMs) + 800 })
  }
  const given = JSON.stringify(
    rows.map((row) => ({ ...row, raisedAt: at(row.raisedAt), sentAt: at(row.sentAt) })),
  )
  // They have no facts; ids of facts are positive.
  await sql`
    with given as (
      select * from jsonb_to_recordset(${given}::jsonb) as given ("alarmId" bigint, level text, "raisedAt" timestamptz,
        "isFirst" boolean, "sentAt" timestamptz, digest bigint)
    )
      insert into notifications (fact_id, alarm_id, machine_id, user_id, contact_id, channel, level, state, reason,
        is_first, created_at, settled_at)
      select -"alarmId", "alarmId", ${of.machineId}::bigint, told.user_id, told.contact_id, told.channel, level, 'sent',
        case when told.channel = 'email' and not "isFirst" then 'digest' else '' end,
        told.channel = 'email' and "isFirst", "raisedAt",
        case when told.channel = 'email' then "sentAt" else "raisedAt" end
      from given cross join (values (${of.ownerId}::bigint, null::bigint, 'push'), (${of.ownerId}, null, 'email'),
        (null, ${contactId}::bigint, 'email')) told (user_id, contact_id, channel)
      order by given."raisedAt"`.execute(trx)
  // The first alarm of a digest bears it.
  await sql`
    update notifications note set digest_id = bearer.id
    from notifications bearer,
      jsonb_to_recordset(${given}::jsonb) as given ("alarmId" bigint, digest bigint)
    where given.digest > 0 and note.alarm_id = given."alarmId" and note.channel = 'email'
      and bearer.alarm_id = given.digest and bearer.channel = 'email'
      and bearer.user_id is not distinct from note.user_id
      and bearer.contact_id is not distinct from note.contact_id`.execute(trx)
}

const at = (ms: number) => new Date(ms).toISOString()

/** A recipient with a confirmed address. */
async function createContact(
  trx: Transaction<DB>,
  { machineId, ownerId, lang, madeAt }: Of,
): Promise<number> {
  const confirmedAt = new Date(madeAt - 8 * 24 * 60 * minuteMs)
  const { id } = await trx
    .insertInto('alarm_contacts')
    .values({
      ...{ user_id: ownerId, name: shift[lang], email: shiftMail, lang, created_at: confirmedAt },
      ...{ asked_at: confirmedAt, confirmed_at: confirmedAt },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.insertInto('alarm_contact_machines').values({ contact_id: id, machine_id: machineId }).execute()
  return id
}
