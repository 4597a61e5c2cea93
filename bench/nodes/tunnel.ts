import { createMachine, createUser } from '@busbar/testkit'
import { cpuSecondsOf } from '../ingest/cpu.ts'
import type { Row } from '../src/report.ts'
import { megabyte } from '../tunnel/figures.ts'
import { type BenchNode, type BenchNodes, startBenchNodes } from './bench-nodes.ts'
import { figure, median, range, withNodes } from './shared.ts'
import { createVisits } from './visits.ts'

const tunnel = { rounds: 5, bytes: 100 * megabyte, warmBytes: 50 * megabyte }

/** A tunnel over two nodes, beside one process. */
export async function measureTunnel(): Promise<Row[]> {
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
