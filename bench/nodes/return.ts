import { once } from 'node:events'
import type { GatherOrder } from '../births/node.ts'
import { createMachines } from '../ingest/machines.ts'
import type { Row } from '../src/report.ts'
import { figure, withNodes } from './shared.ts'

const machines = 2_000
/** Of each machine, in turn. */
const tagCounts = [50, 200]
const others = 1_000
const calmMs = 10_000
/** Longer than the return takes: the others send on after it. */
const watchedMs = 60_000
const pauseMsMax = 1_000

interface Latency {
  readonly sent: number
  readonly p50: number
  readonly p99: number
  readonly longestPauseMs: number
}

/** The pauses of a node's machines while those of a killed node come to it, each with its birth. */
export async function measureReturn(): Promise<Row[]> {
  const rows: Row[] = []
  for (const tags of tagCounts) rows.push(...(await measureTags(tags)))
  return rows
}

async function measureTags(tags: number): Promise<Row[]> {
  return withNodes(async (nodes) => {
    await createMachines(nodes.database.db, machines + others)
    const [first, second] = [await nodes.node('edge'), await nodes.node('api,edge,realtime,visits,jobs')]
    const fleet = await nodes.startWorker('births/node.ts')
    const gather = (port: number) =>
      fleet.call<number>('gather', { machines, tags, port } satisfies GatherOrder)
    const load = await nodes.startWorker('ingest/generator.ts')
    await load.call('open', {
      port: second.mqttPort,
      connections: others,
      first: machines,
      topic: 'own',
    })
    const listen = (ms: number) => load.call<Latency>('sendOpen', { messagesPerSecond: others, ms })
    const firstMs = await gather(first.mqttPort)
    await listen(calmMs)
    const before = await listen(calmMs)
    first.worker.child.kill('SIGKILL')
    await once(first.worker.child, 'exit')
    const [during, tookMs] = await Promise.all([listen(watchedMs), gather(second.mqttPort)])
    const ms = (value: number) => `${value.toFixed(0)} ms`
    return [
      figure(
        `${machines} machines with ${tags} tags and attributes each, for the first time: until the last birth is acknowledged`,
        ms(firstMs),
      ),
      figure('the same machines at the other node after kill -9 of theirs', ms(tookMs)),
      figure(
        `${others} machines of the other node, one message a second: p50 and p99 before; in the ${watchedMs / 1000} s from the kill on`,
        `${before.p50.toFixed(1)} and ${before.p99.toFixed(1)} ms; ${during.p50.toFixed(1)} and ${during.p99.toFixed(1)} ms`,
      ),
      {
        what: 'their longest time without an acknowledgement, before; from the kill on',
        figure: `${ms(before.longestPauseMs)}; ${ms(during.longestPauseMs)}`,
        target: `${ms(pauseMsMax)}`,
        met: during.longestPauseMs <= pauseMsMax,
      },
    ]
  })
}
