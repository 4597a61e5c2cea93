import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type NewRow, type NumberedRow, rowKinds } from './stream-row.ts'

export const chunkLimits = { rows: 1_000, textBytes: 512 * 1024 } as const
/** A chunk of more is damaged: one row may be as long as all values of a machine. */
const bodyBytesMax = 64 * 1024 * 1024

/** Byte 0: the version of this format. The rest: a line about the rows and a line for each, as zstd with a checksum. */
const version = 1
const zstdOptions = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Columns of all rows but their texts. Times are differences to the time before. */
interface Heads {
  readonly link: (number | null)[]
  readonly machine: (number | null)[]
  readonly kind: number[]
  readonly time: number[]
  readonly late: (0 | 1)[]
}

/** A chunk that cannot be read. */
export class ChunkDamaged extends Error {
  override name = 'ChunkDamaged'
}

export function encodeChunk(rows: readonly NewRow[]): Buffer {
  let before = 0
  const heads: Heads = { link: [], machine: [], kind: [], time: [], late: [] }
  for (const { linkId, machineId, kind, time, late } of rows) {
    heads.link.push(linkId)
    heads.machine.push(machineId)
    heads.kind.push(rowKinds.indexOf(kind))
    heads.time.push(time - before)
    heads.late.push(late ? 1 : 0)
    before = time
  }
  const body = [JSON.stringify(heads), ...rows.map(({ text }) => text)].join('\n')
  return Buffer.concat([Buffer.of(version), zstdCompressSync(body, zstdOptions)])
}

export function decodeChunk(bytes: Buffer, fromNo: number): NumberedRow[] {
  if (bytes[0] !== version) throw new ChunkDamaged('no chunk of rows of this version')
  const [head = '', ...texts] = unpack(bytes.subarray(1)).split('\n')
  const { link, machine, kind, time, late } = JSON.parse(head) as Heads
  let at = 0
  return texts.map((text, place) => {
    at += time[place] ?? 0
    return {
      no: fromNo + place,
      linkId: link[place] ?? null,
      machineId: machine[place] ?? null,
      kind: rowKinds[kind[place] ?? 0] ?? 'row',
      time: at,
      late: late[place] === 1,
      text,
    }
  })
}

function unpack(packed: Buffer): string {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: bodyBytesMax }).toString()
  } catch (cause) {
    throw new ChunkDamaged('it cannot be unpacked', { cause })
  }
}

/** Cuts rows into pieces of a chunk each. */
export function cutIntoChunks<Row extends NewRow>(rows: readonly Row[]): Row[][] {
  const pieces: Row[][] = []
  let piece: Row[] = []
  let length = 0
  for (const row of rows) {
    if (piece.length >= chunkLimits.rows || length >= chunkLimits.textBytes) {
      pieces.push(piece)
      piece = []
      length = 0
    }
    piece.push(row)
    length += row.text.length
  }
  if (piece.length > 0) pieces.push(piece)
  return pieces
}
