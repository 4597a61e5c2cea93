import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { access, createClient } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, grantMachine, proveSession, type TestUser } from '@busbar/testkit'
import { sql } from 'kysely'
import { createFleet, fleetCode, fleetSecret } from '../e2e/src/fleet.ts'
import { cpuSecondsOf } from './ingest/cpu.ts'
import { createMachines } from './ingest/machines.ts'
import { type BenchNode, type BenchNodes, startBenchNodes } from './nodes/bench-nodes.ts'
import type { Ages, Page } from './push/pages.ts'
import type { Reconnected } from './reconnect/machines.ts'
import { type LoadProcess, startLoadProcess } from './src/load-process.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'
import type { AgentsOrder } from './tunnel/agents.ts'
import { megabyte } from './tunnel/figures.ts'
import type { HoldOrder, SeenCut } from './tunnel/load.ts'
import { type benchTargets, type PageAddress, visitHostOf } from './tunnel/names.ts'
import type { EnterOrder } from './tunnel/platform.ts'
import type { BenchMachine } from './tunnel/site.ts'

/* Several nodes beside one process: values to pages, tunnels, rights, what the code for several costs one process, how
   long machines of a killed node are away, and what each machine, value, lease and node costs NATS and PostgreSQL. Every
   node, the generator, pages, agents, NATS and PostgreSQL are processes of their own on one machine.
   `npm run bench -- nodes [values] [tunnel] [alone] [rights] [kill] [costs]` runs some of them. */

const values = {
  machines: 1_000,
  perSecond: 1_000,
  perPage: 5,
  rounds: 5,
  durationMs: 8_000,
  warmUpMs: 5_000,
}
const tunnel = { rounds: 5, bytes: 100 * megabyte, warmBytes: 50 * megabyte }
const alone = { pairs: 7, durationMs: 6_000 }
const rights = { machines: 8, visitors: 5, streamsEach: 25, cutMsMax: 1_000 }
const kill = { machines: 2_000, sendMs: 300 }
const costs = { machines: 2_000, watched: 500, perSecond: 2_000, durationMs: 15_000, quietMs: 30_000 }
const opensMsMax = 30_000

