import type { Config } from '../../config.ts'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { untilStored } from '../../kernel/database/until-stored.ts'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { Gatherer } from '../../kernel/gatherer.ts'
import { type Job, JobRefused, type Jobs, queueJob, queueOf } from '../../kernel/jobs/index.ts'
import type { Logger } from '../../kernel/logger.ts'
import { counter, type Metric } from '../../kernel/metrics/index.ts'
import type { Brand } from '../brands/index.ts'
import { type MailFile, type OpenAttachment, requireFit } from './attachment.ts'
import * as notes from './deliveries.ts'
import * as deliveries from './deliveries-store.ts'
import { AnswerLost, MessageRefused, type OutgoingMessage, type Receipt } from './message.ts'
import { messageIdOf } from './message-id.ts'
import * as store from './outgoing-store.ts'
import { openProviders, type Providers } from './providers.ts'

const messagesAtOnce = 50
/** Waits after the first, second … failed try; after the last the message has failed (rules/messages.md: sending). */
const retryS = [5, 20, 60, 300] as const
/** One for each kind, so that a provider that is away does not delay messages of the other kind. */
const queues = {
  sms: queueOf<{ messageId: number }>('sms'),
  email: queueOf<{ messageId: number }>('email'),
} as const
const housekeepingS = 300
/** A notification that has waited longer is sent only after its rights are checked again. */
const rightsTrustedMs = 5_000
const errorCharactersMax = 300
/** The outbox is for looking things up, not for keeping. */
const keptMs = 7 * 86_400_000

/** A message that its provider took, and the provider's ids of its parts. */
interface Accepted {
  readonly message: store.DueMessage
  readonly ids: readonly string[]
}

/** The fields of a brand in its messages. */
export type MessageBrand = Pick<Brand, 'platformName' | 'emailSender' | 'smsSignature'>

/** The way out of the platform for SMS and e-mail . */
export interface Outgoing {
  /**
   * Stores a message in the caller's transaction; it is sent after the commit. A mail that its reader can end is left out
   * if they switched e-mails off. `withhold`: it is not sent, and takes as
   * long: the caller must not learn from the duration whether an account exists.
   */
  queue(db: store.Db, message: OutgoingMessage, options?: { withhold?: boolean }): Promise<void>
  /** Stores messages as `queue` does, in one statement. */
  queueAll(db: store.Db, messages: readonly OutgoingMessage[]): Promise<void>
  /** Whether a service is set up that sends messages of a kind; those of the other kinds are kept. */
  canSend(kind: OutgoingMessage['kind']): boolean
  /** The signature that a brand's SMS carry; empty: none. */
  signatureOf(brandId: number): string
  /** Records a service's reports on messages that it had accepted. */
  noteReceipts(source: deliveries.ReceiptSource, receipts: readonly Receipt[]): Promise<void>
  readonly jobs: readonly Job[]
  /** Begins to listen for receipts. */
  start(): void
  /** Closes the providers; call it when the jobs have stopped. */
  close(): Promise<void>
  /** Deletes messages older than a week. */
  removeOld(): Promise<void>
  metrics(): Metric[]
}

export interface OutgoingDeps {
  readonly db: Database
  readonly jobs: Pick<Jobs, 'sendAll'>
  readonly facts: Pick<Facts, 'record' | 'recordAll'>
  readonly config: Config
  readonly logger: Logger
  readonly now: () => number
  brandOf(id: number): MessageBrand
  /** Whether the receiver of a notification may still get it; without this function all may. */
  mayStillNotify?(notificationId: number): Promise<boolean>
  /** The people of these who switched e-mails off; without this function nobody did. */
  listMailsOff?(db: store.Db, userIds: readonly number[]): Promise<ReadonlySet<number>>
  /** Opens files of e-mails; without it no e-mail has any. */
  readonly openAttachment?: OpenAttachment | undefined
  /** Instead of those the configuration names. */
  readonly providers?: Providers
}

