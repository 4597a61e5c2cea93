import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestAuthority } from '@busbar/testkit/cluster.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { databaseEnd, FaultyLine } from '@busbar/testkit/faulty-line.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { TestNats } from '@busbar/testkit/nats-server.ts'
import type { NodeCredentials } from '../../src/kernel/nodes/node-certificate.ts'
import { MainFailed, type MainProcess, sourceProgram, startMain } from './main-process.ts'

/** The smallest that a platform takes: several share the connections of one PostgreSQL. */
const poolMax = '8'
const startsMax = 3
const host = '127.0.0.1'
const keepCompiled = new URL('keep-compiled.ts', import.meta.url).href

/** The lines by which one node reaches PostgreSQL and NATS, and by which the others reach it. */
export const lineNames = ['database', 'nats', 'node'] as const
export type NodeLines = Readonly<Record<(typeof lineNames)[number], FaultyLine>>

/** One node of a group, running or not. */
interface Place {
  readonly env: Readonly<Record<string, string>>
  readonly webPort: number
  readonly mqttPort: number
  readonly lines: NodeLines
}

/** The processes of one platform, by name, as an operator starts them: each with its roles and a data folder of its own. */
export class NodeGroup<Name extends string> {
  readonly database: TestDatabase
  readonly nats: TestNats
  /** Processes that ended although nobody killed them, with what they wrote as errors. */
  readonly ended: string[] = []
  readonly #dir: string
  readonly #preloads: readonly string[]
  readonly #places: Readonly<Record<Name, Place>>
  readonly #running = new Map<Name, MainProcess>()

  private constructor(parts: {
    database: TestDatabase
    nats: TestNats
    dir: string
    preloads: readonly string[]
    places: Readonly<Record<Name, Place>>
  }) {
    this.database = parts.database
    this.nats = parts.nats
    this.#dir = parts.dir
    this.#preloads = parts.preloads
    this.#places = parts.places
  }

  /**
   * `preloads`: modules of a weakened build, which each process reads before the platform; `settings`: further ones of
   * every process.
   */
  static async start<Name extends string>(
    roles: Readonly<Record<Name, string>>,
    preloads: readonly string[] = [],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<NodeGroup<Name>> {
    const [database, nats, dir] = await Promise.all([
      createTestDatabase(),
      TestNats.start(),
      mkdtemp(join(tmpdir(), 'busbar-nodes-')),
    ])
    const authority = await createTestAuthority()
    const places = {} as Record<Name, Place>
    for (const name of Object.keys(roles) as Name[]) {
      const credentials = await authority.sign(name)
      places[name] = await openPlace(name, roles[name], { database, nats, dir, credentials, settings })
    }
    await authority.remove()
    const group = new NodeGroup({ database, nats, dir, preloads, places })
    try {
      await Promise.all(group.names.map((name) => group.begin(name)))
    } catch (error) {
      await group.stop()
      throw error
    }
    return group
  }

  get names(): readonly Name[] {
    return Object.keys(this.#places) as Name[]
  }

  /** The process of a node that runs. */
  at(name: Name): MainProcess {
    const running = this.#running.get(name)
    if (!running) throw new Error(`${name} does not run`)
    return running
  }

  isRunning(name: Name): boolean {
    return this.#running.has(name)
  }

  /** Its ports stay the same over its starts. */
  portsOf(name: Name): Pick<Place, 'webPort' | 'mqttPort'> {
    return this.#places[name]
  }

  linesOf(name: Name): NodeLines {
    return this.#places[name].lines
  }

  /** Starts a node, with the data that it had. */
  async begin(name: Name): Promise<void> {
    const said: string[] = []
    const options = {
      program: this.#preloads.length > 0 ? sourceProgram : undefined,
      preloads: [...this.#preloads, keepCompiled],
      onLine: (line: string) => said.push(line),
    }
    for (let triesLeft = startsMax; ; triesLeft--) {
      try {
        const process = await startMain(this.#places[name].env, options)
        this.#running.set(name, process)
        process.child.once('exit', (code, signal) => {
          if (this.#running.get(name) !== process) return
          this.#running.delete(name)
          this.ended.push(`${name} ended with ${code ?? signal}: ${said.join('\n')}`)
        })
        return
      } catch (error) {
        // A start that the database answers too late ends by itself; a supervisor begins another one.
        if (triesLeft === 1 || !(error instanceof MainFailed)) throw error
      }
    }
  }

  /** SIGKILL. */
  async kill(name: Name): Promise<void> {
    const { child } = this.at(name)
    this.#running.delete(name)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  /** Asks it to stop, and waits. */
  async end(name: Name): Promise<void> {
    const process = this.at(name)
    this.#running.delete(name)
    await process.stop()
  }

  /** SIGSTOP, until the returned function is called. */
  freeze(name: Name): () => void {
    const { child } = this.at(name)
    child.kill('SIGSTOP')
    return () => child.kill('SIGCONT')
  }

  /** Ends everything and removes the database. */
  async stop(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.kill(name)))
    for (const name of this.names)
      for (const line of Object.values(this.linesOf(name))) await (line as FaultyLine).close()
    await this.nats.stop()
    await this.database.drop()
    await rm(this.#dir, { recursive: true, force: true })
  }
}

async function writeCredentials(
  dir: string,
  { ca, cert, key }: NodeCredentials,
): Promise<Record<'NODE_CA_FILE' | 'NODE_CERT_FILE' | 'NODE_KEY_FILE', string>> {
  const files = {
    NODE_CA_FILE: join(dir, 'ca.pem'),
    NODE_CERT_FILE: join(dir, 'node.pem'),
    NODE_KEY_FILE: join(dir, 'node.key'),
  }
  await mkdir(dir)
  await writeFile(files.NODE_CA_FILE, ca)
  await writeFile(files.NODE_CERT_FILE, cert)
  await writeFile(files.NODE_KEY_FILE, key, { mode: 0o600 })
  return files
}

async function openPlace(
  name: string,
  roles: string,
  parts: {
    database: TestDatabase
    nats: TestNats
    dir: string
    credentials: NodeCredentials
    settings: Readonly<Record<string, string>>
  },
): Promise<Place> {
  const { database, nats, dir, credentials, settings } = parts
  const dataDir = join(dir, name)
  const [webPort, mqttPort, nodePort] = [
    await findFreePort(host),
    await findFreePort(host),
    await findFreePort(host),
  ]
  const lines = {
    database: await FaultyLine.open(databaseEnd(database.connection)),
    nats: await FaultyLine.open({ port: nats.port }),
    node: await FaultyLine.open({ port: nodePort }),
  }
  const url = new URL(`postgres://${host}:${lines.database.port}/${database.connection.database}`)
  url.username = database.connection.user
  url.password = database.connection.password
  const env = {
    ROLES: roles,
    PORT: String(webPort),
    MQTT_PORT: String(mqttPort),
    DATABASE_URL: url.href,
    DATABASE_POOL: poolMax,
    NATS_URL: `nats://${host}:${lines.nats.port}`,
    NODE_ADDRESS: `${host}:${lines.node.port}`,
    NODE_PORT: String(nodePort),
    ...(await writeCredentials(dataDir, credentials)),
    DATA_DIR: dataDir,
    SECRETS_KEY_FILE: join(dir, 'secrets.key'),
    AUDIT_KEY_FILE: join(dir, 'audit.key'),
    FILES_DIR: join(dir, 'files'),
    LOG_LEVEL: 'error',
    ...settings,
  }
  return { env, webPort, mqttPort, lines }
}
