import type { Bus } from '../../kernel/bus/bus.ts'

/** Calls that wait for rows of one project. */
const waitingPerProjectMax = 4

/** A call that waits; rows that come after it began to listen are not missed. */
export interface WaitingCall {
  /** Resolves at rows, at the end of the time, or when the caller leaves. */
  next(ms: number): Promise<void>
  end(): void
}

/** Lets calls wait for the next rows of their projects, a few of each. */
export class RowWaiter {
  readonly #waiting = new Map<number, Set<() => void>>()
  readonly #unsubscribe: () => void

  constructor(bus: Pick<Bus, 'subscribe'>) {
    this.#unsubscribe = bus.subscribe('projectRows', ({ projectId }) => this.#wake(projectId))
  }

  /** Undefined where too many calls of the project wait. */
  listen(projectId: number, signal: AbortSignal): WaitingCall | undefined {
    const ofProject = this.#waiting.get(projectId) ?? new Set()
    if (ofProject.size >= waitingPerProjectMax) return undefined
    let woken = Promise.withResolvers<void>()
    const wake = () => woken.resolve()
    this.#waiting.set(projectId, ofProject.add(wake))
    signal.addEventListener('abort', wake)
    return {
      async next(ms) {
        const timer = setTimeout(wake, ms)
        await woken.promise
        clearTimeout(timer)
        woken = Promise.withResolvers()
      },
      end: () => {
        signal.removeEventListener('abort', wake)
        ofProject.delete(wake)
        if (ofProject.size === 0 && this.#waiting.get(projectId) === ofProject)
          this.#waiting.delete(projectId)
      },
    }
  }

  /** Ends the waits of a process that stops. */
  stop(): void {
    this.#unsubscribe()
    for (const projectId of this.#waiting.keys()) this.#wake(projectId)
  }

  #wake(projectId: number): void {
    for (const wake of this.#waiting.get(projectId) ?? []) wake()
  }
}
