/**
 * Half load for a quarter of an hour, with browsers, push sockets and visits open: `npm run bench -- soak
 * [--minutes 15] [--rate 20000]`. Every ten seconds a line; at the end whether each figure was flat, as rows for
 * RESULTS.md. Without `--rate` it is half of what this machine carries with all of that open.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser, type TestUser } from '@busbar/testkit'
import { sql } from 'kysely'
import type { WebSocket } from 'ws'
import { createFleet, fleetCode, fleetSecret } from '../e2e/src/fleet.ts'
import { type Site, startSite } from '../e2e/src/site.ts'
import { codeOf, machineSecret, valuesPerMessage } from './ingest/messages.ts'
import { openPages } from './soak/pages.ts'
import { countFiles, measurePostgres } from './soak/processes.ts'
import type { Use } from './soak/report-use.ts'
import { growthPerHourMax, isFlat, measureTrend, type Point } from './soak/trend.ts'
import { startVisitors } from './soak/visitors.ts'
import { startLoadProcess } from './src/load-process.ts'
import { openPageSocket } from './src/page-socket.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'
import { Worker } from './src/rpc.ts'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '15' }, rate: { type: 'string' } },
})
const senders = 500
const probes = 50
const probesPerSecond = 50
const sockets = 40
const machinesPerSocket = 5
const pages = 3
const visits = 2
const sampleMs = 10_000
const fullLoad = { messages: 300_000, window: 20 }

/** A figure of a sample, and how it is shown. A trend below `least` is ignored. */
const figures = {
  platformRss: { what: 'platform, resident', unit: 'MB', least: 0 },
  platformHeap: { what: 'platform, heap after collection', unit: 'MB', least: 0 },
  platformExternal: { what: 'platform, outside the heap', unit: 'MB', least: 20 },
  postgres: { what: 'PostgreSQL, all processes, proportional', unit: 'MB', least: 0 },
  files: { what: 'platform, open files', unit: '', least: 0 },
  handles: { what: 'platform, handles', unit: '', least: 0 },
  eventLoop: { what: 'platform, event-loop delay p99', unit: 'ms', least: 20 },
  pubackP50: { what: 'PUBACK p50', unit: 'ms', least: 5 },
  pubackP99: { what: 'PUBACK p99', unit: 'ms', least: 50 },
  pushP50: { what: 'publish to frame p50', unit: 'ms', least: 10 },
  pushP99: { what: 'publish to frame p99', unit: 'ms', least: 60 },
  pageHeap: { what: 'largest page, JavaScript after collection', unit: 'MB', least: 20 },
} as const
type Figure = keyof typeof figures
type Sample = Record<Figure, number>
const names = Object.keys(figures) as Figure[]

const mb = (bytes: number) => bytes / 2 ** 20
const show = (value: number, unit: string) => `${value.toFixed(unit === '' ? 0 : 1)}${unit && ` ${unit}`}`

/** The machines of the load; the first of them are in a person's list, under names. */
async function createSenders(db: Database, person: TestUser): Promise<readonly string[]> {
  const hash = createHash('sha256').update(machineSecret).digest()
  const codes = Array.from({ length: senders }, (_, number) => codeOf(number))
  await sql`insert into machines (code, type, name, secret_hash, owner_user_id)
            select code, 'bench', 'Sender ' || lpad((place - 1)::text, 4, '0'), ${hash}, ${person.userId}
            from unnest(${codes}::text[]) with ordinality as given (code, place)`.execute(db)
  await sql`insert into machine_list_entries (user_id, machine_id, name)
            select ${person.userId}, id, name from machines where type = 'bench'`.execute(db)
  return Array.from({ length: pages }, (_, place) => `Sender ${String(place).padStart(4, '0')}`)
}

async function openSockets(site: Site, db: Database, person: TestUser, onAge: (ms: number) => void) {
  const rows = await db
    .selectFrom('machines')
    .select('id')
    .where(
      'code',
      'in',
      Array.from({ length: probes }, (_, place) => fleetCode(place + 1)),
    )
    .execute()
  const opened: WebSocket[] = []
  for (let place = 0; place < sockets; place++) {
    const watched = Array.from(
      { length: machinesPerSocket },
      (_, more) => rows[(place * machinesPerSocket + more) % rows.length]?.id ?? 0,
    )
    opened.push(await openPageSocket(site.url, person.token, watched, onAge))
  }
  return opened
}

