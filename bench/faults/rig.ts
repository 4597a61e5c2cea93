import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { CountingSystem } from '@busbar/platform/test-support/destinations/counting-system.ts'
import { createMachine, createUser, type TestMachine } from '@busbar/testkit'
import { FaultyLine } from '@busbar/testkit/faulty-line.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { sql } from 'kysely'
import { agentFile, checkout } from '../../e2e/src/site.ts'
import { type CountingDevice, startCountingDevice } from './counting-device.ts'
import { type DatabaseServer, embeddedServer, startExternalServer } from './database-server.ts'
import { OutsideHttp } from './http-client.ts'
import { KeptProgram } from './kept-program.ts'
import { OutsideMqtt } from './mqtt-client.ts'
import type { OutsideClient } from './outside-client.ts'
import type { Flavour, LineName } from './schedule.ts'
import { canMount, mountSmallDisk, runFolderPrefix, type SmallDisk } from './small-disk.ts'
import { Watcher } from './watcher.ts'

const host = '127.0.0.1'
/** Room for a cluster and what its log may take in some runs. */
const databaseDiskMegabytes = 512
const outboxDiskMegabytes = 16
const outboxMegabytes = 8
const agentPollMs = 100
const readyMsMax = 60_000

/** Replaces parts of the product, to show that a check notices. */
export interface Weakness {
  /** Modules loaded into the platform before its own. */
  readonly platformImports?: readonly string[]
  /** Likewise into the agent, which then runs from its sources. */
  readonly agentImports?: readonly string[]
}

/** The whole of it, as processes: a platform with its PostgreSQL, an agent with its controller, others that send, and who watches. */
export interface Rig {
  readonly flavour: Flavour
  /** Its folder. */
  readonly dir: string
  readonly url: string
  readonly platform: KeptProgram
  readonly agent: KeptProgram
  readonly database: DatabaseServer
  readonly db: Database
  /** Runs one statement in the platform's database. */
  query(statement: string): Promise<unknown>
  readonly lines: Readonly<Record<LineName, readonly FaultyLine[]>>
  /** Undefined if this user may not make them. */
  readonly disks: { readonly platform: SmallDisk; readonly agent: SmallDisk } | undefined
  readonly device: CountingDevice
  readonly agentMachine: TestMachine
  readonly clients: readonly { readonly machine: TestMachine; readonly client: OutsideClient }[]
  /** One of `clients`: it goes without a word at the end of a run. */
  readonly leaver: OutsideMqtt
  readonly leaverLine: FaultyLine
  readonly watcher: Watcher
  /** Gets the values of `reported` through a project. */
  readonly system: CountingSystem
  readonly reported: readonly { readonly machine: TestMachine; readonly client: OutsideClient }[]
  /** Numbers that were acknowledged and are gone, by machine code: the database is of before them. */
  readonly restoredAway: Map<string, Set<number>>
  /** Numbers that may be in the history twice, by machine code: they were sent again across a step of a clock. */
  readonly excused: Map<string, Set<number>>
  /** The end of the programs' output. */
  output(): string
  close(): Promise<void>
}

