import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@busbar/contract'
import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { Worker } from '../src/rpc.ts'
import type { AgentsOrder } from './agents.ts'
import type { DownloadOrder } from './load.ts'
import { type BenchTarget, benchTargets, type PageAddress, visitHostOf } from './names.ts'
import type { EnterOrder, PlatformPorts } from './platform.ts'

/** A machine as these measurements know it. */
export interface BenchMachine {
  readonly machineId: number
  readonly code: string
  readonly secret: string
}

/** A migrated database on a new PostgreSQL. */
export interface BenchDatabase {
  readonly db: Database
  /** Never log it. */
  readonly url: string
  stop(): Promise<void>
}

export async function startDatabase(): Promise<BenchDatabase> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-bench-'))
  const postgres = await startPostgresServer({ dataDir: dir })
  const db = openDatabase(postgres.connection, { poolMax: 4 })
  const stop = async () => {
    await db.destroy()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await migrate(db)
    return { db, url: postgres.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts the platform in a separate process. */
export async function startPlatform(
  databaseUrl: string,
  nodeFlags: readonly string[] = [],
): Promise<{ worker: Worker; ports: PlatformPorts }> {
  const worker = await Worker.start('tunnel/platform.ts', { execArgv: ['--expose-gc', ...nodeFlags] })
  return { worker, ports: await worker.call<PlatformPorts>('start', { databaseUrl }) }
}

/** Platform, database, agents, page and visitors, each in a separate process on this machine. */
export interface TunnelSite extends PlatformPorts {
  readonly db: Database
  readonly platform: Worker
  readonly agents: Worker
  readonly load: Worker
  readonly pagePort: number
  as(user: { token: string }): Client
  /** Opens the tunnels of machines; `throughPort` where their way to the web port leads over another one. */
  openTunnels(
    machines: readonly BenchMachine[],
    throughPort?: number,
    ports?: AgentsOrder['ports'],
  ): Promise<void>
  /** Opens a visit of a person to a machine's page. */
  enter(
    user: { userId: number; sessionId: number },
    machine: BenchMachine,
    target?: BenchTarget,
  ): Promise<PageAddress>
  /** Megabytes a second at the visitor. */
  download(order: DownloadOrder): Promise<number>
  /** A further process, ended with the others. */
  startWorker(file: string): Promise<Worker>
  stop(): Promise<void>
}

/** Starts everything, platform and agents with these flags of Node. */
export async function startTunnelSite(nodeFlags: readonly string[] = []): Promise<TunnelSite> {
  const database = await startDatabase()
  const workers: Worker[] = []
  const startWorker = async (file: string, execArgv: string[] = []) => {
    const worker = await Worker.start(file, { execArgv })
    workers.push(worker)
    return worker
  }
  const stop = async () => {
    // Workers stop in reverse order, because later ones depend on earlier ones.
    for (const worker of workers.toReversed()) await worker.stop()
    await database.stop()
  }
  try {
    const { worker: platform, ports } = await startPlatform(database.url, nodeFlags)
    workers.push(platform)
    const page = await startWorker('tunnel/page.ts')
    const pagePort = await page.call<number>('listen')
    const agents = await startWorker('tunnel/agents.ts', ['--expose-gc', ...nodeFlags])
    const load = await startWorker('tunnel/load.ts')
    return {
      ...ports,
      db: database.db,
      platform,
      agents,
      load,
      pagePort,
      as: ({ token }) =>
        createClient({ baseUrl: `http://127.0.0.1:${ports.webPort}`, lang: () => 'en', token: () => token }),
      async openTunnels(machines, throughPort = ports.webPort, tcp = undefined) {
        const order: AgentsOrder = { webPort: throughPort, pagePort, machines, ports: tcp }
        await agents.call('start', order)
        for (const { machineId } of machines) await platform.call('awaitTunnel', { machineId })
      },
      async enter({ userId, sessionId }, { machineId, code }, target = benchTargets.change) {
        const host = visitHostOf(code, target)
        const order: EnterOrder = { userId, sessionId, machineId, host, target }
        const cookie = await platform.call<string>('enter', order)
        return { port: ports.webPort, host: `${host}:${ports.webPort}`, cookie }
      },
      async download(order) {
        const ms = await load.call<number>('download', order)
        return order.bytes / 1_000 / ms
      },
      startWorker,
      async stop() {
        await agents.call('stop')
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
