/**
 * Measures an export: `npm run bench -- exports`. Ten million samples of ten tags as a long csv file, against `psql \copy`
 * of the same samples from a plain table, and how much memory it takes.
 */
import { execFile } from 'node:child_process'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createLocalBus } from '@busbar/platform/kernel/bus/bus.ts'
import { connectionUrl } from '@busbar/platform/kernel/database/connection.ts'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import type { ExportWish } from '@busbar/platform/modules/exports/export-wish.ts'
import { type WriteTold, writeExport } from '@busbar/platform/modules/exports/write-export.ts'
import { createTelemetry } from '@busbar/platform/modules/telemetry/index.ts'
import { hourMs, hourOf } from '@busbar/platform/modules/telemetry/store/chunk-rows.ts'
import { sql } from 'kysely'
import { foldPast, withPast, writePast } from './history/past.ts'
import { hourOfSamples, mixTag } from './history/tag-mix.ts'
import { describeMachine, printRows } from './src/report.ts'

const tagCount = 10
const samplesWanted = Number(process.env.BENCH_SAMPLES ?? 10_000_000)
const hours = Math.ceil(samplesWanted / tagCount / 3_600)
const now = Math.floor(Date.now() / hourMs) * hourMs
const from = now - hours * hourMs
const tags = Array.from({ length: tagCount }, (_, place) => mixTag(place + 1, place % 3))
const rateShareMin = 0.5
const memoryMbMax = 100

async function fill(db: Database): Promise<void> {
  await sql`insert into machines (code, type, name, secret_hash)
            values ('1000000000000000001', 'bench', 'bench', decode(repeat('00', 32), 'hex'))`.execute(db)
  for (const tag of tags)
    await sql`insert into tags (id, machine_id, group_name, name, type, unit) overriding system value
              values (${tag.id}, 1, '', ${`t${tag.id}`}, ${tag.type}, '°C')`.execute(db)
  await writePast(db, tags, { from, to: now })
  await foldPast(db, now)
}

/** The same samples as rows, with the columns and in the order of the file. */
async function fillTable(db: Database): Promise<void> {
  await sql`create table plain (at timestamptz, device text, group_name text, variable text, value float8, unit text, quality text)`.execute(
    db,
  )
  for (const tag of tags)
    for (let hour = hourOf(from); hour < hourOf(now); hour += 24) {
      const parts = Array.from({ length: Math.min(24, hourOf(now) - hour) }, (_, place) =>
        hourOfSamples(tag, hour + place),
      )
      const times = parts.flatMap(({ times }) => Array.from(times, (at) => new Date(at)))
      const values = parts.flatMap(({ column }) => Array.from(column.values as ArrayLike<number>))
      await sql`insert into plain select at, 'bench', '', ${`t${tag.id}`}, value, '°C', 'good'
                from unnest(${times}::timestamptz[], ${values}::float8[]) as sample (at, value)`.execute(db)
    }
  await sql`vacuum analyze plain`.execute(db)
}

/** Writes the export into a file; answers its rows, seconds, and the most memory above the beginning. */
async function measureExport(db: Database, file: string) {
  const telemetry = createTelemetry({
    db,
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    now: Date.now,
  })
  const series = (
    await telemetry.listSeries(
      tags.map(({ id }) => id),
      'en',
    )
  ).map((one) => ({ ...one, machine: 'bench' }))
  const told: WriteTold = { rows: 0, progress: 0, damaged: 0 }
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let peak = idle
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const beganAt = performance.now()
  const handle = await open(file, 'w')
  const wish: ExportWish = {
    tagIds: tags.map(({ id }) => id),
    from,
    to: now,
    format: 'csv',
    layout: 'long',
    timezone: 'Asia/Shanghai',
    agg: 'avg',
    lang: 'en',
  }
  for await (const piece of writeExport(telemetry, series, wish, told)) await handle.write(piece)
  await handle.sync()
  await handle.close()
  const seconds = (performance.now() - beganAt) / 1_000
  clearInterval(watch)
  return { rows: told.rows, seconds, memoryMb: (peak - idle) / 2 ** 20 }
}

await withPast('exports', async (db, postgres, dir) => {
  console.log(describeMachine())
  await fill(db)
  const file = join(dir, 'export.csv')
  // The first one also reads the code and the disk.
  await measureExport(db, file)
  const { rows, seconds, memoryMb } = await measureExport(db, file)
  const { size } = await stat(file)
  await fillTable(db)
  const copied = join(dir, 'copy.csv')
  const copy = async () => {
    await promisify(execFile)('psql', [
      connectionUrl(postgres.connection),
      '-qc',
      `\\copy plain to '${copied}' csv`,
    ])
    // As the export does.
    const handle = await open(copied)
    await handle.sync()
    await handle.close()
  }
  await copy()
  const beganAt = performance.now()
  await copy()
  const copySeconds = (performance.now() - beganAt) / 1_000
  const share = copySeconds / seconds
  const rate = (count: number, s: number) =>
    `${Math.round(count / s / 1_000).toLocaleString('en-US')},000 a second`
  printRows([
    {
      what: `long csv of ${rows.toLocaleString('en-US')} samples`,
      figure: `${seconds.toFixed(1)} s, ${rate(rows, seconds)}, ${(size / 2 ** 20).toFixed(0)} MB`,
      target: '',
    },
    {
      what: '`psql \\copy` of the same from a plain table',
      figure: `${copySeconds.toFixed(1)} s, ${rate(rows, copySeconds)}, ${((await stat(copied)).size / 2 ** 20).toFixed(0)} MB`,
      target: '',
    },
    {
      what: 'share of the rate of `psql`',
      figure: share.toFixed(2),
      target: `≥ ${rateShareMin}`,
      met: share >= rateShareMin,
    },
    {
      what: 'memory above idle',
      figure: `${memoryMb.toFixed(0)} MB`,
      target: `≤ ${memoryMbMax} MB`,
      met: memoryMb <= memoryMbMax,
    },
  ])
})
