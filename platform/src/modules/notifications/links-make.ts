import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Brand } from '../brands/index.ts'
import { listAddresses } from './contacts-store.ts'
import { alarmLinkUrl, unsubscribeUrl } from './links-address.ts'
import { createAlarmLinks } from './links-service.ts'
import { sealUnsubscribe } from './links-token.ts'

/** A mail or SMS about an alarm to one recipient; one about several alarms gets no link to confirm them. */
export interface LinkedMail {
  readonly notificationId: number
  readonly alarmId: number
  readonly userId: number | null
  readonly contactId: number | null
  readonly brand: Brand
  readonly isDigest: boolean
}

/** The recipient's own addresses in a mail: the page to confirm the alarm, and the one on which a contact leaves. */
export interface OwnAddresses {
  readonly confirm?: string
  readonly unsubscribe?: string
}

/**
 * Makes the links of mails in the transaction that queues them, by notification, on the hosts of the recipients'
 * brands. Without a public address of the console no links are made.
 */
export async function makeLinks(
  { box, originOf }: { readonly box: SecretBox; readonly originOf: (brand: Brand) => string | undefined },
  trx: Transaction<DB>,
  mails: readonly LinkedMail[],
  now: number,
): Promise<ReadonlyMap<number, OwnAddresses>> {
  const sent = mails.flatMap((mail) => {
    const origin = originOf(mail.brand)
    return origin ? [{ ...mail, origin }] : []
  })
  const confirming = sent.filter(({ isDigest }) => !isDigest)
  const tokens = await createAlarmLinks(
    trx,
    confirming.map(({ alarmId, userId, contactId }) => ({
      alarmId,
      to: userId === null ? { contactId: contactId as number } : { userId },
    })),
    now,
  )
  const addresses = await listAddresses(
    trx,
    sent.flatMap(({ contactId }) => contactId ?? []),
  )
  const links = new Map<number, OwnAddresses>()
  for (const { notificationId, contactId, origin } of sent) {
    const email = contactId === null ? undefined : addresses.get(contactId)
    if (contactId === null || email === undefined) continue
    const token = sealUnsubscribe(box, { contactId, email })
    links.set(notificationId, { unsubscribe: unsubscribeUrl(origin, token) })
  }
  for (const [place, { notificationId, origin }] of confirming.entries()) {
    const confirm = alarmLinkUrl(origin, tokens[place] as string)
    links.set(notificationId, { ...links.get(notificationId), confirm })
  }
  return links
}
