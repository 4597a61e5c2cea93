/**
 * Measures reading the past: `npm run bench -- history`. Tags at one a second over 30 days, written as parts and folded as
 * the platform does it; how long histories take, and how many bytes a sample takes on the disk.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalBus } from '@busbar/platform/kernel/bus/bus.ts'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import { type HistoryRequest, readHistory } from '@busbar/platform/modules/telemetry/history.ts'
import { createTelemetry } from '@busbar/platform/modules/telemetry/index.ts'
import { hourMs } from '@busbar/platform/modules/telemetry/store/chunk-rows.ts'
import { sql } from 'kysely'
import { foldPast, withPast, writePast } from './history/past.ts'
import { kindsCount, mixTag } from './history/tag-mix.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

const days = Number(process.env.BENCH_DAYS ?? 30)
const dayMs = 24 * hourMs
/** Temperatures that histories ask for; the mix after them only adds bytes. */
const lines = 20
const machines = 5_000
const people = 100
const now = Math.floor(Date.now() / hourMs) * hourMs
const lineTags = Array.from({ length: lines }, (_, place) => mixTag(place + 1, place % 2))
const mixTags = Array.from({ length: kindsCount }, (_, kind) => mixTag(lines + kind + 1, kind))

async function fill(db: Database): Promise<void> {
  await sql`insert into machines (code, type, name, secret_hash)
            select '1' || lpad(n::text, 18, '0'), 'bench', 'bench', decode(repeat('00', 32), 'hex')
            from generate_series(1, ${machines}::int) n`.execute(db)
  for (const tag of [...lineTags, ...mixTags])
    await sql`insert into tags (id, machine_id, group_name, name, type) overriding system value
              values (${tag.id}, 1, '', ${`t${tag.id}`}, ${tag.type})`.execute(db)
  await sql`insert into tags (id, machine_id, group_name, name, type) overriding system value
            select 1000 + id, id, '', 'temp', 'float64' from machines`.execute(db)
  await sql`insert into tag_latest (tag_id, at, received_at, quality, num)
            select id, now(), now(), 192, id from tags where id > 1000`.execute(db)
  await writePast(db, [...lineTags, ...mixTags], { from: now - days * dayMs, to: now })
}

/** Hours of tags folded in a second. */
const foldAll = async (db: Database): Promise<number> =>
  ((lines + kindsCount) * days * 24 * 1_000) / (await foldPast(db, now))

/** Bytes of tables with their indexes and what lies beside them, a sample. */
async function bytesOfSample(db: Database): Promise<{ all: number; byKind: string }> {
  await sql`vacuum full sample_chunks`.execute(db)
  await sql`vacuum full sample_averages`.execute(db)
  const { rows } = await sql<{ bytes: number; count: number }>`
    select (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'sample_chunks'::regclass)::bigint
             + pg_total_relation_size('sample_averages') as bytes,
           (select sum(count) from sample_chunks)::bigint as count`.execute(db)
  const { rows: kinds } = await sql<{ id: number; size: number }>`
    select tag_id as id, sum(octet_length(bytes))::float8 / sum(count) as size
    from sample_chunks where tag_id > ${lines} group by tag_id order by tag_id`.execute(db)
  const names = new Map(mixTags.map((tag) => [tag.id, tag.name]))
  const [all] = rows
  return {
    all: (all?.bytes ?? 0) / (all?.count ?? 1),
    byKind: kinds.map(({ id, size }) => `${names.get(id)} ${size.toFixed(2)}`).join(', '),
  }
}

async function measure(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  for (let warm = 0; warm < 5; warm++) await work()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const beganAt = performance.now()
    await work()
    times.push(performance.now() - beganAt)
  }
  return times
}

/** Each queries every two seconds, at different instants. */
async function measurePeople(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + 20_000
  await Promise.all(
    Array.from({ length: people }, async (_, person) => {
      await sleep((person * 2_000) / people)
      while (performance.now() < until) {
        const beganAt = performance.now()
        await work()
        const tookMs = performance.now() - beganAt
        times.push(tookMs)
        await sleep(Math.max(0, 2_000 - tookMs))
      }
    }),
  )
  return times
}

