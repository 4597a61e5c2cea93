import {
  alarmLimits,
  type alarmContacts as contract,
  type InputOf,
  type Lang,
  timing,
} from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { AccessPort } from '../access/index.ts'
import { createToken, hashToken } from '../accounts/index.ts'
import type { Brand } from '../brands/index.ts'
import type { Outgoing, UnsubscribeUrlOf } from '../outgoing/index.ts'
import { findSpaceName, listOwned, type Space } from '../spaces/index.ts'
import { formatContactRequest } from './contacts-mail.ts'
import type { ContactRow } from './contacts-store.ts'
import * as store from './contacts-store.ts'
import { confirmContactUrl } from './links-address.ts'

const dayMs = 86_400_000
/** A contact that left is not asked again by the same owner for so long (rules/messages.md: contacts). */
export const leftKeptMs = 366 * dayMs

export interface ContactsDeps {
  readonly db: Database
  readonly access: Pick<AccessPort, 'on'>
  readonly outgoing: Pick<Outgoing, 'queue'>
  /** Where people of a brand open the console. */
  readonly originOf: (brand: Brand) => string | undefined
  readonly unsubscribeUrlOf: UnsubscribeUrlOf
  readonly hashes: store.AddressHashes
}

/** A person who changes contacts, and where. */
export interface ContactCaller {
  readonly userId: number
  readonly now: number
  readonly lang: Lang
  readonly brand: Brand
}

type Written = Omit<InputOf<typeof contract.createContact>, 'lang'> & { readonly lang?: Lang | undefined }
type Changed = Omit<InputOf<typeof contract.updateContact>, 'id'>

/** The contacts of an owner, with the machines whose alarms the owner may share now. */
export async function listContacts(
  { db, access }: ContactsDeps,
  owner: Space,
  machineId: number | undefined,
  now: number,
): Promise<contract.AlarmContact[]> {
  const rows = await store.listContacts(db, owner, machineId)
  const machineIds = rows.flatMap(({ machine_ids }) => machine_ids)
  const held = await listHeld(db, access, { owner, machineIds }, now)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    lang: row.lang,
    machineIds: row.machine_ids.filter((id) => held.has(id)),
    state: store.contactStateOf(row),
    mayConfirm: row.may_confirm,
    askedAt: row.asked_at?.getTime() ?? null,
    confirmedAt: row.confirmed_at?.getTime() ?? null,
    leftAt: row.left_at?.getTime() ?? null,
  }))
}

/** The machines among these that a person holds, or an enterprise owns. */
async function listHeld(
  db: Database,
  access: Pick<AccessPort, 'on'>,
  { owner, machineIds }: { readonly owner: Space; readonly machineIds: readonly number[] },
  now: number,
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(machineIds)]
  if ('enterpriseId' in owner) return listOwned(db, owner.enterpriseId, ids)
  const rights = await access.on(db).list(owner.userId, ids, now)
  return new Set(ids.filter((id) => rights.get(id)?.rights.has('holder')))
}

/** @throws Failure 403 for a machine whose alarms the owner may not share, CONTACT_CONFIRM_KEY without its Akey */
async function requireMachines(
  trx: Database,
  { access }: ContactsDeps,
  owner: Space,
  { machineIds, mayConfirm }: { readonly machineIds: readonly number[]; readonly mayConfirm: boolean },
  { userId, now }: ContactCaller,
): Promise<void> {
  const held = await listHeld(trx, access, { owner, machineIds }, now)
  if (!machineIds.every((id) => held.has(id))) throw new Failure('403')
  if (mayConfirm && !(await access.on(trx).has(userId, 'akey', machineIds, now)))
    throw new Failure('CONTACT_CONFIRM_KEY')
}

/**
 * Adds a contact and asks it by mail. One whose address left the owner's mails within a year has left from the beginning.
 * @throws Failure CONTACT_EXISTS, CONTACTS_FULL, CONTACT_MAILS_FULL, CONTACT_CONFIRM_KEY, 403
 */
export async function createContact(
  deps: ContactsDeps,
  owner: Space,
  request: Written,
  by: ContactCaller,
): Promise<number> {
  return withTransaction(deps.db, async (trx) => {
    await requireMachines(trx, deps, owner, request, by)
    if ((await store.lockContacts(trx, owner)) >= alarmLimits.contactsPerOwner)
      throw new Failure('CONTACTS_FULL')
    if (await store.hasContact(trx, owner, request.email)) throw new Failure('CONTACT_EXISTS')
    const { name, email, mayConfirm, lang = by.lang } = request
    const leftAt = await findLeftAt(deps, trx, owner, email, by.now)
    const contact = { name, email, lang, mayConfirm, at: new Date(by.now), leftAt }
    const id = await store.createContact(trx, owner, contact)
    await store.setContactMachines(trx, id, request.machineIds)
    if (!leftAt) await ask(deps, trx, owner, id, by)
    return id
  })
}

/**
 * Changes a contact; another address is asked anew.
 * @throws Failure 404, CONTACT_EXISTS, CONTACT_MAILS_FULL, CONTACT_CONFIRM_KEY, 403
 */
