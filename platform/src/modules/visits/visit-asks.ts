import { BoundedMap } from './bounded-map.ts'

/** Time limit of the one navigation that a mark exempts, in ms (rules/visits.md: entering by a link). */
export const markMs = 60_000
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
 * The visits that people recently agreed to open, and one-use marks of navigations that the platform itself caused.
 * Both are in memory: after a restart people have to agree once more.
 */
export class VisitAsks {
  readonly #asks = new BoundedMap<number, VisitAsk>(asksMax)
  readonly #marks = new BoundedMap<string, number>(marksMax)

  async note(visitId: number, ask: VisitAsk): Promise<void> {
    this.#asks.set(visitId, ask)
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
}

const keyOf = (visitId: number, path: string): string => `${visitId} ${path}`
