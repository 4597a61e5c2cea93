import type { Lang } from '@busbar/contract'

/** A text for a phone. `phone` is in its country's own digits, as accounts are kept. */
export interface SmsMessage {
  readonly kind: 'sms'
  readonly countryCode: string
  readonly phone: string
  readonly text: string
  readonly brandId: number
  /** What a provider that knows texts by templates puts into its own. */
  readonly params?: Readonly<Record<string, string>>
}

/** An e-mail in both forms. */
export interface EmailMessage {
  readonly kind: 'email'
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly brandId: number
  readonly lang: Lang
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
}

/** An e-mail as its provider gets it. */
export interface Email {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands one message to the outside. Throws MessageRefused when another try would end the same, else any error. */
export interface Provider<Message> {
  send(message: Message): Promise<void>
  close(): Promise<void>
}

/** The other side took the message apart and will never accept it. */
export class MessageRefused extends Error {
  override name = 'MessageRefused'
}
