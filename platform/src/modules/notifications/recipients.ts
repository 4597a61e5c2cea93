import type { Lang } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { readerOf } from '../../reader.ts'
import type { PairAccess } from '../access/index.ts'
import { mainBrandId } from '../brands/index.ts'
import { chosenNameFor, nameFor, spaceFor } from '../machine-names/index.ts'
import { listenersOf } from './audience.ts'
import { isQuiet } from './decide.ts'
import * as settings from './settings-store.ts'

type Db = Kysely<DB>

/** A person or a contact who is notified of a machine's alarms, with the data that decides how. */
export interface Recipient {
  /** The key of the person and the machine. */
  readonly key: string
  readonly machineId: number
  readonly userId: number | null
  readonly contactId: number | null
  /** By SMS and e-mail too. */
  readonly isWritten: boolean
  readonly lang: Lang
  readonly timeZone: string
  readonly brandId: number
  readonly countryCode: string
  readonly phone: string | null
  readonly email: string | null
  /** Whether the machine, its enterprise and the person let messages be sent. */
  readonly on: Readonly<Record<'sms' | 'email', boolean>>
  readonly isQuiet: boolean
  /** An SMS about one alarm has a link that confirms it. */
  readonly hasLinkInSms: boolean
  readonly hasVoice: boolean
  readonly dailyMax: number
  readonly machineDailyMax: number
  /** As this person calls the machine. */
  readonly machineName: string
  /** The machine in a subject: a name that they or their enterprise chose, else its code. */
  readonly subjectName: string
  /** The enterprise in whose list they find the machine; null: their own. */
  readonly eid: number | null
}

/** A machine whose alarms are notified. */
export interface ToldMachine {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly owner_user_id: number | null
  readonly owner_enterprise_id: number | null
  readonly owned_since: Date | null
  readonly space_zone: string | null
}

