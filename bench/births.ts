import { limits } from '@busbar/contract'
import { startSite } from '../e2e/src/site.ts'
import type { BirthKind, BirthOrder, BirthResult } from './births/node.ts'
import { createMachines } from './ingest/machines.ts'
import { profileEnvironment } from './src/profile.ts'
import { describeMachine, printRows, quantile, type Row, showTimes } from './src/report.ts'
import { Worker } from './src/rpc.ts'

/* Births with as many tags as a machine may have, every second, against the acknowledgements of 1,000 other machines
   that publish once a second at QoS 1. Stretches without births and with them take turns in one run. Platform, machines
   and the node that gives births are three processes on one machine. */

const isShort = process.argv.includes('--short')
const machines = 1_000
const messagesPerSecond = machines
const roundsCount = isShort ? 1 : 4
const stretchMs = isShort ? 3_000 : 7_000
const warmUpMs = 5_000
const ratioTarget = 1.5
/** Machines whose births bring new tags, each of them once. */
const freshMachines = 64

const kinds: Record<BirthKind, string> = {
  same: 'the same birth of one machine',
  redefined: 'one machine, every birth gives all of its tags another unit',
  new: 'new tags, each birth of another machine',
}

interface Latency {
  readonly sent: number
  readonly p50: number
  readonly p99: number
}

const median = (numbers: readonly number[]) => quantile(numbers, 0.5)

console.log(describeMachine())
const site = await startSite({ env: profileEnvironment() })
const load = await Worker.start('ingest/generator.ts')
const node = await Worker.start('births/node.ts')
try {
  const db = await site.openDatabase()
  await createMachines(db, machines + 2 + freshMachines)
  await db.destroy()
  const port = Number(new URL(site.mqttUrl).port)
  await load.call('open', { port, connections: machines, topic: 'own' })
  const listen = (ms: number) => load.call<Latency>('sendOpen', { messagesPerSecond, ms })
  let nextFresh = machines + 2
  const firstOf = (kind: BirthKind) =>
    kind === 'same' ? machines : kind === 'redefined' ? machines + 1 : nextFresh
  const giveBirths = async (kind: BirthKind, ms: number) => {
    const order: BirthOrder = { port, kind, machine: firstOf(kind), tags: limits.tagsPerMachine, ms }
    const result = await node.call<BirthResult>('giveBirths', order)
    if (kind === 'new') nextFresh += result.births
    return result
  }

  // A first round warms the compilers up and creates the tags of machines that keep their tags.
  for (const kind of Object.keys(kinds) as BirthKind[])
    await Promise.all([listen(warmUpMs), giveBirths(kind, warmUpMs / 2)])
  const stretches = { same: [], redefined: [], new: [] } as Record<
    BirthKind,
    { before: Latency; during: Latency; births: BirthResult }[]
  >
  for (let round = 1; round <= roundsCount; round++) {
    for (const kind of Object.keys(kinds) as BirthKind[]) {
      const before = await listen(stretchMs)
      const [during, births] = await Promise.all([listen(stretchMs), giveBirths(kind, stretchMs)])
      stretches[kind].push({ before, during, births })
      console.error(
        `round ${round} ${kind}: p50 ${before.p50.toFixed(1)} and ${during.p50.toFixed(1)} ms, p99 ${before.p99.toFixed(1)} ` +
          `and ${during.p99.toFixed(1)} ms, ${births.births} births of ${median(births.tookMs).toFixed(0)} ms`,
      )
    }
  }

  const rows = (Object.keys(kinds) as BirthKind[]).flatMap((kind): Row[] => {
    const runs = stretches[kind]
    const before = runs.map((run) => run.before.p99)
    const during = runs.map((run) => run.during.p99)
    const ratio = median(during) / median(before)
    const births = runs.reduce((sum, run) => sum + run.births.births, 0)
    const tookMs = runs.flatMap((run) => run.births.tookMs)
    return [
      {
        what: `${kinds[kind]}: PUBACK p99 of the others without births`,
        figure: showTimes(before),
        target: '',
      },
      { what: 'the same with births', figure: showTimes(during), target: '' },
      {
        what: 'ratio',
        figure: `${ratio.toFixed(2)}×`,
        target: `at most ${ratioTarget}×`,
        met: ratio <= ratioTarget,
      },
      {
        what: `births in ${(roundsCount * stretchMs) / 1000} s, and a birth’s own PUBACK`,
        figure: `${births}; p50 ${median(tookMs).toFixed(0)} ms, longest ${Math.max(...tookMs).toFixed(0)} ms`,
        target: '',
      },
    ]
  })
  printRows(rows)
} finally {
  await load.stop()
  await node.stop()
  await site.stop()
}
