/**
 * Whether samples become chunks as fast as they come: `npm run bench -- compaction [--minutes=15]
 * [--rate=33334] [--connections=1000]`. An open loop for some minutes, of which the first runs without a
 * flush: the cost of flushes is the difference in processor time per point. Every ten seconds a line; at the
 * end rows for RESULTS.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { sql } from 'kysely'
import { cpuSecondsOf } from './ingest/cpu.ts'
import { createMachines } from './ingest/machines.ts'
import { valuesPerMessage } from './ingest/messages.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'
import { Worker } from './src/rpc.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    /** Messages a second, of three values each. */
    rate: { type: 'string', default: '33334' },
    connections: { type: 'string', default: '1000' },
  },
})
const messagesPerSecond = Number(options.rate)
const connections = Number(options.connections)
const sliceMs = 10_000
const slicesPerMinute = 6
const slices = Number(options.minutes) * slicesPerMinute
/** In addition to the samples of the minute without flushes. */
const never = 1e9

interface Slice {
  readonly points: number
  readonly ms: number
  readonly cpuS: number
  readonly p50: number
  readonly p99: number
  /** Samples of the log that are in no chunk yet. */
  readonly backlog: number
}

async function countBacklog(db: Database): Promise<number> {
  const { rows } = await sql<{ samples: number }>`
    select coalesce(sum(samples), 0)::bigint as samples
    from sample_log log join sample_log_positions position using (node_id, incarnation)
    where log.seq > position.seq and position.closed_at is null`.execute(db)
  return rows[0]?.samples ?? 0
}

/** Runs the load on a new platform. */
async function run(
  { db, url, pid }: { db: Database; url: string; pid: number },
  count: number,
  flushSamples?: number,
): Promise<Slice[]> {
  const generator = await Worker.start('ingest/generator.ts')
  const busbar = await Worker.start('ingest/busbar.ts')
  try {
    const port = await busbar.call<number>('listen', { databaseUrl: url, flushSamples })
    await generator.call('open', { port, connections, topic: 'own' })
    const send = (ms: number) =>
      generator.call<{ sent: number; ms: number; p50: number; p99: number }>('sendOpen', {
        messagesPerSecond,
        ms,
      })
    await send(2_000)
    const found: Slice[] = []
    for (let place = 0; place < count; place++) {
      if (place % slicesPerMinute === 0) await busbar.call('runJobs')
      const used = () => cpuSecondsOf(busbar.pid) + cpuSecondsOf(pid)
      const before = used()
      const { sent, ms, p50, p99 } = await send(sliceMs)
      const slice = {
        ...{ points: sent * valuesPerMessage, ms, p50, p99 },
        ...{ cpuS: used() - before, backlog: await countBacklog(db) },
      }
      found.push(slice)
      console.log(
        `${flushSamples === undefined ? 'flushes' : 'none'} ${place + 1}/${count}: ${Math.round((slice.points * 1_000) / ms)} points/s, ` +
          `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${((slice.cpuS * 1_000) / ms).toFixed(2)} cores, backlog ${slice.backlog}`,
      )
    }
    await generator.call('close')
    await busbar.call('close')
    return found
  } finally {
    await Promise.all([generator.stop(), busbar.stop()])
  }
}

const sum = (slices: readonly Slice[], of: 'points' | 'ms' | 'cpuS') =>
  slices.reduce((total, slice) => total + slice[of], 0)
const cpuMicros = (slices: readonly Slice[]) => (sum(slices, 'cpuS') * 1e6) / sum(slices, 'points')
const most = (slices: readonly Slice[]) => Math.max(...slices.map(({ backlog }) => backlog))
const millions = (samples: number) => `${(samples / 1e6).toFixed(1)} million`

console.log(describeMachine())
const dir = await mkdtemp(join(tmpdir(), 'busbar-bench-'))
const postgres = await startPostgresServer({ dataDir: dir })
const db = openDatabase(postgres.connection, { poolMax: 1 })
try {
  await migrate(db)
  await createMachines(db, connections)
  const server = { db, url: postgres.url, pid: postgres.pid }
  const without = await run(server, slicesPerMinute, never)
  const found = await run(server, slices)
  const third = Math.ceil(found.length / 3)
  const share = 1 - cpuMicros(without) / cpuMicros(found)
  const p99 = quantile(
    found.map((slice) => slice.p99),
    0.5,
  )
  const [first, last] = [most(found.slice(0, third)), most(found.slice(-third))]
  printRows([
    {
      what: `points a second, for ${options.minutes} minutes`,
      figure: Math.round((sum(found, 'points') * 1_000) / sum(found, 'ms')).toLocaleString('en'),
      target: (messagesPerSecond * valuesPerMessage).toLocaleString('en'),
    },
    {
      what: 'most samples in no chunk yet, in the first and in the last third',
      figure: `${millions(first)}, ${millions(last)}`,
      target: 'does not grow',
      met: last <= first * 1.2,
    },
    {
      what: 'processor time of platform and PostgreSQL a point, without flushes and with them',
      figure: `${cpuMicros(without).toFixed(2)} µs and ${cpuMicros(found).toFixed(2)} µs: flushes are ${(share * 100).toFixed(0)} %`,
      target: '',
    },
    {
      what: 'PUBACK p50, p99; the longest p99 of ten seconds',
      figure: `${quantile(
        found.map((slice) => slice.p50),
        0.5,
      ).toFixed(1)} ms, ${p99.toFixed(0)} ms; ${Math.max(...found.map((slice) => slice.p99)).toFixed(0)} ms`,
      target: '',
    },
  ])
} finally {
  await db.destroy()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}
