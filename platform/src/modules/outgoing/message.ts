import type { Lang, smsStock } from '@busbar/contract'
import type { Attachment, MailFile } from './attachment.ts'
import type { AccountMail, EndableMail } from './mail-kinds.ts'
import type { MailReader } from './unsubscribe-link.ts'

/** The kinds of messages for which a provider may have its own templates. */
export type MessagePurpose = smsStock.SmsPurpose

/** The notification of a message: followers of `message.*` facts identify it by this id. */
interface Notifying {
  readonly purpose?: MessagePurpose
  readonly notificationId?: number
}

/** A text for a phone. `phone` is in its country's own digits, as accounts are kept. */
export interface SmsMessage extends Notifying {
  readonly kind: 'sms'
  readonly countryCode: string
  readonly phone: string
  readonly text: string
  readonly brandId: number
  readonly lang?: Lang
  /** The values for a provider's own template. */
  readonly params?: Readonly<Record<string, string>>
}

/** An e-mail in both forms; its kind decides whether its reader can end it. */
export type EmailMessage = AnyEmail &
  (
    | { readonly mail: AccountMail; readonly to: string; readonly unsubscribeUrl?: undefined }
    | {
        readonly mail: EndableMail
        readonly to: MailReader
        /** One press there ends these mails (RFC 8058); undefined: the platform has no public address. */
        readonly unsubscribeUrl: string | undefined
      }
  )

interface AnyEmail extends Notifying {
  readonly kind: 'email'
  /** Nothing in it is a text that somebody else than the reader chose (rules/messages.md: kinds of mails). */
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly brandId: number
  readonly lang: Lang
  /** Files that `fitMail` lets through. */
  readonly attachments?: readonly Attachment[]
}

export type OutgoingMessage = SmsMessage | EmailMessage

/** An SMS as its provider gets it. */
export interface Sms {
  readonly countryCode: string
  readonly phone: string
  readonly text: string
  readonly params: Readonly<Record<string, string>>
  /** Without brackets; empty: none. */
  readonly signature: string
  /** The provider's template for this brand, language and purpose; empty: the one of the configuration. */
  readonly template: string
}

/** An e-mail as its provider gets it. */
export interface Email {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without angle brackets; a bounce quotes it. */
  readonly messageId: string
  /** Empty: none. */
  readonly unsubscribeUrl: string
  /** Opened for this try. */
  readonly files: readonly MailFile[]
}

/** A provider's word about a message that it had accepted. */
export interface Receipt {
  /** The id that `send` answered. */
  readonly providerId: string
  readonly state: 'delivered' | 'failed'
  readonly error: string
}

/** Hands one message to the outside. */
export interface Provider<Message> {
  /**
   * Answers the provider's ids of its parts; empty without later receipts. Throws MessageRefused when another try would
   * have the same result, AnswerLost when the provider may have accepted it, else any error.
   */
  send(message: Message): Promise<readonly string[]>
  /** Listens for receipts from now on; one that `note` rejects is delivered again. */
  receive?(note: (receipts: readonly Receipt[]) => Promise<void>): void
  close(): Promise<void>
}

/** The message was handed over and its answer did not come: another try may send it twice. */
export class AnswerLost extends Error {
  override name = 'AnswerLost'
}

/** The other side took the message apart and will never accept it. */
export class MessageRefused extends Error {
  override name = 'MessageRefused'
}
