import type { Clock } from './clock.ts'
import type { Driver } from './drivers/driver.ts'
import type { Log } from './log.ts'
import type { Alarm, Machine, WriteRefusal, WriteResult, WriteSource } from './machine.ts'
import { MachineConnection } from './sampling/machine-connection.ts'
import type { Offered } from './sampling/sampler.ts'
import type { Sample, Tag, TagValue } from './tag.ts'

/** A connection that is to be read. */
export interface ModelConnection {
  tags: readonly Tag[]
  pollIntervalMs: number
  driver: Driver
}

export interface MachineModelOptions {
  code: string
  connections: readonly ModelConnection[]
  clock: Clock
  log: Log
  /** Samples for the cloud. */
  publish(samples: readonly Sample[]): void
}

/** The largest whole number that the cloud stores, also of a uint64. */
const wholeMax = 2n ** 63n - 1n

/** The controllers of this agent as one machine. */
export class MachineModel implements Machine {
  readonly code: string
  readonly tags: Tag[] = []
  /** Fulfilled when every controller was polled once. */
  readonly firstPolls: Promise<void>
  readonly #clock: Clock
  readonly #removed = new Set<number>()
  #connections: ReadConnection[]
  /** The first readings of an added connection, until the cloud knows its tags. */
  #unannounced: { firstTag: number; samples: Sample[] } | null = null
  readonly #alarms = new Map<number, AlarmState>()
  readonly #listeners = new Set<(samples: readonly Sample[]) => void>()
  readonly #publish: (samples: readonly Sample[]) => void
  readonly #log: Log
  /** Tags that had a value above `wholeMax`. */
  readonly #tooLarge = new Set<number>()

  constructor({ code, connections, clock, log, publish }: MachineModelOptions) {
    this.code = code
    this.#publish = publish
    this.#log = log
    this.#clock = clock
    this.#connections = connections.map((connection) => this.#add(connection))
    this.firstPolls = firstPollsOf(this.#connections)
  }

  /** The first tag of each connection and how many it has, in the order in which they were given. */
  get places(): readonly TagPlace[] {
    return this.#connections
  }

  /** Of each connection, in the order of `places`. */
  troubles(): ReturnType<MachineConnection['troubles']>[] {
    return this.#connections.map(({ connection }) => connection.troubles())
  }

  isRemoved(tag: number): boolean {
    return this.#removed.has(tag)
  }

  /**
   * Reads other connections: those in `stay` continue unchanged, by their index in the present list, at the
   * index that they have in `next`; the others are closed before the new ones open. The answer is fulfilled
   * after the first polls of the new ones, or when `limit` is. Their readings wait for `announced`.
   * `onOpened` is called when the connections are those of `next`.
   */
  async change(
    next: readonly (number | (() => ModelConnection))[],
    limit: (done: Promise<void>) => Promise<void>,
    onOpened: () => void,
  ): Promise<void> {
    const before = this.#connections
    const kept = new Set(next.filter((one) => typeof one === 'number'))
    const gone = before.filter((_, place) => !kept.has(place))
    for (const { firstTag, tagCount } of gone) {
      for (let tag = firstTag; tag < firstTag + tagCount; tag++) {
        this.#removed.add(tag)
        this.#alarms.delete(tag)
      }
    }
    this.#connections = before.filter((_, place) => kept.has(place))
    await Promise.all(gone.map(({ connection }) => connection.stop()))
    this.#unannounced = { firstTag: this.tags.length, samples: [] }
    const added: ReadConnection[] = []
    this.#connections = next.map((one) => {
      if (typeof one === 'number') return before[one] as ReadConnection
      const connection = this.#add(one())
      added.push(connection)
      return connection
    })
    onOpened()
    await limit(firstPollsOf(added))
  }

  /** The cloud knows the current tags: returns the readings of the new ones since. */
  announced(): readonly Sample[] {
    const samples = this.#unannounced?.samples ?? []
    this.#unannounced = null
    return samples
  }

  #add(options: ModelConnection): ReadConnection {
    const firstTag = this.tags.length
    options.tags.forEach((tag, index) => {
      if (tag.alarm) this.#alarms.set(firstTag + index, { raised: null, since: null })
    })
    this.tags.push(...options.tags)
    const connection = new MachineConnection({
      ...options,
      firstTag,
      clock: this.#clock,
      onOffered: (offered) => this.#offered(offered),
    })
    return { connection, firstTag, tagCount: options.tags.length }
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
    // Every change of a bool is due, so that an alarm never changes without a sample.
    for (const sample of due) {
      this.#noteAlarm(sample)
      this.#noteTooLarge(sample)
    }
    if (due.length > 0) this.#send(due)
    if (moved.length > 0) for (const listener of this.#listeners) listener(moved)
  }

  #send(due: readonly Sample[]): void {
    const waiting = this.#unannounced
    const [first] = due
    // All samples of one reading are of one connection.
    if (waiting !== null && first !== undefined && first.tag >= waiting.firstTag) waiting.samples.push(...due)
    else this.#publish(due)
  }

  /** The cloud stores it as a bad value, and nobody else would say why. */
  #noteTooLarge({ tag, value }: Sample): void {
    if (typeof value !== 'bigint' || value <= wholeMax || this.#tooLarge.has(tag)) return
    this.#tooLarge.add(tag)
    this.#log('warn', 'tag.tooLarge', { tag: this.tags[tag]?.name ?? '', value: String(value) })
  }

  #noteAlarm(sample: Sample): void {
    const state = this.#alarms.get(sample.tag)
    if (state === undefined || typeof sample.value !== 'boolean' || state.raised === sample.value) return
    state.raised = sample.value
    state.since = sample.at
    sample.alarmMoved = true
  }
}

function firstPollsOf(connections: readonly ReadConnection[]): Promise<void> {
  return Promise.all(connections.map(({ connection }) => connection.firstPoll)).then(() => undefined)
}

/** Which of the machine's tags a connection reads. */
export interface TagPlace {
  readonly firstTag: number
  readonly tagCount: number
}

interface ReadConnection extends TagPlace {
  readonly connection: MachineConnection
}

interface AlarmState {
  /** Null until the tag had a value. */
  raised: boolean | null
  since: number | null
}
