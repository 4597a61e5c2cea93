import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** A file in an archive; its bytes are requested when its turn comes. */
export interface ZipEntry {
  /** ASCII, with `/` between folders. */
  readonly path: string
  bytes(): Iterable<Buffer> | AsyncIterable<Buffer>
}

/** An entry as the directory at the end names it. */
interface Written {
  readonly path: Buffer
  readonly crc: number
  readonly size: number
  readonly packed: number
  readonly offset: number
}

/** Version 4.5: archives and files beyond 4 GB. */
const version = 45
/** Sizes and sum follow the bytes of a file. */
const flags = 0x0008
const deflated = 8
/** 1980-01-01, so that the same content makes the same archive. */
const date = 0x0021
const beyond32 = 0xffff_ffff
const beyond16 = 0xffff
/** Larger pieces pack hardly better. */
const pieceBytes = 256 * 1024
/** Measured: level 6 takes three times as long for a tenth less. */
const level = 1

/**
 * The bytes of a ZIP archive of files of any size, one after the other. Each piece of a file is packed by itself on a
 * separate thread, so memory holds a few pieces, and the event loop stays free.
 */
export async function* writeZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const entry of entries) {
    const path = Buffer.from(entry.path, 'latin1')
    const start = offset
    let [crc, size, packed] = [0, 0, 0]
    const head = localHead(path)
    offset += head.length
    yield head
    for await (const piece of gather(entry.bytes())) {
      crc = crc32(piece, crc)
      size += piece.length
      const bytes = await deflate(piece, { level, finishFlush: constants.Z_SYNC_FLUSH })
      packed += bytes.length
      yield bytes
    }
    packed += lastBlock.length
    yield lastBlock
    const file = { path, crc, size, packed, offset: start }
    const tail = sizesOf(file)
    yield tail
    offset += packed + tail.length
    written.push(file)
  }
  yield directoryOf(written, offset)
}

/** An empty block that ends packed bytes. */
const lastBlock = Buffer.from([0x03, 0x00])

async function* gather(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let length = 0
  for await (const piece of source) {
    pieces.push(piece)
    length += piece.length
    if (length < pieceBytes) continue
    yield pieces.length === 1 ? piece : Buffer.concat(pieces)
    pieces = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(pieces)
}

/** Sizes are marked as too large here: then those behind the bytes have eight bytes each. */
function localHead(path: Buffer): Buffer {
  const extra = largeField([0, 0])
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(deflated, 8)
  head.writeUInt16LE(date, 12)
  head.writeUInt32LE(beyond32, 18)
  head.writeUInt32LE(beyond32, 22)
  head.writeUInt16LE(path.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, path, extra])
}

function sizesOf({ crc, size, packed }: Written): Buffer {
  const tail = Buffer.alloc(24)
  tail.writeUInt32LE(0x08074b50, 0)
  tail.writeUInt32LE(crc, 4)
  tail.writeBigUInt64LE(BigInt(packed), 8)
  tail.writeBigUInt64LE(BigInt(size), 16)
  return tail
}

function largeField(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(0x0001, 0)
  field.writeUInt16LE(8 * numbers.length, 2)
  for (const [place, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * place)
  return field
}

function directoryOf(written: readonly Written[], offset: number): Buffer {
  const heads = written.map(directoryHead)
  const size = heads.reduce((sum, { length }) => sum + length, 0)
  const count = BigInt(written.length)
  const large = Buffer.alloc(56)
  large.writeUInt32LE(0x06064b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(version, 12)
  large.writeUInt16LE(version, 14)
  large.writeBigUInt64LE(count, 24)
  large.writeBigUInt64LE(count, 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(written.length, beyond16), 8)
  end.writeUInt16LE(Math.min(written.length, beyond16), 10)
  end.writeUInt32LE(Math.min(size, beyond32), 12)
  end.writeUInt32LE(Math.min(offset, beyond32), 16)
  // Readers of before 2001 would stumble over the larger form where it is not needed.
  const isLarge = offset + size >= beyond32 || written.length >= beyond16
  return Buffer.concat(isLarge ? [...heads, large, locator, end] : [...heads, end])
}

function directoryHead({ path, crc, size, packed, offset }: Written): Buffer {
  const isLarge = size >= beyond32 || packed >= beyond32 || offset >= beyond32
  const extra = isLarge ? largeField([size, packed, offset]) : Buffer.alloc(0)
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(version, 6)
  head.writeUInt16LE(flags, 8)
  head.writeUInt16LE(deflated, 10)
  head.writeUInt16LE(date, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(isLarge ? beyond32 : packed, 20)
  head.writeUInt32LE(isLarge ? beyond32 : size, 24)
  head.writeUInt16LE(path.length, 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(isLarge ? beyond32 : offset, 42)
  return Buffer.concat([head, path, extra])
}
