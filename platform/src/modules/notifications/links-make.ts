import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Brand } from '../brands/index.ts'
import { alarmLinkUrl } from './links-address.ts'
import { createAlarmLinks } from './links-service.ts'

/** A mail or SMS about an alarm to one recipient, which gets a link to confirm it. */
export interface LinkedMail {
  readonly notificationId: number
  readonly alarmId: number
  readonly userId: number | null
  readonly contactId: number | null
  readonly brand: Brand
}

/**
 * Makes the addresses of the pages that confirm alarms, in the transaction that queues their mails, by notification, on
 * the hosts of the recipients' brands. Without a public address of the console no links are made.
 */
export async function makeLinks(
  originOf: (brand: Brand) => string | undefined,
  trx: Transaction<DB>,
  mails: readonly LinkedMail[],
  now: number,
): Promise<ReadonlyMap<number, string>> {
  const sent = mails.flatMap((mail) => {
    const origin = originOf(mail.brand)
    return origin ? [{ ...mail, origin }] : []
  })
  const tokens = await createAlarmLinks(
    trx,
    sent.map(({ alarmId, userId, contactId }) => ({
      alarmId,
      to: userId === null ? { contactId: contactId as number } : { userId },
    })),
    now,
  )
  return new Map(
    sent.map(({ notificationId, origin }, place) => [
      notificationId,
      alarmLinkUrl(origin, tokens[place] as string),
    ]),
  )
}
