import { createHmac } from 'node:crypto'
import type { alarmContacts as contract, Lang } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { addressDigest } from '../outgoing/index.ts'
import { columnsOf, isOf, lockSpace, type Space, spaceOf } from '../spaces/index.ts'

type Db = Kysely<DB>

/** Hashes addresses, so that the platform remembers one without knowing it. */
export interface AddressHashes {
  of(email: string): Buffer
  /** Of a digest that a link names. */
  ofDigest(digest: Buffer): Buffer
}

export function createAddressHashes(box: Pick<SecretBox, 'derive'>): AddressHashes {
  const key = box.derive('alarm-contact.address')
  const ofDigest = (digest: Buffer) => createHmac('sha256', key).update(digest).digest()
  return { of: (email) => ofDigest(addressDigest(email)), ofDigest }
}

const isOfOwner = (owner: Space) => sql<boolean>`${isOf(owner, 'contact')} and contact.account_id is null`

/** A contact with its machines. */
export interface ContactRow {
  readonly id: number
  /** A person with an account, whom a report asked; their name and address are those of the account. */
  readonly account_id: number | null
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

const columns = sql`contact.id, contact.user_id, contact.enterprise_id, contact.account_id, contact.lang,
  coalesce((select users.name from users where users.id = contact.account_id), contact.name) as name,
  case when contact.account_id is null then contact.email
    else coalesce((select users.email from users where users.id = contact.account_id), '') end as email,
  contact.confirmed_at, contact.asked_at, contact.left_at, contact.may_confirm,
  array(select machine_id from alarm_contact_machines where contact_id = contact.id order by machine_id)::float8[] as machine_ids`

/** The person or the enterprise that a contact belongs to. */
export const ownerOf = ({ user_id, enterprise_id }: Pick<ContactRow, 'user_id' | 'enterprise_id'>): Space =>
  spaceOf({ userId: user_id, enterpriseId: enterprise_id })

/** The state of a contact; leaving comes before everything else. */
export function contactStateOf(row: Pick<ContactRow, 'left_at' | 'confirmed_at'>): contract.ContactState {
  if (row.left_at) return 'left'
  return row.confirmed_at ? 'confirmed' : 'asked'
}

/** The contacts of a person or an enterprise by name; `machineId`: those of this machine only. */
export async function listContacts(db: Db, owner: Space, machineId?: number): Promise<ContactRow[]> {
  const isOfMachine =
    machineId === undefined
      ? sql``
      : sql`and exists (select from alarm_contact_machines
          where contact_id = contact.id and machine_id = ${machineId})`
  const { rows } = await sql<ContactRow>`
    select ${columns} from alarm_contacts contact where ${isOfOwner(owner)} ${isOfMachine}
    order by contact.name, contact.id`.execute(db)
  return rows
}

/** A contact of an owner, locked; undefined if the id is not one of theirs. */
export async function lockContact(trx: Db, owner: Space, id: number): Promise<ContactRow | undefined> {
  const { rows } = await sql<ContactRow>`
    select ${columns} from alarm_contacts contact where id = ${id} and ${isOfOwner(owner)} for update`.execute(
    trx,
  )
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
export async function lockContacts(trx: Db, owner: Space): Promise<number> {
  await lockSpace(trx, owner)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from alarm_contacts contact where ${isOfOwner(owner)}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Whether another contact of the owner has this address. */
export async function hasContact(db: Db, owner: Space, email: string, otherThan = 0): Promise<boolean> {
  const { rows } = await sql`
    select from alarm_contacts contact
    where ${isOfOwner(owner)} and lower(email) = lower(${email}) and id <> ${otherThan}`.execute(db)
  return rows.length > 0
}

interface NewContact {
  readonly name: string
  readonly email: string
  readonly lang: Lang
  readonly mayConfirm: boolean
  readonly at: Date
  /** The address left this owner's mails within the last year. */
  readonly leftAt?: Date | undefined
}

export async function createContact(trx: Db, owner: Space, contact: NewContact): Promise<number> {
  const { name, email, lang, mayConfirm, at, leftAt } = contact
  const { id } = await trx
    .insertInto('alarm_contacts')
    .values({
      ...columnsOf(owner),
      name,
      email,
      lang,
      may_confirm: mayConfirm,
      created_at: at,
      left_at: leftAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a contact; a changed address is unconfirmed, and its links are void. */
export async function updateContact(
  trx: Db,
  id: number,
  { name, email, lang, mayConfirm, leftAt }: Omit<NewContact, 'at'>,
  isNewAddress: boolean,
): Promise<void> {
  const unconfirmed = { token_hash: null, confirmed_at: null, asked_at: null, left_at: leftAt ?? null }
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

export async function removeContact(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('alarm_contacts').where('id', '=', id).execute()
}

/**
 * Keeps of a contact that is removed, or gets another address, whether it left: by a hash of the address, so that the
 * same owner does not ask it again, and the links of its mails still answer.
 */
export async function keepFormer(
  trx: Db,
  owner: Space,
  { id, addressHash, leftAt, at }: { id: number; addressHash: Buffer; leftAt: Date | null; at: Date },
): Promise<void> {
  await trx
    .insertInto('former_contacts')
    .values({
      ...columnsOf(owner),
      contact_id: id,
      address_hash: addressHash,
      left_at: leftAt,
      removed_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['contact_id', 'address_hash']).doUpdateSet({ left_at: leftAt, removed_at: at }),
    )
    .execute()
}

/** When an address last left the mails of an owner, at `since` or later; undefined if it did not. */
export async function findLeftAt(
  db: Db,
  owner: Space,
  addressHash: Buffer,
  since: Date,
): Promise<Date | undefined> {
  const { rows } = await sql<{ left_at: Date }>`
    select left_at from former_contacts where address_hash = ${addressHash} and left_at >= ${since}
      and ${isOf(owner, 'former_contacts')}
    order by left_at desc limit 1`.execute(db)
  return rows[0]?.left_at
}

/** The rest of a removed contact. */
export interface FormerContact {
  readonly contact_id: number
  readonly user_id: number | null
  readonly enterprise_id: number | null
  readonly address_hash: Buffer
  readonly left_at: Date | null
}

/** The rest of a contact under one of its former addresses. */
export async function findFormer(
  db: Db,
  contactId: number,
  addressHash: Buffer,
): Promise<FormerContact | undefined> {
  return db
    .selectFrom('former_contacts')
    .selectAll()
    .where('contact_id', '=', contactId)
    .where('address_hash', '=', addressHash)
    .executeTakeFirst()
}

/** Notes that a former contact left now. */
export async function leaveFormer(
  trx: Db,
  { contact_id, address_hash }: FormerContact,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('former_contacts')
    .set({ left_at: at })
    .where('contact_id', '=', contact_id)
    .where('address_hash', '=', address_hash)
    .where('left_at', 'is', null)
    .execute()
}

/** The contact of an owner for a person with an account, locked; undefined: they were never asked. */
export async function findAccountContact(
  db: Db,
  owner: Space,
  userId: number,
): Promise<ContactRow | undefined> {
  const { rows } = await sql<ContactRow>`
    select ${columns} from alarm_contacts contact where contact.account_id = ${userId}
      and ${isOf(owner, 'contact')}
    for update`.execute(db)
  return rows[0]
}

/** The contacts of an owner for people with an account. */
export async function listAccountContacts(
  db: Db,
  owner: Space,
  userIds: readonly number[],
): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select ${columns} from alarm_contacts contact where contact.account_id = any(${[...userIds]}::bigint[])
      and ${isOf(owner, 'contact')}`.execute(db)
  return rows
}

/** Adds the contact of an owner for a person with an account; `agreedAt`: they added themselves. */
export async function createAccountContact(
  trx: Db,
  owner: Space,
  contact: {
    readonly userId: number
    readonly lang: Lang
    readonly at: Date
    readonly agreedAt: Date | null
  },
): Promise<number> {
  const { id } = await trx
    .insertInto('alarm_contacts')
    .values({
      ...columnsOf(owner),
      ...{ account_id: contact.userId, name: '', email: '', lang: contact.lang, created_at: contact.at },
      confirmed_at: contact.agreedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Lets a person who left get the mails of an owner again: they added themselves. */
export async function agreeAgain(trx: Db, id: number, at: Date): Promise<void> {
  await trx
    .updateTable('alarm_contacts')
    .set({ confirmed_at: at, left_at: null })
    .where('id', '=', id)
    .execute()
}

/** Forgets contacts that left, or did not answer, before an instant: removed ones, and people with an account. */
export async function removeForgotten(db: Db, before: Date): Promise<void> {
  await sql`delete from former_contacts where removed_at < ${before} and (left_at is null or left_at < ${before})`.execute(
    db,
  )
  await sql`delete from alarm_contacts where account_id is not null
    and (left_at < ${before} or confirmed_at is null and asked_at < ${before})`.execute(db)
}

/** Takes a machine from every contact: it changes hands. */
export async function removeMachineFromContacts(trx: Db, machineId: number): Promise<void> {
  await trx.deleteFrom('alarm_contact_machines').where('machine_id', '=', machineId).execute()
}

/**
 * Mails of the last day that asked: of this owner, and to the address of this hash from everybody. Waits for others who
 * ask it.
 */
export async function countAsks(
  trx: Db,
  owner: Space,
  hash: Buffer,
  since: Date,
): Promise<{ ofOwner: number; toAddress: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(encode(${hash}, 'hex'), 17))`.execute(trx)
  const { rows } = await sql<{ ofOwner: number; toAddress: number }>`
    select (select count(*) from alarm_contact_asks
            where not is_report and at > ${since} and ${isOf(owner, 'alarm_contact_asks')})::int as "ofOwner",
           (select count(*) from alarm_contact_asks where not is_report and at > ${since} and email_hash = ${hash})::int as "toAddress"`.execute(
    trx,
  )
  return rows[0] ?? { ofOwner: 0, toAddress: 0 }
}

/** Notes that a mail with this token asks a contact; the token of the mail before is void. */
export async function noteAsk(
  trx: Db,
  owner: Space,
  { id, addressHash, tokenHash, at }: { id: number; addressHash: Buffer; tokenHash: Buffer; at: Date },
): Promise<void> {
  await trx
    .insertInto('alarm_contact_asks')
    .values({ ...columnsOf(owner), email_hash: addressHash, at })
    .execute()
  await trx
    .updateTable('alarm_contacts')
    .set({ token_hash: tokenHash, asked_at: at })
    .where('id', '=', id)
    .execute()
}

/** Lets one transaction at a time ask for an owner's reports, or send them; no row is locked for it. */
export async function lockReportsOf(trx: Db, owner: Space): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(owner)}, 18))`.execute(trx)
}

/** The mails with reports of an owner since an instant. */
export async function countReportMails(trx: Db, owner: Space, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from alarm_contact_asks where is_report and at > ${since}
      and ${isOf(owner, 'alarm_contact_asks')}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Notes that mails with a report go out. */
export async function noteReportMails(
  trx: Db,
  owner: Space,
  addressHashes: readonly Buffer[],
  at: Date,
): Promise<void> {
  if (addressHashes.length === 0) return
  await trx
    .insertInto('alarm_contact_asks')
    .values(addressHashes.map((email_hash) => ({ ...columnsOf(owner), email_hash, at, is_report: true })))
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
