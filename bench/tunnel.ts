import { createMachine, createUser } from '@busbar/testkit'
import { cpuSecondsOf } from './ingest/cpu.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'
import type { LinkSpeed } from './src/slow-link.ts'
import { megabyte, row, showMs, showRange, times } from './tunnel/figures.ts'
import type { AskOrder } from './tunnel/load.ts'
import type { PageAddress } from './tunnel/names.ts'
import type { RelayOrder } from './tunnel/relay.ts'
import { type BenchMachine, startTunnelSite } from './tunnel/site.ts'
import { startSshServer } from './tunnel/ssh.ts'
import { measureStuck } from './tunnel/stuck.ts'

/* The cost of a machine's page through the tunnel: beside the page itself, beside two bare relays that do the
   same hops without knowing HTTP, and beside `ssh -R`; then over a slow line, and beside a stream that is not
   read. Platform, agent, page, visitor, database, each relay and the ssh programs are separate processes, all
   on this machine. The ways take turns within a round. The hops' CPU is the processor time of the processes
   between page and visitor: it says more than the rate where other work shares the cores. `--profile=DIR`
   leaves CPU profiles of platform and agent, `--node=FLAG` starts these two with a flag of Node,
   `--only=local|slow|stuck` is one part alone. */

const local = {
  roundsWarm: 1,
  bytesWarm: 50 * megabyte,
  rounds: 4,
  bytes: 100 * megabyte,
  streams: [1, 8],
  asked: 1_000,
  askedAtOnce: 3_000,
}
/** As many as a browser opens to one host. */
const connectionsAtOnce = 6
const slow = { bytes: 16 * megabyte, asked: 25, mbitPerS: 20, roundTripsMs: [50, 100] }
const aims = { bulkOfRelay: 0.75, smallOfRelay: 0.6, ofLink: 0.9 }

const optionOf = (name: string) => process.argv.find((arg) => arg.startsWith(name))?.slice(name.length)
const profileDir = optionOf('--profile=')
const only = optionOf('--only=')
const nodeFlag = optionOf('--node=')
const nodeFlags = [
  ...(profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []),
  ...(nodeFlag ? [nodeFlag] : []),
]

/** An address of the page, and the processes on the way to it. */
interface Contender {
  readonly address: PageAddress
  readonly pids: readonly number[]
}

console.log(describeMachine())
const site = await startTunnelSite(nodeFlags)
const ssh = await startSshServer()
if (!ssh) console.log('ssh -R: not measured, no sshd')
try {
  const owner = await createUser(site.db)
  const openMachine = async (throughPort?: number) => {
    const machine: BenchMachine = await createMachine(site.db, { owner: owner.userId })
    await site.openTunnels([machine], throughPort)
    return site.enter(owner, machine)
  }
  const ours = await openMachine()
  const parts = {
    local: () => measureLocal(ours),
    slow: () => measureSlow(openMachine),
    stuck: () => measureStuck(site, ours),
  }
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(parts)) {
    if (only === undefined || only === name) rows.push(...(await measure()))
  }
  printRows(rows)
} finally {
  await ssh?.stop()
  await site.stop()
}

function ask(order: AskOrder): Promise<{ latencies: number[]; ms: number }> {
  return site.load.call('ask', order)
}

async function startRelay(order: RelayOrder): Promise<{ port: number; pid: number }> {
  const relay = await site.startWorker('tunnel/relay.ts')
  return { port: await relay.call<number>('listen', order), pid: relay.pid }
}

async function startRelays(toPort: number, link?: LinkSpeed): Promise<Contender> {
  const behind = await startRelay({ toPort })
  const between = link ? await startRelay({ toPort: behind.port, link }) : behind
  const front = await startRelay({ toPort: between.port })
  return { address: { port: front.port }, pids: [front.pid, behind.pid] }
}

