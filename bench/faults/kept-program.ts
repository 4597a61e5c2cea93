import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Asked, Held } from './preload.ts'

const outputCharactersMax = 20_000
/** systemd's `RestartSec` of the units in `deploy/` is a second. */
const restartMsUsual = 1_000
const stopTimeoutMs = 15_000
const answerMsMax = 10_000

export interface KeptProgramOptions {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Modules loaded before the program's own; `preload.ts` always is. */
  readonly imports?: readonly string[]
}

/** The resources that a process uses. Bytes; undefined if it did not answer. */
export interface Use {
  readonly pid: number
  readonly rss: number
  readonly files: number
  readonly held: Held | undefined
}

/** One of the product's programs, started again whenever it ends, as a service manager does. */
export class KeptProgram {
  readonly #options: KeptProgramOptions
  #child: ChildProcess
  #isStopping = false
  #restartMs: number | undefined
  #restart: NodeJS.Timeout | undefined
  #output = ''
  #offsetMs = 0
  #starts = 1
  /** Time of its last start, by the monotonic clock. */
  startedAt = performance.now()
  /** Messages of it, such as `ready`. */
  onMessage: (message: { readonly type: string }) => void = () => {}

  constructor(options: KeptProgramOptions) {
    this.#options = options
    this.#child = this.#spawn()
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Number of starts, including the first. */
  get starts(): number {
    return this.#starts
  }

  /** The end of its output. */
  get output(): string {
    return this.#output
  }

  /** SIGKILL; the next start comes `restartMs` after it. Resolves when it is started. */
  async kill(restartMs: number): Promise<void> {
    const starts = this.#starts
    this.#restartMs = restartMs
    this.#child.kill('SIGKILL')
    while (this.#starts === starts && !this.#isStopping) await new Promise((done) => setTimeout(done, 10))
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** Shifts its wall clock, also over a restart. */
  stepClock(offsetMs: number): void {
    this.#offsetMs = offsetMs
    this.#send({ type: 'fault:clock', offsetMs })
  }

  get clockOffsetMs(): number {
    return this.#offsetMs
  }

  async measure(): Promise<Use> {
    const child = this.#child
    const { pid } = this
    const answered = Promise.withResolvers<Held | undefined>()
    const listen = (message: { type: string }) => {
      if (message.type === 'fault:held') answered.resolve(message as Held)
    }
    child.on('message', listen)
    const timer = setTimeout(() => answered.resolve(undefined), answerMsMax)
    this.#send({ type: 'fault:measure' })
    const held = await answered.promise
    clearTimeout(timer)
    child.off('message', listen)
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    return { pid, rss: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024, files: files.length, held }
  }

  /** SIGTERM, and SIGKILL for one that does not listen; it is not started again. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    if (!this.isRunning) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGCONT')
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopTimeoutMs)
    await ended
    clearTimeout(timer)
  }

  /** Stops it as an operator does, and starts it when `work` is done. */
  async whileStopped(work: () => Promise<void>): Promise<void> {
    await this.stop()
    await work()
    this.#isStopping = false
    this.#startAgain()
  }

  #send(asked: Asked): void {
    if (this.#child.connected) this.#child.send(asked, () => {})
  }

  #spawn(): ChildProcess {
    const imports = [join(import.meta.dirname, 'preload.ts'), ...(this.#options.imports ?? [])]
    const flags = ['--expose-gc', ...imports.flatMap((file) => ['--import', file])]
    const child = spawn(process.execPath, [...flags, ...this.#options.args], {
      env: {
        ...process.env,
        ...this.#options.env,
        BUSBAR_CHILD: '1',
        BUSBAR_CLOCK_OFFSET_MS: String(this.#offsetMs),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-outputCharactersMax)
      })
    }
    child.on('error', () => {})
    child.on('message', (message: { type: string }) => this.onMessage(message))
    child.once('exit', (code, signal) => {
      if (this.#isStopping) return
      this.#output += `— ended with ${signal ?? code} —\n`
      this.#restart = setTimeout(() => this.#startAgain(), this.#restartMs ?? restartMsUsual)
      this.#restartMs = undefined
    })
    return child
  }

  #startAgain(): void {
    this.#starts++
    this.startedAt = performance.now()
    this.#child = this.#spawn()
  }
}
