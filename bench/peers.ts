/**
 * Puts the store of samples beside InfluxDB 1 and VictoriaMetrics: `npm run bench -- peers`. The same values in each: the
 * bytes of a point on a mix of signals, then histories, asked over HTTP in turn. Prints the rows for RESULTS.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { feed, type PeerQuery, startPeers } from './peers/line-store.ts'
import { listSignals, type Signal, signalValue } from './peers/mix.ts'
import { startOwnStore } from './peers/own-store.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const rounds = 40
const people = 100
const askedEveryMs = 10_000
const mixDays = 2
const historyDays = 30
/** All days of a store are over: it has folded them. */
const to = Math.floor(Date.now() / dayMs) * dayMs - dayMs

interface Contender {
  readonly name: string
  query(query: PeerQuery): Promise<number>
}

const show = (value: number, digits = 2) => value.toFixed(digits)
const floats = (tagId: number, stepMs: number): Signal => ({ tagId, kind: 'fast', type: 'float64', stepMs })
const second = floats(1, 1_000)
const slower = Array.from({ length: 20 }, (_, place) => floats(2 + place, 10_000))

async function measureSizes(): Promise<Row[]> {
  const span = { from: to - mixDays * dayMs, to }
  const signals = listSignals()
  const own = await startOwnStore()
  const peers = await startPeers()
  try {
    const samples = await own.fill(signals, signalValue, span)
    const bytes = (await own.bytesOnDisk()) / samples
    const plain = await own.plainRowBytes()
    const rows: Row[] = [
      {
        what: `bytes a point, mix of ${signals.length} tags over ${mixDays} days, indexes and averages included`,
        figure: show(bytes),
        target: '≤ 3',
        met: bytes <= 3,
      },
      {
        what: `beside a row with its key in a plain table (${show(plain, 0)} bytes)`,
        figure: `${show(bytes / plain, 3)}×`,
        target: '≤ 0.06×',
        met: bytes / plain <= 0.06,
      },
    ]
    for (const peer of peers) {
      const taken = await feed(peer, signals, signalValue, span)
      await peer.settle()
      const theirs = (await peer.bytesOnDisk()) / taken
      const isLimit = peer.name.startsWith('Victoria')
      rows.push({
        what: `beside ${peer.name} (${show(theirs)} bytes)`,
        figure: `${show(bytes / theirs)}×`,
        target: isLimit ? '≤ 4×' : '',
        ...(isLimit ? { met: bytes / theirs <= 4 } : {}),
      })
    }
    return rows
  } finally {
    await own.stop()
    await Promise.all(peers.map((peer) => peer.stop()))
  }
}

async function measureHistories(): Promise<Row[]> {
  const asked: [what: string, targetMs: number, query: PeerQuery][] = [
    ['1 tag, 24 h at 1 s, 1,000 points', 8, { tagIds: [1], from: to - dayMs, to, intervalMs: 86_400 }],
    [
      '4 tags, 7 days in 10 minutes',
      40,
      { tagIds: [2, 3, 4, 5], from: to - 7 * dayMs, to, intervalMs: 600_000 },
    ],
    [
      '20 tags, 30 days in 2 hours',
      150,
      {
        tagIds: slower.map(({ tagId }) => tagId),
        from: to - historyDays * dayMs,
        to,
        intervalMs: 2 * hourMs,
      },
    ],
  ]
  const own = await startOwnStore()
  const peers = await startPeers()
  try {
    const spans = [
      { signals: [second], span: { from: to - dayMs, to } },
      { signals: slower, span: { from: to - historyDays * dayMs, to } },
    ]
    for (const { signals, span } of spans) {
      await own.fill(signals, signalValue, span)
      for (const peer of peers) await feed(peer, signals, signalValue, span)
    }
    for (const peer of peers) await peer.settle()
    const contenders: Contender[] = [own, ...peers]
    const rows: Row[] = []
    for (const [what, targetMs, query] of asked)
      rows.push(...(await compare(what, targetMs, query, contenders)))
    rows.push(await measureCrowd(asked[1]?.[2] as PeerQuery, own))
    return rows
  } finally {
    await own.stop()
    await Promise.all(peers.map((peer) => peer.stop()))
  }
}

/** Asks the contenders in turn. */
async function compare(
  what: string,
  targetMs: number,
  query: PeerQuery,
  contenders: readonly Contender[],
): Promise<Row[]> {
  const times = contenders.map((): number[] => [])
  const points = contenders.map(() => 0)
  for (let round = -2; round < rounds; round++)
    for (const [place, contender] of contenders.entries()) {
      const beganAt = performance.now()
      points[place] = await contender.query(query)
      if (round >= 0) times[place]?.push(performance.now() - beganAt)
    }
  const [own, ...others] = times.map((each) => ({ p50: quantile(each, 0.5), p95: quantile(each, 0.95) }))
  if (!own) return []
  const figure = ({ p50, p95 }: { p50: number; p95: number }) =>
    `p50 ${show(p50, 1)} ms, p95 ${show(p95, 1)} ms`
  return [
    {
      what: `${what} (${points[0]} in all)`,
      figure: figure(own),
      target: `p95 ≤ ${targetMs} ms`,
      met: own.p95 <= targetMs,
    },
    ...others.map((other, place) => {
      const { name } = contenders[place + 1] as Contender
      const most = name.startsWith('Victoria') ? 2 : 1
      const ratio = own.p50 / other.p50
      return {
        what: `the same of ${name} (${points[place + 1]} in all): ${figure(other)}`,
        figure: `${show(ratio)}×`,
        target: `≤ ${most}×`,
        met: ratio <= most,
      }
    }),
  ]
}

/** Many people look at charts, each of which reloads every few seconds; beside one person alone. */
async function measureCrowd(query: PeerQuery, own: Contender): Promise<Row> {
  const ask = async (count: number) => {
    const times: number[] = []
    await Promise.all(
      Array.from({ length: count }, async (_, person) => {
        await sleep((askedEveryMs * person) / count)
        for (let round = 0; round < 4; round++) {
          const beganAt = performance.now()
          await own.query(query)
          times.push(performance.now() - beganAt)
          await sleep(Math.max(0, beganAt + askedEveryMs - performance.now()))
        }
      }),
    )
    return quantile(times, 0.95)
  }
  const alone = await ask(1)
  const together = await ask(people)
  return {
    what: `4 tags, 7 days, asked by ${people} people every ${askedEveryMs / 1_000} s, beside one (${show(alone, 1)} ms)`,
    figure: `p95 ${show(together, 0)} ms, ${show(together / alone, 1)}×`,
    target: '≤ 3×',
    met: together / alone <= 3,
  }
}

console.log(describeMachine())
printRows([...(await measureSizes()), ...(await measureHistories())])