export async function listMachines(db: Db, machineIds: readonly number[]): Promise<Map<number, ToldMachine>> {
  const { rows } = await withKeptPlan(
    'told-machines',
    sql<ToldMachine>`
    select machines.id, machines.code, machines.name, owner_user_id, owner_enterprise_id, owned_since,
           space.time_zone as space_zone
    from machines left join enterprises space on space.id = owner_enterprise_id
    where machines.id = any(${[...machineIds]}::bigint[])`,
  ).execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

interface PersonRow {
  readonly id: number
  readonly machine_id: number
  readonly lang: string
  readonly time_zone: string | null
  readonly country_code: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly brand_id: number | null
  readonly name: string
  readonly chosen_name: string | null
  readonly eid: number | null
}

interface ContactRow {
  readonly id: number
  readonly machine_id: number
  readonly email: string
  readonly lang: string
  readonly owner_id: number | null
  readonly enterprise_id: number | null
  readonly owner_zone: string | null
  readonly brand_id: number | null
}

/** The wanted recipients; frames need no contacts and no settings for SMS and e-mails. */
export interface Asked {
  readonly isOfPages?: boolean
}

/** All recipients of the alarms of these machines, by the rights that people have to each. */
export async function listRecipients(
  db: Db,
  machines: ReadonlyMap<number, ToldMachine>,
  pairs: readonly PairAccess[],
  now: number,
  { isOfPages = false }: Asked = {},
): Promise<Recipient[]> {
  const machineIds = [...machines.keys()]
  const eids = [...machines.values()].flatMap(({ owner_enterprise_id: id }) => (id === null ? [] : [id]))
  const [chosen, ofMachines, contacts, ofSpaces] = await Promise.all([
    isOfPages ? new Map<number, Set<number>>() : settings.listChosenVisitors(db, machineIds),
    isOfPages ? new Map<number, settings.MachineSettings>() : settings.listMachineSettings(db, machineIds),
    isOfPages ? [] : listContacts(db, machineIds),
    settings.listSpaceSettings(db, isOfPages ? [] : eids),
  ])
  const listeners = listenersOf(pairs, chosen)
  const owners = contacts.flatMap(({ owner_id: id }) => (id === null ? [] : [id]))
  const userIds = [...new Set([...listeners.map(({ userId }) => userId), ...owners])]
  const [people, ofPeople] = await Promise.all([
    listPeople(db, listeners),
    settings.listPersonSettings(db, userIds),
  ])

  /** The settings that hold for a person at a machine: of an enterprise's device its own limits and quiet hours. */
  const settingsAt = (machine: ToldMachine, userId: number | null, zone: string) => {
    const person = (userId === null ? undefined : ofPeople.get(userId)) ?? settings.usualSettings
    const eid = machine.owner_enterprise_id
    const space = (eid === null ? undefined : ofSpaces.get(eid)) ?? settings.usualSettings
    const own = ofMachines.get(machine.id) ?? settings.usualMachineSettings
    const limits = eid === null ? person : space
    return {
      areMailsOn: own.email && space.email,
      on: {
        sms: own.sms && person.sms && space.sms,
        email: own.email && person.email && space.email,
      },
      isQuiet: person.quietFrom
        ? isQuiet(person, zone, now)
        : isQuiet(space, machine.space_zone ?? zone, now),
      hasLinkInSms: own.linkInSms,
      dailyMax: limits.smsDaily,
      machineDailyMax: limits.machineSmsDaily,
      hasVoice: person.voice,
    }
  }

  const written = new Set(listeners.filter((one) => one.isWritten).map(keyOf))
  const persons = people.flatMap((row): Recipient[] => {
    const machine = machines.get(row.machine_id)
    if (!machine) return []
    const { lang, timeZone } = readerOf(row)
    return [
      {
        key: keyOf({ userId: row.id, machineId: row.machine_id }),
        machineId: row.machine_id,
        userId: row.id,
        contactId: null,
        isWritten: written.has(keyOf({ userId: row.id, machineId: row.machine_id })),
        lang,
        timeZone,
        brandId: row.brand_id ?? mainBrandId,
        countryCode: row.country_code ?? '',
        phone: row.phone,
        email: row.email,
        machineName: row.name,
        subjectName: row.chosen_name || machine.code,
        eid: row.eid,
        ...settingsAt(machine, row.id, timeZone),
      },
    ]
  })
  return [...persons, ...contactsOf(contacts, machines, pairs, settingsAt)]
}

const keyOf = ({ userId, machineId }: { readonly userId: number; readonly machineId: number }) =>
  `${userId}/${machineId}`

/** Contacts whose owner may still share the machine's alarms. */
function contactsOf(
  contacts: readonly ContactRow[],
  machines: ReadonlyMap<number, ToldMachine>,
  pairs: readonly PairAccess[],
  settingsAt: (
    machine: ToldMachine,
    userId: number | null,
    zone: string,
  ) => Pick<Recipient, 'isQuiet' | 'hasLinkInSms' | 'dailyMax' | 'machineDailyMax'> & {
    readonly areMailsOn: boolean
  },
): Recipient[] {
  const held = new Set(pairs.filter(({ access }) => access.rights.has('holder')).map(keyOf))
  return contacts.flatMap((row): Recipient[] => {
    const machine = machines.get(row.machine_id)
    if (!machine) return []
    const isHeld =
      row.owner_id === null
        ? machine.owner_enterprise_id === row.enterprise_id
        : held.has(keyOf({ userId: row.owner_id, machineId: row.machine_id }))
    if (!isHeld) return []
    const { lang, timeZone } = readerOf({ lang: row.lang, time_zone: row.owner_zone })
    const { areMailsOn, ...how } = settingsAt(machine, row.owner_id, timeZone)
    return [
      {
        key: `contact${row.id}/${row.machine_id}`,
        machineId: row.machine_id,
        userId: null,
        contactId: row.id,
        isWritten: true,
        lang,
        timeZone,
        brandId: row.brand_id ?? mainBrandId,
        countryCode: '',
        phone: null,
        email: row.email,
        machineName: machine.name || machine.code,
        subjectName: machine.code,
        eid: null,
        ...how,
        // A contact's mails do not depend on its owner's settings for their own account.
        on: { sms: false, email: areMailsOn },
        hasVoice: false,
      },
    ]
  })
}

async function listPeople(
  db: Db,
  listeners: readonly { readonly userId: number; readonly machineId: number }[],
): Promise<PersonRow[]> {
  if (listeners.length === 0) return []
  const userIds = listeners.map(({ userId }) => userId)
  const machineIds = listeners.map(({ machineId }) => machineId)
  const { rows } = await withKeptPlan(
    'told-people',
    sql<PersonRow>`
    select users.id, pair.machine_id, lang, time_zone, country_code, phone, email, session.brand_id,
           ${nameFor(sql.ref('pair.user_id'), sql.ref('pair.machine_id'))} as name,
           ${chosenNameFor(sql.ref('pair.user_id'), sql.ref('pair.machine_id'))} as chosen_name,
           ${spaceFor(sql.ref('pair.user_id'), sql.ref('pair.machine_id'))} as eid
    from unnest(${userIds}::bigint[], ${machineIds}::bigint[]) as pair (user_id, machine_id)
    join users on users.id = pair.user_id
    left join lateral (
      select brand_id from sessions where sessions.user_id = users.id order by last_seen_at desc limit 1
    ) session on true
    order by users.id, pair.machine_id`,
  ).execute(db)
  return rows
}

async function listContacts(db: Db, machineIds: readonly number[]): Promise<ContactRow[]> {
  const { rows } = await withKeptPlan(
    'told-contacts',
    sql<ContactRow>`
    select contact.id, told.machine_id, contact.email, contact.lang, contact.user_id as owner_id,
           contact.enterprise_id, coalesce(owner.time_zone, space.time_zone) as owner_zone, session.brand_id
    from alarm_contact_machines told
    join alarm_contacts contact on contact.id = told.contact_id
    left join users owner on owner.id = contact.user_id
    left join enterprises space on space.id = contact.enterprise_id
    left join lateral (
      select brand_id from sessions
      -- One condition on the person: with "or" every session is read.
      where sessions.user_id = any(case when contact.user_id is not null then array[contact.user_id] else array(
        select member.user_id from enterprise_members member
        where member.enterprise_id = contact.enterprise_id and member.role = 'owner') end)
      order by last_seen_at desc limit 1
    ) session on true
    where told.machine_id = any(${[...machineIds]}::bigint[])
      and contact.confirmed_at is not null and contact.left_at is null
    order by contact.id, told.machine_id`,
  ).execute(db)
  return rows
}