export async function updateContact(
  deps: ContactsDeps,
  owner: Space,
  id: number,
  request: Changed,
  by: ContactCaller,
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    await store.lockContacts(trx, owner)
    const former = await store.lockContact(trx, owner, id)
    if (!former) throw new Failure('404')
    const { name = former.name, email = former.email, lang = former.lang } = request
    const { mayConfirm = former.may_confirm } = request
    const held = await listHeld(trx, deps.access, { owner, machineIds: former.machine_ids }, by.now)
    const machineIds = request.machineIds ?? former.machine_ids.filter((machineId) => held.has(machineId))
    const givesKey = mayConfirm && (!former.may_confirm || request.machineIds !== undefined)
    await requireMachines(trx, deps, owner, { machineIds, mayConfirm: givesKey }, by)
    if (await store.hasContact(trx, owner, email, id)) throw new Failure('CONTACT_EXISTS')
    const isNewAddress = email.toLowerCase() !== former.email.toLowerCase()
    if (isNewAddress) await keepFormer(deps, trx, owner, former, by.now)
    const leftAt = isNewAddress ? await findLeftAt(deps, trx, owner, email, by.now) : undefined
    await store.updateContact(trx, id, { name, email, lang, mayConfirm, leftAt }, isNewAddress)
    await store.setContactMachines(trx, id, machineIds)
    if (isNewAddress && !leftAt) await ask(deps, trx, owner, id, by)
  })
}

/**
 * Sends the mail with the link again.
 * @throws Failure 404, CONTACT_LEFT, CONTACT_CONFIRMED, CONTACT_ASKED within an hour, CONTACT_MAILS_FULL
 */
export async function askContact(
  deps: ContactsDeps,
  owner: Space,
  id: number,
  by: ContactCaller,
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    await store.lockContacts(trx, owner)
    const contact = await store.lockContact(trx, owner, id)
    if (!contact) throw new Failure('404')
    if (contact.left_at) throw new Failure('CONTACT_LEFT')
    if (contact.confirmed_at) throw new Failure('CONTACT_CONFIRMED')
    if (by.now - (contact.asked_at?.getTime() ?? 0) < timing.contactAskMs) throw new Failure('CONTACT_ASKED')
    await ask(deps, trx, owner, id, by)
  })
}

async function ask(
  deps: ContactsDeps,
  trx: Database,
  owner: Space,
  id: number,
  by: ContactCaller,
): Promise<void> {
  const contact = (await store.lockContact(trx, owner, id)) as ContactRow
  if (!(await mayAsk(deps, trx, owner, contact.email, by.now))) throw new Failure('CONTACT_MAILS_FULL')
  await sendRequest(deps, trx, owner, contact, by)
}

/** Whether one more may be asked today; the caller asks in the same transaction (rules/messages.md: contacts). */
export async function mayAsk(
  { hashes }: Pick<ContactsDeps, 'hashes'>,
  trx: Database,
  owner: Space,
  address: string,
  now: number,
): Promise<boolean> {
  const asks = await store.countAsks(trx, owner, hashes.of(address), new Date(now - dayMs))
  return (
    asks.ofOwner < alarmLimits.contactMailsPerOwner && asks.toAddress < alarmLimits.contactMailsPerAddress
  )
}

/** Notes that a contact is asked, and mails it the link; one without an address is asked in the console alone. */
export async function sendRequest(
  deps: Omit<ContactsDeps, 'access' | 'db'>,
  trx: Database,
  owner: Space,
  contact: Pick<ContactRow, 'id' | 'account_id' | 'email' | 'name' | 'lang'>,
  { now, brand }: Pick<ContactCaller, 'now' | 'brand'>,
): Promise<void> {
  const { id, email, name, lang, account_id: userId } = contact
  const token = createToken()
  const addressHash = deps.hashes.of(email || `account/${userId}`)
  await store.noteAsk(trx, owner, { id, addressHash, tokenHash: hashToken(token), at: new Date(now) })
  if (email === '') return
  const from = await findSpaceName(trx, owner)
  const url = confirmContactUrl(deps.originOf(brand) ?? '', token)
  const to = { contactId: id, email, ...(userId === null ? {} : { userId }) }
  const unsubscribeUrl = deps.unsubscribeUrlOf(brand, to)
  await deps.outgoing.queue(trx, formatContactRequest({ to, name, lang, from, url, unsubscribeUrl }, brand))
}

const findLeftAt = (
  { hashes }: ContactsDeps,
  trx: Database,
  owner: Space,
  email: string,
  now: number,
): Promise<Date | undefined> => store.findLeftAt(trx, owner, hashes.of(email), new Date(now - leftKeptMs))

const keepFormer = (
  { hashes }: ContactsDeps,
  trx: Database,
  owner: Space,
  { id, email, left_at: leftAt }: ContactRow,
  now: number,
): Promise<void> =>
  store.keepFormer(trx, owner, { id, addressHash: hashes.of(email), leftAt, at: new Date(now) })

/** @throws Failure 404 */
export async function removeContact(
  deps: ContactsDeps,
  owner: Space,
  id: number,
  now: number,
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    const contact = await store.lockContact(trx, owner, id)
    if (!contact) throw new Failure('404')
    await keepFormer(deps, trx, owner, contact, now)
    await store.removeContact(trx, id)
  })
}

/** A contact who is notified of alarms of a machine. */
export type ToldContact = store.MachineContact

/**
 * The contacts who are notified of alarms of machines now: confirmed, not left, and of an enterprise that owns the
 * machine, or of a person who gets its alarms themselves.
 */
export async function listToldContacts(
  { access }: { readonly access: Pick<AccessPort, 'listPairs'> },
  db: Database,
  machineIds: readonly number[],
  now: number,
): Promise<ToldContact[]> {
  const contacts = await store.listContactsOfMachines(db, machineIds)
  const pairs = contacts.flatMap(({ userId, machineId }) => (userId === null ? [] : [{ userId, machineId }]))
  const told = new Set<string>()
  for (const { userId, machineId, access: own } of await access.listPairs(pairs, now))
    if (own.rights.has('holder') && own.alarms) told.add(`${userId} ${machineId}`)
  return contacts.filter(({ userId, machineId }) => userId === null || told.has(`${userId} ${machineId}`))
}
