import { PacketBytes } from './packet-bytes.ts'
import { malformed, PacketFault, protocolError } from './packet-fault.ts'
import { type Properties, readProperties } from './packet-properties.ts'
import { bodyStart } from './packet-reader.ts'
import { clientDisconnectReasons, pubackReasons, pubrelReasons, reason } from './reasons.ts'

/** MQTT 3.1.1 and 5.0, as a CONNECT numbers them. */
export type ProtocolVersion = 4 | 5

export interface ConnectWill {
  readonly topic: string
  readonly payload: Buffer
  readonly isRetained: boolean
}

export interface Connect {
  readonly clientId: string
  readonly isClean: boolean
  readonly keepAliveS: number
  readonly will: ConnectWill | undefined
  readonly userName: string | undefined
  readonly password: Buffer | undefined
  readonly properties: Properties
}

export interface Subscription {
  readonly filter: string
  readonly qos: number
  readonly isNoLocal: boolean
  /** 0: retained messages at each SUBSCRIBE, 1: at the first, 2: never (MQTT 5.0, 3.8.3.1). */
  readonly retainHandling: number
}

export interface Subscribe {
  readonly packetId: number
  readonly subscriptions: readonly Subscription[]
  readonly properties: Properties
}

export interface Unsubscribe {
  readonly packetId: number
  readonly filters: readonly string[]
}

export interface Disconnect {
  readonly reasonCode: number
  readonly properties: Properties
}

const connectFlag = { reserved: 0x01, clean: 0x02, will: 0x04, retain: 0x20, password: 0x40, userName: 0x80 }
const noProperties: Properties = {}

/** The fields of a packet behind its fixed header. */
export function bodyOf(packet: Buffer): PacketBytes {
  return new PacketBytes(packet, bodyStart(packet))
}

/**
 * The version that a CONNECT requests (MQTT 3.1.2.1, 3.1.2.2). MQTT 3.1, which calls itself MQIsdp, has different rules
 * and is refused (`docs/decisions/0020-mqtt-3-1.md`).
 */
export function readProtocolVersion(bytes: PacketBytes): ProtocolVersion {
  const name = bytes.text()
  if (name !== 'MQTT' && name !== 'MQIsdp') throw malformed('a protocol of another name')
  const level = bytes.byte()
  if (name === 'MQTT' && (level === 4 || level === 5)) return level
  throw new PacketFault(reason.unsupportedProtocolVersion, 'unknown protocol version')
}

/** A CONNECT behind its version (MQTT 3.1). */
export function readConnect(bytes: PacketBytes, version: ProtocolVersion): Connect {
  const flags = bytes.byte()
  const has = (flag: number) => (flags & flag) !== 0
  if (has(connectFlag.reserved)) throw malformed('a reserved connect flag')
  const willQos = (flags >> 3) & 3
  if (willQos === 3) throw malformed('a will of QoS 3')
  if (!has(connectFlag.will) && (willQos !== 0 || has(connectFlag.retain))) {
    throw malformed('flags of a will without a will')
  }
  if (version !== 5 && has(connectFlag.password) && !has(connectFlag.userName)) {
    throw malformed('a password without a user name')
  }
  const keepAliveS = bytes.uint16()
  const properties = version === 5 ? readProperties(bytes, 'connect') : noProperties
  if (properties.authenticationData && properties.authenticationMethod === undefined) {
    throw protocolError('authentication data without a method')
  }
  const clientId = bytes.text()
  const will = has(connectFlag.will) ? readWill(bytes, version, has(connectFlag.retain)) : undefined
  const userName = has(connectFlag.userName) ? bytes.text() : undefined
  const password = has(connectFlag.password) ? bytes.binary() : undefined
  bytes.finish()
  return { clientId, isClean: has(connectFlag.clean), keepAliveS, will, userName, password, properties }
}

function readWill(bytes: PacketBytes, version: ProtocolVersion, isRetained: boolean): ConnectWill {
  if (version === 5) readProperties(bytes, 'will')
  const topic = bytes.text()
  return { topic, payload: Buffer.from(bytes.binary()), isRetained }
}

