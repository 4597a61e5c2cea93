import { type Rig, type Station, startRig } from '@busbar/platform/test-support/isolation/testing/rig.ts'
import type { VisitRules } from '@busbar/platform/visit-host/rules.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findLeftovers } from './leftovers.ts'
import { enterByPress, run, signInAs } from './page.ts'

/** A window that is lost is lost immediately; a window still there after this time counts as kept. */
const loseHoldMs = 5_000

/** A real browser in which the victim is signed in and inside both machines; the attacker's scripts run in `page`. */
export interface BrowserRig extends Rig {
  readonly context: BrowserContext
  /** Shows the evil machine's page. */
  readonly page: Page
  readonly consoleOrigin: string
  /** Data of the previous person that the next person finds in this browser; collected once. */
  findLeftovers(how: 'left' | 'closed'): Promise<Record<string, unknown>>
}

/** Opens a window from the evil page, and reports whether the page still has a handle of it after loading. */
export async function openFrom({ context, page }: BrowserRig, url: string) {
  const opened = context.waitForEvent('page')
  await run(page, `globalThis.held = open(${JSON.stringify(url)}, 'named-by-evil'); return 1`)
  const popup = await opened
  await popup.waitForLoadState()
  // The handle learns only a moment after the window has loaded that it leads nowhere.
  const isHeld = await page
    .waitForFunction('globalThis.held === null || globalThis.held.closed', undefined, { timeout: loseHoldMs })
    .then(
      () => false,
      () => true,
    )
  const name = await run<string>(popup, 'return window.name')
  return { popup, isHeld, name }
}

/** Starts a platform with the victim’s browser inside both machines. */
export async function startBrowserRig(browser: Browser, rules?: Partial<VisitRules>): Promise<BrowserRig> {
  const rig = await startRig(rules ? { rules } : {})
  const context = await browser.newContext()
  await signInAs(context, rig.site, rig.victim)
  const page = await context.newPage()
  for (const station of [rig.good, rig.evil]) await enter(page, station)
  const found = new Map<string, Promise<Record<string, unknown>>>()
  return {
    ...rig,
    ...{ context, page, consoleOrigin: `http://localhost:${rig.site.webPort}` },
    findLeftovers(how) {
      const known = found.get(how) ?? findLeftovers(browser, rig, how)
      found.set(how, known)
      return known
    },
    async stop() {
      await context.close()
      await rig.stop()
    },
  }
}

async function enter(page: Page, station: Station): Promise<void> {
  await enterByPress(page, station.client.origin)
  const text = await page.textContent('body')
  if (text !== 'the page') throw new Error(`not entered: ${page.url()} ${text}`)
}
