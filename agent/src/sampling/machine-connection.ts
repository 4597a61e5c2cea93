import type { Clock } from '../clock.ts'
import type { Driver } from '../drivers/driver.ts'
import { Turns } from '../drivers/turns.ts'
import type { WriteRefusal, WriteResult, WriteSource } from '../machine.ts'
import type { Reading, Sample, Tag, TagValue, Written } from '../tag.ts'
import { TagWriter } from '../writing/tag-writer.ts'
import type { PollLoop } from './poll-loop.ts'
import { startPollLoop } from './poll-loop.ts'
import type { Offered } from './sampler.ts'
import { Sampler } from './sampler.ts'

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
  readonly #writer: TagWriter
  readonly #loop: PollLoop
  #stopped = false

  constructor(options: MachineConnectionOptions) {
    const { driver, tags, firstTag, pollIntervalMs, clock } = options
    const turns = new Turns()
    this.#options = options
    this.#sampler = new Sampler(tags, firstTag, pollIntervalMs)
    this.#writer = new TagWriter({
      driver,
      tags,
      turns,
      clock,
      latest: (index) => this.#sampler.latest(index)?.value ?? null,
      onWritten: (reading, written) => this.#offerWritten(reading, written),
    })
    const offer = (readings: readonly Reading[]): void =>
      options.onOffered(this.#sampler.offer(readings, clock.now(), clock.monotonic()))
    driver.subscribe?.((readings) => {
      if (!this.#stopped) offer(readings)
    })
    this.#loop = startPollLoop({ poll: () => turns.take(() => driver.poll()) }, pollIntervalMs, clock, offer)
  }

  /** Fulfilled after the first poll. */
  get firstPoll(): Promise<void> {
    return this.#loop.firstPoll
  }

  /** The tags without a value, by name, and why. */
  troubles(): { tag: string; reason: string }[] {
    const { driver, tags } = this.#options
    return (driver.troubles?.() ?? []).map(({ index, reason }) => ({ tag: tags[index]?.name ?? '', reason }))
  }

  current(): Sample[] {
    return this.#sampler.current()
  }

  /** Writes to the connection's own tag number `index`; see `Machine.write`. */
  write(
    index: number,
    asked: TagValue,
    source: WriteSource,
  ): Promise<WriteResult | { refused: WriteRefusal }> {
    return this.#writer.write(index, asked, source)
  }

  /**
   * Starts no further reads and writes; a write under way ends with its read-back, or in less than a second
   * without.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#loop.stop()
    await this.#writer.stop()
    await this.#options.driver.close()
  }

  /** A written value is reported regardless of the deadband. */
  #offerWritten(reading: Reading, written: Written): void {
    const { clock, onOffered } = this.#options
    const sample = this.#sampler.take(reading, clock.now(), clock.monotonic())
    sample.written = written
    onOffered({ due: [sample], moved: written.from === reading.value ? [] : [sample] })
  }
}
