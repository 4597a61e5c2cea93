import type { Config } from '../../config.ts'
import type { Logger } from '../../logger.ts'
import type { Brand } from '../brands/index.ts'
import { Lane } from './lane.ts'
import { MessageRefused, type OutgoingMessage } from './message.ts'
import * as store from './outgoing-store.ts'
import { openProviders, type Providers } from './providers.ts'

const messagesAtOnce = 10
/** A try that has not ended is taken for lost after this; longer than any provider waits. */
const tryMsMax = 120_000
/** Waits after the first, second … failed try; after the last the message has failed. */
const retryMs = [5_000, 20_000, 60_000, 300_000] as const
const errorCharactersMax = 300
/** The outbox is for looking things up, not for keeping. */
const keptMs = 7 * 86_400_000

/** What of a brand stands in its messages. */
export type MessageBrand = Pick<Brand, 'platformName' | 'emailSender' | 'smsSignature'>

/** The way out of the platform for SMS and e-mail (decision 57). */
export interface Outgoing {
  /**
   * Stores a message in the caller's transaction; it is sent after the commit. `withhold`: nobody gets it, and it takes
   * as long: who asks must not learn from the time whether an account exists.
   */
  queue(db: store.Db, message: OutgoingMessage, options?: { withhold?: boolean }): Promise<void>
  start(): void
  /** Waits for what is being sent, for seconds at most. */
  stop(): Promise<void>
  /** Forgets what is older than a week. */
  removeOld(): Promise<void>
}

interface Deps {
  readonly db: store.Db
  readonly logger: Logger
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
  const { db, logger, now } = deps
  const providers = deps.providers ?? openProviders(deps.config)
  const lanes = {
    sms: new Lane(() => sendDue('sms'), logger),
    email: new Lane(() => sendDue('email'), logger),
  }

  async function sendDue(kind: OutgoingMessage['kind']): Promise<void> {
    while (!lanes[kind].isStopped) {
      const at = now()
      const due = await store.takeDueMessages(db, {
        kind,
        now: new Date(at),
        retryAt: new Date(at + tryMsMax),
        max: messagesAtOnce,
      })
      if (due.length === 0) return
      await Promise.all(due.map(sendOne))
    }
  }

  async function sendOne(message: store.DueMessage): Promise<void> {
    try {
      await hand(message)
    } catch (error) {
      const waitMs = error instanceof MessageRefused ? undefined : retryMs[message.tries - 1]
      const { id, kind, tries } = message
      logger.warn({ err: error, messageId: id, kind, tries }, 'a message could not be sent')
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, errorCharactersMax)
      return store.updateMessageError(db, id, reason, waitMs ? new Date(now() + waitMs) : undefined)
    }
    await store.updateMessageSent(db, message.id, new Date(now()))
  }

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
      await store.createMessage(handle, message, state, new Date(now()))
      lanes[message.kind].lookSoon()
    },
    start() {
      lanes.sms.start()
      lanes.email.start()
    },
    async stop() {
      await Promise.all([lanes.sms.stop(), lanes.email.stop()])
      await Promise.all([providers.sms?.close(), providers.email?.close()])
    },
    removeOld: () => store.removeOldMessages(db, new Date(now() - keptMs)),
  }
}
