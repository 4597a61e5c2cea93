import { signSms, smsSegments } from '@busbar/contract'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Brand } from '../brands/index.ts'
import type { MailReader, Outgoing, OutgoingMessage, UnsubscribeUrlOf } from '../outgoing/index.ts'
import { type Payer, reserveStock } from '../sms-stock/index.ts'
import {
  type AlarmWords,
  type DigestWords,
  formatAlarmEmail,
  formatAlarmSms,
  formatDigestEmail,
  formatDigestSms,
} from './alarm-texts.ts'
import type { LinkedMail } from './links-make.ts'
import { keep, skip } from './notifications-store.ts'
import type { Recipient, ToldMachine } from './recipients.ts'

/** Makes the links that confirm the alarms of messages, by notification, in the transaction that sends them. */
type MakeLinks = (
  trx: Transaction<DB>,
  mails: readonly LinkedMail[],
  now: number,
) => Promise<ReadonlyMap<number, string>>

export interface Sender {
  readonly outgoing: Pick<Outgoing, 'queueAll' | 'canSend' | 'signatureOf'>
  readonly brandOf: (id: number) => Brand
  /** The console's address for people of a brand; undefined if none is configured. */
  readonly originOf: (brand: Brand) => string | undefined
  readonly logoOf: (brand: Brand) => string | undefined
  readonly makeLinks: MakeLinks
  readonly unsubscribeUrlOf: UnsubscribeUrlOf
}

interface OfMessage {
  readonly notificationId: number
  readonly alarmId: number
  readonly machine: ToldMachine
  readonly channel: 'sms' | 'email'
  readonly recipient: Recipient
}

/** A message about one alarm, or about several of a machine. */
export type Sending = OfMessage & { readonly words: AlarmWords }
export type DigestSending = OfMessage & { readonly digest: DigestWords }

/**
 * Reserves the segments of SMS and queues the messages that can be sent, in the caller's transaction; a message that no
 * service sends is kept and costs nothing. Answers the notifications that could not be paid, which have ended.
 */
export async function sendOut(
  sender: Sender,
  trx: Transaction<DB>,
  sendings: readonly (Sending | DigestSending)[],
  now: number,
): Promise<ReadonlySet<number>> {
  if (sendings.length === 0) return new Set()
  const links = await sender.makeLinks(trx, linkRequests(sender, sendings), now)
  const messages = sendings.map((sending) => ({
    sending,
    message: messageOf(sender, sending, links.get(sending.notificationId)),
  }))
  const priced = messages.flatMap(({ sending, message }) =>
    message.kind === 'sms' && sender.outgoing.canSend('sms')
      ? [
          {
            sending,
            segments: smsSegments(signSms(sender.outgoing.signatureOf(message.brandId), message.text)),
          },
        ]
      : [],
  )
  const requests = priced.map(({ sending: { notificationId, machine, recipient }, segments }) => ({
    notificationId,
    payer: payerOf(machine, recipient),
    segments,
  }))
  const payable = requests.flatMap(({ payer, ...request }) => (payer ? [{ ...request, payer }] : []))
  const unpaid = new Set([
    ...(await reserveStock(trx, payable, new Date(now))),
    ...requests.filter(({ payer }) => !payer).map(({ notificationId }) => notificationId),
  ])
  await skip(trx, [...unpaid], 'noStock', new Date(now))
  const paid = priced.filter(({ sending }) => !unpaid.has(sending.notificationId))
  await saveSegments(trx, paid)
  await sender.outgoing.queueAll(
    trx,
    messages.filter(({ sending }) => !unpaid.has(sending.notificationId)).map(({ message }) => message),
  )
  const unsent = sendings.filter(({ channel }) => !sender.outgoing.canSend(channel))
  await keep(
    trx,
    unsent.map(({ notificationId }) => notificationId),
    new Date(now),
  )
  return unpaid
}

/** A message about several alarms gets no link: a single one cannot confirm them. */
const linkRequests = (sender: Sender, sendings: readonly (Sending | DigestSending)[]): LinkedMail[] =>
  sendings
    .filter(
      (sending) => !('digest' in sending) && (sending.channel === 'email' || sending.recipient.hasLinkInSms),
    )
    .map((sending) => ({
      notificationId: sending.notificationId,
      alarmId: sending.alarmId,
      userId: sending.recipient.userId,
      contactId: sending.recipient.contactId,
      brand: sender.brandOf(sending.recipient.brandId),
    }))

function messageOf(
  { brandOf, originOf, logoOf, unsubscribeUrlOf }: Sender,
  sending: Sending | DigestSending,
  confirm: string | undefined,
): OutgoingMessage {
  const { notificationId, recipient, channel, machine, alarmId } = sending
  const isDigest = 'digest' in sending
  const brand = brandOf(recipient.brandId)
  const of = { notificationId, purpose: isDigest ? 'digest' : 'alarm' } as const
  if (channel === 'sms') {
    const text = isDigest
      ? formatDigestSms(sending.digest, recipient)
      : formatAlarmSms({ ...sending.words, link: confirm }, recipient)
    const { countryCode, phone, lang } = recipient
    const params = isDigest
      ? { device: sending.digest.machine, count: String(sending.digest.total) }
      : {
          device: sending.words.machine,
          alarm: sending.words.text,
          level: sending.words.level,
          ...(confirm && { link: confirm }),
        }
    return { kind: 'sms', countryCode, phone: phone ?? '', text, brandId: brand.id, lang, params, ...of }
  }
  const origin = originOf(brand)
  const space = recipient.eid === null ? '' : `&eid=${recipient.eid}`
  const path = `/alarmCenter?${isDigest ? `machine=${machine.id}` : `alarm=${alarmId}`}${space}`
  // A contact has no account: the page would only ask for a sign-in.
  const page = origin && recipient.userId !== null ? `${origin}${path}` : undefined
  const { userId, contactId, email } = recipient
  const to: MailReader = {
    email: email ?? '',
    ...(userId === null ? { contactId: contactId as number } : { userId }),
  }
  const unsubscribeUrl = unsubscribeUrlOf(brand, to)
  const from = {
    brand,
    logoUrl: logoOf(brand),
    machine: recipient.subjectName,
    page,
    confirm,
    unsubscribeUrl,
  }
  return {
    ...(isDigest
      ? formatDigestEmail(to, sending.digest, recipient, from)
      : formatAlarmEmail(to, sending.words, recipient, from)),
    ...of,
  }
}

/** The owner of the machine pays, whatever the recipient. */
function payerOf(machine: ToldMachine, { userId }: Recipient): Payer | undefined {
  const { owner_enterprise_id: enterpriseId, owner_user_id: ownerId } = machine
  if (enterpriseId !== null) return { enterpriseId, ...(userId !== null && { memberId: userId }) }
  return ownerId === null ? undefined : { userId: ownerId }
}

async function saveSegments(
  trx: Transaction<DB>,
  paid: readonly { readonly sending: OfMessage; readonly segments: number }[],
): Promise<void> {
  if (paid.length === 0) return
  const ids = paid.map(({ sending }) => sending.notificationId)
  await sql`
    update notifications set segments = given.segments
    from unnest(${ids}::bigint[], ${paid.map(({ segments }) => segments)}::int[]) as given (id, segments)
    where notifications.id = given.id`.execute(trx)
}
