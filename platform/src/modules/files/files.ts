import { randomBytes } from 'node:crypto'
import type { FileAnswer } from '@busbar/contract'
import { afterCommit } from '../../kernel/database/after-commit.ts'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { every } from '../../kernel/every.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { FileFolder } from './file-folder.ts'
import * as store from './files-store.ts'

/** Shares of all files' bytes: of exports, and of the files of one kind of one space (rules/data-centre.md: files). */
const exportsShare = 0.6
const spaceShare = 0.2
/** The database may lie on the same disk, and stops when that is full. */
const roomBytesMin = 2 * 1024 ** 3
/** Interval at which a writer notes its progress. */
const noteMs = 2_000
/** A writer without progress for this time is gone. */
const silentMs = 60_000
/** Retention of the rows of deleted files, which show their end, in ms. */
const forgetMs = 30 * 86_400_000

/** The parts of the platform that files are made with. */
export interface FilesDeps {
  readonly db: Database
  readonly logger: Logger
  readonly folder: FileFolder
  /** Bytes of all files at most. */
  readonly bytesMax: number
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Options of making a file. */
export interface MakeOptions {
  /** Ends the writing; the file has failed then. */
  readonly signal?: AbortSignal
  /** Updates other rows, in the transaction that makes the file ready. */
  done?(trx: Database, file: store.StoredFile): Promise<void>
}

/**
 * Files that the platform makes for people and keeps for a time. A file is ready once all of its bytes are on disk, and
 * no earlier: one whose writer was killed has failed.
 */
export class Files {
  readonly #deps: FilesDeps

  constructor(deps: FilesDeps) {
    this.#deps = deps
  }

  /**
   * Writes a file from the pieces of a source, and answers it when it is ready. Memory holds one piece.
   * @throws Failure FILES_FULL, FILES_NO_ROOM; the reason of `signal`; errors of the source
   */
  async create(
    wish: store.NewFile,
    pieces: AsyncIterable<Uint8Array>,
    options: MakeOptions = {},
  ): Promise<store.StoredFile> {
    const { db, folder, now, logger } = this.#deps
    const key = randomBytes(16).toString('hex')
    await this.#makeRoom(wish)
    const id = await store.createFile(db, { ...wish, key }, new Date(now()))
    try {
      const bytes = await this.#write({ id, key, space: wish }, pieces, options.signal)
      return await withTransaction(db, async (trx) => {
        const at = now()
        const times = { bytes, at: new Date(at), expiresAt: new Date(at + wish.lifeMs) }
        const file = await store.finishFile(trx, id, times)
        if (!file) throw new FileRevoked()
        await options.done?.(trx, file)
        return file
      })
    } catch (error) {
      // If this fails, the sweep repeats it later.
      const undo = async () => {
        await store.failFile(db, id)
        await folder.remove(key)
      }
      await undo().catch((err) => logger.warn({ err, fileId: id }, 'file.undoFailed'))
      throw error
    }
  }

  /** A file by its id, in whatever state. */
  find(db: Database, id: number): Promise<store.StoredFile | undefined> {
    return store.findFile(db, id)
  }

  /**
   * The bytes of a file as the answer of a route; whether the caller may have them is the route's to check.
   * @throws Failure FILE_GONE where it is not ready, or its bytes are gone
   */
  async open(file: store.StoredFile): Promise<FileAnswer> {
    const { folder, now, logger } = this.#deps
    if (file.state !== 'ready' || file.expiresAt.getTime() <= now()) throw new Failure('FILE_GONE')
    if (!(await folder.has(file.key))) {
      logger.error({ fileId: file.id }, 'file.missing')
      throw new Failure('FILE_GONE')
    }
    const { name, mediaType, bytes, key } = file
    return { name, mediaType, bytes, tag: key, open: (from, to) => folder.read(key, from, to) }
  }

  /** Removes a file, in the caller's transaction; its bytes go after the commit. */
  async remove(trx: Database, id: number): Promise<void> {
    const key = await store.removeFile(trx, id)
    if (key === undefined) return
    const { folder, logger } = this.#deps
    afterCommit(trx, () =>
      folder.remove(key).catch((err) => logger.warn({ err, fileId: id }, 'file.removeFailed')),
    )
  }

  /** Ends files whose time is over or whose writer is gone, and removes bytes that no row needs any more. */
  async sweep(): Promise<void> {
    const { db, folder, now } = this.#deps
    const at = now()
    await store.endFiles(db, {
      now: new Date(at),
      silentSince: new Date(at - silentMs),
      forgottenBefore: new Date(at - forgetMs),
    })
    // A row is written before its bytes, so bytes without a row at this time are left over.
    const keys = await folder.list()
    if (keys.length === 0) return
    const kept = await store.listKept(db, keys)
    for (const key of keys) if (!kept.has(key)) await folder.remove(key)
  }

  /** Writes pieces to the disk; answers their bytes. */
  async #write(
    file: { readonly id: number; readonly key: string; readonly space: store.FileSpace },
    pieces: AsyncIterable<Uint8Array>,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const { folder } = this.#deps
    const ended = new AbortController()
    const end = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])])
    let bytes = 0
    const note = () => this.#note(file, bytes).catch((error) => ended.abort(error))
    const handle = await folder.begin(file.key)
    const timer = every(noteMs, note, this.#deps.logger)
    const source = pieces[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await unlessAborted(end, source.next())
        if (done) break
        await writeAll(handle, value)
        bytes += value.length
      }
      await this.#note(file, bytes)
      await folder.finish(file.key, handle)
      return bytes
    } finally {
      clearInterval(timer)
      // Not waited for: a source that hangs would keep the file open.
      void Promise.resolve(source.return?.()).catch(() => {})
      await handle.close().catch(() => {})
    }
  }

  /** Notes how far a writer is, and asks whether it may go on. */
  async #note(
    { id, space }: { readonly id: number; readonly space: store.FileSpace },
    bytes: number,
  ): Promise<void> {
    const { db, now } = this.#deps
    if (!(await store.noteWritten(db, id, bytes, new Date(now())))) throw new FileRevoked()
    await this.#makeRoom(space)
  }

  /**
   * Makes room for a file of a space: exports go, of the space with the most bytes the oldest first. Reports displace
   * exports of any space; an export displaces only those of spaces that have as much as its own.
   */
  async #makeRoom(space: store.FileSpace): Promise<void> {
    const { db, folder, bytesMax, logger } = this.#deps
    const isExport = space.purpose === 'export'
    for (;;) {
      const { own, ofKind, all } = await store.sumBytes(db, space)
      if (own >= bytesMax * spaceShare) throw new Failure('FILES_FULL')
      const isFull = all >= bytesMax || (isExport && ofKind >= bytesMax * exportsShare)
      if (!isFull && (await folder.room()) >= roomBytesMin) return
      const key = await store.displaceExport(db, isExport ? own : 0)
      if (key === undefined) throw new Failure('FILES_NO_ROOM')
      logger.info({ purpose: space.purpose }, 'file.displaced')
      await folder.remove(key)
    }
  }
}

/** The file's row forbids further writing: its person is gone, or it was removed. */
export class FileRevoked extends Error {
  override name = 'FileRevoked'
}

async function writeAll(handle: Awaited<ReturnType<FileFolder['begin']>>, piece: Uint8Array): Promise<void> {
  for (let place = 0; place < piece.length; ) {
    const { bytesWritten } = await handle.write(piece, place)
    place += bytesWritten
  }
}

/** The outcome of some work, or the reason of the signal as soon as that is aborted. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  // Its failure does not matter any more once the signal is aborted.
  work.catch(() => {})
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
