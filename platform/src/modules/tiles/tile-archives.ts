import { open, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  Compression,
  type DecompressFunc,
  PMTiles,
  type RangeResponse,
  SharedPromiseCache,
  type Source,
  TileType,
} from 'pmtiles'
import type { TilePlace } from './tile-address.ts'

/** Archives whose directories are in memory, and how many of each: one of a large map takes megabytes there. */
const knownMax = 16
const directoriesMax = 16
/** A tile, or a directory, packed and unpacked: the first one has 16 kB, others a multiple of that. */
const rangeBytesMax = 4 * 1_048_576
const filesToldMax = 200
const namePattern = /^[\w][\w .-]{0,99}\.pmtiles$/

const rasters: ReadonlySet<TileType> = new Set([TileType.Png, TileType.Jpeg, TileType.Webp])

/** Why a file cannot be a map. */
export class ArchiveUnfit extends Error {
  readonly reason: 'missing' | 'vector' | 'damaged'

  constructor(reason: ArchiveUnfit['reason']) {
    super(reason)
    this.reason = reason
  }
}

interface Archive {
  /** Another one for other contents. */
  readonly stamp: string
  readonly tiles: PMTiles
}

/** PMTiles files that the operator put into one folder; they are only read. */
export class TileArchives {
  readonly #dir: string | undefined
  readonly #known = new Map<string, Archive>()

  constructor(dir: string | undefined) {
    this.#dir = dir
  }

  /** The files to choose from. */
  async list(): Promise<string[]> {
    if (this.#dir === undefined) return []
    const names = await readdir(this.#dir).catch(() => [])
    return names
      .filter((name) => namePattern.test(name))
      .toSorted()
      .slice(0, filesToldMax)
  }

  /**
   * The zooms of a file whose tiles are pictures.
   * @throws ArchiveUnfit
   */
  async check(name: string): Promise<{ readonly minZoom: number; readonly maxZoom: number }> {
    const { tileType, minZoom, maxZoom } = await this.#use(name, (tiles) => tiles.getHeader())
    if (!rasters.has(tileType)) throw new ArchiveUnfit('vector')
    return { minZoom, maxZoom }
  }

  /**
   * A tile; undefined where the file has none.
   * @throws ArchiveUnfit
   */
  async read(name: string, { z, x, y }: TilePlace): Promise<Buffer | undefined> {
    const found = await this.#use(name, (tiles) => tiles.getZxy(z, x, y))
    return found && Buffer.from(found.data)
  }

  async #use<Answer>(name: string, act: (tiles: PMTiles) => Promise<Answer>): Promise<Answer> {
    const tiles = await this.#take(name)
    try {
      return await act(tiles)
    } catch {
      // It remembers what it could not read, and the next time the disk may answer.
      if (this.#known.get(name)?.tiles === tiles) this.#known.delete(name)
      throw new ArchiveUnfit('damaged')
    }
  }

  /** The archive as its file is now: its directories are read again after it was replaced. */
  async #take(name: string): Promise<PMTiles> {
    const file = await this.#find(name)
    const found = await stat(file).catch(() => undefined)
    // Opening a pipe would wait for its writer.
    if (!found?.isFile()) throw new ArchiveUnfit('missing')
    const { ino, size, mtimeMs } = found
    const stamp = `${ino} ${size} ${mtimeMs}`
    const known = this.#known.get(name)
    if (known?.stamp === stamp) return known.tiles
    const directories = new SharedPromiseCache(directoriesMax, true, unpack)
    const tiles = new PMTiles(new FileRanges(file), directories, unpack)
    this.#known.delete(name)
    this.#known.set(name, { stamp, tiles })
    const [oldest] = this.#known.keys()
    if (this.#known.size > knownMax && oldest !== undefined) this.#known.delete(oldest)
    return tiles
  }

  /** A file right in the folder, also behind links within it. */
  async #find(name: string): Promise<string> {
    if (this.#dir === undefined || !namePattern.test(name)) throw new ArchiveUnfit('missing')
    const [dir, file] = await Promise.all([
      realpath(this.#dir).catch(() => undefined),
      realpath(path.join(this.#dir, name)).catch(() => undefined),
    ])
    if (dir === undefined || file === undefined || path.dirname(file) !== dir)
      throw new ArchiveUnfit('missing')
    return file
  }
}

const gunzipWithin = promisify(gunzip)

/** Four megabytes can unpack to four gigabytes. */
const unpack: DecompressFunc = async (packed, compression) => {
  if (compression === Compression.None || compression === Compression.Unknown) return packed
  if (compression !== Compression.Gzip) throw new ArchiveUnfit('damaged')
  return Uint8Array.from(await gunzipWithin(packed, { maxOutputLength: rangeBytesMax })).buffer
}

/** The ranges of a file, which is open for as long as one is read: it may be replaced at any time. */
class FileRanges implements Source {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  getKey(): string {
    return this.#file
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    if (length > rangeBytesMax) throw new ArchiveUnfit('damaged')
    const handle = await open(this.#file)
    try {
      const data = new ArrayBuffer(length)
      const { bytesRead } = await handle.read(new Uint8Array(data), 0, length, offset)
      return { data: bytesRead < length ? data.slice(0, bytesRead) : data }
    } finally {
      await handle.close()
    }
  }
}
