import type { Bus, TagValueEvent } from '../../kernel/bus/bus.ts'
import { type Cluster, NoAnswer, type Unsubscribe } from '../../kernel/cluster/cluster.ts'
import { every } from '../../kernel/every.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { ValuesWatch } from '../edge-link.ts'
import { type AnswerTo, type MachineQuestions, machineSubject, renewMs, valuesSubject } from './questions.ts'

/** If a holder takes longer, the next renewal asks it again. */
const renewMsMax = 2_000

type Listener = (values: readonly TagValueEvent[]) => void

interface Watched {
  readonly listeners: Set<Listener>
  /** For each question under way: the values published since it was asked, by tag. */
  readonly meanwhile: Set<Map<number, TagValueEvent>>
  end: Unsubscribe
  /** Whether a node holds the lease; undefined before the first answer. */
  isHeld: boolean | undefined
}

export interface RemoteWatchesDeps {
  readonly cluster: Cluster
  readonly bus: Bus
  readonly logger: Logger
  /** The values of a machine without a holder; none if it is here. */
  latestStored(machineId: number): Promise<readonly TagValueEvent[]>
}

/**
 * Leases on the values of machines at other nodes. A lease is renewed while somebody watches; after a time without it,
 * the present values are published when the lease begins again, so that watchers miss none.
 */
export class RemoteWatches {
  readonly #deps: RemoteWatchesDeps
  readonly #watched = new Map<number, Watched>()
  readonly #subscriptions: Unsubscribe[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(deps: RemoteWatchesDeps) {
    this.#deps = deps
  }

  start(): void {
    const { cluster, bus } = this.#deps
    const again = (machineId: number) => {
      const watched = this.#watched.get(machineId)
      if (watched) void this.#renew(machineId, watched, true)
    }
    this.#subscriptions.push(
      // The new holder has no leases.
      bus.subscribe('held', ({ machineId }, origin) => {
        if (origin === 'elsewhere') again(machineId)
      }),
      // Values published meanwhile are lost.
      cluster.onUp(() => {
        for (const machineId of this.#watched.keys()) again(machineId)
      }),
    )
    const renew = () => {
      for (const [machineId, watched] of this.#watched) void this.#renew(machineId, watched, false)
    }
    this.#timer = every(renewMs, renew, this.#deps.logger)
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const end of this.#subscriptions) end()
    for (const { end } of this.#watched.values()) end()
    this.#watched.clear()
  }

  /** Resolves when values arrive, or when no other node holds the machine. */
  async watch(machineId: number, onValues: Listener): Promise<ValuesWatch> {
    // A separate function, so that a listener that watches twice is called twice.
    const listener: Listener = (values) => onValues(values)
    const known = this.#watched.get(machineId)
    const watched = known ?? this.#begin(machineId)
    watched.listeners.add(listener)
    if (!known) await this.#renew(machineId, watched, false)
    return {
      end: () => {
        watched.listeners.delete(listener)
        if (watched.listeners.size > 0 || this.#watched.get(machineId) !== watched) return
        watched.end()
        this.#watched.delete(machineId)
      },
    }
  }

  #begin(machineId: number): Watched {
    const watched: Watched = {
      listeners: new Set(),
      meanwhile: new Set(),
      end: () => undefined,
      isHeld: undefined,
    }
    watched.end = this.#deps.cluster.subscribe(valuesSubject(machineId), (message) => {
      const values = message as readonly TagValueEvent[]
      for (const published of watched.meanwhile) for (const value of values) published.set(value.tagId, value)
      this.#tell(watched, values)
    })
    this.#watched.set(machineId, watched)
    return watched
  }

  /** `tells`: watchers may have missed values since the last lease. */
  async #renew(machineId: number, watched: Watched, tells: boolean): Promise<void> {
    const { cluster, latestStored } = this.#deps
    const before = watched.isHeld
    const published = new Map<number, TagValueEvent>()
    watched.meanwhile.add(published)
    // An answer can be older than the values that arrived before it.
    const tellNewer = (values: readonly TagValueEvent[]) =>
      this.#tell(
        watched,
        values.filter((value) => !isNewer(published.get(value.tagId), value)),
      )
    try {
      // Watchers already got the values that arrived meanwhile; another read costs the holder's database a transaction.
      const wantsValues = tells || before === false
      const question = { name: 'watch', asked: { wantsValues } }
      const answer = await cluster.ask(machineSubject(machineId), question, renewMsMax)
      watched.isHeld = true
      if (wantsValues) tellNewer(answer as AnswerTo<MachineQuestions, 'watch'>)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      watched.isHeld = false
      // Its node crashed, so this process publishes that the values are stale.
      if (error.why === 'nobody' && before === true) tellNewer(await latestStored(machineId).catch(() => []))
    } finally {
      watched.meanwhile.delete(published)
    }
  }

  #tell(watched: Watched, values: readonly TagValueEvent[]): void {
    if (values.length > 0) for (const listener of watched.listeners) listener(values)
  }
}

const isNewer = (one: TagValueEvent | undefined, than: TagValueEvent): boolean =>
  one !== undefined && (one.time - than.time || one.receivedAt - than.receivedAt) > 0
