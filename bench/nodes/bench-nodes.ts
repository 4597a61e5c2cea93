import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createTestAuthority } from '@busbar/testkit/cluster.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { awaitPort } from '../src/await-port.ts'
import { Worker } from '../src/rpc.ts'
import type { PlatformPorts, StartOrder } from '../tunnel/platform.ts'
import { type BenchDatabase, startDatabase } from '../tunnel/site.ts'

/** The counters of a NATS server: its traffic and its memory. */
export interface NatsCounts {
  readonly in_msgs: number
  readonly in_bytes: number
  readonly out_msgs: number
  readonly out_bytes: number
  readonly subscriptions: number
  /** Resident bytes. */
  readonly mem: number
}

/** A NATS server as an operator has it, with its counters. */
class BenchNats {
  readonly url: string
  readonly child: ChildProcess
  readonly #monitorPort: number

  private constructor(child: ChildProcess, port: number, monitorPort: number) {
    this.child = child
    this.url = `nats://127.0.0.1:${port}`
    this.#monitorPort = monitorPort
  }

  static async start(): Promise<BenchNats> {
    const [port, monitorPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')]
    const program = process.env.BUSBAR_NATS_SERVER ?? 'nats-server'
    const args = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitorPort)]
    const child = spawn(program, args, { stdio: 'ignore' })
    await Promise.all([awaitPort(port, child), awaitPort(monitorPort, child)])
    return new BenchNats(child, port, monitorPort)
  }

  async counts(): Promise<NatsCounts> {
    return (await (await fetch(`http://127.0.0.1:${this.#monitorPort}/varz`)).json()) as NatsCounts
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return
    this.child.kill()
    await once(this.child, 'exit')
  }
}

/** A node, or a process that works alone. */
export interface BenchNode extends PlatformPorts {
  readonly worker: Worker
}

/** A database with NATS beside it, and the processes that are started on it; each a process of its own. */
export interface BenchNodes {
  readonly database: BenchDatabase
  readonly nats: BenchNats
  /** Starts a node with these roles. */
  node(roles: string): Promise<BenchNode>
  /** Starts a process that knows of no other; `file`: that of another checkout. */
  alone(file?: string): Promise<BenchNode>
  startWorker(file: string): Promise<Worker>
  stop(): Promise<void>
}

export async function startBenchNodes(): Promise<BenchNodes> {
  const [database, nats, authority] = await Promise.all([
    startDatabase(),
    BenchNats.start(),
    createTestAuthority(),
  ])
  const workers: Worker[] = []
  const startWorker = async (file: string) => {
    const worker = await Worker.start(file, { execArgv: ['--expose-gc'] })
    workers.push(worker)
    return worker
  }
  const start = async (node: StartOrder['node'], file = 'tunnel/platform.ts'): Promise<BenchNode> => {
    const worker = await startWorker(file)
    const ports = await worker.call<PlatformPorts>('start', {
      databaseUrl: database.url,
      ...(node ? { node } : {}),
    } satisfies StartOrder)
    return { worker, ...ports }
  }
  let nodes = 0
  return {
    database,
    nats,
    startWorker,
    node: async (ROLES) => {
      const settings = { ROLES, NATS_URL: nats.url, TRUSTED_PROXIES: '127.0.0.1', DATABASE_POOL: '12' }
      const nodeId = `node-${++nodes}`
      return start({ nodeId, settings, credentials: await authority.sign(nodeId) })
    },
    alone: (file) => start({ nodeId: `node-${++nodes}`, settings: { TRUSTED_PROXIES: '127.0.0.1' } }, file),
    async stop() {
      for (const worker of workers.toReversed()) await worker.stop()
      await nats.stop()
      await database.stop()
      await authority.remove()
    },
  }
}
