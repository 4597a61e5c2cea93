import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createMachine, createTestDatabase, createUser, type TestMachine } from '@busbar/testkit'
import { FaultyLine } from '@busbar/testkit/faulty-line.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { ensureAgentBuilt, ensureConnectBuilt } from '../../../tools/build.mjs'
import { type MainProcess, startMain } from '../processes/main-process.ts'
import { Controller } from './tool-stream.ts'

const checkout = join(import.meta.dirname, '../../..')
const agentFile = join(checkout, 'agent/dist/busbar-agent.mjs')
const programFile = join(checkout, 'connect/dist/busbar-connect.mjs')
const listeningMsMax = 60_000

/** The way of a stream in processes of their own, each of which can be killed, and lines that can be cut. */
export class FaultRig {
  readonly controller: Controller
  /** Of the program to the platform, and of the agent. */
  readonly programLine: FaultyLine
  readonly agentLine: FaultyLine
  /** Where tools connect. */
  toolPort = 0
  /** Lines of the program’s output. */
  told: readonly string[] = []
  readonly #dir: string
  readonly #env: Readonly<Record<string, string>>
  readonly #machine: TestMachine
  readonly #drop: () => Promise<void>
  #platform: MainProcess | undefined
  #agent: ChildProcess | undefined
  #program: ChildProcess | undefined

  private constructor(parts: {
    controller: Controller
    lines: readonly [FaultyLine, FaultyLine]
    dir: string
    env: Readonly<Record<string, string>>
    machine: TestMachine
    drop: () => Promise<void>
  }) {
    this.controller = parts.controller
    ;[this.programLine, this.agentLine] = parts.lines
    this.#dir = parts.dir
    this.#env = parts.env
    this.#machine = parts.machine
    this.#drop = parts.drop
  }

  static async open(): Promise<FaultRig> {
    await Promise.all([ensureAgentBuilt(), ensureConnectBuilt()])
    const database = await createTestDatabase()
    const { db } = database
    const person = await createUser(db)
    await db.updateTable('sessions').set({ program: 'connect' }).where('id', '=', person.sessionId).execute()
    const machine = await createMachine(db, { owner: person.userId })
    const [web, mqtt] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')]
    const lines = [await FaultyLine.open({ port: web }), await FaultyLine.open({ port: web })] as const
    const controller = await Controller.listen()
    const dir = await mkdtemp(join(tmpdir(), 'busbar-port-faults-'))
    await writeFile(
      join(dir, 'agent.yaml'),
      `cloud: { url: "mqtt://127.0.0.1:${mqtt}", tunnel: "ws://127.0.0.1:${lines[1].port}/tunnel", code: "${machine.code}", secret: "${machine.secret}" }
connections: []
tcp: [{ name: plc, address: "127.0.0.1:${controller.port}", kind: other, connections: 8 }]
`,
      { mode: 0o600 },
    )
    const home = join(dir, 'busbar-connect')
    await mkdir(home, { mode: 0o700 })
    const session = { server: `http://127.0.0.1:${lines[0].port}`, token: person.token, terminal: 'faults' }
    await writeFile(join(home, 'session.json'), JSON.stringify(session), { mode: 0o600 })
    const env = { DATABASE_URL: database.url, PORT: String(web), MQTT_PORT: String(mqtt) }
    const rig = new FaultRig({ controller, lines, dir, env, machine, drop: () => database.drop() })
    rig.#platform = await startMain(env)
    rig.#startAgent()
    await rig.#startProgram()
    return rig
  }

  /** SIGKILL, and a start after it. */
  async killPlatform(): Promise<void> {
    await kill(this.#platform?.child)
    this.#platform = await startMain(this.#env)
  }

  async killAgent(): Promise<void> {
    await kill(this.#agent)
    this.#startAgent()
  }

  async killProgram(): Promise<void> {
    await kill(this.#program)
    await this.#startProgram()
  }

  /** For the agent the time is over for which it keeps streams without a line. */
  endKeeping(): void {
    this.#agent?.send('keepOver')
  }

  async close(): Promise<void> {
    await Promise.all([this.#program, this.#agent, this.#platform?.child].map(kill))
    await Promise.all([this.programLine.close(), this.agentLine.close()])
    this.controller.server.close()
    await this.#drop()
    await rm(this.#dir, { recursive: true, force: true })
  }

  #startAgent(): void {
    this.#agent = spawn(
      process.execPath,
      ['--import', join(import.meta.dirname, 'keep-over.ts'), agentFile, join(this.#dir, 'agent.yaml')],
      { env: { ...process.env, BUSBAR_CHILD: '1' }, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
    )
  }

  /** Tries until the machine can be reached. */
  async #startProgram(): Promise<void> {
    const giveUpAt = performance.now() + listeningMsMax
    for (;;) {
      const program = spawn(
        process.execPath,
        [programFile, 'open', this.#machine.code, 'plc', '--mode', 'rw', '--json', '--lang', 'en'],
        {
          env: { HOME: this.#dir, XDG_CONFIG_HOME: this.#dir, PATH: '' },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      this.#program = program
      const told: string[] = []
      this.told = told
      const exited = once(program, 'exit').then(() => undefined)
      const listening = new Promise<number>((resolve) => {
        createInterface(program.stdout).on('line', (line) => {
          told.push(line)
          const { event, address } = JSON.parse(line)
          if (event === 'listening') resolve(Number(String(address).split(':').at(-1)))
        })
      })
      const port = await Promise.race([listening, exited])
      if (port !== undefined) {
        this.toolPort = port
        return
      }
      if (performance.now() > giveUpAt) throw new Error(`the program does not listen: ${told.join(' ')}`)
    }
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
