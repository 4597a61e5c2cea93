import {
  alarmLimits,
  type alarmContacts as contract,
  type InputOf,
  type Lang,
  timing,
} from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AccessPort, createAccess } from '../access/index.ts'
import { createToken, hashToken } from '../accounts/index.ts'
import type { Brand } from '../brands/index.ts'
import type { Outgoing, UnsubscribeUrlOf } from '../outgoing/index.ts'
import { formatContactRequest } from './contacts-mail.ts'
import type { ContactOwner, ContactRow } from './contacts-store.ts'
import * as store from './contacts-store.ts'
import { confirmContactUrl } from './links-address.ts'

const dayMs = 86_400_000

export interface ContactsDeps {
  readonly db: Database
  readonly demo: boolean
  readonly outgoing: Pick<Outgoing, 'queue'>
  /** Where people of a brand open the console. */
  readonly originOf: (brand: Brand) => string | undefined
  readonly unsubscribeUrlOf: UnsubscribeUrlOf
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
  { db, demo }: ContactsDeps,
  owner: ContactOwner,
  machineId: number | undefined,
  now: number,
): Promise<contract.AlarmContact[]> {
  const rows = await store.listContacts(db, owner, machineId)
  const machineIds = rows.flatMap(({ machine_ids }) => machine_ids)
  const held = await listHeld(db, demo, { owner, machineIds }, now)
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
  demo: boolean,
  { owner, machineIds }: { readonly owner: ContactOwner; readonly machineIds: readonly number[] },
  now: number,
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(machineIds)]
  if ('enterpriseId' in owner) return new Set(await store.listOwnedMachines(db, owner.enterpriseId, ids))
  const rights = await createAccess(db, { demo }).list(owner.userId, ids, now)
  return new Set(ids.filter((id) => rights.get(id)?.rights.has('holder')))
}

/** @throws Failure 403 for a machine whose alarms the owner may not share, CONTACT_CONFIRM_KEY without its Akey */
async function requireMachines(
  trx: Database,
  { demo }: ContactsDeps,
  owner: ContactOwner,
  { machineIds, mayConfirm }: { readonly machineIds: readonly number[]; readonly mayConfirm: boolean },
  { userId, now }: ContactCaller,
): Promise<void> {
  const held = await listHeld(trx, demo, { owner, machineIds }, now)
  if (!machineIds.every((id) => held.has(id))) throw new Failure('403')
  if (mayConfirm && !(await createAccess(trx, { demo }).has(userId, 'akey', machineIds, now)))
    throw new Failure('CONTACT_CONFIRM_KEY')
}

/**
 * Adds a contact and asks it by mail.
 * @throws Failure CONTACT_EXISTS, CONTACTS_FULL, CONTACT_MAILS_FULL, CONTACT_CONFIRM_KEY, 403
 */
export async function createContact(
  deps: ContactsDeps,
  owner: ContactOwner,
  request: Written,
  by: ContactCaller,
): Promise<number> {
  return withTransaction(deps.db, async (trx) => {
    await requireMachines(trx, deps, owner, request, by)
    if ((await store.lockContacts(trx, owner)) >= alarmLimits.contactsPerOwner)
      throw new Failure('CONTACTS_FULL')
    if (await store.hasContact(trx, owner, request.email)) throw new Failure('CONTACT_EXISTS')
    const { name, email, mayConfirm, lang = by.lang } = request
    const id = await store.createContact(trx, owner, { name, email, lang, mayConfirm, at: new Date(by.now) })
    await store.setContactMachines(trx, id, request.machineIds)
    await ask(deps, trx, owner, id, by)
    return id
  })
}

/**
 * Changes a contact; another address is asked anew.
 * @throws Failure 404, CONTACT_EXISTS, CONTACT_MAILS_FULL, CONTACT_CONFIRM_KEY, 403
 */
export async function updateContact(
  deps: ContactsDeps,
  owner: ContactOwner,
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
    const held = await listHeld(trx, deps.demo, { owner, machineIds: former.machine_ids }, by.now)
    const machineIds = request.machineIds ?? former.machine_ids.filter((machineId) => held.has(machineId))
    const givesKey = mayConfirm && (!former.may_confirm || request.machineIds !== undefined)
    await requireMachines(trx, deps, owner, { machineIds, mayConfirm: givesKey }, by)
    if (await store.hasContact(trx, owner, email, id)) throw new Failure('CONTACT_EXISTS')
    const isNewAddress = email.toLowerCase() !== former.email.toLowerCase()
    await store.updateContact(trx, id, { name, email, lang, mayConfirm }, isNewAddress)
    await store.setContactMachines(trx, id, machineIds)
    if (isNewAddress) await ask(deps, trx, owner, id, by)
  })
}

/**
 * Sends the mail with the link again.
 * @throws Failure 404, CONTACT_LEFT, CONTACT_CONFIRMED, CONTACT_ASKED within an hour, CONTACT_MAILS_FULL
 */
export async function askContact(
  deps: ContactsDeps,
  owner: ContactOwner,
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

/** Under the lock of the owner's contacts (rules/messages.md: contacts). */
async function ask(
  deps: ContactsDeps,
  trx: Database,
  owner: ContactOwner,
  id: number,
  { now, brand }: ContactCaller,
): Promise<void> {
  const contact = (await store.lockContact(trx, owner, id)) as ContactRow
  const { email, name, lang } = contact
  const asks = await store.countAsks(trx, owner, email, new Date(now - dayMs))
  if (
    asks.ofOwner >= alarmLimits.contactMailsPerOwner ||
    asks.toAddress >= alarmLimits.contactMailsPerAddress
  )
    throw new Failure('CONTACT_MAILS_FULL')
  const token = createToken()
  await store.noteAsk(trx, owner, { id, email, tokenHash: hashToken(token), at: new Date(now) })
  const from = await store.findOwnerName(trx, contact)
  const url = confirmContactUrl(deps.originOf(brand) ?? '', token)
  const unsubscribeUrl = deps.unsubscribeUrlOf(brand, { contactId: id, email })
  await deps.outgoing.queue(
    trx,
    formatContactRequest({ contactId: id, name, email, lang, from, url, unsubscribeUrl }, brand),
  )
}

/** @throws Failure 404 */
export async function removeContact({ db }: ContactsDeps, owner: ContactOwner, id: number): Promise<void> {
  if (!(await store.removeContact(db, owner, id))) throw new Failure('404')
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
