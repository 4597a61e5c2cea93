import type { destinations } from '@busbar/contract'
import type { Meaning } from './retry-rules.ts'

/** Reason codes of MQTT 5 (2.4) from 0x80, as the specification calls them. */
const names: Readonly<Record<number, string>> = {
  128: 'Unspecified error',
  129: 'Malformed Packet',
  130: 'Protocol Error',
  131: 'Implementation specific error',
  132: 'Unsupported Protocol Version',
  133: 'Client Identifier not valid',
  134: 'Bad User Name or Password',
  135: 'Not authorized',
  136: 'Server unavailable',
  137: 'Server busy',
  138: 'Banned',
  139: 'Server shutting down',
  140: 'Bad authentication method',
  141: 'Keep Alive timeout',
  142: 'Session taken over',
  144: 'Topic Name invalid',
  145: 'Packet identifier in use',
  147: 'Receive Maximum exceeded',
  149: 'Packet too large',
  150: 'Message rate too high',
  151: 'Quota exceeded',
  152: 'Administrative action',
  153: 'Payload format invalid',
  154: 'Retain not supported',
  155: 'QoS not supported',
  156: 'Use another server',
  157: 'Server moved',
  159: 'Connection rate exceeded',
}

/** Return codes of a CONNACK of MQTT 3.1.1 (3.2.2.3), as the codes of MQTT 5 that say the same. */
const of311: Readonly<Record<number, number>> = { 1: 132, 2: 133, 3: 136, 4: 134, 5: 135 }

const takenOverCode = 142
const signInCodes: ReadonlySet<number> = new Set([134, 135, 138, 140])
const busyCodes: ReadonlySet<number> = new Set([136, 137, 139, 150, 151, 159])
/** The texts of a broker beside a code are its own: they are cut. */
const wordsMax = 200

/** A broker's refusal of a connection or of a row. */
export interface BrokerRefusal {
  readonly packet: 'CONNACK' | 'DISCONNECT' | 'PUBACK'
  /** The reason code of MQTT 5, also where the broker speaks 3.1.1. */
  readonly code: number
  readonly fault: destinations.DestinationFault
  readonly means: Meaning | undefined
  /** `0x87 Not authorized: no such user` */
  readonly detail: string
}

/** Reads a code of 0x80 or more, or one of 3.1.1. That of a PUBACK is about a row, unless the broker wants fewer. */
export function readRefusal(packet: BrokerRefusal['packet'], code: number, words?: string): BrokerRefusal {
  const own = of311[code] ?? code
  const of = { packet, code: own, detail: formatReason(own, words) }
  if (busyCodes.has(own)) return { ...of, fault: 'brokerBusy', means: 'slower' }
  if (own === takenOverCode) return { ...of, fault: 'takenOver', means: undefined }
  if (packet === 'PUBACK') return { ...of, fault: 'rowRefused', means: 'refused' }
  return { ...of, fault: signInCodes.has(own) ? 'signInRefused' : 'brokerRefused', means: undefined }
}

export function formatReason(code: number, words?: string): string {
  const name = names[code] ?? (code < 128 ? 'Success' : '')
  const hex = `0x${code.toString(16).padStart(2, '0')}`
  return [`${hex} ${name}`.trim(), words?.slice(0, wordsMax).toWellFormed()].filter(Boolean).join(': ')
}
