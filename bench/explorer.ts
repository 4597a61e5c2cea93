/**
 * Measures the explorer: `npm run bench -- explorer`. 20 variables of four devices at one sample a second over 30 days: how
 * long the page takes from a press to the drawn picture, of all days and of single samples, and how long 50 people wait who
 * zoom to single samples at once. BENCH_DAYS fills fewer days; --profile=DIR keeps CPU profiles of the platform.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, createClient, telemetry } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { hourMs } from '@busbar/platform/modules/telemetry/store/chunk-rows.ts'
import { createMachine, createUser, grantMachine, type TestUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import { sql } from 'kysely'
import type { Browser, Locator } from 'playwright-core'
import { type OwnSite, startSite } from '../e2e/src/site.ts'
import { openView, signInDirectly, type View } from '../e2e/src/view.ts'
import { foldPast, withPast, writePast } from './history/past.ts'
import { mixTag } from './history/tag-mix.ts'
import { profileEnvironment } from './src/profile.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

const days = Number(process.env.BENCH_DAYS ?? 30)
const dayMs = 24 * hourMs
const now = Math.floor(Date.now() / hourMs) * hourMs
const machinesCount = 4
const tagsCount = 20
const people = 50
const drawings = 20
const drawnMsMax = 300
const zoomMsMax = 150
const zoomMs = 15 * 60_000
/** More samples of a variable than this are told as averages. */
const samplesMax = 2_000
/** After a picture, so that its statistics, which are read after it, do not count to the next. */
const restMs = 2_000
/** Each person zooms once in so long: a new hour, every sample of it. */
const zoomEveryMs = 2_000
const zoomsMs = 20_000

interface Filled {
  readonly owner: TestUser
  readonly tagIds: readonly number[]
  readonly machineIds: readonly number[]
}

/** Variables with their samples, folded as the platform does it. */
async function fill(db: Database): Promise<Filled> {
  const owner = await createUser(db)
  const machineIds: number[] = []
  for (let place = 0; place < machinesCount; place++)
    machineIds.push((await createMachine(db, { owner: owner.userId, name: `Press ${place + 1}` })).machineId)
  const rows = await db
    .insertInto('tags')
    .values(
      Array.from({ length: tagsCount }, (_, place) => ({
        machine_id: machineIds[place % machinesCount] as number,
        group_name: '',
        name: `t${place}`,
        type: 'float64',
      })),
    )
    .returning('id')
    .execute()
  const tags = rows.map(({ id }, place) => mixTag(id, place % 2))
  await writePast(db, tags, { from: now - days * dayMs, to: now })
  await foldPast(db, now, days)
  await sql`analyze`.execute(db)
  return { owner, tagIds: rows.map(({ id }) => id), machineIds }
}

/**
 * Runs in the page: from the press on a span until the frame in which the picture of it is drawn, that is until the chart
 * was busy and is not any more.
 */
const watchScript = `
  globalThis.busbarDrawn = new Promise((resolve) => {
    let pressedAt
    let wasBusy = false
    addEventListener('pointerdown', (event) => { pressedAt = event.timeStamp }, { capture: true, once: true })
    const look = () => {
      const chart = document.querySelector('[role="application"]')
      const isBusy = !chart || chart.ariaBusy === 'true'
      wasBusy ||= pressedAt !== undefined && isBusy
      if (!wasBusy || isBusy) return requestAnimationFrame(look)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - pressedAt)
      port2.postMessage(null)
    }
    requestAnimationFrame(look)
  }); 0`

/** Presses a button; answers the milliseconds until the picture of it is drawn. */
async function pressAndDraw({ page }: View, button: Locator): Promise<number> {
  await page.evaluate(watchScript)
  await button.click()
  return page.evaluate<number>('globalThis.busbarDrawn')
}

async function openExplorer({ page }: View, tagIds: readonly number[], span: string): Promise<void> {
  await page.goto(`/dataCenter/explorer?eid=0&tags=${tagIds}&${span}`)
  await page.locator('[role="application"]:not([aria-busy])').waitFor()
  await sleep(restMs)
}

/** From the press on the span of thirty days to its picture, each in a page that has just been loaded. */
async function measureDays(view: View, tagIds: readonly number[]): Promise<number[]> {
  const longest = view.t.history.duration.d('30')
  const times: number[] = []
  for (let round = 0; round < drawings; round++) {
    await openExplorer(view, tagIds, `last=${dayMs}`)
    times.push(await pressAndDraw(view, view.page.getByRole('radio', { name: longest, exact: true })))
  }
  return times
}

