import type { PacketBytes } from './packet-bytes.ts'
import { malformed, protocolError } from './packet-fault.ts'

/** The packets in which a client may send properties (MQTT 5.0, table 2-4). */
export type PropertyPlace =
  | 'connect'
  | 'will'
  | 'publish'
  | 'acknowledgement'
  | 'subscribe'
  | 'unsubscribe'
  | 'disconnect'
  | 'auth'

/** The properties the platform acts on. Others are checked and passed over. */
export interface Properties {
  /** Seconds. */
  readonly sessionExpiryInterval?: number
  readonly receiveMaximum?: number
  /** Bytes. */
  readonly maximumPacketSize?: number
  readonly topicAlias?: number
  readonly subscriptionIdentifier?: number
  readonly responseTopic?: string
  readonly authenticationMethod?: string
  readonly authenticationData?: Buffer
}

interface Property {
  readonly places: readonly PropertyPlace[]
  read(bytes: PacketBytes): unknown
  /** Under which name the value is kept. */
  readonly name?: keyof Properties
  readonly mayRepeat?: true
}

const message: PropertyPlace[] = ['publish', 'will']
const answers: PropertyPlace[] = ['acknowledgement', 'disconnect', 'auth']
const anywhere: PropertyPlace[] = [...message, ...answers, 'connect', 'subscribe', 'unsubscribe']

const flag = (bytes: PacketBytes) => {
  if (bytes.byte() > 1) throw protocolError('a property that is 0 or 1 is neither')
}
const uint16 = (bytes: PacketBytes) => bytes.uint16()
const uint32 = (bytes: PacketBytes) => bytes.uint32()
const text = (bytes: PacketBytes) => bytes.text()
const pair = (bytes: PacketBytes) => [bytes.text(), bytes.text()]
const binary = (bytes: PacketBytes) => bytes.binary()
const positive = (value: number) => {
  if (value === 0) throw protocolError('a property that must not be 0 is')
  return value
}

/**
 * By identifier (MQTT 5.0, 2.2.2.2). Properties that only a server sends are missing here: from a client they are
 * malformed.
 */
const properties = new Map<number, Property>([
  [0x01, { places: message, read: flag }],
  [0x02, { places: message, read: uint32 }],
  [0x03, { places: message, read: text }],
  [0x08, { places: message, read: text, name: 'responseTopic' }],
  [0x09, { places: message, read: binary }],
  [
    0x0b,
    {
      places: ['publish', 'subscribe'],
      read: (bytes) => positive(bytes.varint()),
      name: 'subscriptionIdentifier',
    },
  ],
  [0x11, { places: ['connect', 'disconnect'], read: uint32, name: 'sessionExpiryInterval' }],
  [0x15, { places: ['connect', 'auth'], read: text, name: 'authenticationMethod' }],
  [0x16, { places: ['connect', 'auth'], read: binary, name: 'authenticationData' }],
  [0x17, { places: ['connect'], read: flag }],
  [0x18, { places: ['will'], read: uint32 }],
  [0x19, { places: ['connect'], read: flag }],
  [0x1c, { places: ['disconnect'], read: text }],
  [0x1f, { places: answers, read: text }],
  [0x21, { places: ['connect'], read: (bytes) => positive(bytes.uint16()), name: 'receiveMaximum' }],
  [0x22, { places: ['connect'], read: uint16 }],
  [0x23, { places: ['publish'], read: uint16, name: 'topicAlias' }],
  [0x26, { places: anywhere, read: pair, mayRepeat: true }],
  [0x27, { places: ['connect'], read: (bytes) => positive(bytes.uint32()), name: 'maximumPacketSize' }],
])

/** Reads the properties of a packet, each where it belongs and as often as it may (MQTT 5.0, 2.2.2). */
export function readProperties(packet: PacketBytes, place: PropertyPlace): Properties {
  const bytes = packet.slice(packet.varint())
  const found: Partial<Record<keyof Properties, unknown>> = {}
  const seen = new Set<number>()
  while (!bytes.isAtEnd) {
    const identifier = bytes.varint()
    const property = properties.get(identifier)
    if (!property?.places.includes(place)) throw malformed(`property ${identifier} does not belong here`)
    if (seen.has(identifier) && !property.mayRepeat) throw protocolError(`property ${identifier} twice`)
    seen.add(identifier)
    const value = property.read(bytes)
    if (property.name) found[property.name] = value
  }
  return found as Properties
}
