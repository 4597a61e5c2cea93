import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '@busbar/testkit'
import { sql } from 'kysely'
import { createFleet } from '../../e2e/src/fleet.ts'
import { cpuSecondsOf } from '../ingest/cpu.ts'
import type { Ages, Page } from '../push/pages.ts'
import { type LoadProcess, startLoadProcess } from '../src/load-process.ts'
import type { Row } from '../src/report.ts'
import { type BenchNode, type BenchNodes, startBenchNodes } from './bench-nodes.ts'
import { figure, labelsOf, median, range, withNodes } from './shared.ts'

const values = {
  machines: 1_000,
  perSecond: 1_000,
  perPage: 5,
  rounds: 5,
  durationMs: 8_000,
  warmUpMs: 5_000,
}

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

/** Values to pages over two nodes, beside one process. */
export async function measureValues(): Promise<Row[]> {
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
