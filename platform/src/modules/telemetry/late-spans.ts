import type { BusEvents } from '../../kernel/bus/bus.ts'

/** The stretch of time that a batch changed of each machine's past. */
export class LateSpans {
  readonly #spans = new Map<number, { machineId: number; from: number; to: number }>()

  /** Epoch milliseconds, `to` included. */
  add(machineId: number, from: number, to: number): void {
    const span = this.#spans.get(machineId)
    if (!span) {
      this.#spans.set(machineId, { machineId, from, to })
      return
    }
    if (from < span.from) span.from = from
    if (to > span.to) span.to = to
  }

  all(): Iterable<BusEvents['late']> {
    return this.#spans.values()
  }
}