/** A SUBSCRIBE of at most `filtersMax` filters (MQTT 3.8). */
export function readSubscribe(bytes: PacketBytes, version: ProtocolVersion, filtersMax: number): Subscribe {
  const packetId = readPacketId(bytes)
  const properties = version === 5 ? readProperties(bytes, 'subscribe') : noProperties
  const subscriptions: Subscription[] = []
  do {
    if (bytes.isAtEnd) throw protocolError('a SUBSCRIBE without filters')
    if (subscriptions.length === filtersMax) throw tooManyFilters()
    const filter = readFilter(bytes, version)
    subscriptions.push({ filter, ...readSubscriptionOptions(bytes.byte(), version) })
  } while (!bytes.isAtEnd)
  return { packetId, subscriptions, properties }
}

function readSubscriptionOptions(options: number, version: ProtocolVersion): Omit<Subscription, 'filter'> {
  const reserved = version === 5 ? 0xc0 : 0xfc
  if ((options & reserved) !== 0) throw malformed('reserved subscription options')
  const qos = options & 3
  if (qos === 3) throw protocolError('a subscription of QoS 3')
  const retainHandling = (options >> 4) & 3
  if (retainHandling === 3) throw protocolError('retain handling 3')
  return { qos, isNoLocal: (options & 0x04) !== 0, retainHandling }
}

/** An UNSUBSCRIBE of at most `filtersMax` filters (MQTT 3.10). */
export function readUnsubscribe(
  bytes: PacketBytes,
  version: ProtocolVersion,
  filtersMax: number,
): Unsubscribe {
  const packetId = readPacketId(bytes)
  if (version === 5) readProperties(bytes, 'unsubscribe')
  const filters: string[] = []
  do {
    if (bytes.isAtEnd) throw protocolError('an UNSUBSCRIBE without filters')
    if (filters.length === filtersMax) throw tooManyFilters()
    filters.push(readFilter(bytes, version))
  } while (!bytes.isAtEnd)
  return { packetId, filters }
}

/** An empty filter is invalid (MQTT-4.7.3-1). In 3.1.1 it is refused like any ill-formed one. */
function readFilter(bytes: PacketBytes, version: ProtocolVersion): string {
  const filter = bytes.text()
  if (filter === '' && version === 5) throw protocolError('an empty filter')
  return filter
}

function tooManyFilters(): PacketFault {
  return new PacketFault(reason.quotaExceeded, 'too many filters in one packet')
}

/** The packet id of a PUBACK (MQTT 3.4). */
export function readPuback(bytes: PacketBytes, version: ProtocolVersion): number {
  return readAcknowledgement(bytes, version, pubackReasons)
}

/** The packet id of a PUBREL (MQTT 3.6). */
export function readPubrel(bytes: PacketBytes, version: ProtocolVersion): number {
  return readAcknowledgement(bytes, version, pubrelReasons)
}

/**
 * Any permitted reason, or a missing one, ends the exchange in the same way; any other is a protocol error (MQTT 5.0,
 * 2.4).
 */
function readAcknowledgement(
  bytes: PacketBytes,
  version: ProtocolVersion,
  reasons: ReadonlySet<number>,
): number {
  const packetId = readPacketId(bytes)
  if (version === 5 && !bytes.isAtEnd) {
    if (!reasons.has(bytes.byte())) throw protocolError('a reason that its packet does not have')
    if (!bytes.isAtEnd) readProperties(bytes, 'acknowledgement')
  }
  bytes.finish()
  return packetId
}

/** A DISCONNECT, whose reason goes without saying when all is well (MQTT 3.14). */
export function readDisconnect(bytes: PacketBytes, version: ProtocolVersion): Disconnect {
  let reasonCode: number = reason.success
  let properties = noProperties
  if (version === 5 && !bytes.isAtEnd) {
    reasonCode = bytes.byte()
    if (!clientDisconnectReasons.has(reasonCode)) throw protocolError('a reason no client leaves for')
    if (!bytes.isAtEnd) properties = readProperties(bytes, 'disconnect')
  }
  bytes.finish()
  return { reasonCode, properties }
}

function readPacketId(bytes: PacketBytes): number {
  const packetId = bytes.uint16()
  if (packetId === 0) throw protocolError('packet id 0')
  return packetId
}
