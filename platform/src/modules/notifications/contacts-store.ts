import { createHash } from 'node:crypto'
import type { alarmContacts as contract, Lang } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>

/** The person or the enterprise whose contacts are meant. */
export type ContactOwner = { readonly userId: number } | { readonly enterpriseId: number }

const idsOf = (owner: ContactOwner) => ({
  user_id: 'userId' in owner ? owner.userId : null,
  enterprise_id: 'enterpriseId' in owner ? owner.enterpriseId : null,
})

const isOf = (owner: ContactOwner) => {
  const { user_id, enterprise_id } = idsOf(owner)
  return sql<boolean>`(contact.user_id = ${user_id}::bigint or contact.enterprise_id = ${enterprise_id}::bigint)`
}

/** A contact with its machines. */
export interface ContactRow {
  readonly id: number
  readonly user_id: number | null
  readonly enterprise_id: number | null
  readonly name: string
  readonly email: string
  readonly lang: Lang
  readonly confirmed_at: Date | null
  readonly asked_at: Date | null
  readonly left_at: Date | null
  readonly may_confirm: boolean
  readonly machine_ids: number[]
}

const columns = sql`contact.id, contact.user_id, contact.enterprise_id, contact.name, contact.email, contact.lang,
  contact.confirmed_at, contact.asked_at, contact.left_at, contact.may_confirm,
  array(select machine_id from alarm_contact_machines where contact_id = contact.id order by machine_id)::float8[] as machine_ids`

/** The state of a contact; leaving comes before everything else. */
export function contactStateOf(row: Pick<ContactRow, 'left_at' | 'confirmed_at'>): contract.ContactState {
  if (row.left_at) return 'left'
  return row.confirmed_at ? 'confirmed' : 'asked'
}

/** The contacts of a person or an enterprise by name; `machineId`: those of this machine only. */
export async function listContacts(db: Db, owner: ContactOwner, machineId?: number): Promise<ContactRow[]> {
  const isOfMachine =
    machineId === undefined
      ? sql``
      : sql`and exists (select from alarm_contact_machines
          where contact_id = contact.id and machine_id = ${machineId})`
  const { rows } = await sql<ContactRow>`
    select ${columns} from alarm_contacts contact where ${isOf(owner)} ${isOfMachine}
    order by contact.name, contact.id`.execute(db)
  return rows
}

/** A contact of an owner, locked; undefined if the id is not one of theirs. */
export async function lockContact(trx: Db, owner: ContactOwner, id: number): Promise<ContactRow | undefined> {
  const { rows } = await sql<ContactRow>`
    select ${columns} from alarm_contacts contact where id = ${id} and ${isOf(owner)} for update`.execute(trx)
  return rows[0]
}

/** A contact by the token of the mail that asked it, locked, while that is valid; asked at `since` or later. */
export async function findContactByToken(
  db: Db,
  tokenHash: Buffer,
  since: Date,
): Promise<ContactRow | undefined> {
  const { rows } = await sql<ContactRow>`
    select ${columns} from alarm_contacts contact
    where token_hash = ${tokenHash} and left_at is null and asked_at >= ${since}`.execute(db)
  return rows[0]
}

export async function findContact(db: Db, id: number): Promise<ContactRow | undefined> {
  const { rows } = await sql<ContactRow>`
    select ${columns} from alarm_contacts contact where id = ${id}`.execute(db)
  return rows[0]
}

/** Locks an owner against other changes of their contacts, and counts these. */
export async function lockContacts(trx: Db, owner: ContactOwner): Promise<number> {
  if ('userId' in owner) await lockPerson(trx, owner.userId)
  else await sql`select from enterprises where id = ${owner.enterpriseId} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from alarm_contacts contact where ${isOf(owner)}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Whether another contact of the owner has this address. */
export async function hasContact(
  db: Db,
  owner: ContactOwner,
  email: string,
  otherThan = 0,
): Promise<boolean> {
  const { rows } = await sql`
    select from alarm_contacts contact
    where ${isOf(owner)} and lower(email) = lower(${email}) and id <> ${otherThan}`.execute(db)
  return rows.length > 0
}

interface NewContact {
  readonly name: string
  readonly email: string
  readonly lang: Lang
  readonly mayConfirm: boolean
  readonly at: Date
}

export async function createContact(trx: Db, owner: ContactOwner, contact: NewContact): Promise<number> {
  const { name, email, lang, mayConfirm, at } = contact
  const { id } = await trx
    .insertInto('alarm_contacts')
    .values({ ...idsOf(owner), name, email, lang, may_confirm: mayConfirm, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a contact; a changed address is unconfirmed, and its links are void. */
export async function updateContact(
  trx: Db,
  id: number,
  { name, email, lang, mayConfirm }: Omit<NewContact, 'at'> & { readonly email: string },
  isNewAddress: boolean,
): Promise<void> {
  const unconfirmed = { token_hash: null, confirmed_at: null, asked_at: null, left_at: null }
  await trx
    .updateTable('alarm_contacts')
    .set({ name, email, lang, may_confirm: mayConfirm, ...(isNewAddress ? unconfirmed : {}) })
    .where('id', '=', id)
    .execute()
  if (isNewAddress) await trx.deleteFrom('alarm_links').where('contact_id', '=', id).execute()
}

export async function setContactMachines(trx: Db, id: number, machineIds: readonly number[]): Promise<void> {
  const ids = [...new Set(machineIds)]
  await sql`delete from alarm_contact_machines
    where contact_id = ${id} and machine_id <> all(${ids}::bigint[])`.execute(trx)
  await sql`insert into alarm_contact_machines (contact_id, machine_id)
    select ${id}, machine_id from unnest(${ids}::bigint[]) as machine_id on conflict do nothing`.execute(trx)
}

export async function removeContact(trx: Db, owner: ContactOwner, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from alarm_contacts contact where id = ${id} and ${isOf(owner)} returning id`.execute(trx)
  return rows.length > 0
}

