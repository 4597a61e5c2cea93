import { type AnswerOf, type alarmContacts as contract, type Lang, timing } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { maskEmail } from '../../kernel/mask-account.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { readerOf } from '../../reader.ts'
import { type AccessPort, personName } from '../access/index.ts'
import { createToken, findUser, hashToken } from '../accounts/index.ts'
import { type AlarmFacts, type Confirmer, confirmAlarms, textOf } from '../alarms/index.ts'
import type { Mailbox } from '../messages/index.ts'
import { openUnsubscribe } from '../outgoing/index.ts'
import { findSpaceName } from '../spaces/index.ts'
import { listToldContacts } from './contacts-service.ts'
import * as contacts from './contacts-store.ts'
import type { LinkRow, Recipient } from './links-store.ts'
import * as store from './links-store.ts'
import { listMailsOff, switchMailsOff } from './settings-store.ts'

export interface LinksDeps {
  readonly db: Database
  readonly access: AccessPort
  readonly facts: AlarmFacts
  /** Opens the tokens with which readers end mails. */
  readonly box: SecretBox
  readonly hashes: contacts.AddressHashes
  readonly tags: TagNames
  readonly mailbox: Mailbox
}

/** Names variables by their ids. */
interface TagNames {
  listTagNames(
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly name: string; readonly label: unknown; readonly unit: string }>>
}

/**
 * Makes a link for each alarm and recipient, in the transaction that queues their mail. Answers the tokens in the order
 * of the requests; only their hashes are stored.
 */
export async function createAlarmLinks(
  trx: Database,
  requests: readonly { readonly alarmId: number; readonly to: Recipient }[],
  now: number,
): Promise<string[]> {
  const tokens = requests.map(() => createToken())
  const links = requests.map((request, place) => ({
    ...request,
    tokenHash: hashToken(tokens[place] as string),
  }))
  await store.createLinks(trx, links, new Date(now + timing.alarmLinkMs))
  return tokens
}

/** Shows the alarm of a link, and changes nothing. @throws Failure LINK_UNKNOWN */
export async function showAlarm(
  { db, access, tags: source }: LinksDeps,
  token: string,
  { lang, now }: { readonly lang: Lang; readonly now: number },
): Promise<AnswerOf<typeof contract.getAlarmLink>> {
  const { link, mayConfirm } = await findLink(db, access, token, now)
  const tags = await source.listTagNames(link.tag_id === null ? [] : [link.tag_id])
  const tag = link.tag_id === null ? undefined : tags.get(link.tag_id)
  const { value, limit_value: limit } = link
  return {
    machineName: link.machine_name,
    level: link.level,
    text: textOf(link, { lang }),
    value,
    limit,
    unit: tag?.unit ?? '',
    count: link.count,
    raisedAt: link.raised_at.getTime(),
    clearedAt: link.cleared_at?.getTime() ?? null,
    confirmedAt: link.confirmed_at?.getTime() ?? null,
    confirmedBy: await confirmerOf(access, link, { lang, now }),
    mayConfirm: mayConfirm && link.confirmed_at === null,
    ...readerOf(link),
    expireAt: link.expires_at.getTime(),
  }
}

/**
 * Confirms the alarm of a link; the right is checked again. Answers false if the alarm was confirmed before.
 * @throws Failure LINK_UNKNOWN, or LINK_NOT_ALLOWED for a contact without an Akey's permission to confirm
 * See rules/messages.md: links in mails.
 */
export async function confirmByLink(
  { db, facts, access }: LinksDeps,
  token: string,
  now: number,
): Promise<boolean> {
  return withTransaction(db, async (trx) => {
    const { link, who, mayConfirm } = await findLink(trx, access.on(trx), token, now)
    if (!mayConfirm) throw new Failure('LINK_NOT_ALLOWED')
    const at = new Date(now)
    const alarm = { machineId: link.machine_id, ids: [link.alarm_id] }
    const confirmed = await confirmAlarms(trx, alarm, { who, at })
    await facts.recordAll(trx, confirmed)
    await store.noteLinkUsed(trx, link.id, at)
    return confirmed.length > 0
  })
}

/** A link whose recipient may still see the alarm: expired, foreign and wrong tokens are answered alike. */
async function findLink(
  db: Database,
  access: AccessPort,
  token: string,
  now: number,
): Promise<{ link: LinkRow; who: Confirmer; mayConfirm: boolean }> {
  const link = await store.findLink(db, hashToken(token), new Date(now))
  const right = link && (await findRight(db, access, link, now))
  if (!right) throw new Failure('LINK_UNKNOWN')
  return { link, ...right }
}

/** Contacts see no name but their own: they have no rights to the machine. */
async function confirmerOf(
  access: AccessPort,
  { user_id, contact_id, machine_id, confirmed_by, confirmed_by_id, confirmed_contact_id }: LinkRow,
  { lang, now }: { readonly lang: Lang; readonly now: number },
): Promise<string | null> {
  if (contact_id !== null && contact_id === confirmed_contact_id) return confirmed_by
  const userId = user_id ?? 0
  const own = (await access.list(userId, [machine_id], now)).get(machine_id)
  const colleagues = await access.listColleagues(userId, [confirmed_by_id])
  return personName({ userId, lang, colleagues }, own, { userId: confirmed_by_id, name: confirmed_by })
}

