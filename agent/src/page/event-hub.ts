import type { Clock } from '../clock.ts'
import type { Machine } from '../machine.ts'
import type { PageAnswer, Visitor } from '../tunnel/page-handler.ts'
import type { PageEvents, ValueView, WriteView } from './page-api.ts'
import { pageLimits, pageTimes } from './page-limits.ts'
import type { PageConnection } from './page-views.ts'
import { snapshotView, stateView, valueView } from './page-views.ts'

type Stream = ReturnType<PageAnswer['begin']>

interface Listener {
  stream: Stream
  visit: string | null
  /** The end of its visit by the monotonic clock, because the wall clock may be set in the meantime. */
  endAtMs: number
  /** Its reader is slow, so further events are dropped. */
  blocked: boolean
  /** Events were dropped; one snapshot replaces them. */
  missed: boolean
}

/**
 * Pushes changes to every open page, as server-sent events. A page first gets a snapshot, then only what is
 * newer.
 */
export class EventHub {
  readonly #machine: Machine
  readonly #connections: () => readonly PageConnection[]
  readonly #clock: Clock
  readonly #listeners = new Set<Listener>()
  readonly #moved = new Map<number, ValueView>()
  readonly #unsubscribe: () => void
  #state: string
  #cancelGather: (() => void) | null = null
  #cancelBeat: () => void = () => undefined

  constructor(machine: Machine, connections: () => readonly PageConnection[], clock: Clock) {
    this.#machine = machine
    this.#connections = connections
    this.#clock = clock
    this.#state = JSON.stringify(stateView(machine, connections()))
    this.#unsubscribe = machine.subscribe((samples) => {
      if (this.#listeners.size === 0) return
      for (const sample of samples) this.#moved.set(sample.tag, valueView(sample))
      this.#cancelGather ??= clock.after(pageTimes.gatherMs, () => this.#flush())
    })
    this.#beat()
  }

  /** Whether one more page may listen. */
  hasRoom(visitor: Visitor | null): boolean {
    if (this.#listeners.size >= pageLimits.eventStreamsMax) return false
    if (visitor === null) return true
    const own = [...this.#listeners].filter((listener) => listener.visit === visitor.visit)
    return own.length < pageLimits.eventStreamsOfVisitMax
  }

  open(stream: Stream, visitor: Visitor | null): void {
    // Gathered values go out first, so that the snapshot of the new page is newer than any event before it.
    this.#flush()
    const leftMs = visitor === null ? Number.POSITIVE_INFINITY : visitor.until - this.#clock.now()
    const listener: Listener = {
      stream,
      visit: visitor?.visit ?? null,
      endAtMs: this.#clock.monotonic() + leftMs,
      blocked: false,
      missed: false,
    }
    this.#listeners.add(listener)
    stream.once('close', () => this.#listeners.delete(listener))
    stream.on('error', () => this.#listeners.delete(listener))
    stream.on('drain', () => {
      listener.blocked = false
      if (listener.missed) this.#sendSnapshot(listener)
    })
    this.#sendSnapshot(listener)
    // Beats end visits; this one ends before the next beat.
    if (leftMs < pageTimes.beatMs) this.#beat()
  }

  /** Sends a write, after the values that changed before and by it. */
  publishWrite(result: WriteView): void {
    this.#flush()
    this.#publish('write', result)
  }

  #publish<Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]): void {
    const frame = formatEvent(name, data)
    for (const listener of this.#listeners) this.#send(listener, frame)
  }

  /** Ends open streams: pages reconnect immediately and load the new state. */
  restart(): void {
    this.#moved.clear()
    for (const { stream } of this.#listeners) stream.end()
    this.#listeners.clear()
    this.#state = JSON.stringify(stateView(this.#machine, this.#connections()))
  }

  close(): void {
    this.#cancelBeat()
    this.#cancelGather?.()
    this.#unsubscribe()
    for (const { stream } of this.#listeners) stream.end()
    this.#listeners.clear()
  }

  #flush(): void {
    this.#cancelGather?.()
    this.#cancelGather = null
    if (this.#moved.size > 0) this.#publish('values', [...this.#moved.values()])
    this.#moved.clear()
    this.#publishState()
  }

  #publishState(): void {
    const state = stateView(this.#machine, this.#connections())
    const text = JSON.stringify(state)
    if (text === this.#state) return
    this.#state = text
    this.#publish('state', state)
  }

  #beat(): void {
    this.#cancelBeat()
    const endAtMs = Math.min(...[...this.#listeners].map((listener) => listener.endAtMs))
    const leftMs = Math.max(0, endAtMs - this.#clock.monotonic())
    this.#cancelBeat = this.#clock.after(Math.min(pageTimes.beatMs, leftMs), () => {
      this.#endVisits()
      this.#publishState()
      this.#publish('beat', { now: this.#clock.now() })
      this.#beat()
    })
  }

  #endVisits(): void {
    for (const listener of this.#listeners) {
      if (listener.endAtMs > this.#clock.monotonic()) continue
      this.#listeners.delete(listener)
      listener.stream.end()
    }
  }

  #sendSnapshot(listener: Listener): void {
    const snapshot = snapshotView(this.#machine, this.#connections(), this.#clock.now())
    this.#send(listener, formatEvent('snapshot', snapshot))
  }

  #send(listener: Listener, frame: string): void {
    if (listener.stream.destroyed) return
    listener.missed = listener.blocked
    if (!listener.blocked) listener.blocked = !listener.stream.write(frame)
  }
}

function formatEvent<Name extends keyof PageEvents>(name: Name, data: PageEvents[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