const show = (times: readonly number[]): string =>
  `p50 ${quantile(times, 0.5).toFixed(1)}, p95 ${quantile(times, 0.95).toFixed(1)} ms`

await withPast(
  'history',
  async (db) => {
    console.log(describeMachine())
    const figures: Row[] = []
    if (!(await isFilled(db))) {
      await fill(db)
      figures.push({
        what: 'folded',
        figure: `${Math.round(await foldAll(db))} hours of a tag a second`,
        target: '',
      })
      const bytes = await bytesOfSample(db)
      figures.push({
        what: 'bytes a sample with indexes and averages',
        figure: `${bytes.all.toFixed(2)} (packed: ${bytes.byKind})`,
        target: '3',
        met: bytes.all <= 3,
      })
      await sql`analyze`.execute(db)
    }
    const ids = (count: number) => lineTags.slice(0, count).map(({ id }) => id)
    const span = (lengthMs: number) => ({ from: now - lengthMs, to: now })
    const asked: [what: string, target: number | undefined, request: HistoryRequest][] = [
      ['1 tag, 24 hours into 1,000 points', 8, { tagIds: ids(1), ...span(dayMs), points: 1_000, agg: 'avg' }],
      [
        '4 tags, 7 days in 10 minutes',
        40,
        { tagIds: ids(4), ...span(7 * dayMs), intervalMs: 600_000, points: 2_000, agg: 'auto' },
      ],
      [
        '20 tags, 30 days in hours',
        150,
        { tagIds: ids(20), ...span(days * dayMs), intervalMs: hourMs, points: 2_000, agg: 'auto' },
      ],
      [
        '20 tags, 30 days in 30 minutes',
        150,
        { tagIds: ids(20), ...span(days * dayMs), intervalMs: 1_800_000, points: 2_000, agg: 'auto' },
      ],
      [
        '1 tag, an hour, every sample',
        undefined,
        { tagIds: ids(1), ...span(hourMs), points: 5_000, agg: 'auto' },
      ],
      [
        '4 tags, 7 days, the first 2,000 samples of each',
        undefined,
        { tagIds: ids(4), ...span(7 * dayMs), points: 2_000, agg: 'raw' },
      ],
    ]
    for (const [what, target, request] of asked) {
      const times = await measure(target === undefined ? 30 : 60, () => readHistory(db, request, now))
      figures.push({
        what,
        figure: show(times),
        target: target === undefined ? '' : `p95 ${target} ms`,
        ...(target === undefined ? {} : { met: quantile(times, 0.95) <= target }),
      })
    }
    const telemetry = createTelemetry({
      db,
      bus: createLocalBus(silentLogger),
      logger: silentLogger,
      now: Date.now,
    })
    await telemetry.start()
    const machineIds = Array.from({ length: machines }, (_, place) => place + 1)
    const latest = await measure(30, () => telemetry.listLatestOfEach(machineIds))
    figures.push({
      what: 'newest values of 5,000 machines',
      figure: show(latest),
      target: 'p95 20 ms',
      met: quantile(latest, 0.95) <= 20,
    })
    const request = asked[0]?.[2] as HistoryRequest
    const one = await measure(60, () => telemetry.history(request))
    const many = await measurePeople(() => telemetry.history(request))
    const ratio = quantile(many, 0.95) / quantile(one, 0.95)
    figures.push({
      what: `${people} people who each ask that every 2 s, beside one alone`,
      figure: `${show(many)}; one: ${show(one)}; ${ratio.toFixed(1)} times`,
      target: '3 times',
      met: ratio <= 3,
    })
    await telemetry.stop()
    printRows(figures)
  },
  process.env.BENCH_DATA,
)

async function isFilled(db: Database): Promise<boolean> {
  const { rows } = await sql`select from sample_chunks limit 1`.execute(db)
  return rows.length > 0
}