const figure = (what: string, text: string): Row => ({ what, figure: text, target: '' })
const median = (numbers: readonly number[]) => quantile(numbers, 0.5)
const range = (numbers: readonly number[], digits = 1) =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)})`

async function withNodes(measure: (nodes: BenchNodes) => Promise<Row[]>): Promise<Row[]> {
  const nodes = await startBenchNodes()
  try {
    return await measure(nodes)
  } finally {
    await nodes.stop()
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + opensMsMax
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('what was waited for did not come')
    await sleep(20)
  }
}

const labelsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({ code: fleetCode(from + place), secret: fleetSecret }))

/** A fleet of its own for a way, with a page for every few machines, all of one way's realtime port. */
async function openWay(nodes: BenchNodes, from: number, edge: BenchNode, people: BenchNode) {
  const { db } = nodes.database
  const { machines, perPage } = values
  const opened: Page[] = []
  for (let first = from; first < from + machines; first += 10 * perPage) {
    const person = await createUser(db)
    await createFleet(db, person.userId, 10 * perPage, first)
    const { rows } = await sql<{ id: number }>`select machine_id as id from machine_list_entries
      where user_id = ${person.userId} order by id`.execute(db)
    for (let next = 0; next < rows.length; next += perPage) {
      const machineIds = rows.slice(next, next + perPage).map(({ id }) => id)
      const page = opened.length + from
      opened.push({
        token: person.token,
        address: `10.${page >> 16}.${(page >> 8) & 255}.${page & 255}`,
        machineIds,
      })
    }
  }
  const generator = startLoadProcess()
  await generator.open({ port: edge.mqttPort, machines: labelsOf(from, machines) })
  const pages = await nodes.startWorker('push/pages.ts')
  await pages.call('open', { port: people.webPort, pages: opened })
  await generator.run({ messagesPerSecond: values.perSecond, durationMs: values.warmUpMs })
  return { generator, pages, p50: [] as number[], p99: [] as number[], arrived: 0, published: 0 }
}

async function measureValues(): Promise<Row[]> {
  const apart = await startBenchNodes()
  const generators: LoadProcess[] = []
  try {
    return await withNodes(async (together) => {
      const one = await together.alone()
      const [edge, people] = [await apart.node('edge'), await apart.node('api,realtime,visits,jobs')]
      const ways = [await openWay(together, 1, one, one), await openWay(apart, 1, edge, people)] as const
      generators.push(...ways.map(({ generator }) => generator))
      const busy: number[] = []
      for (let round = 0; round < values.rounds; round++) {
        for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
          await way.pages.call('take')
          const pids = [edge.worker.pid, people.worker.pid]
          const before = pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
          const { published } = await way.generator.run({
            messagesPerSecond: values.perSecond,
            durationMs: values.durationMs,
          })
          await sleep(500)
          const ages = await way.pages.call<Ages>('take')
          way.p50.push(ages.p50)
          way.p99.push(ages.p99)
          way.arrived += ages.count
          way.published += published
          if (way === ways[1]) {
            const used = pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0) - before
            busy.push((used / (values.durationMs / 1_000)) * 100)
          }
        }
        console.error(
          `values, round ${round + 1}: p50 ${ways.map(({ p50 }) => p50.at(-1)?.toFixed(2)).join(', ')} ms`,
        )
      }
      const [here, there] = ways
      const later = median(there.p50) - median(here.p50)
      const worse = median(there.p99) / median(here.p99)
      return [
        figure(
          '1,000 values/s to 200 pages, one process: p50, p99',
          `${range(here.p50)} ms, ${range(here.p99)} ms`,
        ),
        figure(
          'the same over an edge node and a realtime node',
          `${range(there.p50)} ms, ${range(there.p99)} ms`,
        ),
        { what: 'p50 later', figure: `${later.toFixed(2)} ms`, target: '≤ 2 ms', met: later <= 2 },
        { what: 'p99', figure: `${worse.toFixed(2)}×`, target: '≤ 1.5×', met: worse <= 1.5 },
        figure('CPU of the two nodes together', `${range(busy, 0)} % of a core`),
        {
          what: 'updates that arrived over two nodes, of those published',
          figure: `${there.arrived} of ${there.published}`,
          target: 'all',
          met: there.arrived >= there.published,
        },
      ]
    })
  } finally {
    for (const generator of generators) await generator.stop()
    await apart.stop()
  }
}

/** Opens the tunnels of machines at one node, and lets people in at another. */
async function createVisits(nodes: BenchNodes, edge: BenchNode, visits: BenchNode) {
  const page = await nodes.startWorker('tunnel/page.ts')
  const pagePort = await page.call<number>('listen')
  const agents = await nodes.startWorker('tunnel/agents.ts')
  const load = await nodes.startWorker('tunnel/load.ts')
  return {
    agents,
    load,
    async openTunnels(machines: readonly BenchMachine[]) {
      const order: AgentsOrder = { webPort: edge.webPort, pagePort, machines }
      await agents.call('start', order)
      for (const { machineId } of machines) await edge.worker.call('awaitTunnel', { machineId })
    },
    async enter(
      { userId, sessionId }: { userId: number; sessionId: number },
      { machineId, code }: BenchMachine,
      target: keyof typeof benchTargets = 'change',
    ): Promise<PageAddress> {
      const host = visitHostOf(code, target)
      const order: EnterOrder = { userId, sessionId, machineId, host, target }
      const cookie = await visits.worker.call<string>('enter', order)
      return { port: visits.webPort, host: `${host}:${visits.webPort}`, cookie }
    },
  }
}

async function measureTunnel(): Promise<Row[]> {
  const apart = await startBenchNodes()
  try {
    return await withNodes(async (together) => {
      const open = async (nodes: BenchNodes, edge: BenchNode, visits: BenchNode) => {
        const owner = await createUser(nodes.database.db)
        const machine = await createMachine(nodes.database.db, { owner: owner.userId })
        const site = await createVisits(nodes, edge, visits)
        await site.openTunnels([machine])
        const address = await site.enter(owner, machine)
        const pids = [...new Set([edge.worker.pid, visits.worker.pid, site.agents.pid])]
        return { address, load: site.load, pids, rates: [] as number[], cpus: [] as number[] }
      }
      const one = await together.alone()
      const ways = [
        await open(together, one, one),
        await open(apart, await apart.node('edge'), await apart.node('api,realtime,visits,jobs')),
      ] as const
      for (let round = 0; round <= tunnel.rounds; round++) {
        for (const { address, load, pids, rates, cpus } of round % 2 === 0 ? ways : ways.toReversed()) {
          await load.call('download', { address, bytes: tunnel.warmBytes, streams: 1 })
          const cpu = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
          const before = cpu()
          const ms = await load.call<number>('download', { address, bytes: tunnel.bytes, streams: 1 })
          // The first round is for the compilers.
          if (round === 0) continue
          rates.push(tunnel.bytes / 1_000 / ms)
          cpus.push(cpu() - before)
        }
      }
      const [here, there] = ways
      const rate = median(there.rates) / median(here.rates)
      const perCpu = median(here.cpus) / median(there.cpus)
      const show = ({ rates, cpus }: typeof here) =>
        `${range(rates, 0)} MB/s, ${range(cpus, 2)} CPU seconds of platform and agent`
      return [
        figure('100 MB through a tunnel, one process', show(here)),
        figure('the same, tunnel at an edge node and visit at another', show(there)),
        { what: 'rate over two nodes', figure: `${rate.toFixed(2)}×`, target: '≥ 0.8×', met: rate >= 0.8 },
        {
          what: 'bytes for the same CPU seconds',
          figure: `${perCpu.toFixed(2)}×`,
          target: '≥ 0.8×',
          met: perCpu >= 0.8,
        },
      ]
    })
  } finally {
    await apart.stop()
  }
}

/** CPU of one process for the same ingest, with and without a line to NATS. `--former=FILE`: beside that process. */
async function measureAlone(): Promise<Row[]> {
  const former = process.argv.find((arg) => arg.startsWith('--former='))?.slice('--former='.length)
  const all: BenchNodes[] = []
  const generators: LoadProcess[] = []
  const open = async (start: (nodes: BenchNodes) => Promise<BenchNode>) => {
    const nodes = await startBenchNodes()
    all.push(nodes)
    const node = await start(nodes)
    const owner = await createUser(nodes.database.db)
    await createFleet(nodes.database.db, owner.userId, values.machines)
    const generator = startLoadProcess()
    generators.push(generator)
    await generator.open({ port: node.mqttPort, machines: labelsOf(1, values.machines) })
    await generator.run({ messagesPerSecond: values.perSecond, durationMs: values.warmUpMs })
    return { node, generator, perMessage: [] as number[] }
  }
  try {
    const plain = await open((nodes) => nodes.alone())
    const others = [
      { name: 'with NATS_URL', way: await open((nodes) => nodes.node('api,edge,realtime,visits,jobs')) },
      ...(former
        ? [{ name: 'the code before several processes', way: await open((nodes) => nodes.alone(former)) }]
        : []),
    ]
    const rows: Row[] = []
    for (let pair = 0; pair < alone.pairs; pair++)
      for (const { node, generator, perMessage } of [plain, ...others.map(({ way }) => way)]) {
        const before = cpuSecondsOf(node.worker.pid)
        const order = { messagesPerSecond: values.perSecond, durationMs: alone.durationMs }
        const { acknowledged } = await generator.run(order)
        perMessage.push(((cpuSecondsOf(node.worker.pid) - before) * 1e6) / acknowledged)
      }
    rows.push(figure('CPU of one process for a message that is stored', `${range(plain.perMessage, 0)} µs`))
    for (const { name, way } of others) {
      const ratios = plain.perMessage.map((own, pair) =>
        name.startsWith('with')
          ? (way.perMessage[pair] ?? Number.NaN) / own
          : own / (way.perMessage[pair] ?? 1),
      )
      const ratio = median(ratios)
      const what = name.startsWith('with') ? `the same ${name}` : `now, beside ${name}`
      rows.push({
        what: `${what}: median of ${alone.pairs} pairs`,
        figure: `${range(way.perMessage, 0)} µs, ${ratio.toFixed(3)}×`,
        target: '≤ 1.05×',
        met: ratio <= 1.05,
      })
    }
    return rows
  } finally {
    for (const generator of generators) await generator.stop()
    for (const nodes of all) await nodes.stop()
  }
}

async function measureRights(): Promise<Row[]> {
  return withNodes(async (nodes) => {
    const { db } = nodes.database
    const [edge, visits, api] = [
      await nodes.node('edge'),
      await nodes.node('visits,jobs'),
      await nodes.node('api,realtime'),
    ]
    const owner = await createUser(db)
    await proveSession(db, owner.sessionId)
    const site = await createVisits(nodes, edge, visits)
    const machines: BenchMachine[] = []
    for (let made = 0; made < rights.machines; made++)
      machines.push(await createMachine(db, { owner: owner.userId }))
    await site.openTunnels(machines)
    const people = await Promise.all(Array.from({ length: rights.visitors }, () => createUser(db)))
    const addresses: PageAddress[] = []
    for (const machine of machines)
      for (const person of people) {
        await grantMachine(db, person.userId, machine.machineId, { role: 'visitor' })
        addresses.push(await site.enter(person, machine, 'watch'))
      }
    await site.load.call('hold', { addresses, streamsEach: rights.streamsEach } satisfies HoldOrder)
    const held = await visits.worker.call<number>('streamCount')
    const keys = clientOf(api, owner)
    const took: number[] = []
    for (const [place, { machineId: machineID }] of machines.entries()) {
      await api.worker.call('awaitChange')
      await keys.call(access.setCloudService, { machineID, state: false })
      const committedAt = await api.worker.call<number>('committedAt')
      const seen = await site.load.call<SeenCut[]>('seenHeldCut', {
        from: place * rights.visitors,
        to: (place + 1) * rights.visitors,
      })
      took.push(...seen.map(({ closedAt }) => closedAt - committedAt))
    }
    const p99 = quantile(took, 0.99)
    return [
      {
        what: `${held} streams open at the visits node, rights taken at the api node: commit to a stream’s end`,
        figure: `p50 ${median(took).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, max ${Math.max(...took).toFixed(0)} ms`,
        target: 'p99 ≤ 1 s',
        met: p99 <= rights.cutMsMax && held >= 1_000,
      },
    ]
  })
}

const clientOf = (node: BenchNode, { token }: TestUser) =>
  createClient({ baseUrl: `http://127.0.0.1:${node.webPort}`, lang: () => 'en', token: () => token })

async function measureKill(): Promise<Row[]> {
  return withNodes(async (nodes) => {
    const { db } = nodes.database
    await createMachines(db, kill.machines)
    const [first, second] = [await nodes.node('edge'), await nodes.node('api,edge,realtime,visits,jobs')]
    const fleet = await nodes.startWorker('reconnect/machines.ts')
    await fleet.call('open', { port: first.mqttPort, machines: kill.machines })
    await fleet.call('send')
    await fleet.call('settle')
    await sleep(kill.sendMs)
    await fleet.call('send')
    await fleet.call('moveTo', { port: second.mqttPort })
    const killedAt = performance.now()
    first.worker.child.kill('SIGKILL')
    await once(first.worker.child, 'exit')
    await fleet.call<Reconnected>('comeBack')
    const connectedMs = performance.now() - killedAt
    await until(async () => (await second.worker.call<number>('online')) === kill.machines)
    const written = async () => {
      const { rows } = await sql<{ open: number }>`select count(*)::int as open from machine_connections
        where ended_at is null and node_id = 'node-2'`.execute(db)
      return rows[0]?.open === kill.machines
    }
    await until(written)
    const writtenMs = performance.now() - killedAt
    await fleet.call('settle')
    const { rows } = await sql<{ gone: number }>`select count(*)::int as gone from facts
      where kind = 'machine.offline'`.execute(db)
    return [
      figure(
        `kill -9 of an edge node with ${kill.machines} devices: until the last is signed in at the other node`,
        `${connectedMs.toFixed(0)} ms; until its connection is written ${writtenMs.toFixed(0)} ms`,
      ),
      {
        what: 'devices told as offline meanwhile',
        figure: String(rows[0]?.gone),
        target: '0',
        met: rows[0]?.gone === 0,
      },
    ]
  })
}

interface Spent {
  readonly natsIn: number
  readonly natsInBytes: number
  readonly natsOut: number
  readonly natsOutBytes: number
  readonly commits: number
  readonly walBytes: number
}

async function readSpent(nodes: BenchNodes, db: Database): Promise<Spent> {
  const { in_msgs, in_bytes, out_msgs, out_bytes } = await nodes.nats.counts()
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ commits: number; wal: number }>`select
    (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
    (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal`.execute(db)
  const [row] = rows
  return {
    natsIn: in_msgs,
    natsInBytes: in_bytes,
    natsOut: out_msgs,
    natsOutBytes: out_bytes,
    commits: row?.commits ?? Number.NaN,
    walBytes: row?.wal ?? Number.NaN,
  }
}

