import { constants, crc32, zstdCompressSync } from 'node:zlib'
import type { TagType } from '../tag-type.ts'
import { BytesDamaged } from './byte-reader.ts'
import { unpackZstd } from './unpack-zstd.ts'

/** Byte 0: the form of the bytes. Byte 1: type and compression. Bytes 2 to 5: CRC-32 of all that follows them. */
const headBytes = 6
const compressedFlag = 0x80
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
/** The stored numbers of the types: never renumbered. */
const storedTypes: readonly TagType[] = ['bool', 'int64', 'float64', 'string']

/** The contents of sealed bytes: never renumbered. */
export const sealedForm = { chunk: 1, averages: 2 } as const
export type SealedForm = (typeof sealedForm)[keyof typeof sealedForm]

/** Packs a body, with its form, the type of its values and a checksum before it. */
export function seal(form: SealedForm, body: Buffer, type: TagType): Buffer {
  const packed = zstdCompressSync(body, zstdOptions)
  const isSmaller = packed.length < body.length
  const stored = isSmaller ? packed : body
  const sealed = Buffer.allocUnsafeSlow(headBytes + stored.length)
  sealed[0] = form
  sealed[1] = storedTypes.indexOf(type) | (isSmaller ? compressedFlag : 0)
  stored.copy(sealed, headBytes)
  sealed.writeUInt32LE(checksumOf(sealed), 2)
  return sealed
}

/**
 * Unpacks the result of `seal`; the body is valid until the next call. Throws `BytesDamaged` if a byte has changed
 * since it was written.
 */
export function unseal(form: SealedForm, sealed: Buffer): { type: TagType; body: Buffer } {
  const [found, head = 0] = sealed
  if (sealed.length < headBytes || found !== form) throw new BytesDamaged('bytes of another form')
  if (sealed.readUInt32LE(2) !== checksumOf(sealed)) throw new BytesDamaged('the checksum differs')
  const type = storedTypes[head & ~compressedFlag]
  if (type === undefined) throw new BytesDamaged('values of an unknown type')
  const stored = sealed.subarray(headBytes)
  if ((head & compressedFlag) === 0) return { type, body: stored }
  try {
    return { type, body: unpackZstd(stored) }
  } catch (cause) {
    throw new BytesDamaged('it cannot be unpacked', { cause })
  }
}

/** The checksum of the head and the body, without the checksum between them. */
const checksumOf = (sealed: Buffer): number => crc32(sealed.subarray(headBytes), crc32(sealed.subarray(0, 2)))
