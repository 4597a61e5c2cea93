import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { tunnelPath } from '@busbar/link'
import type { PostgresConnection } from '@busbar/platform/kernel/database/connection.ts'
import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { findPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { createTestDatabase } from '@busbar/testkit'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { hasTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { ensureAllBuilt } from '../../tools/build.mjs'
import { type Nodes, openNodes } from './nodes.ts'
import { type Program, runProgram, startProgram } from './program.ts'

/** The checkout's folder. */
export const checkout = resolve(import.meta.dirname, '../..')

const host = '127.0.0.1'

/** The platform's message once it is ready. */
interface Ready {
  readonly type: 'ready'
  readonly url: string
  readonly mqttUrl: string
  readonly demo?: Demo
}

/** The demo's account, and the configuration of its other programs. */
export interface Demo {
  readonly account: string
  readonly accountCn: string
  readonly password: string
  readonly simulatorConfig: string
  readonly agentConfig: string
}

/** A machine as `busbar machine create` printed it. */
export interface Label {
  readonly code: string
  readonly password: string
  readonly secret: string
}

/** A person as `busbar user create` printed them. */
export interface Account {
  readonly account: string
  readonly password: string
}

/** The real platform in a separate process, with a new database and data folder, serving the built console. */
export interface Site {
  readonly url: string
  readonly mqttUrl: string
  /** The address of the agents' tunnel, without a proxy in between. */
  readonly tunnelUrl: string
  readonly dataDir: string
  readonly demo: Demo | undefined
  /** Takes each browser's address from its X-Forwarded-For, so that each has its own limit of calls. */
  readonly trustsAddresses: boolean
  /** Its database, opened for the caller, who closes it with `destroy`. */
  openDatabase(): Promise<Database>
  /** Runs `busbar …`; returns its output. */
  busbar(...args: string[]): Promise<string>
  createAccount(account: string, name: string, lang: 'cn' | 'en'): Promise<Account>
  createMachine(name: string): Promise<Label>
}

/** A site of one test file's own, which may be killed. */
export interface OwnSite extends Site {
  /** The platform's current process; changes with a restart. */
  readonly pid: number
  /** The facts with which another process opens it. */
  readonly facts: SiteFacts
  /** The end of what its processes wrote. */
  output(): string
  /** SIGKILL of the platform. */
  kill(): Promise<void>
  /** Starts it again on the same folder and ports. */
  start(): Promise<void>
  /** Ends everything and removes the folder. */
  stop(): Promise<void>
}

/** The facts about a running site for another process. */
export interface SiteFacts {
  readonly url: string
  readonly mqttUrl: string
  readonly tunnelUrl: string
  readonly env: Readonly<Record<string, string>>
  readonly dataDir: string
  readonly demo: Demo | undefined
  /** In the shared PostgreSQL of the tests; undefined if the platform runs one in its folder. */
  readonly connection: PostgresConnection | undefined
}

interface SiteOptions {
  /** With the demo's people and programs. */
  readonly demo?: boolean
  /** Settings of the platform, in place of those below. */
  readonly env?: Readonly<Record<string, string>>
  /** As several processes behind a proxy; by itself where the stories run over nodes. */
  readonly nodes?: boolean
}

/** Set where the stories run over nodes. */
const overNodes = 'BUSBAR_TEST_OVER_NODES'

/**
 * Builds missing files and starts a platform: on a database in the tests' PostgreSQL if there is one,
 * otherwise with an embedded PostgreSQL.
 */
export async function startSite(options: SiteOptions = {}): Promise<OwnSite> {
  await ensureAllBuilt()
  const dataDir = await mkdtemp(join(tmpdir(), 'busbar-site-'))
  const database = hasTestPostgres() ? await createTestDatabase({ poolMax: 1 }) : undefined
  const isOverNodes = options.nodes ?? process.env[overNodes] === '1'
  const port = options.env?.PORT ?? String(await findFreePort(host))
  const env = {
    HOST: host,
    PORT: port,
    MQTT_PORT: String(await findFreePort(host)),
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    // Settings of the person who runs the tests, not of the platform under test.
    DATABASE_URL: database?.url ?? '',
    PUBLIC_URL: isOverNodes ? `http://localhost:${port}` : '',
    VISIT_HOST: '',
    ALLOW_SAME_SITE_VISITS: '',
    TLS_CERT_FILE: '',
    TLS_KEY_FILE: '',
    TRUSTED_PROXIES: isOverNodes ? host : '',
    LOG_LEVEL: 'warn',
    BUSBAR_DEMO: options.demo ? '1' : '0',
    ...options.env,
  }
  const main = join(checkout, 'platform/dist/main.mjs')
  let nodes: Nodes | undefined
  let programs: Program[] = []

  async function start(): Promise<Ready> {
    const isReady = ({ type }: { type: string }) => type === 'ready'
    programs = nodes ? await nodes.start() : [await startProgram([main], { env, isReady })]
    const [platform] = programs as [Program]
    const ready = platform.ready as Ready
    if (ready.demo) programs.push(...(await startDemo(ready.demo)))
    return ready
  }

  const stopPrograms = async () => {
    // The platform starts first and stops last.
    for (const program of programs.reverse()) await program.stop()
    programs = []
  }
  const stop = async () => {
    await stopPrograms()
    await nodes?.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }

  try {
    if (isOverNodes) {
      if (!database) throw new Error('nodes share the PostgreSQL of the tests')
      nodes = await openNodes(main, env)
    }
    const ready = await start()
    const { url, demo } = ready
    const mqttUrl = nodes ? `mqtt://${host}:${env.MQTT_PORT}` : ready.mqttUrl
    const tunnelUrl = `ws://${host}:${env.PORT}${tunnelPath}`
    const facts = { url, mqttUrl, tunnelUrl, env, dataDir, demo, connection: database?.connection }
    return {
      ...openSite(facts),
      facts,
      get pid() {
        return programs[0]?.pid ?? 0
      },
      output: () => programs.map((program) => program.output()).join(''),
      async kill() {
        await Promise.all(programs.slice(0, nodes ? undefined : 1).map((program) => program.kill()))
      },
      async start() {
        await stopPrograms()
        await start()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A running site, started by any process. */
export function openSite({ env, connection, ...facts }: SiteFacts): Site {
  const { dataDir } = facts
  const busbar = (...args: string[]) =>
    runProgram([join(checkout, 'platform/src/cli/main.ts'), ...args], { ...env })
  return {
    ...facts,
    trustsAddresses: env.TRUSTED_PROXIES === host,
    async openDatabase() {
      const found = connection ?? (await findPostgresServer(dataDir))
      if (!found) throw new Error('the site is not running')
      return openDatabase(found, { poolMax: 4 })
    },
    busbar,
    async createAccount(account, name, lang) {
      const printed = await busbar('user', 'create', '--account', account, '--name', name, '--lang', lang)
      return { account, password: wordAfter(printed, 'password') }
    },
    async createMachine(name) {
      const printed = await busbar('machine', 'create', '--name', name)
      return {
        code: wordAfter(printed, 'code'),
        password: wordAfter(printed, 'password'),
        secret: wordAfter(printed, 'secret'),
      }
    },
  }
}

async function startDemo(demo: Demo): Promise<Program[]> {
  const simulator = await startProgram([join(checkout, 'simulator/src/main.ts'), demo.simulatorConfig], {
    isReady: ({ type }) => type === 'ready',
  })
  return [simulator, await startProgram([agentFile, demo.agentConfig])]
}

/** The built agent. */
export const agentFile = join(checkout, 'agent/dist/busbar-agent.mjs')

function wordAfter(printed: string, label: string): string {
  const word = new RegExp(`^${label}\\s+(\\S+)$`, 'm').exec(printed)?.[1]
  if (!word) throw new Error(`busbar printed no ${label}:\n${printed}`)
  return word
}
