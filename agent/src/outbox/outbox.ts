import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Sample, Tag } from '../tag.ts'
import { bootId } from './boot.ts'
import { BootTimes } from './boot-times.ts'
import type { DiskPiece } from './disk-piece.ts'
import type { Entry } from './entry.ts'
import { countSamples } from './entry.ts'
import type { LostSpan } from './lost-spans.ts'
import { MemoryLines } from './memory-lines.ts'
import { OutboxStore } from './outbox-store.ts'
import { OutboxWriter } from './outbox-writer.ts'
import { SendTimes } from './send-times.ts'
import type { OutboxSample } from './tag-book.ts'
import { TagBook } from './tag-book.ts'

/** Delay of writes while the line is down: a kill of the agent loses the samples of this time. */
const writeDelayMs = 200
/** A working line acknowledges sooner than this, so that no sample is written (rules/wire.md: outbox of an agent). */
const spillDelayMs = 1_000
/** Of one late message: a slow line carries it within seconds. */
const backlogBytesMax = 48 * 1_024
/**
 * A backlog whose times the clock may still correct waits for it, but only for so long: some clocks are never
 * set.
 */
const clockWaitMs = 10 * 60_000
/** A full outbox drops samples at every poll; the log repeats it at this interval. */
const droppedLogPauseMs = 60_000

export interface OutboxOptions {
  /** Null keeps everything in memory. */
  folder: string | null
  /** Of the files. */
  bytesMax: number
  drop: 'oldest' | 'newest'
  /** Time from a write to its sync to the disk; 0 immediately. */
  syncMs: number
  /** Samples kept in memory at most. */
  samplesMax: number
  tags: readonly Tag[]
  clock: Clock
  log: Log
  /** Names this run of the computer. */
  boot?: string
}

/** Samples that travel in one message. */
export interface Batch {
  samples: OutboxSample[]
  /** Late samples fill history and do not update the newest value (`is_historical`). */
  isHistorical: boolean
}

interface BatchParts {
  entries: Entry[]
  pieces: DiskPiece[]
}

