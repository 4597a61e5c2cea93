/**
 * Rows of projects to webhooks: `npm run bench -- webhooks [rate] [crowd] [lag] [backlog] [--rounds=3] [--live=2000]
 * [--profile=DIR]` runs some of the four. Platform, receivers and machines are separate processes on one machine, with
 * everything between a row in the stream, or a machine's message, and the receiver's answer.
 */
import { parseArgs } from 'node:util'
import { projectLimits } from '@busbar/contract'
import { cpuSecondsOfTree } from './ingest/cpu.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'
import { Worker } from './src/rpc.ts'
import type { Acknowledged } from './webhooks/acknowledged.ts'
import type { Arrival, Manner } from './webhooks/receiver.ts'
import { madeBody, type Project, Rig, rowsPerBody } from './webhooks/rig.ts'

const { values: options, positionals: wished } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    live: { type: 'string', default: '2000' },
    profile: { type: 'string' },
  },
})
const rounds = Number(options.rounds)
const liveRate = Number(options.live)
const valuesPerRow = 10

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const show = (rate: number) => Math.round(rate).toLocaleString('en')
const median = (numbers: readonly number[]) => quantile(numbers, 0.5)
const spread = (numbers: readonly number[], digits = 0) =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)})`

/** One webhook with a full stream, in turn with a client of the same run that posts the same bytes. */
async function measureRate(lanes: number): Promise<Row[]> {
  const [warmMs, measuredMs, peerMs] = [2_000, 6_000, 4_000]
  const path = '/in'
  return Rig.with(async (rig) => {
    const project = await rig.createProject(200)
    const targetId = await rig.createWebhook(project, path, { lanes })
    await rig.turn([targetId], 'off')
    // As much as 150,000 rows a second take.
    await rig.fill(project, 150 * (warmMs + measuredMs) * rounds, valuesPerRow)
    const peer = await Worker.start('webhooks/peer.ts')
    try {
      const found = { ours: [] as number[], theirs: [] as number[], micros: [] as number[] }
      const body = madeBody(project, valuesPerRow)
      for (let round = 0; round < rounds; round++) {
        const wish = { origin: rig.origin, path: '/peer', body, connections: lanes, ms: peerMs }
        found.theirs.push((await peer.call<number>('post', wish)) * rowsPerBody)
        await rig.turn([targetId], 'on')
        await sleep(warmMs)
        const before = cpuSecondsOfTree(rig.site.pid)
        const rate = (await rig.ratesFor(measuredMs))[path] ?? 0
        const seconds = cpuSecondsOfTree(rig.site.pid) - before
        found.ours.push(rate)
        found.micros.push((seconds * 1e6) / ((rate * measuredMs) / 1_000))
        await rig.turn([targetId], 'off')
        await sleep(1_000)
      }
      const ratio = median(found.ours) / median(found.theirs)
      const what = `one webhook, ${lanes} ${lanes === 1 ? 'lane' : 'lanes'}`
      return [
        {
          what: `${what}: rows/s of ${valuesPerRow} values, ${(body.length / rowsPerBody).toFixed(0)} bytes each`,
          figure: spread(found.ours),
          target: '50,000',
          met: median(found.ours) >= 50_000,
        },
        {
          what: `the same bodies by undici, ${lanes} ${lanes === 1 ? 'connection' : 'connections'}: rows/s`,
          figure: spread(found.theirs),
          target: '',
        },
        { what: 'ratio', figure: `${ratio.toFixed(2)}×`, target: '≥ 0.5×', met: ratio >= 0.5 },
        {
          what: 'processor time of a row, PostgreSQL included',
          figure: `${spread(found.micros, 1)} µs`,
          target: '',
        },
      ]
    } finally {
      await peer.stop()
    }
  })
}

/** 97 webhooks with full streams, without and with three that do not answer as they should. */
async function measureCrowd(): Promise<Row[]> {
  const [projects, perProject, warmMs, measuredMs] = [10, 10, 3_000, 5_000]
  const bad: Manner[] = ['stuck', 'slow', 'refusing']
  return Rig.with(async (rig) => {
    await rig.behave(Object.fromEntries(bad.map((manner) => [`/${manner}`, manner])))
    const targets: number[] = []
    // As much as 200,000 rows a second take.
    const rowsMax = ((warmMs + measuredMs) / 1_000) * 2 * rounds * 2_000
    for (let number = 0; number < projects; number++) {
      const project = await rig.createProject(
        Math.ceil((perProject * rowsMax) / projectLimits.rowsPerMachine) + 1,
      )
      for (let place = 0; place < perProject; place++) {
        const path = number === 0 ? bad[place] : undefined
        const settings = { rowsMax: 250 }
        targets.push(await rig.createWebhook(project, `/${path ?? `${number}-${place}`}`, settings))
      }
      await rig.turn(targets.slice(-perProject), 'off')
      await rig.fill(project, rowsMax, valuesPerRow)
    }
    await rig.turn(targets, 'on')
    const three = targets.slice(0, bad.length)
    const rateOfOthers = async (state: 'on' | 'off') => {
      await rig.turn(three, state)
      await sleep(warmMs)
      const rates = await rig.ratesFor(measuredMs)
      return Object.entries(rates).reduce(
        (sum, [path, rate]) => sum + (bad.some((manner) => path === `/${manner}`) ? 0 : rate),
        0,
      )
    }
    const found = { off: [] as number[], on: [] as number[] }
    for (let round = 0; round < rounds; round++)
      for (const state of ['off', 'on'] as const) found[state].push(await rateOfOthers(state))
    const kept =
      found.on.reduce((sum, rate) => sum + rate, 0) / found.off.reduce((sum, rate) => sum + rate, 0)
    return [
      {
        what: '97 webhooks of 10 projects, full streams, 250 rows a request: rows/s',
        figure: spread(found.off),
        target: '',
      },
      {
        what: 'the same beside one that is stuck, one that answers after 14 s and one that refuses',
        figure: spread(found.on),
        target: '',
      },
      {
        what: 'kept',
        figure: `${(kept * 100).toFixed(0)} %`,
        target: '≥ 95 %',
        met: kept >= 0.95,
      },
    ]
  })
}

interface Opened {
  readonly generator: Worker
  readonly project: Project
}

/** Machines of a project that are connected, and have told their first values. */
async function withMachines<T>(rig: Rig, machines: number, work: (opened: Opened) => Promise<T>): Promise<T> {
  const project = await rig.createProject(machines)
  const generator = await Worker.start('ingest/generator.ts')
  try {
    const port = Number(new URL(rig.site.mqttUrl).port)
    await generator.call('open', { port, connections: machines, topic: 'own', values: 1 })
    return await work({ generator, project })
  } finally {
    await generator.stop()
  }
}

/** From a machine's PUBACK to the head of the request that has its row. */
async function measureLag(): Promise<Row[]> {
  const [messagesPerSecond, warmMs, measuredMs] = [10_000, 5_000, 6_000]
  return Rig.with((rig) =>
    withMachines(rig, 1_000, async ({ generator, project }) => {
      await rig.createWebhook(project, '/in')
      let sentRows = (await generator.call<{ sent: number }>('sendOpen', { messagesPerSecond, ms: warmMs }))
        .sent
      const found = { p50: [] as number[], p99: [] as number[], puback: [] as number[] }
      let [told, missing] = [0, 0]
      for (let round = 0; round < rounds; round++) {
        await rig.receiver.call('noteArrivals')
        const wish = { messagesPerSecond, ms: measuredMs, isTold: true }
        const sent = await generator.call<{ sent: number; acknowledged: Acknowledged[]; p50: number }>(
          'sendOpen',
          wish,
        )
        sentRows += sent.sent
        await rig.awaitRows('/in', sentRows)
        const arrivals = await rig.receiver.call<Arrival[]>('takeArrivals')
        const arrivedAt = new Map(arrivals.map(([code, time, at]) => [`${code} ${time}`, at]))
        const lags: number[] = []
        for (const [code, time, at] of sent.acknowledged) {
          const arrived = arrivedAt.get(`${code} ${time}`)
          if (arrived === undefined) missing++
          else lags.push(arrived - at)
        }
        told += lags.length
        found.p50.push(quantile(lags, 0.5))
        found.p99.push(quantile(lags, 0.99))
        found.puback.push(sent.p50)
      }
      return [
        {
          what: `PUBACK to the receiver, ${show(messagesPerSecond)} rows/s of 1,000 devices, one lane: p50`,
          figure: `${spread(found.p50)} ms`,
          target: '< 150 ms',
          met: median(found.p50) < 150,
        },
        {
          what: 'the same: p99',
          figure: `${spread(found.p99)} ms`,
          target: '< 1,000 ms',
          met: median(found.p99) < 1_000,
        },
        {
          what: 'rows that came, of those acknowledged',
          figure: `${show(told)} of ${show(told + missing)}; their PUBACK took p50 ${spread(found.puback)} ms`,
          target: 'all',
          met: missing === 0,
        },
      ]
    }),
  )
}

/** An hour of rows waits for a receiver that is there again, while machines go on. */
async function measureBacklog(): Promise<Row[]> {
  const [warmMs, measuredMs] = [3_000, 15_000]
  return Rig.with((rig) =>
    withMachines(rig, 1_000, async ({ generator, project }) => {
      const targetId = await rig.createWebhook(project, '/in')
      await rig.turn([targetId], 'off')
      await rig.fill(project, liveRate * 3_600, 1)
      const live = async () => {
        const wish = { messagesPerSecond: liveRate, ms: measuredMs }
        const { sent, ms, p50, p99 } = await generator.call<{
          sent: number
          ms: number
          p50: number
          p99: number
        }>('sendOpen', wish)
        return { rate: (sent * 1_000) / ms, p50, p99 }
      }
      await generator.call('sendOpen', { messagesPerSecond: liveRate, ms: warmMs })
      const alone = await live()
      await rig.turn([targetId], 'on')
      await generator.call('sendOpen', { messagesPerSecond: liveRate, ms: warmMs })
      const [beside, rates] = await Promise.all([live(), rig.ratesFor(measuredMs)])
      const sent = rates['/in'] ?? 0
      const kept = beside.rate / alone.rate
      const puback = ({ p50, p99 }: typeof alone) =>
        `PUBACK p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
      return [
        {
          what: `an hour of ${show(liveRate)} rows/s waits, one lane: rows/s sent`,
          figure: `${show(sent)}, ${(sent / liveRate).toFixed(1)} × the live rate`,
          target: '≥ 5 ×',
          met: sent >= 5 * liveRate,
        },
        {
          what: 'live messages beside it, of those without it',
          figure: `${(kept * 100).toFixed(0)} % (${show(beside.rate)} of ${show(alone.rate)}); ${puback(beside)}; without it ${puback(alone)}`,
          target: '≥ 90 %',
          met: kept >= 0.9,
        },
      ]
    }),
  )
}

console.log(describeMachine())
const loads: Record<string, () => Promise<Row[]>> = {
  rate: async () => [...(await measureRate(8)), ...(await measureRate(1))],
  crowd: measureCrowd,
  lag: measureLag,
  backlog: measureBacklog,
}
const rows: Row[] = []
for (const [name, load] of Object.entries(loads))
  if (wished.length === 0 || wished.includes(name)) rows.push(...(await load()))
printRows(rows)
