import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes under this name are not all there yet. */
const partEnding = '.part'
const keyPattern = /^[0-9a-f]{32}(?=(?:\.part)?$)/

/** The folder in which the bytes of files lie, each under its key. All processes of an installation share it. */
export class FileFolder {
  readonly #base: string
  #path: string

  constructor(base: string) {
    this.#base = base
    this.#path = base
  }

  /**
   * Makes the folder of an installation, which only the platform's user may read. Another installation with the same
   * setting has another one, since bytes without a row are removed.
   */
  async make(installation: string): Promise<void> {
    this.#path = join(this.#base, installation)
    await mkdir(this.#path, { recursive: true, mode: 0o700 })
  }

  /** Begins the bytes of a file; they cannot be read before `finish`. */
  begin(key: string): Promise<FileHandle> {
    return open(this.#pathOf(key) + partEnding, 'wx', 0o600)
  }

  /** Gives bytes that are all on disk their name, so that it survives a power failure. */
  async finish(key: string, handle: FileHandle): Promise<void> {
    await handle.sync()
    await handle.close()
    await rename(this.#pathOf(key) + partEnding, this.#pathOf(key))
    const folder = await open(this.#path, 'r')
    await folder.sync().finally(() => folder.close())
  }

  /**
   * Reads bytes from one place to another, both included. The file is opened with the first requested piece, because an
   * unread stream would never close it.
   */
  async *read(key: string, from: number, to: number): AsyncGenerator<Buffer> {
    yield* createReadStream(this.#pathOf(key), { start: from, end: to, highWaterMark: 256 * 1024 })
  }

  async has(key: string): Promise<boolean> {
    const handle = await open(this.#pathOf(key), 'r').catch(() => undefined)
    await handle?.close()
    return handle !== undefined
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
    await rm(this.#pathOf(key) + partEnding, { force: true })
  }

  /** The keys of all bytes that lie here. */
  async list(): Promise<string[]> {
    const names = await readdir(this.#path)
    return [...new Set(names.flatMap((name) => keyPattern.exec(name)?.[0] ?? []))]
  }

  /** Bytes that the disk has room for. */
  async room(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#path)
    return bavail * bsize
  }

  #pathOf(key: string): string {
    return join(this.#path, key)
  }
}
