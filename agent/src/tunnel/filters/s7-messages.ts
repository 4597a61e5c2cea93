import { type FrameFormat, FrameHeads } from './frame-heads.ts'

// Classic S7 communication: a packet of RFC 1006 (version 3, 0, length) holds a piece of ISO 8073 class 0, which holds a
// message: 0x32, kind, 0 0, reference (2), bytes of parameters (2), bytes of data (2), then both. Numbers have their
// high byte first.

const packetBytes = 4
/** Head of a packet, and of a piece that carries data. */
export const dataHeadBytes = 7
export const messageHeadBytes = 10
/** More than the longest message that reads or writes variables: a controller takes 960 bytes at most. */
const messageBytesMax = 2_048

export const pieces = { connectionRequest: 0xe0, data: 0xf0 } as const
export const dataHeadLength = 2
/** Of a piece: the last of its message, and first of several. Class 0 does not number them (ISO 8073, 13.7). */
export const ends = { last: 0x80, more: 0 } as const

export const protocolId = 0x32
export const kinds = { request: 1, refusal: 2, answer: 3, userData: 7 } as const
export const functions = { setUp: 0xf0, read: 0x04, write: 0x05 } as const

export const cutFormat: FrameFormat = {
  headBytes: messageBytesMax,
  lengthBytes: packetBytes,
  lengthOf(head) {
    const length = head.readUInt16BE(2)
    return head[0] === 3 && head[1] === 0 && length >= dataHeadBytes ? length : null
  },
}

/** The first bytes of TLS (RFC 8446, 5.1), or of the protocol of newer controllers, which has no reading and writing. */
export function isEncrypted(bytes: Buffer): boolean {
  return (bytes[0] === 0x16 && bytes[1] === 0x03) || bytes[0] === 0x72
}

/** The parts of a request that goes on with a list or tells what it asks for; each of these reads. */
const userDataRequests: readonly { readonly group: number; readonly asks: readonly number[] }[] = [
  // Block lists: all, of a type.
  { group: 3, asks: [1, 2] },
  // Lists of the system's state.
  { group: 4, asks: [1] },
  // The clock, two forms.
  { group: 7, asks: [1, 3] },
]
export const asks = 0x40

export function isReadingUserData(params: Buffer): boolean {
  const group = params[5] ?? 0
  return userDataRequests.some(
    (known) => group === (asks | known.group) && known.asks.includes(params[6] ?? 0),
  )
}

export const isDataPiece = (head: Buffer): boolean =>
  head[4] === dataHeadLength && head[5] === pieces.data && (head[6] === ends.last || head[6] === ends.more)

/** Finds the messages in a stream of packets. Of a long one the end is missing. */
export class S7Messages {
  readonly #packets = new FrameHeads(cutFormat)
  /** Of a message that comes in several pieces. */
  #begun: Buffer | null = null

  /** The messages that are whole now, in their order. */
  read(bytes: Buffer): Buffer[] {
    const messages: Buffer[] = []
    for (const { head } of this.#packets.read(bytes)) {
      if (!isDataPiece(head)) continue
      const piece = head.subarray(dataHeadBytes)
      const begun = this.#begun === null ? piece : Buffer.concat([this.#begun, piece])
      this.#begun = head[6] === ends.more ? begun.subarray(0, messageBytesMax) : null
      if (this.#begun === null) messages.push(begun)
    }
    return messages
  }
}
