/**
 * Measures when acknowledgements come: `npm run bench -- puback [--short] [--connections=N] [--values=1] [--rates=A,B]
 * [--seconds=N] [--rounds=N] [--profile=DIR]`. A closed loop says how fast the store is, an open loop at rising rates says
 * how long an acknowledgement takes. A message has three values or one. Each rate runs so many rounds (three) of so many
 * seconds (ten); after two rates in a row that missed no higher one is tried. Prints the rows for RESULTS.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { cpuSecondsOf, measureFdatasyncMs, percentile } from './ingest/cpu.ts'
import { createMachines } from './ingest/machines.ts'
import { Worker } from './src/rpc.ts'

const option = (name: string) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
const isShort = process.argv.includes('--short')
const rounds = Number(option('rounds') ?? (isShort ? 1 : 3))
const warmMs = 1_500
const openMs = Number(option('seconds') ?? (isShort ? 3 : 10)) * 1_000
const values = option('values') === '1' ? 1 : 3
const connections = Number(option('connections') ?? 1_000)
const rates = (option('rates') ?? '5000,10000,15000,20000,25000,30000').split(',').map(Number)
const profileDir = option('profile')
/** Limit for the 99th percentile of acknowledgements. */
const goodMs = 50
const missesMax = 2

const median = (values: readonly number[]) => percentile(values, 50)

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-bench-'))
  const postgres = await startPostgresServer({ dataDir: dir })
  const workers: Worker[] = []
  try {
    const db = openDatabase(postgres.connection, { poolMax: 1 })
    await migrate(db)
    await createMachines(db, connections)
    await db.destroy()
    const execArgv = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []
    const generator = await Worker.start('ingest/generator.ts')
    const busbar = await Worker.start('ingest/busbar.ts', { execArgv })
    workers.push(generator, busbar)
    const port = await busbar.call<number>('listen', { databaseUrl: postgres.url })
    await generator.call('open', { port, connections, topic: 'own', values })
    const closed = (messages: number) =>
      generator.call<{ messages: number; ms: number }>('sendClosed', { messages, window: 20 })
    await closed(100_000)
    const closedRates: number[] = []
    const shares = { busbar, postgres, generator }
    for (let round = 0; round < rounds; round++) {
      const used = () => Object.values(shares).map(({ pid }) => cpuSecondsOf(pid))
      const before = used()
      const { messages, ms } = await closed(isShort ? 200_000 : 600_000)
      const cores = used().map((seconds, place) => ((seconds - (before[place] ?? 0)) * 1_000) / ms)
      closedRates.push((messages * 1_000) / ms)
      console.log(
        Object.keys(shares)
          .map((name, place) => `${name} ${cores[place]?.toFixed(2)} cores`)
          .join(', '),
      )
    }
    console.log(
      `an fdatasync takes ${measureFdatasyncMs(dir).toFixed(3)} ms; ${connections} connections, ${values} values a message, ` +
        `${rounds} rounds of ${openMs / 1_000} s`,
    )
    const closedRate = Math.round(median(closedRates))
    console.log(
      `closed loop, 20 in flight: ${closedRate.toLocaleString('en')} messages/s, ${(closedRate * values).toLocaleString('en')} points/s`,
    )
    console.log(
      '| messages/s | reached | p50 ms | p99 ms | CPU of Busbar and PostgreSQL |\n|---|---|---|---|---|',
    )
    let best = 0
    let misses = 0
    for (const rate of rates) {
      await generator.call('sendOpen', { messagesPerSecond: rate, ms: warmMs })
      const found: { reached: number; p50: number; p99: number; cpu: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const used = () => cpuSecondsOf(busbar.pid) + cpuSecondsOf(postgres.pid)
        const before = used()
        const { sent, ms, p50, p99 } = await generator.call<{
          sent: number
          ms: number
          p50: number
          p99: number
        }>('sendOpen', { messagesPerSecond: rate, ms: openMs })
        found.push({ reached: (sent * 1_000) / ms, p50, p99, cpu: ((used() - before) * 1_000) / ms })
      }
      const of = (name: 'reached' | 'p50' | 'p99' | 'cpu') => median(found.map((each) => each[name]))
      misses = of('p99') < goodMs ? 0 : misses + 1
      if (misses === 0) best = Math.max(best, rate)
      console.log(
        `| ${rate} | ${Math.round(of('reached'))} | ${of('p50').toFixed(1)} | ${of('p99').toFixed(1)} | ${of('cpu').toFixed(2)} cores |`,
      )
      if (misses >= missesMax) break
    }
    console.log(`highest rate with p99 below ${goodMs} ms: ${best} messages/s`)
    await generator.call('close')
    await busbar.call('close')
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

await main()
