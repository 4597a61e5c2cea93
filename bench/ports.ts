import { setTimeout as sleep } from 'node:timers/promises'
import { createMachine, createUser, localPort, signIn } from '@busbar/testkit'
import { FaultyLine } from '@busbar/testkit/faulty-line.ts'
import { createRandom } from '../platform/test-support/histories/random.ts'
import { Controller, ToolStream } from '../platform/test-support/port-faults/tool-stream.ts'
import { ConnectProgram } from '../platform/test-support/ports/connect-program.ts'
import { ensureConnectBuilt } from '../tools/build.mjs'
import { cpuSecondsOf } from './ingest/cpu.ts'
import type { AskOrder, TransferOrder } from './ports/load.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'
import type { LinkSpeed } from './src/slow-link.ts'
import { megabyte, row, showMs, showRange, times } from './tunnel/figures.ts'
import type { RelayOrder } from './tunnel/relay.ts'
import { startTunnelSite } from './tunnel/site.ts'
import { startSshServer } from './tunnel/ssh.ts'

/* The cost of a stream to a controller's port through busbar-connect, platform, tunnel and agent, beside `ssh -L` to an
   sshd that `ssh -R` reaches the controller from, and beside bare relays in place of these hops. Program, platform,
   agent, controller, tools, database, relays and the ssh programs are separate processes, all on this machine. The ways
   take turns within a round. Then a line that is cut under load, the start of the program, and the filter of view-only
   visits. `--short` has fewer of everything, `--only=ways|resume|program|filter` is one part alone. */

const isShort = process.argv.includes('--short')
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)

const size = isShort
  ? {
      rounds: 1,
      bytes: 20 * megabyte,
      asked: 200,
      askedFar: 20,
      cuts: 3,
      cutsForS: 15,
      starts: 2,
      filterRounds: 2,
    }
  : {
      rounds: 4,
      bytes: 100 * megabyte,
      asked: 2_000,
      askedFar: 100,
      cuts: 20,
      cutsForS: 300,
      starts: 5,
      filterRounds: 6,
    }
const streamCounts = [1, 8]
const roundTripsMs = [0, 50]
/** Of the line with a delay. */
const farBytesPerS = 125 * megabyte
const resumeStreams = 4
const resumePieceBytes = 64 * 1024
/** The last bytes arrive within this time. */
const restMsMax = 30_000
const aims = { ofSsh: 1, moreMs: 0.5, startMs: 1_000, filterMs: 0.2 }

/** A local port that leads to the controller, and the processes at each end and between. */
interface Way {
  readonly port: number
  readonly pids: Readonly<Record<string, number>>
}

console.log(describeMachine())
await ensureConnectBuilt()
const site = await startTunnelSite()
const load = await site.startWorker('ports/load.ts')
const controllerPort = await load.call<number>('listen')
const ssh = await startSshServer()
if (!ssh) console.log('ssh: not measured, no sshd')
const owner = await createUser(site.db)
const machine = await createMachine(site.db, { owner: owner.userId })
const resumed = await Controller.listen()
const connections = 32
await site.openTunnels([machine], site.webPort, [
  localPort(controllerPort, { name: 'raw', connections }),
  localPort(controllerPort, { name: 'plc', kind: 'modbus', look: 'users', connections }),
  localPort(resumed.port, { name: 'resumed', connections }),
])
const stops: (() => Promise<unknown>)[] = []
const parts: Record<string, () => Promise<Row[]>> = {
  ways: measureWays,
  resume: measureResume,
  program: measureProgram,
  filter: measureFilter,
}
try {
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(parts)) {
    if (only === undefined || only === name) rows.push(...(await measure()))
    for (const stop of stops.splice(0).toReversed()) await stop()
  }
  printRows(rows)
} finally {
  for (const stop of stops.splice(0).toReversed()) await stop()
  await ssh?.stop()
  resumed.server.close()
  await site.stop()
}

/** busbar-connect with a session of its own. */
async function openProgram(
  ports: readonly string[],
  { mode = 'rw', throughPort = site.webPort }: { mode?: 'ro' | 'rw'; throughPort?: number } = {},
): Promise<ConnectProgram> {
  const { token, sessionId } = await signIn(site.db, owner.userId)
  await site.db.updateTable('sessions').set({ program: 'connect' }).where('id', '=', sessionId).execute()
  const server = `http://127.0.0.1:${throughPort}`
  const program = await ConnectProgram.open({ server, token, code: machine.code, ports, mode })
  stops.push(() => program.stop())
  return program
}

async function startRelay(order: RelayOrder): Promise<{ port: number; pid: number }> {
  const relay = await site.startWorker('tunnel/relay.ts')
  return { port: await relay.call<number>('listen', order), pid: relay.pid }
}