async function main(): Promise<void> {
  const closers: (() => Promise<unknown> | unknown)[] = []
  try {
    const useFile = join('/tmp', `busbar-soak-${process.pid}.json`)
    const site = await startSite({
      env: {
        NODE_OPTIONS: `--import=${join(import.meta.dirname, 'soak/report-use.ts')}`,
        BUSBAR_USE_FILE: useFile,
      },
    })
    closers.push(() => site.stop())
    const db = await site.openDatabase()
    closers.push(() => db.destroy())
    // Each has a different list: a page shows thousands of rows, but reads them all.
    const [watcher, viewer, visitor] = [await createUser(db), await createUser(db), await createUser(db)]
    await createFleet(db, watcher.userId, probes)
    const shown = await createSenders(db, viewer)

    const mqttPort = Number(new URL(site.mqttUrl).port)
    const generator = await Worker.start('ingest/generator.ts')
    closers.push(() => generator.stop())
    await generator.call('open', { port: mqttPort, connections: senders, topic: 'own' })
    const probe = startLoadProcess()
    closers.push(() => probe.stop())
    await probe.open({
      port: mqttPort,
      machines: Array.from({ length: probes }, (_, place) => ({
        code: fleetCode(place + 1),
        secret: fleetSecret,
      })),
    })
    let ages: number[] = []
    const opened = await openSockets(site, db, watcher, (ms) => ages.push(ms))
    closers.push(() => opened.map((socket) => socket.terminate()))
    const visitors = await startVisitors(site, db, visitor, visits)
    closers.push(() => visitors.close())
    // Tags and the first partitions exist before the measurement.
    await generator.call('sendClosed', { messages: 10 * senders, window: 5 })
    const browser = await openPages(site, db, viewer, shown)
    closers.push(() => browser.close())

    const full = await generator.call<{ messages: number; ms: number }>('sendClosed', fullLoad)
    const carried = (full.messages * 1_000) / full.ms
    const rate = options.rate ? Number(options.rate) : Math.round(carried / 2)
    console.log(
      `${describeMachine()}, Chromium ${browser.version}\n${carried.toFixed(0)} messages/s carried with all of it open; ` +
        `${rate} messages/s (${rate * valuesPerMessage} values/s) for ${options.minutes} minutes`,
    )

    const samples: (Sample & { s: number })[] = []
    const startedAt = performance.now()
    const count = Math.round((Number(options.minutes) * 60_000) / sampleMs)
    let sent = 0
    for (let place = 0; place < count; place++) {
      ages = []
      const [latency] = await Promise.all([
        generator.call<{ sent: number; p50: number; p99: number }>('sendOpen', {
          messagesPerSecond: rate,
          ms: sampleMs,
        }),
        probe.run({ messagesPerSecond: probesPerSecond, durationMs: sampleMs }),
      ])
      sent += latency.sent
      const use = JSON.parse(await readFile(useFile, 'utf8')) as Use
      const sample = {
        s: (performance.now() - startedAt) / 1_000,
        platformRss: mb(use.rss),
        platformHeap: mb(use.heapFloor),
        platformExternal: mb(use.external),
        postgres: mb(await measurePostgres(site.dataDir)),
        files: countFiles(site.pid),
        handles: use.handles,
        eventLoop: use.eventLoopDelayP99,
        pubackP50: latency.p50,
        pubackP99: latency.p99,
        pushP50: quantile(ages, 0.5),
        pushP99: quantile(ages, 0.99),
        pageHeap: mb(await browser.measureHeap()),
      }
      samples.push(sample)
      console.log(
        `${sample.s.toFixed(0).padStart(4)} s  ${names.map((name) => `${name} ${show(sample[name], figures[name].unit)}`).join('  ')}`,
      )
    }

    const rows: Row[] = names.map((name) => {
      const { what, unit, least } = figures[name]
      const trend = measureTrend(samples.map((sample): Point => ({ s: sample.s, value: sample[name] })))
      const percent = (part: number) => `${(part * 100).toFixed(0)} %`
      return {
        what,
        figure: `${show(trend.median, unit)}; ${percent(trend.perHour)} an hour (${percent(trend.low)} to ${percent(trend.high)})`,
        target: `no growth over ${percent(growthPerHourMax)} an hour beyond noise${least ? `, or under ${show(least, unit)}` : ''}`,
        met: isFlat(trend) || trend.median < least,
      }
    })
    const minutes = (performance.now() - startedAt) / 60_000
    printRows([
      {
        what: 'messages acknowledged after their commit',
        figure: `${sent.toLocaleString('en')} in ${minutes.toFixed(1)} minutes, ${(sent / minutes / 60).toFixed(0)}/s of ${carried.toFixed(0)}/s carried`,
        target: '',
      },
      {
        what: `requests of ${visits} visits through their tunnels`,
        figure: `${visitors.answers()}, failed ${[...visitors.failures()].map(([why, times]) => `${times} (${why})`).join(', ') || 0}`,
        target: 'none failed',
        met: visitors.failures().size === 0,
      },
      {
        what: `what ${pages} pages complained about`,
        figure: String(browser.complaints().length),
        target: '0',
        met: browser.complaints().length === 0,
      },
      ...rows,
    ])
    for (const complaint of browser.complaints().slice(0, 5)) console.log(complaint)
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

await main()
