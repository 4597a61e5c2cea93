import { inflateSync } from 'node:zlib'

const woffHeadBytes = 44
const woffEntryBytes = 20
const sfntHeadBytes = 12
const sfntEntryBytes = 16

/**
 * The font of a WOFF file (https://www.w3.org/TR/WOFF/, 3 to 5) as a plain one. fontkit inflates a table of a WOFF file anew
 * for each glyph, a quarter of a second each.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('This is no WOFF file.')
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, place) => {
    const entry = woff.subarray(woffHeadBytes + place * woffEntryBytes)
    const [offset, packed, length] = [4, 8, 12].map((at) => entry.readUInt32BE(at)) as [
      number,
      number,
      number,
    ]
    const bytes = woff.subarray(offset, offset + packed)
    return {
      tag: entry.subarray(0, 4),
      checksum: entry.readUInt32BE(16),
      bytes: packed < length ? inflateSync(bytes) : bytes,
    }
  })
  const head = Buffer.alloc(sfntHeadBytes + count * sfntEntryBytes)
  woff.copy(head, 0, 4, 8)
  const power = 2 ** Math.floor(Math.log2(count))
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(power * 16, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE((count - power) * 16, 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (const [place, { tag, checksum, bytes }] of tables.entries()) {
    const at = sfntHeadBytes + place * sfntEntryBytes
    tag.copy(head, at)
    head.writeUInt32BE(checksum, at + 4)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(bytes.length, at + 12)
    const padding = (4 - (bytes.length % 4)) % 4
    parts.push(bytes, Buffer.alloc(padding))
    offset += bytes.length + padding
  }
  return Buffer.concat(parts)
}
