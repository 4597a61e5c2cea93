import type { Bus, BusEvents } from '../../kernel/bus/bus.ts'
import { BoundedMap } from './bounded-map.ts'

/** Time limit of the one navigation that a mark exempts, in ms (rules/visits.md: entering by a link). */
const markMs = 60_000
const asksMax = 50_000
const marksMax = 50_000

/** A person's request for a visit: a press in the console, or on the page that asks them. */
export interface VisitAsk {
  /** Where the page opens, a path of its host. */
  readonly path: string
  /** Epoch milliseconds. */
  readonly askedAt: number
}

/**
 * The visits people asked for lately, and one-use marks of navigations that the platform itself caused. Both are in memory,
 * and the process with the visit's page hears of the press by the bus: after a restart, or where the bus lost it, a person
 * is asked once more.
 */
export class VisitAsks {
  readonly #bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly #asks = new BoundedMap<number, VisitAsk>(asksMax)
  readonly #marks = new BoundedMap<string, number>(marksMax)
  #unsubscribe: (() => void) | undefined

  constructor(bus: Pick<Bus, 'publish' | 'subscribe'>) {
    this.#bus = bus
  }

  /** Hears of presses at other processes. */
  start(): void {
    this.#unsubscribe = this.#bus.subscribe('visitAsked', (ask, origin) => {
      if (origin === 'elsewhere') this.#keep(ask)
    })
  }

  stop(): void {
    this.#unsubscribe?.()
  }

  /** A person pressed for a visit: the next navigation to the path is the platform's own. */
  async note(visitId: number, { path, askedAt }: VisitAsk): Promise<void> {
    const ask = { visitId, path, askedAt }
    this.#keep(ask)
    this.#bus.publish('visitAsked', ask)
  }

  async find(visitId: number): Promise<VisitAsk | undefined> {
    return this.#asks.get(visitId)
  }

  /** The next navigation of this visit to this path is the platform's own. */
  async mark(visitId: number, path: string, now: number): Promise<void> {
    this.#marks.set(keyOf(visitId, path), now + markMs)
  }

  /** Whether a navigation was marked; a mark serves once. */
  async takeMark(visitId: number, path: string, now: number): Promise<boolean> {
    const key = keyOf(visitId, path)
    const until = this.#marks.get(key)
    this.#marks.delete(key)
    return until !== undefined && now < until
  }

  #keep({ visitId, path, askedAt }: BusEvents['visitAsked']): void {
    this.#asks.set(visitId, { path, askedAt })
    this.#marks.set(keyOf(visitId, path), askedAt + markMs)
  }
}

const keyOf = (visitId: number, path: string): string => `${visitId} ${path}`
