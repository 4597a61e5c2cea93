import { loadavg } from 'node:os'
import { createUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import type { Browser, Page } from 'playwright-core'
import { detailPane, machineEntry } from '../e2e/src/devices.ts'
import { createFleet, fleetName } from '../e2e/src/fleet.ts'
import { type Site, startSite } from '../e2e/src/site.ts'
import { openView, signInDirectly, type View } from '../e2e/src/view.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* The built console in a real Chromium: what a first visit fetches (brotli, as it comes over the wire; fonts apart), and
   how long until something is to be seen: at once, and on a slow computer with a slow line (`slow` measures only this). */

const firstContentMaxMs = 1_000
const loadRounds = 5
const budgetsKb = { login: 90, deviceList: 260, further: 120 } as const

interface Fetched {
  /** Bytes of documents, scripts and styles, and of fonts, as they came over the wire. */
  readonly code: number
  readonly fonts: number
}

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

/** Counts what a page fetches while `work` runs. */
async function countFetched(page: Page, work: () => Promise<unknown>): Promise<Fetched> {
  const sizes: Promise<{ type: string; bytes: number }>[] = []
  const note = (request: import('playwright-core').Request) => {
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize }) => ({ type: request.resourceType(), bytes: responseBodySize })),
    )
  }
  page.on('requestfinished', note)
  await work()
  await page.waitForLoadState('networkidle')
  page.off('requestfinished', note)
  const all = await Promise.all(sizes)
  const sum = (types: readonly string[]) =>
    all.filter(({ type }) => types.includes(type)).reduce((total, { bytes }) => total + bytes, 0)
  return { code: sum(['document', 'script', 'stylesheet']), fonts: sum(['font']) }
}

async function withFreshView<T>(browser: Browser, site: Site, work: (view: View) => Promise<T>): Promise<T> {
  const view = await openView(browser, site, { lang: 'cn', theme: 'light', size: 'wide' })
  try {
    return await work(view)
  } finally {
    await view.context.close()
  }
}

async function measureSizes(browser: Browser, site: Site): Promise<Row[]> {
  const login = await withFreshView(browser, site, ({ page, t }) =>
    countFetched(page, async () => {
      await page.goto('/login')
      await page.getByRole('heading', { name: t.login.title }).waitFor()
    }),
  )
  const { list, pane, add, safety } = await withFreshView(browser, site, async (view) => {
    const { page, t } = view
    const db = await site.openDatabase()
    const person = await createUser(db)
    await createFleet(db, person.userId, 30, 9_000)
    await signInDirectly(view, site, db, person)
    await db.destroy()
    const name = fleetName(9_000)
    const list = await countFetched(page, async () => {
      await page.goto('/index/')
      await machineEntry(view, name).waitFor()
    })
    const pane = await countFetched(page, async () => {
      await machineEntry(view, name).getByText(name, { exact: true }).click()
      await detailPane(view, name).locator('canvas').first().waitFor()
    })
    const add = await countFetched(page, async () => {
      await page.getByRole('button', { name: t.machines.add }).first().click()
      await page.getByRole('dialog', { name: t.machines.addDialog.title }).waitFor()
    })
    await page.keyboard.press('Escape')
    const safety = await countFetched(page, async () => {
      await page.getByRole('link', { name: t.settings.title }).click()
      await page.getByRole('link', { name: t.settings.menu.sessions }).click()
      await page.getByText(t.safety.current, { exact: true }).waitFor()
    })
    return { list, pane, add, safety }
  })
  const row = (what: string, { code, fonts }: Fetched, budgetKb: number): Row => ({
    what: `${what}, brotli`,
    figure: `${kb(code)}${fonts ? ` (and ${kb(fonts)} of fonts)` : ''}`,
    target: `${budgetKb} kB`,
    met: code <= budgetKb * 1000,
  })
  return [
    row('login page', login, budgetsKb.login),
    row('device list, everything', list, budgetsKb.deviceList),
    row('details with their trend, further', pane, budgetsKb.further),
    row('adding a machine, further', add, budgetsKb.further),
    row('safety centre, further', safety, budgetsKb.further),
  ]
}

