import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

const startMsMax = 10_000

/** A NATS server on a free loopback port, which keeps its port when it is started again. */
export class TestNats {
  readonly port: number
  readonly #configFile: string | undefined
  #child: ChildProcess | undefined

  private constructor(port: number, configFile: string | undefined) {
    this.port = port
    this.#configFile = configFile
  }

  static async start(configFile?: string): Promise<TestNats> {
    const nats = new TestNats(await findFreePort(), configFile)
    await nats.start()
    return nats
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const program = process.env.BUSBAR_NATS_SERVER ?? 'nats-server'
    const config = this.#configFile ? ['-c', this.#configFile] : []
    const args = [...config, '-a', '127.0.0.1', '-p', String(this.port)]
    const child = spawn(program, args, { stdio: 'ignore' })
    this.#child = child
    const { promise: failed, reject } = Promise.withResolvers<never>()
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`nats-server ended with ${code}`)))
    failed.catch(() => undefined)
    await Promise.race([failed, this.#answers()])
  }

  /** Ends it as a crash would. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  async #answers(): Promise<void> {
    const until = performance.now() + startMsMax
    while (performance.now() < until) {
      const socket = connect(this.port, '127.0.0.1')
      try {
        await once(socket, 'data')
        return
      } catch {
        await sleep(20)
      } finally {
        socket.destroy()
      }
    }
    throw new Error(`nats-server did not answer within ${startMsMax} ms`)
  }
}