/**
 * Queues and sends messages through the configured providers; a message without a provider stays in the outbox for an
 * operator to read. A message is sent at least once: if a provider may have accepted it and the answer was lost, it is
 * sent again, and the fact of its acceptance is marked.
 */
export function createOutgoing(deps: OutgoingDeps): Outgoing {
  const { db, facts, now } = deps
  const smsSource = deps.config.SMS_URL?.startsWith('http') ? 'http' : 'smpp'
  const providers = deps.providers ?? openProviders(deps.config, deps.logger)
  const maybeTwice = { sms: 0, email: 0 }

  const sendingOf = (kind: OutgoingMessage['kind']): Job =>
    queueJob({
      queue: queues[kind],
      concurrency: messagesAtOnce,
      retryS,
      handle: ({ data, tries }, { signal }) => sendOne(data.messageId, tries, signal),
      gaveUp: (trx, { messageId }, error) => giveUp(trx, messageId, error, 'gaveUp'),
      adopt: async (trx) => {
        const ids = canSend(kind) ? await store.listUnsent(trx, kind, queues[kind].name) : []
        return ids.map((messageId) => ({ messageId }))
      },
      cancelled: (trx, { messageId }) => giveUp(trx, messageId, 'cancelled', 'cancelled'),
    })

  const begun = new Gatherer<store.Try, store.DueMessage | undefined>(async (tries) => {
    const messages = await store.beginTries(db, tries, new Date(now()))
    return tries.map(({ id }) => messages.get(id))
  }, messagesAtOnce)
  const accepted = new Gatherer<Accepted, void>(async (all) => {
    await accept(all)
    return all.map(() => undefined)
  }, messagesAtOnce)

  async function sendOne(id: number, tries: number, signal: AbortSignal): Promise<void> {
    const message = await begun.do({ id, tries })
    if (!message) {
      if (await store.isForgotten(db, id)) throw new JobRefused('its text is forgotten')
      return
    }
    const { attempt } = message
    if (!(await mayStillSend(message))) {
      await withTransaction(db, async (trx) => {
        const error = 'the right was lost'
        await deliveries.endAttempt(trx, id, attempt, { outcome: 'refused', error, at: new Date(now()) })
        await refuse(trx, id, error, 'noRight')
      })
      return
    }
    let ids: readonly string[]
    try {
      ids = await hand(message)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      const reason = hideContents(words, message).slice(0, errorCharactersMax)
      const isRefused = error instanceof MessageRefused
      const outcome = isRefused ? 'refused' : error instanceof AnswerLost ? 'unknown' : 'failed'
      await withTransaction(db, async (trx) => {
        await deliveries.endAttempt(trx, id, attempt, { outcome, error: reason, at: new Date(now()) })
        if (isRefused) await refuse(trx, id, reason, 'refused')
        else await store.updateMessageError(trx, id, reason, 'queued')
      })
      throw isRefused ? new JobRefused(reason) : new Error(reason)
    }
    // Not noted it would be sent once more.
    const failed = (error: unknown) =>
      deps.logger.warn({ err: error, messageId: id }, 'message.storePostponed')
    await untilStored(() => accepted.do({ message, ids }), { signal, failed })
  }

  /** A provider may have been away for minutes: a person who lost the right meanwhile gets nothing. */
  async function mayStillSend(message: store.DueMessage): Promise<boolean> {
    const { notification_id: notificationId, created_at: createdAt } = message
    if (notificationId === null || now() - createdAt.getTime() <= rightsTrustedMs) return true
    return deps.mayStillNotify ? deps.mayStillNotify(notificationId) : true
  }

  /** Notes that providers took messages, each once. */
  async function accept(all: readonly Accepted[]): Promise<void> {
    const at = new Date(now())
    const fresh = await withTransaction(db, async (trx) => {
      const ids = all.map(({ message }) => message.id)
      const freshIds = await store.updateMessagesSent(trx, ids, at)
      const fresh = all.filter(({ message }) => freshIds.has(message.id))
      await noteAccepted(trx, fresh, at)
      return fresh
    })
    for (const { message } of fresh)
      if (message.isMaybeSecond) maybeTwice[message.kind === 'sms' ? 'sms' : 'email']++
  }

  /** Records it with its facts. */
  async function noteAccepted(trx: store.Db, all: readonly Accepted[], at: Date): Promise<void> {
    const messages = all.map(({ message }) => message)
    const parts = all.flatMap(({ message, ids }) =>
      message.kind === 'sms' ? ids.map((providerId) => ({ outgoingId: message.id, providerId })) : [],
    )
    const told = messages.flatMap(({ id: messageId, notification_id: notificationId, isMaybeSecond }) =>
      notificationId === null
        ? []
        : [
            {
              kind: 'message.accepted' as const,
              messageId,
              notificationId,
              isMaybeSecond,
              at: at.getTime(),
            },
          ],
    )
    await deliveries.endAccepted(trx, messages, at)
    await facts.recordAll(trx, told)
    if (parts.length === 0) return
    await deliveries.addParts(trx, smsSource, parts, at)
    const ids = [...new Set(parts.map(({ outgoingId }) => outgoingId))]
    await notes.settle({ trx, facts, now: at.getTime() }, ids)
  }

  /**
   * Ends the sending of a message permanently. The text of a notification is not kept: hours later it would mislead.
   */
  async function giveUp(
    trx: store.Db,
    id: number,
    error: string,
    why: 'gaveUp' | 'cancelled',
  ): Promise<void> {
    if ((await store.findNotification(trx, id)) === undefined) {
      await store.updateMessageError(trx, id, error, 'failed')
    } else await refuse(trx, id, error, why)
  }

  async function refuse(
    trx: store.Db,
    messageId: number,
    error: string,
    why: Fact<'message.refused'>['why'],
  ): Promise<void> {
    const notificationId = await store.updateMessageError(trx, messageId, error, 'refused')
    if (notificationId)
      await facts.record(trx, { kind: 'message.refused', messageId, notificationId, why, at: now() })
  }

  const noteReceipts = (source: deliveries.ReceiptSource, receipts: readonly Receipt[]) =>
    withTransaction(db, (trx) => notes.noteReceipts({ trx, facts, now: now() }, source, receipts))

  async function removeOld(): Promise<void> {
    const before = new Date(now() - keptMs)
    await store.removeOldMessages(db, before)
    await deliveries.removeStrayReceipts(db, before)
  }

  const canSend = (kind: OutgoingMessage['kind']) => providers[kind] !== undefined
  const signatureOf = (brandId: number) => deps.brandOf(brandId).smsSignature || deps.config.SMS_SIGNATURE

  /** Answers the provider's ids of the message. */
  async function hand(message: store.DueMessage): Promise<readonly string[]> {
    if (message.kind === 'sms') {
      if (!providers.sms) throw new Error('no SMS provider is set')
      return providers.sms.send({
        countryCode: message.country_code ?? '',
        phone: message.recipient,
        text: message.text,
        params: message.params as Record<string, string>,
        signature: signatureOf(message.brand_id),
        template: smsSource === 'http' ? await templateOf(message) : '',
      })
    }
    if (!providers.email) throw new Error('no e-mail provider is set')
    const brand = deps.brandOf(message.brand_id)
    const sender = brand.emailSender || (deps.config.EMAIL_SENDER ?? '')
    const files = await openFiles(message)
    return providers.email.send({
      from: { name: brand.platformName[message.lang === 'en' ? 'en' : 'cn'], address: sender },
      to: message.recipient,
      subject: message.subject,
      text: message.text,
      html: message.html,
      messageId: messageIdOf(message.id, message.mail_token, sender),
      unsubscribeUrl: message.unsubscribe_url,
      files,
    })
  }

  /** Opens the files of an e-mail for one try. Throws MessageRefused where one is gone, or no longer the recipient's. */
  async function openFiles({ attachments }: store.DueMessage): Promise<MailFile[]> {
    const files: MailFile[] = []
    for (const { key, name, contentType } of attachments) {
      const content = await deps.openAttachment?.(key)
      if (!content) {
        for (const opened of files) opened.content.destroy()
        throw new MessageRefused('an attachment is not available any more')
      }
      files.push({ name, contentType, content })
    }
    return files
  }

  const templateOf = ({ brand_id: brandId, lang, purpose }: store.DueMessage) =>
    deliveries.findTemplate(db, { brandId, lang: lang ?? 'cn', purpose })

  /** The messages without mails that their reader can end and does not want; of alarms, their sender asked before. */
  async function leaveOutUnwanted(
    handle: store.Db,
    messages: readonly OutgoingMessage[],
  ): Promise<readonly OutgoingMessage[]> {
    const readerOf = (message: OutgoingMessage) =>
      message.kind === 'email' &&
      message.notificationId === undefined &&
      typeof message.to === 'object' &&
      'userId' in message.to
        ? message.to.userId
        : undefined
    const readers = messages.flatMap((message) => readerOf(message) ?? [])
    if (readers.length === 0 || !deps.listMailsOff) return messages
    const off = await deps.listMailsOff(handle, readers)
    return messages.filter((message) => !off.has(readerOf(message) ?? 0))
  }

  async function queueAll(
    handle: store.Db,
    wished: readonly OutgoingMessage[],
    withhold = false,
  ): Promise<void> {
    const messages = await leaveOutUnwanted(handle, wished)
    if (messages.length === 0) return
    for (const message of messages) if (message.kind === 'email') requireFit(message.attachments ?? [])
    const stateOf = ({ kind }: OutgoingMessage) => (withhold ? 'withheld' : canSend(kind) ? 'queued' : 'kept')
    await withTransaction(handle, async (trx) => {
      const ids = await store.createMessages(trx, messages, stateOf, new Date(now()))
      for (const kind of ['sms', 'email'] as const) {
        // Also for a withheld one, because writing a job takes time; the job finds no message to send.
        const wanted = ids.filter((_, place) => messages[place]?.kind === kind && canSend(kind))
        await deps.jobs.sendAll(
          trx,
          queues[kind],
          wanted.map((messageId) => ({ messageId })),
        )
      }
    })
  }

  return {
    queue: (handle, message, { withhold } = {}) => queueAll(handle, [message], withhold),
    queueAll: (handle, messages) => queueAll(handle, messages),
    canSend,
    signatureOf,
    noteReceipts,
    start() {
      providers.sms?.receive?.((receipts) => noteReceipts(smsSource, receipts))
    },
    jobs: [
      sendingOf('sms'),
      sendingOf('email'),
      { name: 'outgoing.removeOld', everyS: housekeepingS, run: () => removeOld() },
    ],
    async close() {
      await Promise.all([providers.sms?.close(), providers.email?.close()])
    },
    removeOld,
    metrics: () => [
      counter(
        'busbar_messages_maybe_twice_total',
        'Messages that a provider accepted after the answer to an earlier try was lost.',
        (['sms', 'email'] as const).map((kind) => ({ labels: { kind }, value: maybeTwice[kind] })),
      ),
    ],
  }
}

/**
 * A provider's answer without the address and the codes of the message, which it may quote: the log and the list of jobs
 * keep it longer than the message and the account.
 */
function hideContents(answer: string, { recipient, text }: store.DueMessage): string {
  const codes = text.match(/\b[0-9A-Z]{4}\b/g) ?? []
  return [recipient, ...codes].reduce((hidden, word) => hidden.replaceAll(word, '[hidden]'), answer)
}