/** The ways to the controller, with a line of this delay between the engineer and the platform or what stands for it. */
async function openWays(link: LinkSpeed | undefined): Promise<Record<string, Way>> {
  const far = async (port: number) => (link ? (await startRelay({ toPort: port, link })).port : port)
  const atAgent = await startRelay({ toPort: controllerPort })
  const atPlatform = await startRelay({ toPort: atAgent.port })
  const atEngineer = await startRelay({ toPort: await far(atPlatform.port) })
  const program = await openProgram(['raw'], { throughPort: await far(site.webPort) })
  const behind = await ssh?.openTunnel(controllerPort)
  const before = ssh && behind && (await ssh.openLocal(behind.port, await far(ssh.port)))
  if (behind && before) stops.push(before.stop, behind.stop)
  const [server = 0] = before?.pids ?? []
  return {
    'three bare relays': {
      port: atEngineer.port,
      pids: { engineer: atEngineer.pid, platform: atPlatform.pid, site: atAgent.pid },
    },
    ...(before && behind
      ? {
          'ssh -L over ssh -R': {
            port: before.port,
            pids: { engineer: before.pids[1] ?? 0, platform: server, site: behind.pids[1] ?? 0 },
          },
        }
      : {}),
    Busbar: {
      port: program.portOf('raw'),
      pids: { engineer: program.pid, platform: site.platform.pid, site: site.agents.pid },
    },
  }
}

async function measureWays(): Promise<Row[]> {
  const rows: Row[] = []
  for (const roundTripMs of roundTripsMs) {
    const link = roundTripMs > 0 ? { bytesPerS: farBytesPerS, delayMs: roundTripMs / 2 } : undefined
    const ways = await openWays(link)
    const found = new Map<string, number[]>()
    const note = (what: string, ...figures: number[]) =>
      found.set(what, [...(found.get(what) ?? []), ...figures])
    // The first round warms up the compilers.
    for (let round = 0; round <= size.rounds; round++) {
      for (const [name, way] of Object.entries(ways)) {
        for (const streams of streamCounts) {
          for (const direction of ['down', 'up'] as const) {
            const before = cpuOf(way)
            const order: TransferOrder = { port: way.port, bytes: size.bytes, streams, way: direction }
            const ms = await load.call<number>('transfer', order)
            if (round === 0) continue
            note(`${name} ${streams} ${direction}`, size.bytes / 1_000 / ms)
            for (const [end, seconds] of Object.entries(cpuOf(way)))
              note(`${name} ${end}`, ((seconds - (before[end] ?? 0)) * 1_000 * megabyte) / size.bytes)
          }
        }
        const asked: AskOrder = { port: way.port, count: link ? size.askedFar : size.asked }
        const took = await load.call<number[]>('ask', asked)
        if (round > 0) note(`${name} asked`, ...took)
      }
      console.log(`${roundTripMs} ms, round ${round} of ${size.rounds}`)
    }
    rows.push(...rowsOfWays(`${roundTripMs} ms`, Object.keys(ways), found))
    for (const stop of stops.splice(0).toReversed()) await stop()
  }
  return rows
}

function cpuOf({ pids }: Way): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([end, pid]) => [end, cpuSecondsOf(pid)]))
}

function rowsOfWays(title: string, names: readonly string[], found: ReadonlyMap<string, number[]>): Row[] {
  const median = (what: string) => quantile(found.get(what) ?? [], 0.5)
  const rows: Row[] = []
  const peer = ssh ? 'ssh -L over ssh -R' : 'three bare relays'
  for (const streams of streamCounts) {
    for (const direction of ['down', 'up']) {
      const what = `${title}: ${size.bytes / megabyte} MB ${direction}, ${streams} ${streams === 1 ? 'stream' : 'streams'}`
      for (const name of names)
        rows.push(row(`${what}: ${name}`, showRange(found.get(`${name} ${streams} ${direction}`))))
      const ratio = median(`Busbar ${streams} ${direction}`) / median(`${peer} ${streams} ${direction}`)
      rows.push(
        withAim(`${what}: Busbar against ${peer}`, times(ratio), `≥ ${aims.ofSsh}×`, ratio >= aims.ofSsh),
      )
    }
  }
  for (const name of names) {
    const took = found.get(`${name} asked`) ?? []
    const figure = `p50 ${showMs(quantile(took, 0.5))}, p99 ${showMs(quantile(took, 0.99))}`
    rows.push(row(`${title}: a Modbus request of 12 bytes: ${name}`, figure))
  }
  const more = median('Busbar asked') - median(`${peer} asked`)
  rows.push(
    withAim(
      `${title}: a Modbus request: Busbar beyond ${peer}`,
      showMs(more),
      `≤ ${aims.moreMs} ms`,
      more <= aims.moreMs,
    ),
  )
  for (const name of names) {
    const ends = ['engineer', 'platform', 'site'].map(
      (end) => `${end} ${median(`${name} ${end}`).toFixed(2)} s`,
    )
    rows.push(row(`${title}: CPU a GB: ${name}`, ends.join(', ')))
  }
  return rows
}

