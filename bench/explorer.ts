/**
 * Measures the explorer: `npm run bench -- explorer`. 20 variables of four devices at one sample a second over 30 days: how
 * long the page takes from a press to the drawn picture, and how long 50 people wait who zoom to single samples at once.
 * BENCH_DAYS fills fewer days.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, telemetry } from '@busbar/contract'
import { type Database, withClient } from '@busbar/platform/kernel/database/database.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import {
  type ChunkPart,
  copyParts,
  ensureChunkDays,
  hourMs,
  hourOf,
  nextPart,
} from '@busbar/platform/modules/telemetry/store/chunk-rows.ts'
import { DamagedChunks } from '@busbar/platform/modules/telemetry/store/damaged-chunks.ts'
import { Folding } from '@busbar/platform/modules/telemetry/store/fold.ts'
import { createMachine, createUser, grantMachine, type TestUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import { sql } from 'kysely'
import { startSite } from '../e2e/src/site.ts'
import { openView, signInDirectly, type View } from '../e2e/src/view.ts'
import { hourOfSamples, mixTag } from './history/tag-mix.ts'
import { describeMachine, printRows, quantile } from './src/report.ts'

const days = Number(process.env.BENCH_DAYS ?? 30)
const dayMs = 24 * hourMs
const now = Math.floor(Date.now() / hourMs) * hourMs
const machinesCount = 4
const tagsCount = 20
const people = 50
const drawings = 20
const drawnMsMax = 300
const zoomMsMax = 150
/** Each person zooms once in so long: a new hour, every sample of it. */
const zoomEveryMs = 2_000
const zoomsMs = 20_000

/** Variables with their samples, folded as the platform does it; answers their ids. */
async function fill(db: Database, owner: TestUser): Promise<{ tagIds: number[]; machineIds: number[] }> {
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
  await withClient(db, async (client) => {
    for (let day = hourOf(now) - days * 24; day < hourOf(now); day += 24) {
      await ensureChunkDays(db, [day, day + 23], now)
      const parts = function* (): Generator<ChunkPart> {
        for (let hour = day; hour < day + 24; hour++)
          for (const tag of tags) yield { tagId: tag.id, hour, span: 1, samples: hourOfSamples(tag, hour) }
      }
      await copyParts(client, await nextPart(client), parts())
    }
  })
  const folding = new Folding({
    samplesDb: db,
    logger: silentLogger,
    damaged: new DamagedChunks(silentLogger),
  })
  for (let runs = 0; runs < days; runs++) await folding.run(now + 30 * hourMs)
  await sql`analyze`.execute(db)
  return { tagIds: rows.map(({ id }) => id), machineIds }
}

/**
 * Runs in the page: from the press on a span until the frame in which the picture of it is drawn, that is until the stage
 * was busy and is not any more.
 */
const watchScript = `
  globalThis.busbarDrawn = new Promise((resolve) => {
    let pressedAt
    let wasBusy = false
    addEventListener('pointerdown', (event) => { pressedAt = event.timeStamp }, { capture: true, once: true })
    const look = () => {
      const stage = document.querySelector('[role="application"]')
      const isBusy = !stage || stage.ariaBusy === 'true'
      wasBusy ||= pressedAt !== undefined && isBusy
      if (!wasBusy || isBusy) return requestAnimationFrame(look)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - pressedAt)
      port2.postMessage(null)
    }
    requestAnimationFrame(look)
  }); 0`

/** Milliseconds from the press on a span to its picture. The months in turn differ by a page back, so that none is kept. */
async function measureDrawing({ page, t }: View, tagIds: readonly number[]): Promise<number[]> {
  const from = now - days * dayMs
  await page.goto(`/dataCenter/explorer?eid=0&tags=${tagIds}&from=${from}&until=${now}`)
  await page.locator('[role="application"]:not([aria-busy])').waitFor()
  await sleep(2_000)
  const times: number[] = []
  for (let place = 0; place < drawings; place++) {
    await page.evaluate(watchScript)
    await page.getByRole('button', { name: t.history.back, exact: true }).click()
    times.push(await page.evaluate<number>('globalThis.busbarDrawn'))
    // Back to the month with samples, of which nothing is kept.
    await page.goto(
      `/dataCenter/explorer?eid=0&tags=${tagIds}&from=${from + place * hourMs}&until=${now + days * dayMs}`,
    )
    await page.locator('[role="application"]:not([aria-busy])').waitFor()
    await sleep(500)
  }
  return times
}

/** Each person zooms to another hour of all variables, again and again. */
async function measureZooms(
  url: string,
  users: readonly TestUser[],
  tagIds: readonly number[],
): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + zoomsMs
  await Promise.all(
    users.map(async ({ token }, person) => {
      const client = createClient({ baseUrl: url, lang: () => 'en', token: () => token })
      await sleep((person * zoomEveryMs) / people)
      for (let turn = 1; performance.now() < until; turn++) {
        const from = now - ((person * 37 + turn * 11) % (days * 24)) * hourMs - hourMs
        const beganAt = performance.now()
        await client.call(telemetry.getHistory, {
          tagIds: tagIds.slice(0, 4),
          from,
          to: from + 15 * 60_000,
          interval: 1_000,
          points: 2_000,
          agg: 'auto',
        })
        const tookMs = performance.now() - beganAt
        times.push(tookMs)
        await sleep(Math.max(0, zoomEveryMs - tookMs))
      }
    }),
  )
  return times
}

const show = (times: readonly number[]): string =>
  `p50 ${quantile(times, 0.5).toFixed(0)}, p95 ${quantile(times, 0.95).toFixed(0)} ms`

const site = await startSite({})
const browser = await launchBrowser()
try {
  console.log(describeMachine())
  const db = await site.openDatabase()
  const owner = await createUser(db)
  const { tagIds, machineIds } = await fill(db, owner)
  const view = await openView(browser, site, { lang: 'en', theme: 'light', size: 'wide' })
  await signInDirectly(view, site, db, owner)
  const drawn = await measureDrawing(view, tagIds)
  await view.context.close()
  const users: TestUser[] = []
  for (let place = 0; place < people; place++) {
    const user = await createUser(db)
    for (const machineId of machineIds) await grantMachine(db, user.userId, machineId, { role: 'visitor' })
    users.push(user)
  }
  const zooms = await measureZooms(site.url, users, tagIds)
  await db.destroy()
  printRows([
    {
      what: `${tagsCount} variables, ${days} days: from the press to the picture`,
      figure: show(drawn),
      target: `p95 ${drawnMsMax} ms`,
      met: quantile(drawn, 0.95) <= drawnMsMax,
    },
    {
      what: `4 variables, 15 minutes, every sample: ${people} people who each zoom every ${zoomEveryMs / 1_000} s`,
      figure: `${show(zooms)} (${zooms.length} zooms)`,
      target: `p95 ${zoomMsMax} ms`,
      met: quantile(zooms, 0.95) <= zoomMsMax,
    },
  ])
} finally {
  await browser.close()
  await site.stop()
}
