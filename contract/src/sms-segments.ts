/** UTF-16 units of a single SMS, and of each segment of a longer one. */
export const smsUnits = { single: 70, segment: 67 } as const

/**
 * The price of a text in segments: one up to 70 UTF-16 units, beyond that one for every 67 begun (rules/messages.md:
 * price of an sms).
 */
export function smsSegments(text: string): number {
  return text.length <= smsUnits.single ? 1 : Math.ceil(text.length / smsUnits.segment)
}

/** A text as services send it, with the signature of its brand before it, which counts. */
export function signSms(signature: string, text: string): string {
  return signature ? `【${signature}】${text}` : text
}
