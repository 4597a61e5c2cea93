import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** The parameters of argon2id; `memory` in KiB, `tagLength` in bytes. */
export interface HashParameters {
  readonly message: Uint8Array
  readonly nonce: Uint8Array
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly tagLength: number
}

/** An order to a thread, and the key of its answer; `place` names the hash. */
export interface HashOrder extends HashParameters {
  readonly place: number
}
export interface HashAnswer {
  readonly place: number
  readonly tag: Uint8Array
}

interface Waiting {
  readonly resolve: (tag: Buffer) => void
  readonly reject: (error: Error) => void
}

/**
 * argon2id in threads of its own, of low priority, so that one core stays free for requests. Node's own thread pool
 * would run it at normal priority, and delay files and DNS lookups. The threads start with the first hash and do not
 * keep the process alive.
 */
export class HashThreads {
  /** Hashes that run at the same time. */
  readonly count: number
  readonly #threads: HashThread[] = []

  constructor(count = Math.max(1, availableParallelism() - 1)) {
    this.count = count
  }

  /** The hash, `tagLength` bytes. */
  hash(parameters: HashParameters): Promise<Buffer> {
    return this.#findThread().hash(parameters)
  }

  /** An idle one, a further one, or the one with the shortest queue. */
  #findThread(): HashThread {
    const [least] = this.#threads.toSorted((a, b) => a.length - b.length)
    if (least && (least.length === 0 || this.#threads.length >= this.count)) return least
    const thread = new HashThread(() => this.#threads.splice(this.#threads.indexOf(thread), 1))
    this.#threads.push(thread)
    return thread
  }
}

class HashThread {
  readonly #worker = new Worker(new URL('./hash-worker.ts', import.meta.url))
  readonly #waiting = new Map<number, Waiting>()
  #places = 0

  constructor(ended: () => void) {
    this.#worker.unref()
    this.#worker.on('message', ({ place, tag }: HashAnswer) => {
      this.#waiting.get(place)?.resolve(Buffer.from(tag))
      this.#forget(place)
    })
    const end = (error: Error) => {
      ended()
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    }
    this.#worker.once('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  }

  /** Hashes that wait for this thread, or are under way. */
  get length(): number {
    return this.#waiting.size
  }

  hash(parameters: HashParameters): Promise<Buffer> {
    const place = ++this.#places
    return new Promise((resolve, reject) => {
      this.#waiting.set(place, { resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage({ place, ...parameters } satisfies HashOrder)
    })
  }

  #forget(place: number): void {
    this.#waiting.delete(place)
    if (this.#waiting.size === 0) this.#worker.unref()
  }
}
