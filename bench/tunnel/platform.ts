import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { countBuffersInHeap, tunnelLimits } from '@busbar/link'
import { readConfig } from '@busbar/platform/config.ts'
import { openCluster } from '@busbar/platform/kernel/cluster/open-cluster.ts'
import {
  closePools,
  type DatabasePools,
  openPools,
  splitConnections,
} from '@busbar/platform/kernel/database/pools.ts'
import type { Logger } from '@busbar/platform/kernel/logger.ts'
import { NodeCertificate, type NodeCredentials } from '@busbar/platform/kernel/nodes/node-certificate.ts'
import { createSecretBox } from '@busbar/platform/kernel/secret-box.ts'
import { createPlatform, type Platform } from '@busbar/platform/platform.ts'
import { WebSocketServer } from 'ws'
import { steadyNowMs } from '../src/clock.ts'
import { type Memory, measureMemory } from '../src/memory.ts'
import { serve } from '../src/rpc.ts'
import { BufferedBytes } from './buffered-bytes.ts'

/* The whole platform in a separate process, with calls that measure inside it. */

export interface PlatformPorts {
  readonly webPort: number
  readonly mqttPort: number
}

/** A process that works alone, or a node of several. */
export interface StartOrder {
  readonly databaseUrl: string
  readonly node?: {
    readonly nodeId: string
    readonly settings: Readonly<Record<string, string>>
    readonly credentials?: NodeCredentials
  }
}

export interface EnterOrder {
  readonly userId: number
  readonly sessionId: number
  readonly machineId: number
  readonly host: string
  readonly target: string
}

/** The many lines about regular ends are dropped here. */
const logger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error: (fields, message) => console.error(message, fields),
}
const tunnelMsMax = 20_000

// As in the program itself.
countBuffersInHeap()

let pools: DatabasePools
let platform: Platform
let buffered: BufferedBytes | undefined
let committedAt = 0

serve({
  async start({ databaseUrl, node }: StartOrder): Promise<PlatformPorts> {
    const config = readConfig({ LOG_LEVEL: 'silent', DATABASE_URL: databaseUrl, ...node?.settings })
    pools = openPools(databaseUrl, splitConnections(config.DATABASE_POOL))
    // The same for all nodes.
    const secrets = createSecretBox(Buffer.alloc(32, 1))
    const credentials = node?.credentials
    const cluster = node && (await openCluster(config, { name: node.nodeId, logger, secrets }))
    platform = await createPlatform({
      pools,
      config,
      logger,
      secrets,
      nodeId: node?.nodeId,
      certificate: credentials && new NodeCertificate(() => credentials, logger),
      cluster,
    })
    // Called before all others, in the turn after the commit's answer.
    platform.bus.subscribe('rights', () => {
      committedAt ||= steadyNowMs()
    })
    const { webPort, mqttPort } = await platform.start({ web: 0, mqtt: 0 })
    return { webPort, mqttPort: mqttPort ?? 0 }
  },

  /** Resolves once a machine's tunnel is open. */
  async awaitTunnel({ machineId }: { machineId: number }): Promise<void> {
    const opened = Promise.withResolvers<void>()
    const timer = setTimeout(() => opened.reject(new Error('no tunnel')), tunnelMsMax)
    const stop = platform.tunnels.onChange((id, tunnel) => {
      if (id === machineId && tunnel) opened.resolve()
    })
    if (platform.tunnels.find(machineId)) opened.resolve()
    await opened.promise.finally(stop)
    clearTimeout(timer)
  },

  /** Opens a visit of a person through the visits' port; returns the visit's cookie. */
  async enter({ userId, sessionId, machineId, host, target }: EnterOrder): Promise<string> {
    const { visitPort } = platform.visits
    const now = Date.now()
    const { visitId } = await visitPort.open(
      { userId, sessionId, address: '127.0.0.1', now },
      machineId,
      target,
    )
    const code = await visitPort.createCode(visitId, host, 'state', now)
    const swapped = await visitPort.swapCode(code, host, 'state', now)
    if (!swapped) throw new Error('the code was not swapped')
    return swapped.cookie
  },

  memory: (): Memory => measureMemory(),

  /** Bytes of answers that wait in this process, from here on counted. */
  buffered(): number {
    buffered ??= new BufferedBytes()
    return buffered.sum()
  },

  /** From here on `committedAt` refers to the next change of rights. */
  awaitChange(): void {
    committedAt = 0
  },

  /** Time at which this process learned of the commit, by the steady clock. */
  committedAt: () => committedAt,

  /** The machines that are online here. */
  online: () => platform.gateway.presence.onlineCount,

  /** Watches the values of machines, as pages do. */
  async watchAll({ machineIds }: { machineIds: readonly number[] }): Promise<void> {
    await Promise.all(machineIds.map((machineId) => platform.link.watch(machineId, () => undefined)))
  },

  streamCount: () => platform.visits.stats().streams,

  /** A WebSocket server like the tunnels', with nothing behind it. */
  async listenBare(): Promise<number> {
    const server = createServer()
    const sockets = new WebSocketServer({
      server,
      maxPayload: tunnelLimits.messageBytesMax,
      perMessageDeflate: false,
    })
    sockets.on('connection', (socket) => socket.on('message', () => undefined))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  },

  /** Microseconds that one request's look at its right takes: the cookie's visit found, a stream held and released. */
  async measureCheck({ cookie, host, rounds, checks }: CheckOrder): Promise<number[]> {
    const { visitPort } = platform.visits
    const check = async () => {
      const visit = await visitPort.find(cookie, host, Date.now())
      if (typeof visit !== 'object' || !('visitId' in visit)) throw new Error('there is no visit')
      const hold = visit.hold({ cut: () => undefined }, visit.mode)
      if (!hold) throw new Error('the stream was not held')
      hold.release()
    }
    const took: number[] = []
    // The first round warms up the compiler.
    for (let round = 0; round <= rounds; round++) {
      const beganAt = performance.now()
      for (let count = 0; count < checks; count++) await check()
      if (round > 0) took.push(((performance.now() - beganAt) / checks) * 1_000)
      // The watch over rights needs a turn, or all rights count as unknown.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return took
  },

  async stop() {
    await platform.stop()
    await closePools(pools)
  },
})

export interface CheckOrder {
  readonly cookie: string
  readonly host: string
  readonly rounds: number
  readonly checks: number
}
