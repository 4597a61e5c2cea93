import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const programFile = join(import.meta.dirname, '../../../connect/dist/busbar-connect.mjs')

/** A line of the program's output. */
export interface Told {
  readonly event: string
  readonly [fact: string]: unknown
}

/** busbar-connect with a session, and the local ports that it opened. */
export class ConnectProgram {
  readonly told: Told[] = []
  readonly #child: ChildProcess
  readonly #home: string

  private constructor(child: ChildProcess, home: string) {
    this.#child = child
    this.#home = home
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => this.told.push(JSON.parse(line)))
  }

  /** Resolves when it listens for all ports. @throws where it ends before */
  static async open(to: {
    readonly server: string
    readonly token: string
    readonly code: string
    readonly ports: readonly string[]
    readonly mode: 'ro' | 'rw'
    /** One to add to this computer, which takes commands of the system. */
    readonly address?: string
  }): Promise<ConnectProgram> {
    const home = await mkdtemp(join(tmpdir(), 'busbar-connect-'))
    const folder = join(home, 'busbar-connect')
    await mkdir(folder, { mode: 0o700 })
    const session = { server: to.server, token: to.token, terminal: 'test' }
    await writeFile(join(folder, 'session.json'), JSON.stringify(session), { mode: 0o600 })
    const options = ['--mode', to.mode, '--json', '--lang', 'en']
    if (to.address) options.push('--address', to.address)
    const PATH = to.address ? process.env.PATH : ''
    const child = spawn(process.execPath, [programFile, 'open', to.code, ...to.ports, ...options], {
      env: { HOME: home, XDG_CONFIG_HOME: home, PATH },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const program = new ConnectProgram(child, home)
    const isListening = () => program.of('listening').length === to.ports.length
    while (!isListening()) {
      if (child.exitCode !== null) throw new Error(`busbar-connect ended: ${JSON.stringify(program.told)}`)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return program
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  of(event: string): Told[] {
    return this.told.filter((one) => one.event === event)
  }

  /** The local port of one of its ports. */
  portOf(name: string): number {
    const address = this.of('listening').find(({ target }) => target === name)?.address
    return Number(String(address).split(':').at(-1))
  }

  /** Bytes that the system holds for it. */
  async rss(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit')
      this.#child.kill()
      await exited
    }
    await rm(this.#home, { recursive: true, force: true })
  }
}
