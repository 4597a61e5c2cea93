import { createUser } from '@busbar/testkit'
import { createFleet, fleetCode, fleetSecret } from '../e2e/src/fleet.ts'
import type { Memory } from './src/memory.ts'
import { describeMachine, printRows, type Row } from './src/report.ts'
import { Worker } from './src/rpc.ts'
import type { IdleOrder } from './tunnel/idle.ts'
import { startDatabase, startPlatform } from './tunnel/site.ts'

/* The cost of an idle tunnel: the platform's memory with thousands of them, against as many bare WebSockets.
   Each kind is measured in a new platform process; the other ends are another process. */

const count = 5_000
/** Memory allocated once is not counted for the tunnels. */
const warmUp = 300
/** Longer than a round of pings. */
const settleMs = 25_000
const costBytesMax = 40 * 1024

interface Cost {
  readonly open: number
  /** Bytes more of each kind. */
  readonly memory: Memory
}

console.log(describeMachine())
const database = await startDatabase()
try {
  const owner = await createUser(database.db)
  await createFleet(database.db, owner.userId, count + warmUp)
  const socket = await measure()
  const rows = [show('a bare idle WebSocket', socket)]
  for (const [way, name] of [
    ['webSocket', 'an idle tunnel in a WebSocket'],
    ['bytes', 'an idle tunnel on bare bytes'],
  ] as const) {
    const tunnels = await measure(way)
    const cost = tunnels.memory.rss / tunnels.open - socket.memory.rss / socket.open
    rows.push(show(name, tunnels), {
      what: `${name} beyond a bare WebSocket`,
      figure: kilobytes(cost),
      target: `≤ ${kilobytes(costBytesMax)}`,
      met: cost <= costBytesMax && tunnels.open >= count,
    })
  }
  printRows(rows)
} finally {
  await database.stop()
}

/** The memory that this many idle connections add to a platform that had some before. */
async function measure(way?: IdleOrder['way']): Promise<Cost> {
  const { worker: platform, ports } = await startPlatform(database.url)
  const idle = await Worker.start('tunnel/idle.ts')
  try {
    const port = way ? ports.webPort : await platform.call<number>('listenBare')
    const open = (from: number, many: number) => {
      const codes = Array.from({ length: many }, (_, place) => fleetCode(1 + from + place))
      const machines = way ? { codes, secret: fleetSecret, way } : {}
      return idle.call<number>('open', { port, from, count: many, ...machines } satisfies IdleOrder)
    }
    await open(0, warmUp)
    await idle.call('close')
    const before = await settle(platform, 5_000)
    const opened = await open(warmUp, count)
    const after = await settle(platform, settleMs)
    console.log(`${opened} ${way ? `tunnels (${way})` : 'bare WebSockets'} are open`)
    return {
      open: opened,
      memory: {
        rss: after.rss - before.rss,
        heapUsed: after.heapUsed - before.heapUsed,
        external: after.external - before.external,
      },
    }
  } finally {
    await idle.stop()
    await platform.stop()
  }
}

async function settle(platform: Worker, ms: number): Promise<Memory> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  return platform.call<Memory>('memory')
}

function show(what: string, { open, memory }: Cost): Row {
  const each = (bytes: number) => kilobytes(bytes / open)
  return {
    what: `${what}, of ${open}`,
    figure: `${each(memory.rss)} (heap ${each(memory.heapUsed)}, external ${each(memory.external)})`,
    target: '',
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`
}
