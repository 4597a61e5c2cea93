import { loadavg } from 'node:os'
import { createUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import type { Browser, CDPSession } from 'playwright-core'
import { machineEntry } from '../e2e/src/devices.ts'
import { createFleet, fleetName } from '../e2e/src/fleet.ts'
import { scrollByWheel, watchLongTasks } from '../e2e/src/long-tasks.ts'
import { type Site, startSite } from '../e2e/src/site.ts'
import { openView, type Size, signInDirectly, type View } from '../e2e/src/view.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* Whether 5,000 machines scroll and filter without a task over 50 ms, on a wide screen and on a phone's, how long the
   frames of scrolling are, and how much a wheel step costs the page's main thread. Valid only on an otherwise idle machine. */

const machines = 5_000
/** Some 18,000 pixels a second, a hard throw of the wheel. */
const wheelPixels = 300
const wheelSteps = 120
const rounds = 3
const typingPauseMs = 60
/** After it the list has been drawn and its first values have come. */
const settleMs = 2_000

async function cpuSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

/** Runs in the page: notes the milliseconds between one frame and the next. */
const noteFrames = `
  globalThis.busbarFrames = []
  {
    let last
    const note = (at) => {
      if (!globalThis.busbarFrames) return
      if (last !== undefined) globalThis.busbarFrames.push(at - last)
      last = at
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  } 0`
const takeFrames = `{ const frames = globalThis.busbarFrames; globalThis.busbarFrames = undefined; frames }`
const frameMaxMs = 50

interface Found {
  readonly scrolling: number[]
  /** Milliseconds from frame to frame while it scrolls. */
  readonly frames: number[]
  readonly filtering: number[]
  /** Milliseconds of the main thread for each wheel step, by round. */
  readonly stepMs: number[]
}

async function measureRound(view: View, from: number, found: Found): Promise<void> {
  const { page, context, t } = view
  // Of the levels that come first, the first machine in alarm.
  const first = fleetName(from + 99)
  const last = fleetName(from + machines - 1)
  await page.goto('/index/')
  await machineEntry(view, first).waitFor()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const watch = await watchLongTasks(page)
  await page.waitForTimeout(settleMs)
  await watch.take()

  const before = await cpuSeconds(session)
  await page.evaluate(noteFrames)
  await scrollByWheel(page, wheelSteps, wheelPixels)
  found.frames.push(...(await page.evaluate<number[]>(takeFrames)))
  found.scrolling.push(...(await watch.take()))
  found.stepMs.push((((await cpuSeconds(session)) - before) * 1000) / wheelSteps)

  const search = page.getByRole('searchbox', { name: t.machines.list.search })
  await search.click()
  await search.pressSequentially(last, { delay: typingPauseMs })
  await machineEntry(view, last).waitFor()
  await search.fill('')
  await machineEntry(view, first).waitFor()
  found.filtering.push(...(await watch.take()))
}

async function measure(browser: Browser, site: Site, size: Size): Promise<Row[]> {
  const db = await site.openDatabase()
  const person = await createUser(db, { lang: 'en' })
  const from = size === 'wide' ? 1 : machines + 1
  await createFleet(db, person.userId, machines, from)
  const found: Found = { scrolling: [], frames: [], filtering: [], stepMs: [] }
  for (let round = 0; round < rounds; round++) {
    const view = await openView(browser, site, { lang: 'en', theme: 'light', size })
    await signInDirectly(view, site, db, person)
    await measureRound(view, from, found)
    await view.context.close()
  }
  await db.destroy()
  const row = (what: string, tasks: readonly number[]): Row => ({
    what: `${machines} rows, ${size}, ${what}: tasks over 50 ms in ${rounds} rounds`,
    figure: tasks.length ? `${tasks.length}, the longest ${Math.max(...tasks).toFixed(0)} ms` : '0',
    target: '0',
    met: tasks.length === 0,
  })
  return [
    row(`${wheelSteps} wheel steps of ${wheelPixels} px`, found.scrolling),
    {
      what: `the same, ${size}, from frame to frame, p95 of ${found.frames.length}`,
      figure: `${quantile(found.frames, 0.95).toFixed(0)} ms, median ${quantile(found.frames, 0.5).toFixed(0)} ms`,
      target: `< ${frameMaxMs} ms`,
      met: quantile(found.frames, 0.95) < frameMaxMs,
    },
    row('filtering letter by letter', found.filtering),
    {
      what: `the same, ${size}, main thread, CPU a wheel step`,
      figure: `${quantile(found.stepMs, 0.5).toFixed(1)} ms`,
      target: '',
    },
  ]
}

const site = await startSite()
let browser: Browser | undefined
try {
  browser = await launchBrowser({ args: ['--disable-gpu'] })
  console.log(
    `${describeMachine()}, Chromium ${browser.version()}, --disable-gpu, load ${loadavg()[0]?.toFixed(1)}`,
  )
  printRows([...(await measure(browser, site, 'wide')), ...(await measure(browser, site, 'narrow'))])
} finally {
  await browser?.close()
  await site.stop()
}
