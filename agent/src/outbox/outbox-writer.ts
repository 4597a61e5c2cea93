import type { Clock } from '../clock.ts'
import type { Entry } from './entry.ts'
import type { OutboxStore } from './outbox-store.ts'
import { retryMs } from './outbox-store.ts'

const entriesPerWriteMax = 16

/** The entries to write, as the outbox knows them. */
export interface WriteSource {
  /** Due entries, in order; with `all` every one that is not on the disk. */
  listDue(all: boolean): Entry[]
  /** Whether it is live or under way: on the disk only in case the line breaks. */
  isHeld(entry: Entry): boolean
  /** The disk is full, and these late entries are dropped. */
  giveUp(entries: readonly Entry[]): void
}

export interface OutboxWriterOptions {
  store: OutboxStore
  source: WriteSource
  clock: Clock
  /** Written data is synced after this time; 0 immediately. */
  syncMs: number
}

/** Writes due entries to the disk, one write at a time. */
export class OutboxWriter {
  readonly #options: OutboxWriterOptions
  #last: Promise<void> = Promise.resolve()
  #cancelWrite = (): void => undefined
  #writeAtMs = Infinity
  #cancelSync: (() => void) | null = null

  constructor(options: OutboxWriterOptions) {
    this.#options = options
  }

  /** Writes due entries after `delayMs`, or sooner if that was requested. */
  request(delayMs: number): void {
    const atMs = this.#options.clock.monotonic() + delayMs
    if (atMs >= this.#writeAtMs) return
    this.#cancelWrite()
    this.#writeAtMs = atMs
    this.#cancelWrite = this.#options.clock.after(delayMs, () => {
      this.#writeAtMs = Infinity
      void this.write(false)
    })
  }

  /** Writes due entries. Never rejects. */
  write(all: boolean): Promise<void> {
    this.#last = this.#last.then(() => this.#writeDue(all))
    return this.#last
  }

  /** Everything written so far, and the gaps, survive a power failure after `syncMs`. */
  requestSync(): void {
    this.#cancelSync ??= this.#options.clock.after(this.#options.syncMs, () => {
      this.#cancelSync = null
      void this.#options.store.sync()
    })
  }

  stop(): void {
    this.#cancelWrite()
    this.#cancelSync?.()
    // Prevents new timers.
    this.#writeAtMs = -Infinity
    this.#cancelSync = () => undefined
  }

  async #writeDue(all: boolean): Promise<void> {
    const { source, store, syncMs } = this.#options
    for (;;) {
      const due = source.listDue(all)
      const chunk = takeAlike(due, (entry) => source.isHeld(entry))
      const [first] = chunk
      if (first === undefined) break
      const hold = source.isHeld(first)
      for (const entry of chunk) entry.isWriting = true
      const places = await store.append(chunk, first.taken, hold)
      for (const entry of chunk) entry.isWriting = false
      if (places === 'failed') {
        this.request(retryMs)
        return
      }
      if (places === 'full') {
        // Held entries are in memory: they may still be acknowledged.
        if (hold) return
        source.giveUp(chunk)
        continue
      }
      chunk.forEach((entry, index) => {
        entry.place = places[index] ?? null
        if (entry.place === null) return
        if (entry.isDone) store.release([entry.place])
        else if (hold && !source.isHeld(entry)) {
          // The line broke during the write.
          store.unhold(entry.place)
          store.rewind()
        }
      })
      if (syncMs === 0) await store.sync()
      else this.requestSync()
    }
  }
}

/** The first entries that can be written as one. */
function takeAlike(entries: readonly Entry[], isHeld: (entry: Entry) => boolean): Entry[] {
  const [first] = entries
  if (first === undefined) return []
  const end = entries.findIndex((entry) => entry.taken !== first.taken || isHeld(entry) !== isHeld(first))
  return entries.slice(0, Math.min(end < 0 ? entries.length : end, entriesPerWriteMax))
}
