import type { Lang, reports } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { type Brand, type BrandsModule, brandOrigin, linkSource, mainBrandId } from '../brands/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import type { OutgoingModule } from '../outgoing/index.ts'
import { findSpaceName, type Space } from '../spaces/index.ts'
import { mayAsk, sendRequest } from './contacts-service.ts'
import * as store from './contacts-store.ts'

/** A person with an account who is to get the reports of an owner. */
export interface ReportReader {
  readonly userId: number
  readonly name: string
  readonly email: string | null
  readonly lang: Lang
  readonly brandId: number | null
}

/** Whether a person gets the reports of an owner, and the contact under which they do. */
export interface ReportConsent {
  readonly contactId: number
  readonly state: Exclude<reports.RecipientState, 'none'>
}

/**
 * Asks people with an account whether they want the reports of a person or an enterprise: once for all reports of this
 * owner, as a contact is asked for all alarms (rules/data-centre.md: recipients of a report).
 */
export interface ReportRequests {
  /** The answers so far; people who were never asked are left out. */
  list(db: Database, owner: Space, userIds: readonly number[]): Promise<ReadonlyMap<number, ReportConsent>>
  /** Asks those who were not asked, each in a transaction of its own; above the limits of a day later. */
  ask(owner: Space, readers: readonly ReportReader[], now: number): Promise<void>
  /** Notes that a person added themselves. */
  agree(trx: Database, owner: Space, userId: number, lang: Lang, now: number): Promise<void>
  /** How many more mails with reports an owner may send today, until the end of the transaction. */
  countMailsLeft(trx: Database, owner: Space, max: number, now: number): Promise<number>
  noteMails(trx: Database, owner: Space, addresses: readonly string[], now: number): Promise<void>
}

const dayMs = 86_400_000

interface Deps {
  readonly brands: BrandsModule
  readonly messages: MessagesModule
  readonly outgoing: OutgoingModule
}

export function createReportRequests(
  { db, config, ports, secrets }: Kernel,
  { brands, messages, outgoing }: Deps,
): ReportRequests {
  const source = linkSource({ config, ports }, brands.directory)
  const deps = {
    outgoing: outgoing.outgoing,
    originOf: (brand: Brand) => brandOrigin(source, brand),
    unsubscribeUrlOf: outgoing.unsubscribeUrlOf,
    hashes: store.createAddressHashes(secrets),
  }

  const askOne = (owner: Space, { userId, email, lang, brandId }: ReportReader, now: number) =>
    withTransaction(db, async (trx) => {
      await store.lockReportsOf(trx, owner)
      if (!(await mayAsk(deps, trx, owner, email ?? `account/${userId}`, now))) return
      // Another save may have asked meanwhile.
      if (await store.findAccountContact(trx, owner, userId)) return
      const at = new Date(now)
      const id = await store.createAccountContact(trx, owner, { userId, lang, at, agreedAt: null })
      const contact = await store.findContact(trx, id)
      if (!contact) return
      await sendRequest(deps, trx, owner, contact, {
        now,
        brand: brands.directory.get(brandId ?? mainBrandId),
      })
      const person = await findSpaceName(trx, owner)
      const params = { person, contactId: id }
      await messages.mailbox.write(trx, at, { messages: [{ userId, kind: 'reportRequest', params }] })
    })

  return {
    async list(handle, owner, userIds) {
      const rows = await store.listAccountContacts(handle, owner, userIds)
      return new Map(
        rows.map((row) => [
          row.account_id as number,
          { contactId: row.id, state: store.contactStateOf(row) },
        ]),
      )
    },

    async ask(owner, readers, now) {
      const known = await store.listAccountContacts(
        db,
        owner,
        readers.map(({ userId }) => userId),
      )
      const asked = new Set(known.map((row) => row.account_id))
      for (const reader of readers) if (!asked.has(reader.userId)) await askOne(owner, reader, now)
    },

    async agree(trx, owner, userId, lang, now) {
      const at = new Date(now)
      const contact = await store.findAccountContact(trx, owner, userId)
      if (!contact) await store.createAccountContact(trx, owner, { userId, lang, at, agreedAt: at })
      else if (store.contactStateOf(contact) !== 'confirmed') await store.agreeAgain(trx, contact.id, at)
    },

    async countMailsLeft(trx, owner, max, now) {
      await store.lockReportsOf(trx, owner)
      return Math.max(max - (await store.countReportMails(trx, owner, new Date(now - dayMs))), 0)
    },

    noteMails: (trx, owner, addresses, now) =>
      store.noteReportMails(trx, owner, addresses.map(deps.hashes.of), new Date(now)),
  }
}

/** A person's answer in their inbox. @throws Failure 404 if nobody asks them under this id, or they answered */
export async function answerReportRequest(
  db: Database,
  userId: number,
  { id, agree, now }: { readonly id: number; readonly agree: boolean; readonly now: number },
): Promise<void> {
  await withTransaction(db, async (trx) => {
    const contact = await store.findContact(trx, id)
    if (contact?.account_id !== userId || store.contactStateOf(contact) !== 'asked') throw new Failure('404')
    if (agree) await store.confirmContact(trx, id, new Date(now))
    else await store.leaveContact(trx, id, new Date(now))
  })
}
