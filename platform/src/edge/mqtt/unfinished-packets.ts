/** A packet must be whole within this time, */
const patienceMs = 30_000
/** or keep coming at this pace at least. */
const bytesPerSMin = 1_000

/** A connection whose packet is not whole. */
export interface Unfinished {
  /** Ends the connection, because its packet takes too much time or memory. */
  endUnfinished(why: string): void
}

interface Entry {
  bytes: number
  /** Since when its pace is counted; undefined while the platform reads nothing of it. */
  since: number | undefined
  /** The number of bytes at that time. */
  from: number
}

/**
 * The packets that have not come whole, of all connections: they take memory before anything is known of them. Together
 * they have a limit; above it the one that got no bytes for the longest time goes.
 */
export class UnfinishedPackets {
  readonly #bytesMax: number
  readonly #ticks: () => number
  /** The one that got bytes last stands last. */
  readonly #entries = new Map<Unfinished, Entry>()
  #bytes = 0
  /** Connections ended for such a packet since the start. */
  ended = 0

  /** `ticks` are milliseconds of a monotonic clock. */
  constructor(bytesMax: number, ticks: () => number) {
    this.#bytesMax = bytesMax
    this.#ticks = ticks
  }

  /** Bytes of all of them. */
  get bytes(): number {
    return this.#bytes
  }

  /** Reports the number of bytes that a connection holds; `isAnother` if they are of another packet than before. */
  note(connection: Unfinished, bytes: number, isAnother: boolean): void {
    const before = this.#entries.get(connection)
    if (isAnother || bytes === 0) this.forget(connection)
    if (bytes === 0) return
    const known = isAnother ? undefined : before
    if (known?.bytes === bytes && known.since !== undefined) return
    const entry = known ?? { bytes: 0, since: undefined, from: 0 }
    if (entry.since === undefined) {
      entry.since = this.#ticks()
      entry.from = bytes
    }
    this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    this.#entries.delete(connection)
    this.#entries.set(connection, entry)
    while (this.#bytes > this.#bytesMax) this.#endFirst()
  }

  /** The platform does not read the connection: its time stands still until the next `note`. */
  hold(connection: Unfinished): void {
    const entry = this.#entries.get(connection)
    if (entry) entry.since = undefined
  }

  forget(connection: Unfinished): void {
    const entry = this.#entries.get(connection)
    if (!entry) return
    this.#entries.delete(connection)
    this.#bytes -= entry.bytes
  }

  /** Ends those that take too long. */
  sweep(): void {
    const now = this.#ticks()
    for (const [connection, { bytes, since, from }] of this.#entries) {
      if (since === undefined || now - since <= patienceMs) continue
      const bytesPerS = ((bytes - from) * 1000) / (now - since)
      if (bytesPerS < bytesPerSMin) this.#end(connection, 'a packet came too slowly')
    }
  }

  #endFirst(): void {
    const [first] = this.#entries.keys()
    if (first) this.#end(first, 'unfinished packets take too much memory')
  }

  #end(connection: Unfinished, why: string): void {
    this.forget(connection)
    this.ended++
    connection.endUnfinished(why)
  }
}
