import { generate, type Packet } from 'mqtt-packet'

/** A packet's bytes under a protocol version. */
export function formatPacket(packet: Packet, version: number): Buffer {
  return generate(packet, { protocolVersion: version })
}

/** Packet types by number (MQTT 2.1.2). */
export const packetType = {
  reserved: 0,
  connect: 1,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  unsubscribe: 10,
  pingreq: 12,
  disconnect: 14,
} as const

/** Every packet but PUBLISH has its flags given (MQTT 2.2.2): these three have one set. */
const flaggedTypes: ReadonlySet<number> = new Set([
  packetType.pubrel,
  packetType.subscribe,
  packetType.unsubscribe,
])

/** Whether the first byte of a packet other than PUBLISH has the flags of its type. */
export function hasRightFlags(first: number): boolean {
  return (first & 0x0f) === (flaggedTypes.has(first >> 4) ? 0x02 : 0)
}

export const pingResponse = Buffer.from([0xd0, 0])

/** PUBACK, PUBREC or PUBCOMP, by type. */
export interface Ack {
  readonly packetId: number
  readonly type: number
  /** MQTT 5's reason, where it is not success. */
  readonly code?: number
}

/** Acknowledgements in a row: four bytes each, in MQTT 5 as well, where success goes without saying. */
export function formatAcks(acks: readonly Ack[]): Buffer {
  let length = acks.length * 4
  for (const { code } of acks) if (code !== undefined) length++
  const bytes = Buffer.allocUnsafe(length)
  let offset = 0
  for (const { packetId, type, code } of acks) {
    bytes[offset] = type << 4
    bytes[offset + 1] = code === undefined ? 2 : 3
    bytes[offset + 2] = packetId >> 8
    bytes[offset + 3] = packetId & 0xff
    offset += 4
    if (code !== undefined) bytes[offset++] = code
  }
  return bytes
}