/** Cold loads over loopback: first paint, and until the list shows machines. Medians. */
async function measureFirstContent(browser: Browser, site: Site): Promise<Row[]> {
  const paints: number[] = []
  const lists: number[] = []
  const db = await site.openDatabase()
  const person = await createUser(db)
  await createFleet(db, person.userId, 30, 8_000)
  for (let round = 0; round < loadRounds; round++) {
    await withFreshView(browser, site, async (view) => {
      await signInDirectly(view, site, db, person)
      await view.page.goto('/index/')
      await machineEntry(view, fleetName(8_000)).waitFor()
      lists.push(await view.page.evaluate<number>('performance.now()'))
      paints.push(
        await view.page.evaluate<number>(
          'performance.getEntriesByName("first-contentful-paint")[0].startTime',
        ),
      )
    })
  }
  await db.destroy()
  const median = (numbers: number[]) =>
    numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
  return [
    {
      what: `device list, cold: first content (median of ${loadRounds})`,
      figure: `${median(paints).toFixed(0)} ms`,
      target: '< 1 s',
      met: median(paints) < firstContentMaxMs,
    },
    {
      what: 'device list, cold: machines on screen',
      figure: `${median(lists).toFixed(0)} ms`,
      target: '< 1 s',
      met: median(lists) < firstContentMaxMs,
    },
  ]
}

/** A mid-range phone on a slow line, by Lighthouse's measure: 1.6 Mbit/s down, 0.75 up, 150 ms to the platform and back. */
const slow = {
  cpu: 4,
  network: { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 },
} as const
const slowMaxMs = { outline: 800, rows: 2_500, alarm: 3_000 } as const

/** Runs in the page from its beginning: when the outline, the first row and the first alarm of a row are drawn. */
const noteColdList = `
  globalThis.busbarDrawn = new Promise((resolve) => {
    const subjects = {
      outline: '.outline header, [role=grid]',
      rows: '[role=grid] [role=row][aria-selected]',
      alarm: '[role=grid] [role=row][aria-selected] [role=img][aria-label*="1"]',
    }
    const drawn = {}
    const look = () => {
      for (const [name, selector] of Object.entries(subjects))
        if (!drawn[name] && document.querySelector(selector)?.checkVisibility()) {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => { drawn[name] ??= performance.now() }
          port2.postMessage(null)
        }
      if (Object.keys(drawn).length === 3) resolve(drawn)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`

/** The list of a signed-in person on a slow computer and a slow line, with nothing in the browser's store. */
async function measureColdList(browser: Browser, site: Site): Promise<Row[]> {
  const db = await site.openDatabase()
  const person = await createUser(db)
  // The 50th has an alarm, and so begins the list.
  await createFleet(db, person.userId, 100, 7_000)
  const found: Record<keyof typeof slowMaxMs, number[]> = { outline: [], rows: [], alarm: [] }
  for (let round = 0; round < loadRounds; round++) {
    await withFreshView(browser, site, async (view) => {
      const { page, context } = view
      await signInDirectly(view, site, db, person)
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', slow.network)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slow.cpu })
      await page.addInitScript(noteColdList)
      await page.goto('/index/', { waitUntil: 'commit' })
      const drawn = await page.evaluate<Record<keyof typeof slowMaxMs, number>>('globalThis.busbarDrawn')
      for (const name of ['outline', 'rows', 'alarm'] as const) found[name].push(drawn[name])
    })
  }
  await db.destroy()
  return (['outline', 'rows', 'alarm'] as const).map((name) => ({
    what: `device list, cold, ${slow.cpu}× slower CPU and slow 4G: ${name}`,
    figure: `${quantile(found[name], 0.5).toFixed(0)} ms, worst ${Math.max(...found[name]).toFixed(0)} of ${loadRounds}`,
    target: `< ${slowMaxMs[name] / 1_000} s`,
    met: quantile(found[name], 0.5) < slowMaxMs[name],
  }))
}

const site = await startSite()
let browser: Browser | undefined
try {
  browser = await launchBrowser({ args: ['--disable-gpu'] })
  console.log(
    `${describeMachine()}, Chromium ${browser.version()}, --disable-gpu, load ${loadavg()[0]?.toFixed(1)}`,
  )
  const isSlowOnly = process.argv[2] === 'slow'
  if (!isSlowOnly)
    printRows([...(await measureSizes(browser, site)), ...(await measureFirstContent(browser, site))])
  printRows(await measureColdList(browser, site))
} finally {
  await browser?.close()
  await site.stop()
}
