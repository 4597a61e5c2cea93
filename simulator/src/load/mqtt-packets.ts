/** First bytes and kinds of the packets a load line needs (MQTT 3.1.1, section 2.2.1). */
export const packet = {
  connack: 2,
  puback: 4,
  pingreq: Buffer.from([0xc0, 0]),
  disconnect: Buffer.from([0xe0, 0]),
} as const

const connectType = 0x10
/** QoS 1, not retained, not a duplicate. */
const publishType = 0x32
const flags = { cleanSession: 0x02, will: 0x04, willQos1: 0x08, password: 0x40, userName: 0x80 }

/** A CONNECT with a clean session; user name and client id are the machine's code. */
export function encodeConnect(options: {
  code: string
  secret: string
  keepAliveS: number
  will: { topic: string; payload: Uint8Array } | undefined
}): Buffer {
  const { code, secret, keepAliveS, will } = options
  const willFlags = will ? flags.will | flags.willQos1 : 0
  const head = Buffer.from([0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 0, 0, 0])
  head[7] = flags.cleanSession | willFlags | flags.password | flags.userName
  head.writeUInt16BE(keepAliveS, 8)
  return framed(connectType, [
    head,
    counted(Buffer.from(code)),
    ...(will ? [counted(Buffer.from(will.topic)), counted(will.payload)] : []),
    counted(Buffer.from(code)),
    counted(Buffer.from(secret)),
  ])
}

export function encodePublish(topic: string, packetId: number, payload: Uint8Array): Buffer {
  const topicBytes = Buffer.byteLength(topic)
  const length = 2 + topicBytes + 2 + payload.length
  const head = lengthBytes(length)
  const bytes = Buffer.allocUnsafe(1 + head.length + length)
  bytes[0] = publishType
  bytes.set(head, 1)
  let at = bytes.writeUInt16BE(topicBytes, 1 + head.length)
  at += bytes.write(topic, at)
  at = bytes.writeUInt16BE(packetId, at)
  bytes.set(payload, at)
  return bytes
}

function framed(type: number, parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from([type, ...lengthBytes(length)]), ...parts])
}

/** Bytes with their length before them (section 1.5.3). */
function counted(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(2)
  head.writeUInt16BE(bytes.length)
  return Buffer.concat([head, bytes])
}

/** The remaining length, seven bits a byte (section 2.2.3). */
function lengthBytes(length: number): number[] {
  const bytes: number[] = []
  let rest = length
  do {
    const digit = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? digit | 0x80 : digit)
  } while (rest > 0)
  return bytes
}
