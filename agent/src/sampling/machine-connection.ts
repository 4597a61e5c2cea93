import { checkWrite } from '../check-write.ts'
import type { Clock } from '../clock.ts'
import type { Driver } from '../drivers/driver.ts'
import { ControllerAway } from '../drivers/driver.ts'
import { Turns } from '../drivers/turns.ts'
import { errorReason } from '../log.ts'
import type { WriteRefusal, WriteResult, WriteSource } from '../machine.ts'
import type { Reading, Sample, Tag, TagValue } from '../tag.ts'
import { integerRanges, publishedNumber, scaleValue, unscaleValue } from '../tag.ts'
import type { PollLoop } from './poll-loop.ts'
import { startPollLoop } from './poll-loop.ts'
import type { Offered } from './sampler.ts'
import { Sampler } from './sampler.ts'

/** Writes of one connection that wait or are under way. */
const writesMax = 16
/** A controller may take a value over with its next cycle only: a read-back that differs is read again. */
const readBacksMax = 4
const readBackPauseMs = 100
const errorCharactersMax = 200
/** A write that is under way when the agent stops is read back, if that is quick. */
const lastWriteMs = 700

export interface MachineConnectionOptions {
  driver: Driver
  tags: readonly Tag[]
  /** The number of this connection's first tag among all tags of the agent. */
  firstTag: number
  pollIntervalMs: number
  clock: Clock
  onOffered(offered: Offered): void
}

/** One controller: polled at its beat, written to between two polls. */
export class MachineConnection {
  readonly #options: MachineConnectionOptions
  readonly #sampler: Sampler
  readonly #turns = new Turns()
  readonly #loop: PollLoop
  #writes = 0
  #stopped = false

  constructor(options: MachineConnectionOptions) {
    const { driver, tags, firstTag, pollIntervalMs, clock } = options
    this.#options = options
    this.#sampler = new Sampler(tags, firstTag, pollIntervalMs)
    this.#loop = startPollLoop(
      { poll: () => this.#turns.take(() => driver.poll()) },
      pollIntervalMs,
      clock,
      (readings) => options.onOffered(this.#sampler.offer(readings, clock.now(), clock.monotonic())),
    )
  }

  /** Fulfilled after the first poll. */
  get firstPoll(): Promise<void> {
    return this.#loop.firstPoll
  }

  current(): Sample[] {
    return this.#sampler.current()
  }

  /** Writes to the connection's own tag number `index`; see `Machine.write`. */
  async write(
    index: number,
    asked: TagValue,
    source: WriteSource,
  ): Promise<WriteResult | { refused: WriteRefusal }> {
    const tag = this.#options.tags[index]
    if (tag === undefined) return { refused: 'unknownTag' }
    const refused = checkWrite(tag, asked)
    if (refused !== null) return { refused }
    if (this.#writes >= writesMax || this.#stopped) return { refused: 'busy' }
    this.#writes++
    try {
      return await this.#turns.take(() => this.#writeNow(tag, index, publishedNumber(tag, asked), source))
    } finally {
      this.#writes--
    }
  }

  /** Nothing is begun after this; a write under way ends with its read-back, or in less than a second without. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#loop.stop()
    if (this.#writes > 0) await this.#lastWrite()
    await this.#options.driver.close()
  }

  #lastWrite(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(lastWriteMs, resolve)
      void this.#turns.take(async () => {
        cancel()
        resolve()
      })
    })
  }

  async #writeNow(
    tag: Tag,
    index: number,
    to: TagValue,
    source: WriteSource,
  ): Promise<WriteResult | { refused: WriteRefusal }> {
    const { driver, clock } = this.#options
    if (this.#stopped) return { refused: 'offline' }
    const from = this.#sampler.latest(index)?.value ?? null
    let error = ''
    try {
      await driver.write(index, to)
    } catch (thrown) {
      if (thrown instanceof ControllerAway) return { refused: 'offline' }
      error = errorReason(thrown).slice(0, errorCharactersMax)
    }
    const reading = await this.#readBack(tag, index, error === '' ? to : undefined)
    const visit = source.kind === 'page' ? (source.visit ?? '') : null
    const sample = this.#sampler.take(reading, clock.now(), clock.monotonic())
    sample.written = { visit, from, to, error }
    this.#options.onOffered({ due: [sample], moved: from === reading.value ? [] : [sample] })
    const isTaken = error === '' && isKept(tag, to, reading.value)
    return { state: isTaken ? 'confirmed' : 'failed', kept: reading.value, error }
  }

  /** Reads until the value `to` is there, a few times at most; once where nothing is waited for. */
  async #readBack(tag: Tag, index: number, to: TagValue | undefined): Promise<Reading> {
    const { driver, clock } = this.#options
    for (let reads = 1; ; reads++) {
      const reading = await driver.read(index)
      if (to === undefined || reading.value === null || isKept(tag, to, reading.value)) return reading
      if (reads >= readBacksMax || this.#stopped) return reading
      await new Promise<void>((resolve) => clock.after(readBackPauseMs, resolve))
    }
  }
}

/** Whether a value read back is the one written, as the controller's type holds it. */
function isKept(tag: Tag, to: TagValue, kept: TagValue | null): boolean {
  if (typeof to === 'string') return typeof kept === 'string' && kept.trimEnd() === to.trimEnd()
  if (typeof to === 'boolean') return kept === to
  return kept === scaleValue(tag, heldNumber(tag, unscaleValue(tag, to)))
}

/** A raw number as the controller's type holds it. */
function heldNumber(tag: Tag, raw: TagValue): TagValue {
  if (typeof raw !== 'number') return raw
  if (tag.type === 'float32') return Math.fround(raw)
  return integerRanges[tag.type] === undefined ? raw : Math.round(raw)
}
