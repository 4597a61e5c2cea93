import type { Config } from '../../config.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import { type Job, JobRefused, type Jobs, queueJob, queueOf } from '../../kernel/jobs/index.ts'
import type { Brand } from '../brands/index.ts'
import { MessageRefused, type OutgoingMessage } from './message.ts'
import * as store from './outgoing-store.ts'
import { openProviders, type Providers } from './providers.ts'

const messagesAtOnce = 10
/** Waits after the first, second … failed try; after the last the message has failed. */
const retryS = [5, 20, 60, 300] as const
/** Of its own for each kind: a provider that is away keeps messages of the other kind waiting for nothing. */
const queues = {
  sms: queueOf<{ messageId: number }>('sms'),
  email: queueOf<{ messageId: number }>('email'),
} as const
const housekeepingS = 300
const errorCharactersMax = 300
/** The outbox is for looking things up, not for keeping. */
const keptMs = 7 * 86_400_000

/** The fields of a brand that stand in its messages. */
export type MessageBrand = Pick<Brand, 'platformName' | 'emailSender' | 'smsSignature'>

/** The way out of the platform for SMS and e-mail . */
export interface Outgoing {
  /**
   * Stores a message in the caller's transaction; it is sent after the commit. `withhold`: nobody gets it, and it takes
   * as long: who asks must not learn from the time whether an account exists.
   */
  queue(db: store.Db, message: OutgoingMessage, options?: { withhold?: boolean }): Promise<void>
  readonly jobs: readonly Job[]
  /** Closes the providers; call it when the jobs have stopped. */
  close(): Promise<void>
  /** Forgets what is older than a week. */
  removeOld(): Promise<void>
}

interface Deps {
  readonly db: store.Db
  readonly jobs: Pick<Jobs, 'send'>
  readonly config: Config
  readonly now: () => number
  brandOf(id: number): MessageBrand
  /** Instead of those the configuration names. */
  readonly providers?: Providers
}

/**
 * Queues and sends messages through the providers the configuration names; of a kind without a provider each stays in
 * the outbox for an operator to read. A message goes out at least once: a crash in between repeats it.
 */
export function createOutgoing(deps: Deps): Outgoing {
  const { db, now } = deps
  const providers = deps.providers ?? openProviders(deps.config)

  const sendingOf = (kind: OutgoingMessage['kind']): Job =>
    queueJob({
      queue: queues[kind],
      concurrency: messagesAtOnce,
      retryS,
      handle: ({ data, tries }) => sendOne(data.messageId, tries),
      gaveUp: (trx, { messageId }, error) => store.updateMessageError(trx, messageId, error, 'failed'),
      adopt: async (trx) => {
        const ids = providers[kind] ? await store.listUnsent(trx, kind, queues[kind].name) : []
        return ids.map((messageId) => ({ messageId }))
      },
      cancelled: (trx, { messageId }) => store.updateMessageError(trx, messageId, 'cancelled', 'failed'),
    })

  async function sendOne(id: number, tries: number): Promise<void> {
    const message = await store.takeMessage(db, id, tries)
    if (!message) {
      if (await store.isForgotten(db, id)) throw new JobRefused('its text is forgotten')
      return
    }
    try {
      await hand(message)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      const reason = hideContents(words, message).slice(0, errorCharactersMax)
      const isRefused = error instanceof MessageRefused
      await store.updateMessageError(db, id, reason, isRefused ? 'refused' : 'queued')
      throw isRefused ? new JobRefused(reason) : new Error(reason)
    }
    await store.updateMessageSent(db, id, new Date(now()))
  }

  const removeOld = () => store.removeOldMessages(db, new Date(now() - keptMs))

  async function hand(message: store.DueMessage): Promise<void> {
    const brand = deps.brandOf(message.brand_id)
    if (message.kind === 'sms') {
      if (!providers.sms) throw new Error('no SMS provider is set')
      return providers.sms.send({
        countryCode: message.country_code ?? '',
        phone: message.recipient,
        text: message.text,
        params: message.params as Record<string, string>,
        signature: brand.smsSignature || deps.config.SMS_SIGNATURE,
      })
    }
    if (!providers.email) throw new Error('no e-mail provider is set')
    return providers.email.send({
      from: {
        name: brand.platformName[message.lang === 'en' ? 'en' : 'cn'],
        address: brand.emailSender || (deps.config.EMAIL_SENDER ?? ''),
      },
      to: message.recipient,
      subject: message.subject,
      text: message.text,
      html: message.html,
    })
  }

  return {
    async queue(handle, message, options = {}) {
      const state = options.withhold ? 'withheld' : providers[message.kind] ? 'queued' : 'kept'
      await withTransaction(handle, async (trx) => {
        const messageId = await store.createMessage(trx, message, state, new Date(now()))
        // Of a withheld one as well, because a job takes time to write; it finds nothing to send.
        if (state !== 'kept' && providers[message.kind])
          await deps.jobs.send(trx, queues[message.kind], { messageId })
      })
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
