import { mkdirSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { errorReason } from '../log.ts'
import type { BootTime, BootTimes } from './boot-times.ts'
import type { DiskPiece, Place } from './disk-piece.ts'
import { DiskQueue } from './disk-queue.ts'
import { FolderHeldError, lockFolder } from './folder-lock.ts'
import type { LostSpan } from './lost-spans.ts'
import { LostSpans } from './lost-spans.ts'
import type { Piece } from './segment-writer.ts'
import { readState, writeState } from './state-file.ts'
import type { TagBook } from './tag-book.ts'

/** A disk that is full or read-only is tried again after this. */
export const retryMs = 10_000

export interface OutboxStoreOptions {
  /** Null if no disk is to be used. */
  folder: string | null
  bytesMax: number
  drop: 'oldest' | 'newest'
  tags: TagBook
  times: BootTimes
  clock: Clock
  log: Log
}

/**
 * The disk's side of the outbox: the queue, and the state beside it. A failing disk does not cause an error
 * here: it is logged once, samples stay with the caller, and the disk is tried again.
 */
export class OutboxStore {
  readonly lost = new LostSpans()
  readonly #options: OutboxStoreOptions
  #queue: DiskQueue | null = null
  #unlock = (): void => undefined
  #failed = false
  #retryAtMs = -Infinity
  #savedState = ''
  #saving: Promise<void> = Promise.resolve()

  private constructor(options: OutboxStoreOptions) {
    this.#options = options
  }

  /** Throws `FolderHeldError` while another agent uses the folder, and nothing else. */
  static async open(options: OutboxStoreOptions): Promise<OutboxStore> {
    const store = new OutboxStore(options)
    if (options.folder !== null) await store.#attempt((folder) => store.#open(folder))
    return store
  }

  /** Of the samples on the disk; infinite without any. */
  get oldestAt(): number {
    return this.#queue?.oldestAt ?? Number.POSITIVE_INFINITY
  }

  /** The disk took nothing at the last try. */
  get hasFailed(): boolean {
    return this.#failed
  }

  /** Samples on the disk that are not acknowledged. */
  get waiting(): number {
    return this.#queue?.waiting ?? 0
  }

  /** Writes pieces taken in one boot; returns their places, or why they were not written. */
  async append(
    pieces: readonly Piece[],
    taken: BootTime,
    hold: boolean,
  ): Promise<Place[] | 'full' | 'failed'> {
    const places = await this.#attempt(async (folder) => {
      if (this.#queue === null) await this.#open(folder)
      return (await this.#queue?.append(pieces, taken, hold)) ?? 'full'
    })
    if (places === undefined) return 'failed'
    if (this.#failed) this.#options.log('info', 'outbox.diskBack')
    this.#failed = false
    return places
  }

  async read(samplesMax: number, bytesMax: number): Promise<DiskPiece[]> {
    try {
      return (await this.#queue?.read(samplesMax, bytesMax)) ?? []
    } catch (error) {
      this.#fail(error)
      return []
    }
  }

  rewind(): void {
    void this.#queue?.rewind()
  }

  retry(): void {
    void this.#queue?.retry()
  }

  unhold(place: Place): void {
    this.#queue?.unhold(place)
  }

  release(places: readonly Place[]): void {
    if (places.length > 0) this.#queue?.release(places).catch((error: unknown) => this.#fail(error))
  }

  /** Syncs the files, so that written data survives a power failure. */
  async sync(): Promise<void> {
    await this.#attempt(async () => this.#queue?.sync())
    await this.saveState()
  }

  /** Writes the gaps and the boots' times if they have changed. */
  saveState(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      const state = { boots: this.#options.times.list(), lost: this.lost.list() }
      const text = JSON.stringify(state)
      if (this.#queue === null || text === this.#savedState) return
      await this.#attempt(async (folder) => {
        await writeState(folder, state)
        this.#savedState = text
      })
    })
    return this.#saving
  }

  async close(): Promise<void> {
    await this.saveState()
    await this.#queue?.close().catch((error: unknown) => this.#fail(error))
    this.#queue = null
    this.#unlock()
    this.#unlock = () => undefined
  }

  async #open(folder: string): Promise<void> {
    const { times, log, bytesMax, drop, tags } = this.#options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const unlock = lockFolder(folder)
    try {
      const state = await readState(folder, () => log('warn', 'outbox.stateDamaged'))
      this.#queue = await DiskQueue.open({
        folder,
        bytesMax,
        drop,
        tags: (tag) => tags.stored(tag),
        onLost: (lost, taken) => this.#noteLost(lost, taken),
        onDamaged: (fields) => log('warn', 'outbox.damaged', { ...fields }),
      })
      times.adopt(state.boots)
      for (const span of state.lost) this.lost.adopt(span)
    } catch (error) {
      unlock()
      throw error
    }
    this.#unlock = unlock
    log('info', 'outbox.opened', {
      waiting: this.#queue.waiting,
      bytes: this.#queue.bytes,
      clockSet: times.isClockSet,
    })
  }

  /** A loss is recorded on the disk before its samples are deleted. */
  async #noteLost(lost: Omit<LostSpan, 'isTold'>, taken: BootTime | null): Promise<void> {
    const shiftMs = taken === null ? 0 : this.#options.times.shiftMs(taken)
    const span = { from: lost.from + shiftMs, to: lost.to + shiftMs, samples: lost.samples }
    this.lost.add(span)
    this.#options.log('warn', 'outbox.samplesDropped', { dropped: span.samples, waiting: this.waiting })
    await this.saveState()
  }

  /** Writes; undefined if the disk fails, or failed a moment ago. */
  async #attempt<T>(work: (folder: string) => Promise<T>): Promise<T | undefined> {
    const { folder, clock } = this.#options
    if (folder === null || (this.#failed && clock.monotonic() < this.#retryAtMs)) return undefined
    try {
      return await work(folder)
    } catch (error) {
      // Thrown at the start; later, the agent continues with its own memory.
      if (error instanceof FolderHeldError && !this.#failed) throw error
      this.#fail(error)
      return undefined
    }
  }

  #fail(error: unknown): void {
    const { clock, log } = this.#options
    if (!this.#failed) log('warn', 'outbox.diskFailed', { reason: errorReason(error) })
    this.#failed = true
    this.#retryAtMs = clock.monotonic() + retryMs
  }
}
