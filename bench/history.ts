/**
 * Measures reading the past: `npm run bench -- history`. Two million samples of 33 tags over 7 days in the store, closed
 * days indexed as housekeeping does it. Then what an index on the open day would cost those who write.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyIn } from '@busbar/platform/kernel/database/copy.ts'
import { type Database, openDatabase, withClient } from '@busbar/platform/kernel/database/database.ts'
import { dayMs, dayOf } from '@busbar/platform/kernel/database/day-partitions.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { type HistoryRequest, readHistory } from '@busbar/platform/modules/telemetry/history.ts'
import { Partitions } from '@busbar/platform/modules/telemetry/partitions.ts'
import { sql } from 'kysely'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'
import { SampleEncoder, sampleColumns } from './src/sample-encoder.ts'

const tags = 33
const stepMs = 10_000
const days = 7
const rounds = 9
const batchRows = 20_000
const hourMs = 3_600_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const now = Math.floor(Date.now() / stepMs) * stepMs

async function copySamples(db: Database, from: number, to: number, ids: number): Promise<number> {
  const encoder = new SampleEncoder()
  const text = `copy samples (${sampleColumns}) from stdin (format binary)`
  let rows = 0
  const flush = async () => {
    rows += encoder.rows
    await withClient(db, (client) => copyIn(client, text, [encoder.finish()]))
    encoder.reset()
  }
  for (let at = from; at < to; at += stepMs) {
    for (let tag = 1; tag <= ids; tag++)
      encoder.add(tag, 'float64', at, at + 200, 192, false, 20 + Math.sin(at / hourMs + tag) + Math.random())
    if (encoder.rows >= batchRows) await flush()
  }
  if (encoder.rows > 0) await flush()
  return rows
}

async function fill(db: Database): Promise<number> {
  await migrate(db)
  await sql`insert into machines (code, type, name, secret_hash)
            values ('1000000000000000001', 'bench', 'bench', decode(repeat('00', 32), 'hex'))`.execute(db)
  await sql`insert into tags (machine_id, group_name, name, type)
            select 1, '', 't' || n, 'float64' from generate_series(1, ${tags}::int) n`.execute(db)
  const partitions = new Partitions({ db, logger: quiet, now: Date.now })
  await partitions.ensure(Array.from({ length: days + 1 }, (_, ago) => dayOf(now) - ago))
  const rows = await copySamples(db, now - days * dayMs, now, tags)
  await partitions.maintain()
  await sql`analyze samples`.execute(db)
  return rows
}

async function measureRead(db: Database, request: Omit<HistoryRequest, 'tagIds'>): Promise<string> {
  const times: number[] = []
  let points = 0
  for (let round = 0; round < rounds; round++) {
    const beganAt = performance.now()
    const { series } = await readHistory(db, { tagIds: [1, 2, 3, 4], ...request }, now)
    times.push(performance.now() - beganAt)
    points = series[0]?.points.length ?? 0
  }
  const [least, middle, most] = [0, 0.5, 1].map((p) => quantile(times, p).toFixed(0))
  return `${middle} ms (${least} to ${most}), ${points} points each`
}

/** Rows a second into an open day of 1,500 tags; with the index a closed day has, or without. */
async function measureCopy(db: Database, day: number, isIndexed: boolean): Promise<number> {
  const partitions = new Partitions({ db, logger: quiet, now: () => day * dayMs })
  await partitions.ensure([day])
  const name = `samples_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`
  if (isIndexed) await sql.raw(`create index on ${name} (tag_id, at)`).execute(db)
  const beganAt = performance.now()
  const rows = await copySamples(db, day * dayMs, day * dayMs + 600 * stepMs, 1_500)
  return (rows * 1_000) / (performance.now() - beganAt)
}

const dataDir = await mkdtemp(join(tmpdir(), 'busbar-bench-history-'))
const postgres = await startPostgresServer({ dataDir })
const db = openDatabase(postgres.connection, { poolMax: 6 })
try {
  console.log(describeMachine())
  const rows = await fill(db)
  const span = (lengthMs: number) => ({ from: now - lengthMs, to: now })
  const asked: [what: string, request: Omit<HistoryRequest, 'tagIds'>][] = [
    ['7 days in half hours', { ...span(7 * dayMs), intervalMs: 1_800_000, points: 2_000, agg: 'auto' }],
    ['7 days in 10 minutes', { ...span(7 * dayMs), intervalMs: 600_000, points: 2_000, agg: 'auto' }],
    ['24 hours in 2 minutes', { ...span(dayMs), intervalMs: 120_000, points: 2_000, agg: 'auto' }],
    ['an hour, every sample', { ...span(hourMs), intervalMs: 5_000, points: 2_000, agg: 'auto' }],
  ]
  const figures: Row[] = []
  for (const [what, request] of asked)
    figures.push({ what: `4 tags, ${what}`, figure: await measureRead(db, request), target: '' })
  const show = (rate: number) => `${Math.round(rate).toLocaleString('en')} rows/s`
  const bare = await measureCopy(db, dayOf(now) + 1, false)
  const indexed = await measureCopy(db, dayOf(now) + 2, true)
  figures.push({ what: 'binary COPY into an open day, BRIN alone', figure: show(bare), target: '' })
  figures.push({ what: 'the same with a B-tree on (tag, time)', figure: show(indexed), target: '' })
  console.log(`${rows.toLocaleString('en')} samples of ${tags} tags`)
  printRows(figures)
} finally {
  await db.destroy()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
