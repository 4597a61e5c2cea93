/** UTF-16 units of a single SMS, and of each segment of a longer one. */
export const smsUnits = { single: 70, segment: 67 } as const

/**
 * The segments in which a text is sent, split between characters: a surrogate pair is never divided (3GPP TS 23.040,
 * 9.2.3.24.1, with UCS-2). Their number is the price (rules/messages.md: price of an sms).
 */
export function splitSms(text: string): string[] {
  if (text.length <= smsUnits.single) return [text]
  const segments: string[] = []
  for (let from = 0; from < text.length; from += (segments.at(-1) as string).length) {
    const to = from + smsUnits.segment
    const isDivided = to < text.length && isHighSurrogate(text.charCodeAt(to - 1))
    segments.push(text.slice(from, isDivided ? to - 1 : to))
  }
  return segments
}

/** The price of a text in segments. */
export const smsSegments = (text: string): number => splitSms(text).length

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** A text as services send it, with the signature of its brand before it, which counts. */
export function signSms(signature: string, text: string): string {
  return signature ? `【${signature}】${text}` : text
}
