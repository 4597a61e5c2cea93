import type { Pdu } from 'smpp'
import type { Receipt } from './message.ts'

/** The bits of `esm_class` that name the type of a message, and that of a receipt (SMPP 3.4, 5.2.12). */
const typeBits = 0x3c
const receiptType = 0x04
const errorCharactersMax = 100

/** States of a message that has ended, as a number (5.2.28) and as receipts write them (appendix B). */
const delivered = { number: 2, word: 'DELIVRD' } as const
const undelivered = {
  numbers: new Set([3, 4, 5, 8]),
  words: new Set(['EXPIRED', 'DELETED', 'UNDELIV', 'REJECTD']),
} as const

/** A `deliver_sm`'s report on an earlier message; undefined for a person's SMS, and while the message is on its way. */
export function readReceipt(pdu: Pdu): Receipt | undefined {
  if (((pdu.esm_class ?? 0) & typeBits) !== receiptType) return undefined
  const text = pdu.short_message?.message ?? ''
  const providerId = pdu.receipted_message_id ?? /\bid:\s*(\S+)/i.exec(text)?.[1]
  const word = /\bstat:\s*(\w+)/i.exec(text)?.[1]?.toUpperCase() ?? ''
  const state = stateOf(pdu.message_state, word)
  if (!providerId || !state) return undefined
  const code = /\berr:\s*(\w+)/i.exec(text)?.[1] ?? ''
  const error = state === 'delivered' ? '' : [word, code].filter((part) => part !== '').join(' ')
  return { providerId: providerId.replace(/\0+$/, ''), state, error: error.slice(0, errorCharactersMax) }
}

function stateOf(number: number | undefined, word: string): Receipt['state'] | undefined {
  if (number === undefined) {
    if (word === delivered.word) return 'delivered'
    return undelivered.words.has(word) ? 'failed' : undefined
  }
  if (number === delivered.number) return 'delivered'
  return undelivered.numbers.has(number) ? 'failed' : undefined
}