/** The cost of idle nodes, machines, values and leases at NATS and PostgreSQL, for docs/scale.md. */
async function measureCosts(): Promise<Row[]> {
  return withNodes(async (nodes) => {
    const { db } = nodes.database
    const owner = await createUser(db)
    await createFleet(db, owner.userId, costs.machines)
    const started = await nodes.nats.counts()
    const [edge, people] = [await nodes.node('edge'), await nodes.node('api,realtime,visits,jobs')]
    const generator = startLoadProcess()
    const rows: Row[] = []
    const spend = async (
      what: string,
      per: number,
      work: () => Promise<unknown>,
      beside?: Spent,
    ): Promise<Spent> => {
      const before = await readSpent(nodes, db)
      const beganAt = performance.now()
      await work()
      const after = await readSpent(nodes, db)
      const seconds = (performance.now() - beganAt) / 1_000
      const spent = Object.fromEntries(
        Object.entries(after).map(([name, value]) => [
          name,
          value - (before[name as keyof Spent] ?? 0) - (beside ? beside[name as keyof Spent] * seconds : 0),
        ]),
      ) as unknown as Spent
      const each = (name: keyof Spent, digits = 2) => (spent[name] / per).toFixed(digits)
      rows.push(
        figure(
          what,
          `NATS in ${each('natsIn')} messages, ${each('natsInBytes', 0)} B; out ${each('natsOut')}, ` +
            `${each('natsOutBytes', 0)} B; PostgreSQL ${each('commits', 3)} commits, ${each('walBytes', 0)} B of WAL`,
        ),
      )
      return Object.fromEntries(
        Object.entries(spent).map(([name, value]) => [name, value / seconds]),
      ) as unknown as Spent
    }
    try {
      await sleep(5_000)
      const idle = await spend('two nodes without a device, a second', costs.quietMs / 1_000, () =>
        sleep(costs.quietMs),
      )
      const machines = labelsOf(1, costs.machines)
      await spend(
        'a device that comes',
        costs.machines,
        async () => {
          await generator.open({ port: edge.mqttPort, machines })
          await until(async () => {
            const { rows: found } = await sql<{
              open: number
            }>`select count(*)::int as open from machine_connections
              where ended_at is null and node_id = 'node-1'`.execute(db)
            return found[0]?.open === costs.machines
          })
          await sleep(1_000)
        },
        idle,
      )
      const held = await nodes.nats.counts()
      rows.push(
        figure(
          'NATS: subscriptions and resident bytes of a device that is connected',
          `${((held.subscriptions - started.subscriptions) / costs.machines).toFixed(2)}, ` +
            `${((held.mem - started.mem) / costs.machines).toFixed(0)} B`,
        ),
      )
      const run = () => generator.run({ messagesPerSecond: costs.perSecond, durationMs: costs.durationMs })
      await run()
      const seconds = costs.durationMs / 1_000
      const stored = await spend('a value that nobody watches', costs.perSecond * seconds, run, idle)
      const { rows: watched } = await sql<{
        id: number
      }>`select id from machines order by code limit ${costs.watched}`.execute(db)
      await people.worker.call('watchAll', { machineIds: watched.map(({ id }) => id) })
      await sleep(1_000)
      const leases = await spend(
        'a lease on a device, a second',
        costs.watched * (costs.quietMs / 1_000),
        () => sleep(costs.quietMs),
        idle,
      )
      const also = Object.fromEntries(
        Object.entries(idle).map(([name, value]) => [
          name,
          value + leases[name as keyof Spent] + stored[name as keyof Spent],
        ]),
      ) as unknown as Spent
      for (const isWarm of [false, true]) {
        const note = () =>
          sql`update machine_connections set last_seen_at = now() where ended_at is null`.execute(db)
        if (isWarm) await spend('a device that is noted as seen, every 10 s', costs.machines, note)
        else await note()
      }
      await spend(
        'a value that one node watches, beside storing it',
        (costs.perSecond * seconds * costs.watched) / costs.machines,
        run,
        also,
      )
      return rows
    } finally {
      await generator.stop()
    }
  })
}

const parts: Record<string, () => Promise<Row[]>> = {
  values: measureValues,
  tunnel: measureTunnel,
  alone: measureAlone,
  rights: measureRights,
  kill: measureKill,
  costs: measureCosts,
}
console.log(describeMachine())
const wished = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const found: Row[] = []
for (const [name, measure] of Object.entries(parts))
  if (wished.length === 0 || wished.includes(name)) {
    const rows = await measure()
    printRows(rows)
    found.push(...rows)
  }
if (wished.length !== 1) printRows(found)
