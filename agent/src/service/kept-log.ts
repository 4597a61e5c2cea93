import type { AgentFailure, AgentLog, AgentLogLine } from '@busbar/link'
import { agentServiceLimits } from '@busbar/link'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'

const { connectionsMax, failureCharactersMax, failuresMax, logBytesMax, logMs } = agentServiceLimits
const lineFailures = new Set([
  'uplink.offline',
  'uplink.refused',
  'uplink.unreachable',
  'tunnel.refused',
  'tunnel.closed',
])

interface KeptLine {
  readonly atMs: number
  readonly bytes: number
  readonly line: AgentLogLine
}

/** The lines of the last hour in memory, and the failures that they tell: of the line to the cloud and of connections. */
export class KeptLog {
  readonly #clock: Clock
  #lines: KeptLine[] = []
  #bytes = 0
  /** When the newest line was kept that had to go before its time. */
  #cutAtMs = Number.NEGATIVE_INFINITY
  /** Newest first. */
  #lineFailures: AgentFailure[] = []
  readonly #connectionFailures = new Map<string, AgentFailure>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A log that writes to `log`, and keeps each line. */
  follow(log: Log): Log {
    return (level, event, fields = {}) => {
      log(level, event, fields)
      this.#keep({ ...fields, at: new Date(this.#clock.now()).toISOString(), level, event })
    }
  }

  get lines(): AgentLog {
    this.#forget()
    return {
      lines: this.#lines.map(({ line }) => line),
      isCut: this.#cutAtMs >= this.#clock.monotonic() - logMs,
    }
  }

  get lineFailures(): readonly AgentFailure[] {
    return this.#lineFailures
  }

  failureOf(connection: string): AgentFailure | null {
    return this.#connectionFailures.get(connection) ?? null
  }

  #keep(line: AgentLogLine): void {
    const bytes = Buffer.byteLength(JSON.stringify(line)) + 1
    this.#lines.push({ atMs: this.#clock.monotonic(), bytes, line })
    this.#bytes += bytes
    this.#forget()
    const { reason, connection, level, event } = line
    if (typeof reason !== 'string' || level === 'info') return
    const failure = { at: this.#clock.now(), reason: reason.slice(0, failureCharactersMax) }
    if (lineFailures.has(event)) this.#lineFailures = [failure, ...this.#lineFailures].slice(0, failuresMax)
    else if (typeof connection === 'string') this.#noteConnection(connection, failure)
  }

  /** Connections come and go with the configuration: those that failed longest ago are forgotten. */
  #noteConnection(connection: string, failure: AgentFailure): void {
    const failures = this.#connectionFailures
    failures.delete(connection)
    failures.set(connection, failure)
    const [first] = failures.keys()
    if (failures.size > connectionsMax && first !== undefined) failures.delete(first)
  }

  #forget(): void {
    const oldestMs = this.#clock.monotonic() - logMs
    let gone = 0
    while (gone < this.#lines.length) {
      const { atMs, bytes } = this.#lines[gone] as KeptLine
      if (atMs >= oldestMs && this.#bytes <= logBytesMax) break
      if (atMs >= oldestMs) this.#cutAtMs = atMs
      this.#bytes -= bytes
      gone++
    }
    if (gone > 0) this.#lines = this.#lines.slice(gone)
  }
}
