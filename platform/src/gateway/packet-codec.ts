import { generate, type Packet, parser } from 'mqtt-packet'

/** Parses one whole packet; undefined when it is malformed. PUBLISH has a quicker way, `readPublish`. */
export function parsePacket(bytes: Buffer, version: number): Packet | undefined {
  let parsed: Packet | undefined
  let isMalformed = false
  const reader = parser({ protocolVersion: version })
  reader.on('packet', (packet) => {
    parsed = packet
  })
  reader.on('error', () => {
    isMalformed = true
  })
  try {
    reader.parse(bytes)
  } catch {
    // The parser reads beyond the end of some malformed packets.
    return undefined
  }
  return isMalformed ? undefined : parsed
}

/** A packet's bytes under a protocol version. */
export function formatPacket(packet: Packet, version: number): Buffer {
  return generate(packet, { protocolVersion: version })
}

/** Packet types by number (MQTT 2.1.2), where the number itself is needed. */
export const packetType = {
  connect: 1,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubcomp: 7,
  pingreq: 12,
} as const

export const pingResponse = Buffer.from([0xd0, 0])

/** Acknowledgements by packet id: four bytes each, in MQTT 5 as well, where success goes without saying. */
export function formatAcks(acks: readonly { readonly packetId: number; readonly type: number }[]): Buffer {
  const bytes = Buffer.allocUnsafe(acks.length * 4)
  let offset = 0
  for (const { packetId, type } of acks) {
    // PUBREL alone has a flag bit set (MQTT 2.2.2); the platform never sends one.
    bytes[offset] = type << 4
    bytes[offset + 1] = 2
    bytes[offset + 2] = packetId >> 8
    bytes[offset + 3] = packetId & 0xff
    offset += 4
  }
  return bytes
}
