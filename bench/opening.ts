import { createUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import type { Browser, Locator } from 'playwright-core'
import { t } from '../console/test-support/kit/kit-text.ts'
import { serveKit } from '../console/test-support/kit/serve-kit.ts'
import { machineEntry } from '../e2e/src/devices.ts'
import { createFleet, fleetName } from '../e2e/src/fleet.ts'
import { type OwnSite, startSite } from '../e2e/src/site.ts'
import { moving, openView, type Size, signInDirectly, type View } from '../e2e/src/view.ts'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

/* Time that menus, pickers and dialogs take to open at a quarter of this machine's speed: from the press to
   the end of the first frame in which the opened part is visible. The parts of the kit on one page, and the dialog
   over a list of machines. By mouse on a wide screen, by touch on a phone: both, or the one that is named, `wide` or
   `narrow`. */

const slowness = 4
/** Fresh pages; in each one every part is opened this often, of which the first may have to load it. */
const pages = 3
const opensPerPage = 4
const openMaxMs = 100
const machines = 200
/** A hand rests on a button for so long before it presses: time in which what the button opens is loaded. */
const restMs = 120

/** A part that opens. */
interface Subject {
  readonly what: string
  readonly button: (view: View) => Locator
  /** A selector of the opened element. */
  readonly opened: string
}

const inPart = (name: string) => (view: View) => view.page.getByRole('region', { name, exact: true })
const buttonIn = (part: string, name: string) => (view: View) =>
  inPart(part)(view)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()

const parts: readonly Subject[] = [
  { what: 'menu', button: buttonIn(t.parts.menu, t.device), opened: '[role="menu"]' },
  { what: 'popover', button: buttonIn(t.parts.popover, t.details), opened: '[role="dialog"]' },
  {
    what: 'select',
    button: buttonIn(t.parts.select, t.line),
    opened: `[role="listbox"][aria-label="${t.line}"]`,
  },
  {
    what: 'combo box of 1,000 variables',
    button: buttonIn(t.parts.comboBox, t.variables),
    opened: '[role="dialog"] [role="option"]',
  },
  {
    what: 'date and time',
    button: buttonIn(t.parts.dates, 'Calendar'),
    opened: '[role="dialog"] [role="grid"]',
  },
  {
    what: 'time range with presets',
    button: (view) =>
      inPart(t.parts.dates)(view)
        .getByRole('button', { name: new RegExp(t.range) })
        .first(),
    opened: '[role="dialog"] [role="grid"]',
  },
  { what: 'dialog', button: buttonIn(t.parts.dialogs, t.open), opened: 'dialog[open]' },
]

const addMachine: Subject = {
  what: `the dialog that adds a machine, over ${machines} machines`,
  button: ({ page, t }) => page.getByRole('button', { name: t.machines.add }).first(),
  opened: 'dialog[open] input',
}

/**
 * Runs in the page: the milliseconds from the next press until the frame in which the selector's element can be seen has
 * been drawn. A message sent within a frame arrives once that frame is done.
 */
const watchScript = (selector: string) => `
  globalThis.busbarOpened = new Promise((resolve) => {
    let pressedAt
    addEventListener('pointerdown', (event) => { pressedAt = event.timeStamp }, { capture: true, once: true })
    const isVisible = (element) =>
      element.getBoundingClientRect().height > 0 &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const look = () => {
      const element = pressedAt === undefined ? null : document.querySelector(${JSON.stringify(selector)})
      if (!element || !isVisible(element)) return requestAnimationFrame(look)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - pressedAt)
      port2.postMessage(null)
    }
    requestAnimationFrame(look)
  }); 0`

async function measureOpening(view: View, { button, opened }: Subject): Promise<number> {
  const { page, size } = view
  const place = button(view)
  await place.scrollIntoViewIfNeeded()
  const at = await place.boundingBox()
  if (!at) throw new Error(`nothing to press: ${opened}`)
  const [x, y] = [at.x + at.width / 2, at.y + at.height / 2]
  if (size === 'wide') {
    await page.mouse.move(x, y, { steps: 3 })
    await page.waitForTimeout(restMs)
  }
  await page.evaluate(watchScript(opened))
  if (size === 'wide') await page.mouse.click(x, y)
  else await page.touchscreen.tap(x, y)
  const tookMs = await page.evaluate<number>('globalThis.busbarOpened')
  await page.keyboard.press('Escape')
  await page.locator(opened).first().waitFor({ state: 'detached' })
  return tookMs
}

interface Times {
  readonly first: number[]
  readonly later: number[]
}

type Found = Map<string, Times>

async function measurePage(view: View, found: Found, subjects: readonly Subject[]): Promise<void> {
  const session = await view.context.newCDPSession(view.page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  for (const subject of subjects) {
    const { first, later } = found.get(subject.what) ?? { first: [], later: [] }
    found.set(subject.what, { first, later })
    for (let round = 0; round < opensPerPage; round++)
      (round === 0 ? first : later).push(await measureOpening(view, subject))
  }
}

async function measure(browser: Browser, site: OwnSite, kitUrl: string, size: Size): Promise<Row[]> {
  const found: Found = new Map()
  const db = await site.openDatabase()
  const person = await createUser(db, { lang: 'en' })
  const from = size === 'wide' ? 1 : machines + 1
  await createFleet(db, person.userId, machines, from)
  const touch = size === 'narrow' ? { hasTouch: true, isMobile: true } : {}
  for (let round = 0; round < pages; round++) {
    const view = await openView(
      browser,
      site,
      { lang: 'en', theme: 'light', size },
      { ...moving, ...touch, timezoneId: 'Asia/Shanghai' },
    )
    await view.page.goto(`${kitUrl}?layout=${size}`)
    await view.page.getByRole('listbox').waitFor()
    await view.page.waitForLoadState('networkidle')
    await measurePage(view, found, parts)
    await signInDirectly(view, site, db, person)
    await view.page.goto('/index/')
    await machineEntry(view, fleetName(from)).waitFor()
    await view.page.waitForLoadState('networkidle')
    await measurePage(view, found, [addMachine])
    await view.context.close()
  }
  await db.destroy()
  return [...found].flatMap(([what, { first, later }]) => [
    toRow(`${what}, ${size}: first in a page`, first),
    toRow(`${what}, ${size}: later`, later),
  ])
}

function toRow(what: string, times: readonly number[]): Row {
  const worst = Math.max(...times)
  return {
    what,
    figure: `p50 ${quantile(times, 0.5).toFixed(0)} ms, worst ${worst.toFixed(0)} ms of ${times.length}`,
    target: `≤ ${openMaxMs} ms`,
    met: worst <= openMaxMs,
  }
}

const site = await startSite()
const kit = await serveKit()
let browser: Browser | undefined
try {
  browser = await launchBrowser({ args: ['--disable-gpu'] })
  console.log(`${describeMachine()}, Chromium ${browser.version()}, --disable-gpu, ${slowness}× slower`)
  const [asked] = process.argv.slice(2)
  for (const size of ['wide', 'narrow'] as const)
    if (asked === undefined || asked === size) printRows(await measure(browser, site, kit.url, size))
} finally {
  await browser?.close()
  await kit.close()
  await site.stop()
}