async function findRight(
  db: Database,
  access: AccessPort,
  { user_id: userId, contact_id: contactId, machine_id: machineId }: LinkRow,
  now: number,
): Promise<{ who: Confirmer; mayConfirm: boolean } | undefined> {
  if (userId !== null) {
    const isHolder = await access.has(userId, 'holder', [machineId], now, 'alarm')
    return isHolder ? { who: { userId }, mayConfirm: true } : undefined
  }
  const told = await listToldContacts({ access }, db, [machineId], now)
  const contact = told.find((each) => each.contactId === contactId)
  if (!contact) return undefined
  const isKey = contact.userId === null || (await access.has(contact.userId, 'akey', [machineId], now))
  return { who: { contactId: contact.contactId }, mayConfirm: contact.mayConfirm && isKey }
}

/** The request to a contact to confirm the address. @throws Failure LINK_UNKNOWN */
export async function showContactRequest({ db }: LinksDeps, token: string, now: number) {
  const contact = await requireAsked(db, token, now)
  return {
    about: aboutOf(contact),
    name: contact.name,
    emailMasked: maskEmail(contact.email),
    from: await findSpaceName(db, contacts.ownerOf(contact)),
    confirmed: contact.confirmed_at !== null,
    lang: contact.lang,
  }
}

/** Confirms the address of a contact; a second press changes nothing. @throws Failure LINK_UNKNOWN */
export async function confirmContact({ db }: LinksDeps, token: string, now: number): Promise<void> {
  const { id } = await requireAsked(db, token, now)
  await contacts.confirmContact(db, id, new Date(now))
}

const aboutOf = ({ account_id: accountId }: contacts.ContactRow) =>
  accountId === null ? ('alarms' as const) : ('reports' as const)

async function requireAsked(db: Database, token: string, now: number): Promise<contacts.ContactRow> {
  const since = new Date(now - timing.contactLinkMs)
  const contact = await contacts.findContactByToken(db, hashToken(token), since)
  if (!contact) throw new Failure('LINK_UNKNOWN')
  return contact
}

/** The mails that a reader ends by a link. @throws Failure LINK_UNKNOWN */
export async function showUnsubscribe(deps: LinksDeps, token: string, lang: Lang) {
  const { account, contact, former } = await requireLeaver(deps, token)
  if (account)
    return {
      about: 'account' as const,
      emailMasked: maskEmail(account.email ?? ''),
      from: '',
      left: (await listMailsOff(deps.db, [account.id])).has(account.id),
      lang: readerOf(account).lang,
    }
  if (former)
    return {
      about: 'alarms' as const,
      emailMasked: '',
      from: await findSpaceName(deps.db, contacts.ownerOf(former)),
      left: former.left_at !== null,
      lang,
    }
  return {
    about: aboutOf(contact),
    emailMasked: maskEmail(contact.email),
    from: await findSpaceName(deps.db, contacts.ownerOf(contact)),
    left: contact.left_at !== null,
    lang: contact.lang,
  }
}

/**
 * Takes a contact off the list, or switches the e-mails of a person's account off; a second press changes nothing. A
 * contact that was removed, and added with the same address, leaves by the link of before, too.
 * @throws Failure LINK_UNKNOWN
 */
export async function unsubscribe(deps: LinksDeps, token: string, now: number): Promise<void> {
  const { account, contact, former } = await requireLeaver(deps, token)
  const at = new Date(now)
  await withTransaction(deps.db, async (trx) => {
    if (account) {
      // Alarms come by e-mail no longer either, and a mail program may have pressed.
      const messages = [{ userId: account.id, kind: 'mailsOff' as const, params: {} }]
      if (await switchMailsOff(trx, account.id)) await deps.mailbox.write(trx, at, { messages })
      return
    }
    if (contact) return contacts.leaveContact(trx, contact.id, at)
    await contacts.leaveFormer(trx, former, at)
    const { user_id: userId, enterprise_id: enterpriseId, address_hash: hash } = former
    const owner = userId === null ? { enterpriseId: enterpriseId as number } : { userId }
    for (const { id, email } of await contacts.listContacts(trx, owner))
      if (deps.hashes.of(email).equals(hash)) await contacts.leaveContact(trx, id, at)
  })
}

interface Leavers {
  readonly account: NonNullable<Awaited<ReturnType<typeof findUser>>>
  readonly contact: contacts.ContactRow
  /** A contact that was removed, or has another address now. */
  readonly former: contacts.FormerContact
}
type Leaver = {
  [Kind in keyof Leavers]: Pick<Leavers, Kind> & {
    readonly [Other in Exclude<keyof Leavers, Kind>]?: undefined
  }
}[keyof Leavers]

async function requireLeaver({ db, box, hashes }: LinksDeps, token: string): Promise<Leaver> {
  const sealed = openUnsubscribe(box, token)
  if (sealed?.kind === 'userId') {
    const account = await findUser(db, sealed.id)
    if (account?.email && sealed.isFor(account.email)) return { account }
  } else if (sealed) {
    const contact = await contacts.findContact(db, sealed.id)
    if (contact && sealed.isFor(contact.email)) return { contact }
    const hash = hashes.ofDigest(sealed.digest)
    const former = await contacts.findFormer(db, sealed.id, hash)
    if (former) return { former }
  }
  throw new Failure('LINK_UNKNOWN')
}
