import { decimalOfFloat32, isSameText } from '@busbar/link'
import type { Clock } from '../clock.ts'
import type { Driver } from '../drivers/driver.ts'
import { isControllerAway } from '../drivers/driver.ts'
import type { Turns } from '../drivers/turns.ts'
import { errorReason } from '../log.ts'
import type { WriteRefusal, WriteResult, WriteSource } from '../machine.ts'
import type { Reading, Tag, TagValue, Written } from '../tag.ts'
import { integerRanges, publishedNumber, scaleValue, unscaleValue } from '../tag.ts'
import { checkWrite } from './check-write.ts'

/** Writes of one connection that wait or are under way. */
const writesMax = 16
/** A controller may take a value over with its next cycle only: a read-back that differs is read again. */
const readBacksMax = 4
const readBackPauseMs = 100
const errorCharactersMax = 200
/** A write that is running when the agent stops is read back, if that is quick. */
const lastWriteMs = 700

export interface TagWriterOptions {
  readonly driver: Driver
  readonly tags: readonly Tag[]
  /** Polls and writes of one controller take turns. */
  readonly turns: Turns
  readonly clock: Clock
  /** The newest value of a tag; null before it was read. */
  latest(index: number): TagValue | null
  /** Called with the value that was read back after a write, and with the write. */
  onWritten(reading: Reading, written: Written): void
}

/** Writes to the tags of one controller, and reads back what became of it. */
export class TagWriter {
  readonly #options: TagWriterOptions
  #writes = 0
  #stopped = false

  constructor(options: TagWriterOptions) {
    this.#options = options
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
      const to = publishedNumber(tag, asked)
      return await this.#options.turns.take(() => this.#writeNow(tag, index, to, source))
    } finally {
      this.#writes--
    }
  }

  /** Starts nothing after this; a running write ends with its read-back, or in less than a second without. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#writes > 0) await this.#lastWrite()
  }

  #lastWrite(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(lastWriteMs, resolve)
      void this.#options.turns.take(async () => {
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
    const { driver } = this.#options
    if (this.#stopped) return { refused: 'offline' }
    const from = this.#options.latest(index)
    let error = ''
    try {
      await driver.write(index, to)
    } catch (thrown) {
      if (isControllerAway(thrown)) return { refused: 'offline' }
      error = errorReason(thrown).slice(0, errorCharactersMax)
    }
    const reading = await this.#readBack(tag, index, error === '' ? to : undefined)
    const visit = source.kind === 'page' ? (source.visit ?? '') : null
    this.#options.onWritten(reading, { visit, from, to, error })
    const isTaken = error === '' && isKept(tag, to, reading.value)
    return { state: isTaken ? 'confirmed' : 'failed', kept: reading.value, error }
  }

  /** Reads until the value is `to`, a few times at most; once without an expected value. */
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
  if (typeof to === 'string') return typeof kept === 'string' && isSameText(to, kept)
  if (typeof to === 'boolean') return kept === to
  return kept === scaleValue(tag, heldNumber(tag, unscaleValue(tag, to)))
}

/** A raw number as the controller's type holds it. */
function heldNumber(tag: Tag, raw: TagValue): TagValue {
  if (typeof raw !== 'number') return raw
  if (tag.type === 'float32') return decimalOfFloat32(Math.fround(raw))
  return integerRanges[tag.type] === undefined ? raw : Math.round(raw)
}