async function measureLocal(ours: PageAddress): Promise<Row[]> {
  const tunnel = await ssh?.openTunnel(site.pagePort)
  const contenders: Record<string, Contender> = {
    'the page itself': { address: { port: site.pagePort }, pids: [] },
    'two bare relays': await startRelays(site.pagePort),
    ...(tunnel ? { 'ssh -R': { address: { port: tunnel.port }, pids: tunnel.pids } } : {}),
    Busbar: { address: ours, pids: [site.platform.pid, site.agents.pid] },
  }
  const names = Object.keys(contenders)
  const rates = new Map<string, number[]>()
  const note = (what: string, figure: number) => rates.set(what, [...(rates.get(what) ?? []), figure])
  const latencies = new Map<string, number[]>()
  // The first rounds warm up the compilers.
  for (let round = 1 - local.roundsWarm; round <= local.rounds; round++) {
    for (const [name, { address, pids }] of Object.entries(contenders)) {
      const found: [string, number][] = []
      // The other ways had their turns: code that V8 dropped since must not count for this one.
      await site.download({ address, bytes: local.bytesWarm, streams: 1 })
      const cpuOf = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
      for (const streams of local.streams) {
        const before = cpuOf()
        found.push([`${name} ${streams}`, await site.download({ address, bytes: local.bytes, streams })])
        found.push([`${name} ${streams} cpu`, cpuOf() - before])
      }
      const alone = await ask({ address, count: local.asked, connections: 1 })
      const before = cpuOf()
      const many = await ask({ address, count: local.askedAtOnce, connections: connectionsAtOnce })
      found.push([`${name} asked`, (local.askedAtOnce * 1_000) / many.ms])
      found.push([`${name} asked cpu`, ((cpuOf() - before) * 1e6) / local.askedAtOnce])
      if (round <= 0) continue
      for (const [what, figure] of found) note(what, figure)
      latencies.set(name, [...(latencies.get(name) ?? []), ...alone.latencies])
    }
    console.log(`round ${round} of ${local.rounds}`)
  }
  await tunnel?.stop()
  const median = (what: string) => quantile(rates.get(what) ?? [], 0.5)
  const rows: Row[] = []
  for (const streams of local.streams) {
    const title = `${local.bytes / megabyte} MB, ${streams} ${streams === 1 ? 'stream' : 'streams'}`
    for (const name of names) {
      const cpu = `; the hops' CPU ${median(`${name} ${streams} cpu`).toFixed(2)} s`
      const figure = showRange(rates.get(`${name} ${streams}`))
      rows.push(row(`${title}: ${name}`, `${figure}${contenders[name]?.pids.length ? cpu : ''}`))
    }
    rows.push(...compare(title, aims.bulkOfRelay, (name) => median(`${name} ${streams}`)))
  }
  const alone = '1 kB GET, one after the other'
  for (const name of names) {
    const took = latencies.get(name) ?? []
    const figure = `p50 ${showMs(quantile(took, 0.5))}, p99 ${showMs(quantile(took, 0.99))}`
    rows.push(row(`${alone}: ${name}`, figure))
  }
  rows.push(...compare(alone, aims.smallOfRelay, (name) => 1 / quantile(latencies.get(name) ?? [], 0.5)))
  const title = `1 kB GET, ${connectionsAtOnce} kept connections`
  for (const name of names) {
    const cpu = `; the hops' CPU ${median(`${name} asked cpu`).toFixed(0)} µs each`
    const figure = `${median(`${name} asked`).toFixed(0)} requests/s`
    rows.push(row(`${title}: ${name}`, `${figure}${contenders[name]?.pids.length ? cpu : ''}`))
  }
  rows.push(...compare(title, aims.smallOfRelay, (name) => median(`${name} asked`)))
  return rows
}

function compare(title: string, aim: number, median: (name: string) => number): Row[] {
  const ofRelay = median('Busbar') / median('two bare relays')
  const ofSsh = median('Busbar') / median('ssh -R')
  return [
    {
      what: `${title}: Busbar against the relays`,
      figure: times(ofRelay),
      target: `≥ ${aim}×`,
      met: ofRelay >= aim,
    },
    ...(ssh
      ? [{ what: `${title}: Busbar against ssh -R`, figure: times(ofSsh), target: '≥ 1×', met: ofSsh >= 1 }]
      : []),
  ]
}

async function measureSlow(openMachine: (throughPort: number) => Promise<PageAddress>): Promise<Row[]> {
  const rows: Row[] = []
  const linkMegabytes = slow.mbitPerS / 8
  for (const roundTripMs of slow.roundTripsMs) {
    const link: LinkSpeed = { bytesPerS: linkMegabytes * megabyte, delayMs: roundTripMs / 2 }
    const title = `${slow.mbitPerS} Mbit/s, ${roundTripMs} ms`
    const address = await openMachine((await startRelay({ toPort: site.webPort, link })).port)
    const { address: relayed } = await startRelays(site.pagePort, link)
    const tunnel =
      ssh && (await ssh.openTunnel(site.pagePort, (await startRelay({ toPort: ssh.port, link })).port))
    const peers = [
      ['two bare relays', relayed, 1],
      ...(tunnel ? [['ssh -R', { port: tunnel.port }, 1] as const] : []),
      ['Busbar', address, 1],
      ['Busbar', address, 8],
    ] as const
    for (const [name, to, streams] of peers) {
      const share = (await site.download({ address: to, bytes: slow.bytes, streams })) / linkMegabytes
      rows.push({
        what: `${title}: ${slow.bytes / megabyte} MB, ${streams} ${streams === 1 ? 'stream' : 'streams'}: ${name}`,
        figure: `${times(share)} the link`,
        target: name === 'Busbar' ? `≥ ${aims.ofLink}×` : '',
        ...(name === 'Busbar' ? { met: share >= aims.ofLink } : {}),
      })
    }
    for (const [name, to] of [
      ['two bare relays', relayed],
      ['Busbar', address],
    ] as const) {
      const { latencies } = await ask({ address: to, count: slow.asked, connections: 1 })
      rows.push(
        row(`${title}: 1 kB GET, one after the other: ${name}`, `p50 ${showMs(quantile(latencies, 0.5))}`),
      )
    }
    await tunnel?.stop()
    console.log(title)
  }
  return rows
}
