import { zxyToTileId } from 'pmtiles'

const headBytes = 127
const png = 2
const vector = 1

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
}

/** A PMTiles file (version 3) of one tile; `packed`: the tile is the gzip of a picture. */
export function writeArchive(
  { z, x, y }: { readonly z: number; readonly x: number; readonly y: number },
  tile: Buffer,
  kind?: 'vector' | 'packed',
): Buffer {
  // One entry: its id, its run, its length, and its offset plus one.
  const directory = Buffer.from([1, zxyToTileId(z, x, y), 1, tile.length, 1].flatMap(varint))
  const metadata = Buffer.from('{}')
  const head = Buffer.alloc(headBytes)
  head.write('PMTiles', 'latin1')
  head[7] = 3
  const put = (at: number, value: number) => head.writeBigUInt64LE(BigInt(value), at)
  put(8, headBytes)
  put(16, directory.length)
  put(24, headBytes + directory.length)
  put(32, metadata.length)
  put(40, headBytes + directory.length + metadata.length)
  put(56, headBytes + directory.length + metadata.length)
  put(64, tile.length)
  for (const at of [72, 80, 88]) put(at, 1)
  // Clustered; the directory is not packed.
  head.set([1, 1, kind === 'packed' ? 2 : 1, kind === 'vector' ? vector : png, z, z], 96)
  return Buffer.concat([head, directory, metadata, tile])
}
