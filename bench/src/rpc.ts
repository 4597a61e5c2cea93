import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'

const benchDir = join(import.meta.dirname, '..')

/** Functions that a measuring process offers to its parent. */
export type Handlers = Record<string, (input: never) => Promise<unknown> | unknown>

interface Call {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

interface Answer {
  readonly id: number
  readonly output?: unknown
  readonly error?: string
}

/** Serves calls of the parent until it ends. */
export function serve(handlers: Handlers): void {
  process.on('message', async ({ id, name, input }: Call) => {
    try {
      const handler = handlers[name] as ((input: unknown) => unknown) | undefined
      if (!handler) throw new Error(`no function ${name}`)
      process.send?.({ id, output: await handler(input) } satisfies Answer)
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ id: 0 } satisfies Answer)
}

/** A separate process: the measured code must not share an event loop with the measuring one. */
export class Worker {
  readonly child: ChildProcess
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>()
  #lastId = 0

  private constructor(child: ChildProcess) {
    this.child = child
    child.on('message', ({ id, output, error }: Answer) => {
      const call = this.#calls.get(id)
      this.#calls.delete(id)
      if (error === undefined) call?.resolve(output)
      else call?.reject(new Error(error))
    })
    child.on('exit', (code, signal) => {
      for (const call of this.#calls.values()) call.reject(new Error(`worker ended with ${signal ?? code}`))
    })
  }

  /** Starts a file of `bench/` that calls `serve`. */
  static async start(
    file: string,
    options: { execArgv?: string[]; env?: Record<string, string> } = {},
  ): Promise<Worker> {
    const child = fork(resolve(benchDir, file), [], {
      execArgv: options.execArgv ?? [],
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const ready = once(child, 'message')
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${file} ended before it was ready`)
    })
    await Promise.race([ready, ended])
    ended.catch(() => {})
    return new Worker(child)
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  call<Output>(name: string, input?: unknown): Promise<Output> {
    const call = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    this.#calls.set(id, call)
    this.child.send({ id, name, input } satisfies Call)
    return call.promise as Promise<Output>
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = once(this.child, 'exit')
    this.child.disconnect()
    await ended
  }
}