/**
 * The samples that are not yet acknowledged. A sample stays here until the PUBACK of its message.
 *
 * Live samples are sent from memory, and touch the disk only when their PUBACK takes longer than a second.
 * While the line is down samples are written within 0.2 s, which survives a kill, and synced within `syncMs`,
 * which survives a power failure; younger samples are lost with the power. Everything is synced before the
 * agent ends, and a loss is recorded before its samples are deleted. Samples that were live or being sent
 * when the line broke are late from then on.
 *
 * The backlog is sent one batch at a time, so that a live sample waits behind one at most. Memory is bounded
 * for any backlog: if the disk accepts no writes, samples are dropped as if it were full, the oldest or the
 * newest.
 */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #times: BootTimes
  readonly #store: OutboxStore
  readonly #writer: OutboxWriter
  readonly #tags: TagBook
  readonly #sendTimes: SendTimes
  readonly #clockWaitUntilMs: number
  readonly #lines = new MemoryLines()
  readonly #underWay = new Map<Batch, BatchParts>()
  #lostUnderWay: LostSpan | null = null
  /** Counts the lines that broke. */
  #epoch = 0
  /** Since the log told them, and since the start. */
  #dropped = 0
  #droppedInAll = 0
  #droppedLoggedAtMs = -Infinity

  private constructor(options: OutboxOptions, times: BootTimes, store: OutboxStore, tags: TagBook) {
    const { clock, syncMs } = options
    this.#options = options
    this.#times = times
    this.#sendTimes = new SendTimes(times)
    this.#store = store
    this.#tags = tags
    this.#clockWaitUntilMs = clock.monotonic() + clockWaitMs
    const source = {
      listDue: (all: boolean) => this.#listDue(all),
      isHeld: (entry: Entry) => this.#isHeld(entry),
      giveUp: (entries: readonly Entry[]) => this.#giveUp(entries),
    }
    this.#writer = new OutboxWriter({ store, source, clock, syncMs })
  }

  /** Throws `FolderHeldError` while another agent uses the folder. Any other failure of it is logged. */
  static async open(options: OutboxOptions): Promise<Outbox> {
    const times = new BootTimes(options.clock, options.boot ?? bootId)
    const tags = new TagBook(options.tags)
    return new Outbox(options, times, await OutboxStore.open({ ...options, times, tags }), tags)
  }

  /**
   * Tags were added at the end, and others removed: waiting samples of these are sent with their old
   * description.
   */
  retag(tags: readonly Tag[], isRemoved: (tag: number) => boolean): void {
    this.#tags.update(tags, isRemoved)
  }

  /** The number of samples that wait for their acknowledgement. */
  get waiting(): number {
    const unwritten = this.#listEntries().filter((entry) => entry.place === null)
    return this.#store.waiting + countSamples(unwritten)
  }

  /** About the time of the oldest of them, epoch ms; null without any. */
  get oldestAt(): number | null {
    const times = this.#listEntries().map(({ samples }) => samples[0]?.at ?? Number.POSITIVE_INFINITY)
    const oldestAt = Math.min(this.#store.oldestAt, ...times)
    return oldestAt === Number.POSITIVE_INFINITY ? null : oldestAt
  }

  /** Samples that had to be given up since the start. */
  get dropped(): number {
    return this.#droppedInAll
  }

  /** Null where no disk is used. */
  get isDiskWell(): boolean | null {
    return this.#options.folder === null ? null : !this.#store.hasFailed
  }

  get folder(): string | null {
    return this.#options.folder
  }

  get hasLive(): boolean {
    return this.#lines.live.length > 0 || this.liveUnderWay > 0
  }

  /** Whether samples were sent and not acknowledged. */
  get isUnderWay(): boolean {
    return this.#underWay.size > 0 || this.#lostUnderWay !== null
  }

  /** Batches of live samples that were sent and not acknowledged. */
  get liveUnderWay(): number {
    let count = 0
    for (const batch of this.#underWay.keys()) if (!batch.isHistorical) count++
    return count
  }

  add(samples: readonly Sample[], isLive: boolean): void {
    if (samples.length === 0) return
    const nowMs = this.#options.clock.monotonic()
    this.#lines.push(samples, isLive, this.#times.observe(), nowMs)
    this.#writer.request(isLive ? spillDelayMs : writeDelayMs)
    this.#trim()
  }

  /** The next live samples to send, or null. They count as being sent until `acknowledge` or `interrupt`. */
  takeLive(): Batch | null {
    this.#times.observe()
    const entries = this.#lines.takeLive().map((entry) => this.#fix(entry, false))
    return entries.length === 0 ? null : this.#begin(false, { entries, pieces: [] })
  }

  /** Writes late samples to the disk immediately. */
  flush(): Promise<void> {
    return this.#writer.write(false)
  }

  /** The next late samples to send, or null; also while others are being sent. */
  async takeBacklog(samplesMax: number): Promise<Batch | null> {
    const epoch = this.#epoch
    if (this.#isBacklogUnderWay() || this.#isClockAwaited()) return null
    if (this.#lines.late.length > 0) await this.flush()
    const pieces = await this.#store.read(samplesMax, backlogBytesMax)
    this.#times.observe()
    // A corrected time is saved first, so that a later run uses it, too.
    if (pieces.length > 0) await this.#store.saveState()
    if (epoch !== this.#epoch || this.#isBacklogUnderWay()) return null
    if (pieces.length > 0) return this.#begin(true, { entries: [], pieces })
    const entries = this.#lines.takeLate(samplesMax).map((entry) => this.#fix(entry, true))
    return entries.length === 0 ? null : this.#begin(true, { entries, pieces: [] })
  }

  /** The next gap to send, or null; also while one is being sent. */
  async takeLost(): Promise<LostSpan | null> {
    const epoch = this.#epoch
    const span = this.#lostUnderWay === null ? this.#store.lost.tellNext() : undefined
    if (span === undefined) return null
    this.#lostUnderWay = span
    await this.#store.saveState()
    return epoch === this.#epoch ? span : null
  }

  acknowledge(batch: Batch): void {
    const parts = this.#underWay.get(batch)
    if (!this.#underWay.delete(batch) || parts === undefined) return
    this.#release(parts.entries)
    this.#store.release(parts.pieces)
  }

  acknowledgeLost(span: LostSpan): void {
    if (this.#lostUnderWay !== span) return
    this.#lostUnderWay = null
    this.#store.lost.forget(span)
    this.#writer.requestSync()
  }

  /** The line broke: everything that was live or under way is late from now on. */
  interrupt(): void {
    this.#epoch++
    this.#lostUnderWay = null
    const sent = [...this.#underWay.values()].flatMap(({ entries }) => entries)
    this.#underWay.clear()
    for (const { place } of this.#lines.interrupt(sent)) if (place !== null) this.#store.unhold(place)
    this.#store.retry()
    this.#writer.request(writeDelayMs)
    this.#trim()
  }

  /** Writes everything unacknowledged, and ends. Returns the number of samples that are not on the disk. */
  async close(): Promise<number> {
    await this.#writer.write(true)
    this.#writer.stop()
    await this.#store.sync()
    await this.#store.close()
    return countSamples(this.#listEntries().filter((entry) => entry.place === null))
  }

  #begin(isHistorical: boolean, parts: BatchParts): Batch {
    const ofPieces = parts.pieces.flatMap((piece) => this.#restore(piece))
    const samples = parts.entries.flatMap((entry): OutboxSample[] => entry.samples).concat(ofPieces)
    const batch = { samples, isHistorical }
    this.#underWay.set(batch, parts)
    return batch
  }

  #restore(piece: DiskPiece): OutboxSample[] {
    const shiftMs = this.#sendTimes.fixShift(piece)
    const samples = this.#tags.restore(piece.samples, piece.tags, shiftMs)
    this.#lose(
      piece.samples.filter((_, index) => samples[index] === null),
      shiftMs,
    )
    return samples.filter((sample) => sample !== null)
  }

  #fix(entry: Entry, isLate: boolean): Entry {
    const fixed = this.#sendTimes.fix(entry, isLate)
    // On the disk it may have other times.
    if (fixed !== entry) this.#release([entry])
    return fixed
  }

  #release(entries: readonly Entry[]): void {
    for (const entry of entries) {
      entry.isDone = true
      if (entry.place !== null) this.#store.release([entry.place])
    }
  }

  #listEntries(): Entry[] {
    const underWay = [...this.#underWay.values()].flatMap(({ entries }) => entries)
    return [...this.#lines.late, ...underWay, ...this.#lines.live]
  }

  #listDue(all: boolean): Entry[] {
    this.#lines.removeWritten()
    if (this.#options.folder === null) return []
    const waiting = this.#listEntries().filter(({ place, isWriting }) => place === null && !isWriting)
    const dueMs = this.#options.clock.monotonic() - spillDelayMs
    const due = waiting.filter((entry) => all || entry.addedAtMs <= dueMs || !this.#isHeld(entry))
    if (due.length < waiting.length) this.#writer.request(spillDelayMs)
    return due
  }

  #isHeld(entry: Entry): boolean {
    if (this.#lines.live.includes(entry)) return true
    for (const { entries } of this.#underWay.values()) if (entries.includes(entry)) return true
    return false
  }

  #isBacklogUnderWay(): boolean {
    return this.#underWay.size > this.liveUnderWay
  }

  #isClockAwaited(): boolean {
    return !this.#times.isClockSet && this.#options.clock.monotonic() < this.#clockWaitUntilMs
  }

  /** Keeps memory bounded: samples on the disk are dropped here, and the excess is given up. */
  #trim(): void {
    const { samplesMax, drop } = this.#options
    const excess = countSamples(this.#listEntries()) - samplesMax
    if (excess <= 0) return
    const { written, dropped } = this.#lines.trim(excess, drop)
    for (const { place } of written) if (place !== null) this.#store.unhold(place)
    if (written.length > 0) this.#store.rewind()
    for (const [entry, samples] of dropped) this.#lose(samples, this.#sendTimes.shiftOf(entry))
  }

  #giveUp(entries: readonly Entry[]): void {
    this.#lines.removeLate(entries)
    for (const entry of entries) this.#lose(entry.samples, this.#sendTimes.shiftOf(entry))
  }

  #lose(samples: readonly Sample[], shiftMs: number): void {
    if (samples.length === 0) return
    const times = samples.map(({ at }) => at + shiftMs)
    const [from, to] = [Math.min(...times), Math.max(...times)]
    this.#store.lost.add({ from, to, samples: samples.length })
    this.#writer.requestSync()
    this.#dropped += samples.length
    this.#droppedInAll += samples.length
    const { clock, log } = this.#options
    if (clock.monotonic() - this.#droppedLoggedAtMs < droppedLogPauseMs) return
    log('warn', 'outbox.samplesDropped', { dropped: this.#dropped, waiting: this.waiting })
    this.#dropped = 0
    this.#droppedLoggedAtMs = clock.monotonic()
  }
}
