import type { Clock } from './clock.ts'
import type { Driver } from './drivers/driver.ts'
import type { Alarm, Machine, WriteRefusal, WriteResult, WriteSource } from './machine.ts'
import { MachineConnection } from './sampling/machine-connection.ts'
import type { Offered } from './sampling/sampler.ts'
import type { Sample, Tag, TagValue } from './tag.ts'

export interface MachineModelOptions {
  code: string
  connections: readonly { tags: readonly Tag[]; pollIntervalMs: number; driver: Driver }[]
  clock: Clock
  /** Samples for the cloud. */
  publish(samples: readonly Sample[]): void
}

/** The controllers of this agent as one machine. */
export class MachineModel implements Machine {
  readonly code: string
  readonly tags: readonly Tag[]
  /** Fulfilled when every controller was polled once. */
  readonly firstPolls: Promise<void>
  readonly #connections: { connection: MachineConnection; firstTag: number; tagCount: number }[] = []
  readonly #alarms = new Map<number, AlarmState>()
  readonly #listeners = new Set<(samples: readonly Sample[]) => void>()
  readonly #publish: (samples: readonly Sample[]) => void

  constructor({ code, connections, clock, publish }: MachineModelOptions) {
    this.code = code
    this.tags = connections.flatMap((connection) => connection.tags)
    this.#publish = publish
    this.tags.forEach((tag, index) => {
      if (tag.alarm) this.#alarms.set(index, { raised: null, since: null })
    })
    let firstTag = 0
    for (const options of connections) {
      const connection = new MachineConnection({
        ...options,
        firstTag,
        clock,
        onOffered: (offered) => this.#offered(offered),
      })
      this.#connections.push({ connection, firstTag, tagCount: options.tags.length })
      firstTag += options.tags.length
    }
    this.firstPolls = Promise.all(this.#connections.map(({ connection }) => connection.firstPoll)).then(
      () => undefined,
    )
  }

  current(): Sample[] {
    return this.#connections.flatMap(({ connection }) => connection.current())
  }

  alarms(): Alarm[] {
    return [...this.#alarms].flatMap(([tag, { raised, since }]) => {
      const alarm = this.tags[tag]?.alarm
      return alarm ? [{ ...alarm, tag, raised: raised === true, since }] : []
    })
  }

  subscribe(listener: (samples: readonly Sample[]) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async write(
    tag: number,
    value: TagValue,
    source: WriteSource,
  ): Promise<WriteResult | { refused: WriteRefusal }> {
    const of = this.#connections.find(
      ({ firstTag, tagCount }) => tag >= firstTag && tag < firstTag + tagCount,
    )
    if (of === undefined) return { refused: 'unknownTag' }
    return of.connection.write(tag - of.firstTag, value, source)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#connections.map(({ connection }) => connection.stop()))
  }

  #offered({ due, moved }: Offered): void {
    // Every change of a bool is due, so that no alarm moves without a sample to tell it with.
    for (const sample of due) this.#noteAlarm(sample)
    if (due.length > 0) this.#publish(due)
    if (moved.length > 0) for (const listener of this.#listeners) listener(moved)
  }

  #noteAlarm(sample: Sample): void {
    const state = this.#alarms.get(sample.tag)
    if (state === undefined || typeof sample.value !== 'boolean' || state.raised === sample.value) return
    state.raised = sample.value
    state.since = sample.at
    sample.alarmMoved = true
  }
}

interface AlarmState {
  /** Null until the tag had a value. */
  raised: boolean | null
  since: number | null
}
