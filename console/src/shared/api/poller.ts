import { ApiError } from '@busbar/contract'
import { retryMsOf } from './load-queue.ts'
import type { ValuesEvent, WriteEvent } from './push-messages.ts'

export interface PollerOptions {
  /** The watched machines and tags; an empty list of tags means every tag of the machine. */
  watched(): Iterable<readonly [machineId: number, tagIds: readonly number[]]>
  listLatest(
    machineId: number,
    tagIds: readonly number[],
    signal: AbortSignal,
  ): Promise<ValuesEvent['values']>
  /** Writes whose result is awaited. */
  writes(): Iterable<readonly [commandId: number, machineId: number]>
  /** Resolves to undefined until there is a result. */
  findResult(machineId: number, commandId: number, signal: AbortSignal): Promise<WriteEvent | undefined>
  onValues(event: ValuesEvent): void
  onResult(event: WriteEvent): void
  /** Called after a round; `succeeded` when every watched machine was answered. */
  onRound(succeeded: boolean): void
}

/** The wait between two rounds, and the time each machine adds: a window makes at most 200 calls a minute. */
const waitMs = { min: 5_000, perMachine: 300 } as const
/** Short, because a person waits for the result of a write. */
const resultWaitMs = 2_000
/** Calls under way at a time. */
const parallelMax = 4
/** The machine is gone, or the caller lost the right to see it: the answer counts as a success. */
const isRefusal = (error: unknown) => error instanceof ApiError && (error.isForbidden || error.is('404'))

/** Polls the newest values of the watched tags, and the results of writes, in a window without a push socket. */
export class Poller {
  readonly #options: PollerOptions
  #running: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #resultTimer: ReturnType<typeof setTimeout> | undefined

  constructor(options: PollerOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Begins with a round immediately. Does nothing while it runs. */
  start(): void {
    if (this.#running) return
    this.#running = new AbortController()
    void this.#round(this.#running.signal)
    void this.#askResults(this.#running.signal)
  }

  /** Drops the answers that are on their way. */
  stop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#resultTimer)
    this.#running?.abort()
    this.#running = undefined
  }

  async #round(signal: AbortSignal): Promise<void> {
    const machines = [...this.#options.watched()]
    const waiting = machines.values()
    let pauseMs = Math.max(waitMs.min, machines.length * waitMs.perMachine)
    let succeeded = true
    const askInTurn = async () => {
      for (const [machineId, tagIds] of waiting) {
        try {
          const values = await this.#options.listLatest(machineId, tagIds, signal)
          if (signal.aborted) return
          this.#options.onValues({ machineId, values })
        } catch (error) {
          if (signal.aborted) return
          if (isRefusal(error)) continue
          succeeded = false
          pauseMs = Math.max(pauseMs, retryMsOf(error) ?? 0)
        }
      }
    }
    await Promise.all(Array.from({ length: parallelMax }, askInTurn))
    if (signal.aborted) return
    this.#options.onRound(succeeded)
    this.#timer = setTimeout(() => void this.#round(signal), pauseMs)
  }

  async #askResults(signal: AbortSignal): Promise<void> {
    for (const [commandId, machineId] of [...this.#options.writes()]) {
      // A failed query is repeated; the writer of a value is informed if no result comes.
      const result = await this.#options.findResult(machineId, commandId, signal).catch(() => undefined)
      if (signal.aborted) return
      if (result) this.#options.onResult(result)
    }
    this.#resultTimer = setTimeout(() => void this.#askResults(signal), resultWaitMs)
  }
}
