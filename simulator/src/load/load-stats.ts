/** Milliseconds counted one by one; longer times count as this one. */
const latencyMsMax = 10_000

/** The counts since the last call. Plain data: it goes between processes. */
export interface LoadCounts {
  connected: number
  sent: number
  acknowledged: number
  /** A machine's turn came and it was not connected, or still waited for too many acknowledgements. */
  skipped: number
  /** Number of failures, by name. */
  errors: Record<string, number>
  /** Acknowledgements by whole milliseconds they took: pairs of milliseconds and count. */
  latency: [ms: number, count: number][]
}

/** Counts of one process. */
export class LoadStats {
  connected = 0
  sent = 0
  acknowledged = 0
  skipped = 0
  #errors: Record<string, number> = {}
  readonly #latency = new Uint32Array(latencyMsMax + 1)

  acknowledge(tookMs: number): void {
    this.acknowledged += 1
    const ms = Math.min(latencyMsMax, Math.max(0, Math.floor(tookMs)))
    this.#latency[ms] = (this.#latency[ms] ?? 0) + 1
  }

  fail(name: string): void {
    this.#errors[name] = (this.#errors[name] ?? 0) + 1
  }

  /** The counts since the last call. */
  take(): LoadCounts {
    const latency: [number, number][] = []
    for (let ms = 0; ms <= latencyMsMax; ms += 1) {
      const count = this.#latency[ms] ?? 0
      if (count > 0) latency.push([ms, count])
    }
    this.#latency.fill(0)
    const { connected, sent, acknowledged, skipped } = this
    const counts = { connected, sent, acknowledged, skipped, errors: this.#errors, latency }
    this.sent = 0
    this.acknowledged = 0
    this.skipped = 0
    this.#errors = {}
    return counts
  }
}

/** Adds up what several processes, or several seconds, counted; `connected` is the last value of each process. */
export function sumCounts(all: readonly LoadCounts[]): LoadCounts {
  const sum: LoadCounts = { connected: 0, sent: 0, acknowledged: 0, skipped: 0, errors: {}, latency: [] }
  const latency = new Map<number, number>()
  for (const counts of all) {
    sum.connected += counts.connected
    sum.sent += counts.sent
    sum.acknowledged += counts.acknowledged
    sum.skipped += counts.skipped
    for (const [name, count] of Object.entries(counts.errors))
      sum.errors[name] = (sum.errors[name] ?? 0) + count
    for (const [ms, count] of counts.latency) latency.set(ms, (latency.get(ms) ?? 0) + count)
  }
  sum.latency = [...latency].sort(([one], [other]) => one - other)
  return sum
}

/** The milliseconds within which this share of the acknowledgements came; undefined if there were none. */
export function quantile(latency: LoadCounts['latency'], share: number): number | undefined {
  const total = latency.reduce((sum, [, count]) => sum + count, 0)
  let seen = 0
  for (const [ms, count] of latency) {
    seen += count
    if (seen >= total * share) return ms
  }
  return undefined
}
