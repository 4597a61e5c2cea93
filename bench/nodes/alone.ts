import { createUser } from '@busbar/testkit'
import { createFleet } from '../../e2e/src/fleet.ts'
import { cpuSecondsOf } from '../ingest/cpu.ts'
import { type LoadProcess, startLoadProcess } from '../src/load-process.ts'
import type { Row } from '../src/report.ts'
import { type BenchNode, type BenchNodes, startBenchNodes } from './bench-nodes.ts'
import { figure, labelsOf, median, range } from './shared.ts'

const alone = { pairs: 7, durationMs: 6_000, machines: 1_000, perSecond: 1_000, warmUpMs: 5_000 }

/** CPU of one process for the same ingest, with and without a line to NATS. `--former=FILE`: beside that process. */
export async function measureAlone(): Promise<Row[]> {
  const former = process.argv.find((arg) => arg.startsWith('--former='))?.slice('--former='.length)
  const all: BenchNodes[] = []
  const generators: LoadProcess[] = []
  const open = async (start: (nodes: BenchNodes) => Promise<BenchNode>) => {
    const nodes = await startBenchNodes()
    all.push(nodes)
    const node = await start(nodes)
    const owner = await createUser(nodes.database.db)
    await createFleet(nodes.database.db, owner.userId, alone.machines)
    const generator = startLoadProcess()
    generators.push(generator)
    await generator.open({ port: node.mqttPort, machines: labelsOf(1, alone.machines) })
    await generator.run({ messagesPerSecond: alone.perSecond, durationMs: alone.warmUpMs })
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
        const order = { messagesPerSecond: alone.perSecond, durationMs: alone.durationMs }
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
