import { randomUUID } from 'node:crypto'
import { mkdir, opendir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { every } from '../../kernel/every.ts'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { TilePlace } from './tile-address.ts'

/** A tile is used for so long after it was fetched. */
export const keptMs = 7 * 86_400_000
const sweepEveryMs = 3_600_000
/** A file takes whole blocks of a disk. */
const blockBytes = 4_096
/** How often the use of a file is noted. */
const usedEveryMs = 3_600_000
/** A sweep makes room for later tiles. */
const sweptTo = 0.9
const foldersPerZoom = 64

interface Kept {
  readonly file: string
  readonly bytes: number
  readonly usedAt: number
}

interface Deps {
  readonly dir: string
  readonly bytesMax: number
  readonly logger: Logger
  readonly now: () => number
}

/** Where a tile is kept: the version of its source, and its place. */
export interface TileKey extends TilePlace {
  readonly version: string
}

const spaceOf = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes

/**
 * Tiles that were fetched, as files: the time of a file’s change is when it was fetched, that of its access when it was
 * last used. Nothing is kept beyond `bytesMax`, and the tiles unused for longest go first. Each process has its own.
 */
export class TileCache {
  readonly #deps: Deps
  readonly #once: LogOnce
  #bytes = 0
  /** Nothing is kept until the folder has been counted. */
  #isCounted = false
  #sweeping: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#once = createLogOnce(deps.logger)
  }

  /** Bytes on disk, as whole blocks. */
  get bytes(): number {
    return this.#bytes
  }

  start(): void {
    this.#timer = every(sweepEveryMs, () => this.sweep(), this.#deps.logger)
    void this.sweep()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#sweeping
    this.#once.stop()
  }

  async find(key: TileKey): Promise<Buffer | undefined> {
    const file = this.#fileOf(key)
    try {
      const { mtimeMs, atimeMs, mtime } = await stat(file)
      const now = this.#deps.now()
      if (now - mtimeMs > keptMs) return undefined
      const content = await readFile(file)
      if (now - atimeMs > usedEveryMs) await utimes(file, new Date(now), mtime)
      return content
    } catch (error) {
      this.#note(error)
      return undefined
    }
  }

  async keep(key: TileKey, content: Buffer): Promise<void> {
    const bytes = spaceOf(content.length)
    if (!this.#isCounted || bytes > this.#deps.bytesMax) return
    if (this.#bytes + bytes > this.#deps.bytesMax) {
      void this.sweep()
      return
    }
    this.#bytes += bytes
    const file = this.#fileOf(key)
    const written = `${file}.${randomUUID()}`
    try {
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(written, content)
      const now = new Date(this.#deps.now())
      await utimes(written, now, now)
      await rename(written, file)
    } catch (error) {
      this.#note(error)
      await rm(written, { force: true }).catch(() => undefined)
    }
  }

  /** Counts the files, and removes old ones, and beyond the limit those unused for longest. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep()
      .catch((error) => this.#note(error))
      .finally(() => {
        this.#sweeping = undefined
      })
    return this.#sweeping
  }

  async #sweep(): Promise<void> {
    const { bytesMax, now } = this.#deps
    const before = this.#bytes
    const kept: Kept[] = []
    await this.#walk(this.#deps.dir, kept, now() - keptMs)
    if (this.#isStopped) return
    let bytes = kept.reduce((sum, file) => sum + file.bytes, 0)
    if (bytes > bytesMax * sweptTo) {
      kept.sort((a, b) => a.usedAt - b.usedAt)
      for (const { file, bytes: own } of kept) {
        if (bytes <= bytesMax * sweptTo) break
        await rm(file, { force: true })
        bytes -= own
      }
    }
    // Tiles that were kept meanwhile may have been counted already: too many is the safe side.
    this.#bytes = bytes + Math.max(this.#bytes - before, 0)
    this.#isCounted = true
  }

  async #walk(dir: string, kept: Kept[], fetchedAfter: number): Promise<void> {
    const entries = await opendir(dir).catch(() => undefined)
    if (!entries) return
    let isEmpty = true
    for await (const entry of entries) {
      if (this.#isStopped) return
      const file = path.join(dir, entry.name)
      isEmpty = false
      if (entry.isDirectory()) await this.#walk(file, kept, fetchedAfter)
      else {
        const found = await stat(file).catch(() => undefined)
        if (!found) continue
        if (found.mtimeMs < fetchedAfter) await rm(file, { force: true })
        else kept.push({ file, bytes: spaceOf(found.size), usedAt: found.atimeMs })
      }
    }
    // Of a source that is gone; one that a tile is being written to is not empty, or the tile is fetched again.
    if (isEmpty && dir !== this.#deps.dir) await rmdir(dir).catch(() => undefined)
  }

  /** Few folders, whatever tiles people ask for: each takes a block of the disk as well, which nobody counts. */
  #fileOf({ version, z, x, y }: TileKey): string {
    return path.join(this.#deps.dir, version, String(z), String(x % foldersPerZoom), `${x}-${y}`)
  }

  #note(error: unknown): void {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') this.#once.warn({ reason: code ?? String(error) }, 'tileCache.failed')
  }
}
