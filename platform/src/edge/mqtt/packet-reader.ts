import { malformed, PacketFault } from './packet-fault.ts'
import { reason } from './reasons.ts'

/** A fixed header: one byte of type and flags, at most four of length (MQTT 2.1). */
const headerBytesMax = 5

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

  /** Bytes that wait, of whole packets and of one that is not. */
  get bytes(): number {
    return this.#length
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** The next whole packet with its header, undefined when none is there yet. */
  next(): Buffer | undefined {
    if (this.#length === 0 || this.#length < this.#needed) return undefined
    const bytes = this.#joined()
    if (this.#needed === 0) {
      const needed = packetBytesOf(bytes)
      if (needed === undefined) {
        this.#own(bytes)
        return undefined
      }
      if (needed > this.packetBytesMax) throw new PacketFault(reason.packetTooLarge, 'packet too long')
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
function packetBytesOf(bytes: Buffer): number | undefined {
  let length = 0
  for (let index = 1; index < headerBytesMax; index++) {
    const byte = bytes[index]
    if (byte === undefined) return undefined
    length += (byte & 0x7f) * 128 ** (index - 1)
    if (byte < 0x80) return 1 + index + length
  }
  throw malformed('a length of more than four bytes')
}

/** Where the fixed header of a whole packet ends. */
export function bodyStart(packet: Buffer): number {
  let offset = 1
  while ((packet[offset] ?? 0) >= 0x80) offset++
  return offset + 1
}

/** Whether a packet's length takes more bytes than it needs, which MQTT 5 forbids (MQTT-1.5.5-1). */
export function isLengthOverlong(packet: Buffer): boolean {
  const start = bodyStart(packet)
  return start > 2 && packet[start - 1] === 0
}