/** The line of the program is reset again and again while both ends of each stream send a known sequence. */
async function measureResume(): Promise<Row[]> {
  const line = await FaultyLine.open({ port: site.webPort })
  stops.push(() => line.close())
  const program = await openProgram(['resumed'], { throughPort: line.port })
  const port = program.portOf('resumed')
  const random = createRandom(1)
  const streams = Array.from(
    { length: resumeStreams },
    (_, at) =>
      new ToolStream(`b${at}`, { port, controller: resumed, random, pieceBytesMax: resumePieceBytes }),
  )
  const everyMs = (size.cutsForS * 1_000) / size.cuts
  for (let cut = 1; cut <= size.cuts; cut++) {
    await sleep(everyMs)
    line.reset()
    console.log(`cut ${cut} of ${size.cuts}`)
  }
  await sleep(1_000)
  for (const stream of streams) stream.stopSending()
  const flows = streams.flatMap(({ toController, toTool }) => [toController, toTool])
  const giveUpAt = performance.now() + restMsMax
  while (flows.some(({ sent, received }) => received < sent) && performance.now() < giveUpAt) await sleep(10)
  const sum = (figures: number[]) => figures.reduce((all, one) => all + one, 0)
  const missing = sum(flows.map(({ sent, received }) => Math.abs(sent - received)))
  const isExact = streams.every((stream) => stream.isExact && stream.state === 'open')
  const pauses = program.of('lineBack').map(({ pausedMs }) => Number(pausedMs))
  for (const stream of streams) stream.close()
  const title = `${size.cuts} cuts in ${size.cutsForS} s under load, ${resumeStreams} streams both ways`
  const passed = (sum(flows.map(({ received }) => received)) / megabyte).toFixed(0)
  return [
    withAim(
      `${title}: bytes lost or doubled, of ${passed} MB`,
      `${missing}${isExact ? '' : ', or in another place'}`,
      '0',
      missing === 0 && isExact,
    ),
    row(
      `the same: pause until the line is back, of ${pauses.length} lines`,
      `p50 ${showMs(quantile(pauses, 0.5))}, longest ${showMs(Math.max(...pauses))}`,
    ),
  ]
}

/** From the start of its process, with a session, to the first byte of an answer of the controller. */
async function measureProgram(): Promise<Row[]> {
  const took: number[] = []
  let idle = 0
  let loaded = 0
  for (let start = 0; start < size.starts; start++) {
    const startedAt = performance.now()
    const program = await openProgram(['raw'])
    await load.call('ask', { port: program.portOf('raw'), count: 1 } satisfies AskOrder)
    took.push(performance.now() - startedAt)
    idle = await program.rss()
    const order = { port: program.portOf('raw'), bytes: size.bytes, streams: 8, way: 'down' } as const
    await load.call('transfer', order satisfies TransferOrder)
    loaded = await program.rss()
    await program.stop()
  }
  const median = quantile(took, 0.5)
  return [
    withAim(
      'busbar-connect: start to first byte, beside its session',
      `${showMs(median)} (${took.map((ms) => ms.toFixed(0)).join(', ')})`,
      `< ${aims.startMs} ms`,
      median < aims.startMs,
    ),
    row(
      `busbar-connect: memory after one request, and after ${size.bytes / megabyte} MB over 8 streams`,
      `${(idle / megabyte).toFixed(0)} MB, ${(loaded / megabyte).toFixed(0)} MB`,
    ),
  ]
}

/** The same port of kind modbus, in a visit that may change and in one that may only look, in turn. */
async function measureFilter(): Promise<Row[]> {
  const changes = await openProgram(['plc'])
  const looks = await openProgram(['plc'], { mode: 'ro' })
  const took: Record<'rw' | 'ro', number[]> = { rw: [], ro: [] }
  for (let round = 0; round <= size.filterRounds; round++) {
    for (const [mode, program] of [
      ['rw', changes],
      ['ro', looks],
    ] as const) {
      const order: AskOrder = { port: program.portOf('plc'), count: size.asked }
      const found = await load.call<number[]>('ask', order)
      if (round > 0) took[mode].push(...found)
    }
  }
  const [rw, ro] = [quantile(took.rw, 0.5), quantile(took.ro, 0.5)]
  const more = ro - rw
  return [
    row('a Modbus request in a visit that may change', `p50 ${showMs(rw)}`),
    row('a Modbus request in a visit that may only look', `p50 ${showMs(ro)}`),
    withAim('the filter: more a request', showMs(more), `≤ ${aims.filterMs} ms`, more <= aims.filterMs),
  ]
}

function withAim(what: string, figure: string, target: string, met: boolean): Row {
  return { what, figure, target, met }
}
