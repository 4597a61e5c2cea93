import { type Kysely, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>

/**
 * The settings of a person's, or an enterprise's, notifications about alarms. Times are `22:30`; empty: no quiet hours.
 */
export interface Settings {
  readonly sms: boolean
  readonly email: boolean
  readonly smsDaily: number
  readonly machineSmsDaily: number
  readonly quietFrom: string
  readonly quietTo: string
}

/** Of a person only. */
export interface PersonSettings extends Settings {
  /** Pages speak critical alarms. */
  readonly voice: boolean
  /** Pages show notifications of the browser. */
  readonly browser: boolean
}

/** The defaults (rules/messages.md: daily limits). */
export const usualSettings: PersonSettings = {
  sms: true,
  email: true,
  smsDaily: 50,
  machineSmsDaily: 20,
  quietFrom: '',
  quietTo: '',
  voice: false,
  browser: false,
}

interface SettingsRow {
  readonly sms: boolean
  readonly email: boolean
  readonly sms_daily: number
  readonly machine_sms_daily: number
  readonly quiet_from: string | null
  readonly quiet_to: string | null
}

const minutesOf = (time: string | null) => time?.slice(0, 5) ?? ''

const settingsOf = (row: SettingsRow): Settings => ({
  sms: row.sms,
  email: row.email,
  smsDaily: row.sms_daily,
  machineSmsDaily: row.machine_sms_daily,
  quietFrom: minutesOf(row.quiet_from),
  quietTo: minutesOf(row.quiet_to),
})

/** The settings of these people; people without settings are left out. */
export async function listPersonSettings(
  db: Db,
  userIds: readonly number[],
): Promise<Map<number, PersonSettings>> {
  const { rows } = await withKeptPlan(
    'person-settings',
    sql<SettingsRow & { user_id: number; voice: boolean; browser: boolean }>`
    select * from alarm_settings_user where user_id = any(${[...userIds]}::bigint[])`,
  ).execute(db)
  return new Map(
    rows.map((row) => [row.user_id, { ...settingsOf(row), voice: row.voice, browser: row.browser }]),
  )
}

/** The people of these who switched e-mails off. */
export async function listMailsOff(db: Db, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  const settings = await listPersonSettings(db, userIds)
  return new Set(userIds.filter((userId) => settings.get(userId)?.email === false))
}

/** Switches a person's e-mails off; false if they were off. */
export async function switchMailsOff(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`insert into alarm_settings_user (user_id, email) values (${userId}, false)
    on conflict (user_id) do update set email = false where alarm_settings_user.email returning user_id`.execute(
    db,
  )
  return rows.length > 0
}

/** The settings of these enterprises; those that set nothing are left out. */
export async function listSpaceSettings(db: Db, eids: readonly number[]): Promise<Map<number, Settings>> {
  if (eids.length === 0) return new Map()
  const { rows } = await sql<SettingsRow & { enterprise_id: number }>`
    select * from alarm_settings_enterprise where enterprise_id = any(${[...eids]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.enterprise_id, settingsOf(row)]))
}

export async function savePersonSettings(db: Db, userId: number, settings: PersonSettings): Promise<void> {
  await sql`
    insert into alarm_settings_user
      (user_id, sms, email, sms_daily, machine_sms_daily, quiet_from, quiet_to, voice, browser)
    values (${userId}, ${settings.sms}, ${settings.email}, ${settings.smsDaily}, ${settings.machineSmsDaily},
      ${settings.quietFrom || null}::time, ${settings.quietTo || null}::time, ${settings.voice}, ${settings.browser})
    on conflict (user_id) do update set (sms, email, sms_daily, machine_sms_daily, quiet_from, quiet_to, voice, browser)
      = row (excluded.sms, excluded.email, excluded.sms_daily, excluded.machine_sms_daily, excluded.quiet_from,
             excluded.quiet_to, excluded.voice, excluded.browser)`.execute(db)
}

export async function saveSpaceSettings(db: Db, eid: number, settings: Settings): Promise<void> {
  await sql`
    insert into alarm_settings_enterprise
      (enterprise_id, sms, email, sms_daily, machine_sms_daily, quiet_from, quiet_to)
    values (${eid}, ${settings.sms}, ${settings.email}, ${settings.smsDaily}, ${settings.machineSmsDaily},
      ${settings.quietFrom || null}::time, ${settings.quietTo || null}::time)
    on conflict (enterprise_id) do update set (sms, email, sms_daily, machine_sms_daily, quiet_from, quiet_to)
      = row (excluded.sms, excluded.email, excluded.sms_daily, excluded.machine_sms_daily, excluded.quiet_from,
             excluded.quiet_to)`.execute(db)
}

/** Whether SMS and e-mails are sent of a machine, and whether its SMS have a link that confirms the alarm. */
export interface MachineSettings {
  readonly sms: boolean
  readonly email: boolean
  readonly linkInSms: boolean
}

export const usualMachineSettings: MachineSettings = { sms: true, email: true, linkInSms: false }

/** The settings of these machines; those of which nothing was set are left out. */
export async function listMachineSettings(
  db: Db,
  machineIds: readonly number[],
): Promise<Map<number, MachineSettings>> {
  const { rows } = await sql<MachineSettings & { machine_id: number }>`
    select machine_id, sms, email, link_in_sms as "linkInSms" from alarm_settings_machine
    where machine_id = any(${[...machineIds]}::bigint[])`.execute(db)
  return new Map(rows.map(({ machine_id, ...own }) => [machine_id, own]))
}

/** Switches SMS and e-mails of machines; omitted ones stay. */
export async function saveMachineSettings(
  db: Db,
  machineIds: readonly number[],
  { sms, email, linkInSms }: { readonly [Name in keyof MachineSettings]?: boolean | undefined },
): Promise<void> {
  if (sms === undefined && email === undefined && linkInSms === undefined) return
  await sql`
    insert into alarm_settings_machine as own (machine_id, sms, email, link_in_sms)
    select id, ${sms ?? true}, ${email ?? true}, ${linkInSms ?? false} from machines
    where id = any(${[...machineIds]}::bigint[]) order by id
    on conflict (machine_id) do update
      set sms = coalesce(${sms ?? null}::boolean, own.sms), email = coalesce(${email ?? null}::boolean, own.email),
          link_in_sms = coalesce(${linkInSms ?? null}::boolean, own.link_in_sms)`.execute(db)
}

/** The visitors of each machine who were chosen to get SMS and e-mails. */
export async function listChosenVisitors(
  db: Db,
  machineIds: readonly number[],
): Promise<Map<number, Set<number>>> {
  const { rows } = await sql<{ machine_id: number; user_id: number }>`
    select machine_id, user_id from alarm_visitors where machine_id = any(${[...machineIds]}::bigint[])`.execute(
    db,
  )
  const chosen = new Map<number, Set<number>>()
  for (const { machine_id, user_id } of rows)
    chosen.set(machine_id, (chosen.get(machine_id) ?? new Set()).add(user_id))
  return chosen
}

/** Sets the visitors of machines who get SMS and e-mails, and replaces the former ones. */
export async function saveChosenVisitors(
  trx: Db,
  machineIds: readonly number[],
  userIds: readonly number[],
): Promise<void> {
  await sql`
    delete from alarm_visitors where machine_id = any(${[...machineIds]}::bigint[])
      and not user_id = any(${[...userIds]}::bigint[])`.execute(trx)
  // Only people with a grant of the machine: other ids are ignored.
  await sql`
    insert into alarm_visitors (machine_id, user_id)
    select machine_id, user_id from machine_grants
    where machine_id = any(${[...machineIds]}::bigint[]) and user_id = any(${[...userIds]}::bigint[])
    order by machine_id, user_id
    on conflict do nothing`.execute(trx)
}

/** Begins the settings of a machine anew. */
export async function removeMachineSettings(trx: Db, machineId: number): Promise<void> {
  await sql`delete from alarm_settings_machine where machine_id = ${machineId}`.execute(trx)
  await sql`delete from alarm_visitors where machine_id = ${machineId}`.execute(trx)
}