/** From the press on the quarter of an hour before to the picture of its samples. */
async function measureSamples(view: View, tagIds: readonly number[]): Promise<number[]> {
  const until = now - 2 * dayMs
  await openExplorer(view, tagIds, `from=${until - zoomMs}&until=${until}`)
  const times: number[] = []
  for (let round = 0; round < drawings; round++) {
    times.push(
      await pressAndDraw(view, view.page.getByRole('button', { name: view.t.history.back, exact: true })),
    )
    await sleep(restMs)
  }
  return times
}

interface Zooms {
  readonly times: readonly number[]
  readonly refused: number
}

/** Each person zooms to another quarter of an hour, again and again; answers how long each answer took. */
async function measureZooms(
  url: string,
  users: readonly TestUser[],
  tagIds: readonly number[],
): Promise<Zooms> {
  const zooms = { times: [] as number[], refused: 0 }
  const until = performance.now() + zoomsMs
  await Promise.all(
    users.map(async ({ token }, person) => {
      // Each from an address of their own, as people are.
      const headers = { 'x-forwarded-for': `198.51.100.${person + 1}` }
      const client = createClient({
        baseUrl: url,
        lang: () => 'en',
        token: () => token,
        fetch: (to, init) => fetch(to, { ...init, headers: { ...init?.headers, ...headers } }),
      })
      await sleep((person * zoomEveryMs) / people)
      for (let turn = 1; performance.now() < until; turn++) {
        const from = now - ((person * 37 + turn * 11) % (days * 24)) * hourMs - hourMs
        const beganAt = performance.now()
        const wish = { tagIds: [...tagIds], from, to: from + zoomMs }
        const answer = await client
          .call(telemetry.getHistory, { ...wish, interval: 1_000, points: samplesMax, agg: 'auto' })
          .catch((error) => {
            // Refused after two seconds in which other histories had all places.
            if (error instanceof ApiError && error.http === 429) return undefined
            throw error
          })
        const tookMs = performance.now() - beganAt
        if (answer?.series.some(({ kind, points }) => kind !== 'raw' || points.length !== zoomMs / 1_000))
          throw new Error('not every sample was told')
        zooms.times.push(tookMs)
        if (!answer) zooms.refused++
        await sleep(Math.max(0, zoomEveryMs - tookMs))
      }
    }),
  )
  return zooms
}

const rowOf = (what: string, times: readonly number[], msMax: number): Row => ({
  what,
  figure: `p50 ${quantile(times, 0.5).toFixed(0)}, p95 ${quantile(times, 0.95).toFixed(0)} ms of ${times.length}`,
  target: `p95 ${msMax} ms`,
  met: quantile(times, 0.95) <= msMax,
})

async function measure(browser: Browser, site: OwnSite, db: Database, filled: Filled): Promise<Row[]> {
  const { owner, tagIds, machineIds } = filled
  const view = await openView(browser, site, { lang: 'en', theme: 'light', size: 'wide' })
  await signInDirectly(view, site, db, owner)
  const ofDays = await measureDays(view, tagIds)
  const ofSamples = await measureSamples(view, tagIds)
  console.log(`drawn: ${ofDays.map(Math.round)} and ${ofSamples.map(Math.round)} ms`)
  await view.context.close()
  const users: TestUser[] = []
  for (let place = 0; place < people; place++) {
    const user = await createUser(db)
    for (const machineId of machineIds) await grantMachine(db, user.userId, machineId, { role: 'visitor' })
    users.push(user)
  }
  const minutes = zoomMs / 60_000
  const zoom = async (count: number): Promise<Row> => {
    const { times, refused } = await measureZooms(site.url, users, tagIds.slice(0, count))
    const what = `${count} variables, ${minutes} minutes, every sample: ${people} people who each zoom every ${zoomEveryMs / 1_000} s, to the answer`
    const row = rowOf(what, times, zoomMsMax)
    return refused === 0 ? row : { ...row, figure: `${row.figure}, ${refused} refused`, met: false }
  }
  return [
    rowOf(`${tagsCount} variables, ${days} days: from the press to the picture`, ofDays, drawnMsMax),
    rowOf(
      `${tagsCount} variables, ${minutes} minutes, every sample: from the press to the picture, one person`,
      ofSamples,
      zoomMsMax,
    ),
    await zoom(4),
    await zoom(tagsCount),
  ]
}

await withPast('explorer', async (db, postgres) => {
  console.log(describeMachine())
  // Before the platform starts: it would fold the same hours beside this.
  const filled = await fill(db)
  const env = { DATABASE_URL: postgres.url, TRUSTED_PROXIES: '127.0.0.1', ...profileEnvironment() }
  const site = await startSite({ env })
  const browser = await launchBrowser({ args: ['--disable-gpu'] })
  try {
    printRows(await measure(browser, site, db, filled))
  } finally {
    await browser.close()
    await site.stop()
  }
})
