import { crc32 } from './crc32.ts'

/*
 * A segment file is frames, one after the other:
 *
 *   b5 a7 | kind: 1 byte | length: 3 bytes | CRC-32: 4 bytes | payload: `length` bytes
 *
 * Numbers are little-endian; the checksum is over kind, length and payload. A frame is complete or absent: a
 * cut or altered one does not fit its checksum, and reading continues at the next frame that does.
 */

export const frameKind = { header: 1, tags: 2, samples: 3, summary: 4, cursor: 5 } as const

const mark = 0xa7b5
const headerBytes = 10
const payloadBytesMax = 0xff_ffff

export interface Frame {
  kind: number
  payload: Buffer
  /** Offset of the next frame. */
  end: number
}

export function encodeFrame(kind: number, payload: Uint8Array): Buffer {
  if (payload.length > payloadBytesMax) throw new RangeError(`a frame of ${payload.length} bytes`)
  const bytes = Buffer.allocUnsafe(headerBytes + payload.length)
  bytes.writeUInt16LE(mark, 0)
  bytes[2] = kind
  bytes.writeUIntLE(payload.length, 3, 3)
  bytes.set(payload, headerBytes)
  bytes.writeUInt32LE(checksum(bytes, 0, bytes.length), 6)
  return bytes
}

/** The frame at `at`, or null if there is no complete one. */
export function decodeFrame(bytes: Buffer, at: number): Frame | null {
  if (at + headerBytes > bytes.length || bytes.readUInt16LE(at) !== mark) return null
  const end = at + headerBytes + bytes.readUIntLE(at + 3, 3)
  if (end > bytes.length || bytes.readUInt32LE(at + 6) !== checksum(bytes, at, end)) return null
  return { kind: bytes[at + 2] as number, payload: bytes.subarray(at + headerBytes, end), end }
}

/** The first complete frame from `at` on, past damaged bytes; null if there is none. */
export function findFrame(bytes: Buffer, at: number): Frame | null {
  for (let place = at; place >= 0; place = bytes.indexOf('b5a7', place + 1, 'hex')) {
    const frame = decodeFrame(bytes, place)
    if (frame !== null) return frame
  }
  return null
}

function checksum(bytes: Buffer, at: number, end: number): number {
  return crc32(bytes.subarray(at + headerBytes, end), crc32(bytes.subarray(at + 2, at + 6)))
}