/** Starts everything, with a new folder, new ports and a new database. */
export async function startRig(flavour: Flavour, weakness: Weakness = {}): Promise<Rig> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.reverse()) await closer()
  }
  try {
    const rig = await assemble(flavour, weakness, closers)
    return { ...rig, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function assemble(
  flavour: Flavour,
  weakness: Weakness,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Rig, 'close'>> {
  const dir = await mkdtemp(runFolderPrefix())
  closers.push(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  // PostgreSQL runs as another user where we are root.
  await chmod(dir, 0o755)
  const places = {
    database: join(dir, 'database'),
    outbox: join(dir, 'outbox'),
    platform: join(dir, 'platform'),
  }
  for (const place of Object.values(places)) await mkdir(place)
  const disks = (await canMount())
    ? {
        platform: await mountSmallDisk(places.database, databaseDiskMegabytes),
        agent: await mountSmallDisk(places.outbox, outboxDiskMegabytes),
      }
    : undefined
  if (disks) closers.push(disks.platform.close, disks.agent.close)

  const databaseDir = join(places.database, 'data')
  const database =
    flavour === 'embedded' ? embeddedServer(databaseDir) : await startExternalServer(databaseDir)
  closers.push(database.stop)
  const ports = { web: await findFreePort(host), mqtt: await findFreePort(host) }
  const url = `http://${host}:${ports.web}`
  const system = await CountingSystem.start()
  closers.push(() => system.stop())
  const platform = new KeptProgram({
    // A weakened build changes modules of the sources.
    args: [join(checkout, 'platform', weakness.platformImports ? 'src/main.ts' : 'dist/main.mjs')],
    imports: weakness.platformImports ?? [],
    env: {
      HOST: host,
      PORT: String(ports.web),
      MQTT_PORT: String(ports.mqtt),
      METRICS_PORT: '0',
      DATA_DIR: flavour === 'embedded' ? databaseDir : places.platform,
      DATABASE_URL: database.url ?? '',
      PUBLIC_URL: '',
      VISIT_HOST: '',
      ALLOW_SAME_SITE_VISITS: '',
      TLS_CERT_FILE: '',
      TLS_KEY_FILE: '',
      TRUSTED_PROXIES: '',
      LOG_LEVEL: 'warn',
      OUTGOING_ALLOWED_NETWORKS: system.allowedNetworks,
      BUSBAR_DEMO: '0',
    },
  })
  closers.push(() => platform.stop())
  await untilReady(platform)

  const connection = await database.find()
  if (!connection) throw new Error('the platform runs, but its database is not to be found')
  const db = openDatabase(connection, { poolMax: 2 })
  closers.push(() => db.destroy())
  const person = await createUser(db)
  const newMachine = (name: string) => createMachine(db, { name, owner: person.userId })
  const agentMachine = await newMachine('with an agent')

  const openLine = async (port: number) => {
    const line = await FaultyLine.open({ port: port })
    closers.push(() => line.close())
    return line
  }
  const lines = {
    agent: await openLine(ports.mqtt),
    mqtt: await openLine(ports.mqtt),
    leaver: await openLine(ports.mqtt),
    http: await openLine(ports.web),
  }

  const device = await startCountingDevice(() => agent.clockOffsetMs)
  closers.push(() => device.close())
  const config = join(dir, 'agent.yaml')
  await writeFile(
    config,
    agentConfig({ port: lines.agent.port, machine: agentMachine, device, outboxDir: places.outbox }),
    { mode: 0o600 },
  )
  const agent: KeptProgram = new KeptProgram({
    args: [weakness.agentImports ? join(checkout, 'agent/src/main.ts') : agentFile, config],
    imports: weakness.agentImports ?? [],
    env: {},
  })
  closers.push(() => agent.stop())

  const clients: { machine: TestMachine; client: OutsideClient }[] = []
  const addMqtt = async (
    name: string,
    more: { version: 4 | 5; messageEveryMs: number; numbersPerMessage: number },
    line = lines.mqtt,
  ) => {
    const machine = await newMachine(name)
    const client = new OutsideMqtt({ port: line.port, ...machine, ...more })
    clients.push({ machine, client })
    closers.push(() => client.close())
    return client
  }
  await addMqtt('often', { version: 4, messageEveryMs: 40, numbersPerMessage: 1 })
  await addMqtt('in threes', { version: 5, messageEveryMs: 100, numbersPerMessage: 3 })
  const leaver = await addMqtt(
    'leaves',
    { version: 4, messageEveryMs: 200, numbersPerMessage: 1 },
    lines.leaver,
  )
  const poster = await newMachine('posts')
  const http = new OutsideHttp({ port: lines.http.port, ...poster, everyMs: 100 })
  clients.push({ machine: poster, client: http })
  closers.push(() => http.close())
  platform.onMessage = ({ type }) => {
    if (type === 'ready') http.forgetOnline()
  }

  const reported = clients.slice(0, 2)
  await system.subscribe(
    url,
    person,
    reported.map(({ machine }) => machine),
  )
  const watcher = new Watcher({
    url,
    token: person.token,
    machines: [agentMachine, ...clients.map(({ machine }) => machine)],
  })
  closers.push(() => watcher.close())
  return {
    flavour,
    dir,
    url,
    platform,
    agent,
    database,
    db,
    query: (statement) => sql.raw(statement).execute(db),
    lines: { agent: [lines.agent], clients: [lines.mqtt, lines.leaver, lines.http] },
    leaverLine: lines.leaver,
    disks,
    device,
    agentMachine,
    clients,
    leaver,
    watcher,
    system,
    reported,
    restoredAway: new Map(),
    excused: new Map(),
    output: () => `— the platform —\n${platform.output}\n— the agent —\n${agent.output}`,
  }
}

async function untilReady(platform: KeptProgram): Promise<void> {
  const ready = Promise.withResolvers<void>()
  platform.onMessage = ({ type }) => {
    if (type === 'ready') ready.resolve()
  }
  const timer = setTimeout(
    () => ready.reject(new Error(`the platform was not ready after ${readyMsMax} ms\n${platform.output}`)),
    readyMsMax,
  )
  try {
    await ready.promise
  } finally {
    clearTimeout(timer)
  }
}

function agentConfig(options: {
  port: number
  machine: TestMachine
  device: CountingDevice
  outboxDir: string
}): string {
  return `
cloud: { url: "mqtt://${host}:${options.port}", code: "${options.machine.code}", secret: "${options.machine.secret}" }
outbox: { folder: "${options.outboxDir}", megabytesMax: ${outboxMegabytes} }
connections:
  - driver: modbus-tcp
    host: ${host}
    port: ${options.device.port}
    pollIntervalMs: ${agentPollMs}
    tags:
      - { name: count, address: "holding:0", type: uint32 }
`
}
