/** A message to the outside that carries a notification. */
interface OfMessage {
  readonly messageId: number
  readonly notificationId: number
}

/** Facts about SMS and e-mails that carry a notification, by kind. */
export interface MessageFacts {
  /** A provider took it. `isMaybeSecond`: the answer to an earlier try was lost. */
  'message.accepted': OfMessage & { readonly isMaybeSecond: boolean }
  /** It will not be sent: its provider refused it, or every try failed, or an operator cancelled it. */
  'message.refused': OfMessage & { readonly why: 'refused' | 'gaveUp' | 'cancelled' | 'noRight' }
  /** It reached the phone. */
  'message.delivered': OfMessage
  /** Its provider accepted it, and it did not arrive. */
  'message.undelivered': OfMessage
}
