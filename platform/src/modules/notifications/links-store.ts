import type { alarms, machines, telemetry } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { nameFor } from '../machine-names/index.ts'

type Db = Kysely<DB>

/** The recipient of a mail: a person with an account, or a contact. */
export type Recipient = { readonly userId: number } | { readonly contactId: number }

interface NewLink {
  readonly alarmId: number
  readonly to: Recipient
  readonly tokenHash: Buffer
}

/** Writes links with one statement. */
export async function createLinks(trx: Db, links: readonly NewLink[], expiresAt: Date): Promise<void> {
  if (links.length === 0) return
  await trx
    .insertInto('alarm_links')
    .values(
      links.map(({ alarmId, to, tokenHash }) => ({
        alarm_id: alarmId,
        user_id: 'userId' in to ? to.userId : null,
        contact_id: 'contactId' in to ? to.contactId : null,
        token_hash: tokenHash,
        expires_at: expiresAt,
      })),
    )
    .execute()
}

/** The alarm of a link, with its recipient. */
export interface LinkRow {
  readonly id: number
  readonly alarm_id: number
  readonly machine_id: number
  readonly user_id: number | null
  readonly contact_id: number | null
  readonly expires_at: Date
  readonly machine_name: string
  readonly level: machines.AlarmLevel
  readonly text: unknown
  readonly value: telemetry.TagValue | null
  readonly limit_value: alarms.AlarmRow['limit']
  readonly tag_id: number | null
  readonly count: number
  readonly raised_at: Date
  readonly cleared_at: Date | null
  readonly confirmed_at: Date | null
  readonly confirmed_by_id: number | null
  readonly confirmed_contact_id: number | null
  readonly confirmed_by: string | null
  readonly lang: string
  readonly time_zone: string | null
}

/** A link that has not expired, of an alarm in the time of its machine's present owner. */
export async function findLink(db: Db, tokenHash: Buffer, at: Date): Promise<LinkRow | undefined> {
  const machine = sql.ref('alarms.machine_id')
  const ofEnterprise = sql`(select device.name from enterprise_machines device
    where device.enterprise_id = contact.enterprise_id and device.machine_id = ${machine})`
  const { rows } = await sql<LinkRow>`
    select link.id, link.alarm_id, alarms.machine_id, link.user_id, link.contact_id, link.expires_at,
      coalesce(${ofEnterprise}, ${nameFor(sql`coalesce(link.user_id, contact.user_id)`, machine)}) as machine_name,
      alarms.level, alarms.text, alarms.value, alarms.limit_value, alarms.tag_id, alarms.count,
      alarms.raised_at, alarms.cleared_at, alarms.confirmed_at,
      alarms.confirmed_by as confirmed_by_id, alarms.confirmed_contact_id,
      coalesce(confirmer.name, other.name) as confirmed_by,
      coalesce(reader.lang, contact.lang) as lang, coalesce(reader.time_zone, space.time_zone, keeper.time_zone) as time_zone
    from alarm_links link
    join alarms on alarms.id = link.alarm_id
    left join users reader on reader.id = link.user_id
    left join alarm_contacts contact on contact.id = link.contact_id
    left join users keeper on keeper.id = contact.user_id
    left join enterprises space on space.id = contact.enterprise_id
    left join users confirmer on confirmer.id = alarms.confirmed_by
    left join alarm_contacts other on other.id = alarms.confirmed_contact_id
    where link.token_hash = ${tokenHash} and link.expires_at > ${at}
      and ${isSinceOwned({ column: 'alarms.machine_id' }, 'alarms.received_at')}`.execute(db)
  return rows[0]
}

export async function noteLinkUsed(trx: Db, id: number, at: Date): Promise<void> {
  await trx.updateTable('alarm_links').set({ confirmed_at: at }).where('id', '=', id).execute()
}

export async function removeExpiredLinks(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('alarm_links').where('expires_at', '<', at).execute()
}

/** Voids the links to alarms of a machine: it changes hands. */
export async function removeLinksOfMachine(trx: Db, machineId: number): Promise<void> {
  await sql`delete from alarm_links link using alarms
    where alarms.id = link.alarm_id and alarms.machine_id = ${machineId}`.execute(trx)
}