/** Takes a machine from every contact: it changes hands. */
export async function removeMachineFromContacts(trx: Db, machineId: number): Promise<void> {
  await trx.deleteFrom('alarm_contact_machines').where('machine_id', '=', machineId).execute()
}

/** Mails of the last day that asked: of this owner, and to this address from everybody. Waits for others who ask it. */
export async function countAsks(
  trx: Db,
  owner: ContactOwner,
  email: string,
  since: Date,
): Promise<{ ofOwner: number; toAddress: number }> {
  const hash = hashEmail(email)
  await sql`select pg_advisory_xact_lock(hashtextextended(encode(${hash}, 'hex'), 17))`.execute(trx)
  const { user_id, enterprise_id } = idsOf(owner)
  const { rows } = await sql<{ ofOwner: number; toAddress: number }>`
    select (select count(*) from alarm_contact_asks
            where at > ${since} and (user_id = ${user_id}::bigint or enterprise_id = ${enterprise_id}::bigint))::int as "ofOwner",
           (select count(*) from alarm_contact_asks where at > ${since} and email_hash = ${hash})::int as "toAddress"`.execute(
    trx,
  )
  return rows[0] ?? { ofOwner: 0, toAddress: 0 }
}

/** Notes that a mail with this token asks a contact; the token of the mail before is void. */
export async function noteAsk(
  trx: Db,
  owner: ContactOwner,
  { id, email, tokenHash, at }: { id: number; email: string; tokenHash: Buffer; at: Date },
): Promise<void> {
  await trx
    .insertInto('alarm_contact_asks')
    .values({ ...idsOf(owner), email_hash: hashEmail(email), at })
    .execute()
  await trx
    .updateTable('alarm_contacts')
    .set({ token_hash: tokenHash, asked_at: at })
    .where('id', '=', id)
    .execute()
}

export async function removeOldAsks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('alarm_contact_asks').where('at', '<', before).execute()
}

export async function confirmContact(db: Db, id: number, at: Date): Promise<void> {
  await db
    .updateTable('alarm_contacts')
    .set({ confirmed_at: at })
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .where('left_at', 'is', null)
    .execute()
}

/** Takes a contact off the list; its links are void. */
export async function leaveContact(trx: Db, id: number, at: Date): Promise<void> {
  await trx
    .updateTable('alarm_contacts')
    .set({ left_at: at })
    .where('id', '=', id)
    .where('left_at', 'is', null)
    .execute()
  await trx.deleteFrom('alarm_links').where('contact_id', '=', id).execute()
}

/** The name of the person or enterprise that a contact belongs to. */
export async function findOwnerName(db: Db, { user_id, enterprise_id }: ContactRow): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from users where id = ${user_id}::bigint
    union all select name from enterprises where id = ${enterprise_id}::bigint`.execute(db)
  return rows[0]?.name ?? ''
}

/** Which of the machines an enterprise owns. */
export async function listOwnedMachines(
  db: Db,
  enterpriseId: number,
  machineIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('machines')
    .select('id')
    .where('owner_enterprise_id', '=', enterpriseId)
    .where('id', 'in', machineIds.length > 0 ? machineIds : [0])
    .execute()
  return rows.map(({ id }) => id)
}

/** A contact of a machine, and whose it is. */
export interface MachineContact {
  readonly machineId: number
  readonly contactId: number
  readonly userId: number | null
  readonly name: string
  readonly email: string
  readonly lang: Lang
  readonly mayConfirm: boolean
}

/**
 * Confirmed contacts of machines. Those of an enterprise are for machines that it owns; for those of people the caller
 * checks the person's present right.
 */
export async function listContactsOfMachines(
  db: Db,
  machineIds: readonly number[],
): Promise<MachineContact[]> {
  const { rows } = await sql<MachineContact>`
    select machines.id as "machineId", contact.id as "contactId", contact.user_id as "userId", contact.name,
      contact.email, contact.lang, contact.may_confirm as "mayConfirm"
    from alarm_contact_machines entry
    join machines on machines.id = entry.machine_id
    join alarm_contacts contact on contact.id = entry.contact_id
    where entry.machine_id = any(${[...machineIds]}::bigint[]) and contact.confirmed_at is not null and contact.left_at is null
      and (contact.user_id is not null or exists (
        select from enterprises space
        where space.id = contact.enterprise_id and space.id = machines.owner_enterprise_id and space.state = 'active'))
    order by 1, 2`.execute(db)
  return rows
}

/** Small letters, as addresses are compared. */
const hashEmail = (email: string): Buffer => createHash('sha256').update(email.toLowerCase()).digest()

/** The addresses of contacts. */
export async function listAddresses(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('alarm_contacts').select(['id', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}
