import type { BusEvents } from '../kernel/bus/bus.ts'

/** A backlog of hours arrives in thousands of messages: pages are told at most this often. */
export const historyGatherMs = 2_000

interface Gathered {
  from: number
  to: number
  /** Runs while nothing may be told; undefined once nothing came for a while. */
  timer: NodeJS.Timeout
  hasNews: boolean
}

/**
 * Gathers what changed of machines' past: the first at once, then the stretch all of it covers, at most every 2 s a
 * machine. `tell` answers false when somebody could not be told yet: the same stretch is told again then.
 */
export class HistoryChanges {
  readonly #tell: (change: BusEvents['late']) => boolean
  readonly #gathered = new Map<number, Gathered>()

  constructor(tell: (change: BusEvents['late']) => boolean) {
    this.#tell = tell
  }

  add({ machineId, from, to }: BusEvents['late']): void {
    const gathered = this.#gathered.get(machineId)
    if (!gathered) {
      this.#told(machineId, from, to)
    } else if (gathered.hasNews) {
      gathered.from = Math.min(gathered.from, from)
      gathered.to = Math.max(gathered.to, to)
    } else {
      Object.assign(gathered, { from, to, hasNews: true })
    }
  }

  close(): void {
    for (const { timer } of this.#gathered.values()) clearTimeout(timer)
    this.#gathered.clear()
  }

  #told(machineId: number, from: number, to: number): void {
    const hasNews = !this.#tell({ machineId, from, to })
    const timer = setTimeout(() => this.#flush(machineId), historyGatherMs)
    this.#gathered.set(machineId, { from, to, timer, hasNews })
  }

  #flush(machineId: number): void {
    const gathered = this.#gathered.get(machineId)
    this.#gathered.delete(machineId)
    if (gathered?.hasNews) this.#told(machineId, gathered.from, gathered.to)
  }
}
