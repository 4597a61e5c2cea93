/** A fixed header: one byte of type and flags, at most four of length (MQTT 2.1). */
const headerBytesMax = 5

/** Why a stream of bytes is not MQTT. */
export type FramingFault = 'malformed' | 'tooLong'

/**
 * Cuts a stream into packets. It holds at most one packet that has not come whole, and refuses a long one by its
 * length, before its bytes arrive.
 */
export class PacketReader {
  /** The longest packet accepted, in bytes; may change between packets. */
  packetBytesMax: number
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes of the packet that is coming; 0 while its header is not whole. */
  #needed = 0

  constructor(packetBytesMax: number) {
    this.packetBytesMax = packetBytesMax
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The next whole packet with its header, undefined when none is there yet, or what is wrong. */
  next(): Buffer | FramingFault | undefined {
    if (this.#length === 0 || this.#length < this.#needed) return undefined
    const bytes = this.#joined()
    if (this.#needed === 0) {
      const needed = packetBytesOf(bytes)
      if (needed === undefined) {
        this.#own(bytes)
        return undefined
      }
      if (needed === 'malformed') return 'malformed'
      if (needed > this.packetBytesMax) return 'tooLong'
      this.#needed = needed
      if (bytes.length < needed) {
        this.#own(bytes)
        return undefined
      }
    }
    const packet = bytes.subarray(0, this.#needed)
    this.#chunks = bytes.length === this.#needed ? [] : [bytes.subarray(this.#needed)]
    this.#length -= this.#needed
    this.#needed = 0
    return packet
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#length)]
    return this.#chunks[0] as Buffer
  }

  /** Keeps a copy: a few bytes must not hold on to the whole block they were read into. */
  #own(bytes: Buffer): void {
    this.#chunks = [Buffer.from(bytes)]
  }
}

/** Header and remaining length together; undefined while the header is not whole. */
function packetBytesOf(bytes: Buffer): number | 'malformed' | undefined {
  let length = 0
  for (let index = 1; index < headerBytesMax; index++) {
    const byte = bytes[index]
    if (byte === undefined) return undefined
    length += (byte & 0x7f) * 128 ** (index - 1)
    if (byte < 0x80) return 1 + index + length
  }
  return 'malformed'
}

/** A PUBLISH taken apart; the payload shares memory with the packet. */
export interface Publish {
  topic: string
  qos: number
  /** 0 for QoS 0. */
  packetId: number
  payload: Buffer
}

/**
 * Reads a PUBLISH (MQTT 3.3) by hand: it is the one packet that comes by the hundred thousand. Undefined when it is
 * malformed; `properties` when it has MQTT 5 properties, which the general parser must look at.
 */
export function readPublish(packet: Buffer, version: number): Publish | 'properties' | undefined {
  const qos = ((packet[0] ?? 0) >> 1) & 3
  if (qos === 3) return undefined
  let offset = 1
  while ((packet[offset] ?? 0) >= 0x80) offset++
  offset++
  if (offset + 2 > packet.length) return undefined
  const topicEnd = offset + 2 + packet.readUInt16BE(offset)
  const idEnd = qos === 0 ? topicEnd : topicEnd + 2
  if (idEnd > packet.length) return undefined
  const topic = packet.toString('utf8', offset + 2, topicEnd)
  const packetId = qos === 0 ? 0 : packet.readUInt16BE(topicEnd)
  if (qos > 0 && packetId === 0) return undefined
  if (version !== 5) return { topic, qos, packetId, payload: packet.subarray(idEnd) }
  const propertyBytes = packet[idEnd]
  if (propertyBytes === undefined) return undefined
  return propertyBytes === 0 ? { topic, qos, packetId, payload: packet.subarray(idEnd + 1) } : 'properties'
}
