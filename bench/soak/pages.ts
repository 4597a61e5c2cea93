import type { Database } from '@busbar/platform/kernel/database/database.ts'
import type { TestUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import type { CDPSession } from 'playwright-core'
import { machineEntry, openMachine } from '../../e2e/src/devices.ts'
import type { Site } from '../../e2e/src/site.ts'
import { openView, signInDirectly } from '../../e2e/src/view.ts'

/** Pages of people who look at their list with a machine's details open. */
export interface Pages {
  readonly version: string
  /** Bytes of JavaScript in the largest of them, garbage collected. */
  measureHeap(): Promise<number>
  /** Exceptions and errors of the pages. */
  complaints(): readonly string[]
  close(): Promise<void>
}

/** Opens one page for each name, with that machine's details. */
export async function openPages(
  site: Site,
  db: Database,
  person: TestUser,
  machineNames: readonly string[],
): Promise<Pages> {
  const browser = await launchBrowser({ args: ['--disable-gpu'] })
  const sessions: CDPSession[] = []
  const complaints: (readonly string[])[] = []
  for (const [place, name] of machineNames.entries()) {
    const look = { lang: place % 2 ? 'en' : 'cn', theme: place % 2 ? 'dark' : 'light', size: 'wide' } as const
    const view = await openView(browser, site, look)
    await signInDirectly(view, site, db, person)
    await view.page.goto('/index/')
    await machineEntry(view, name).waitFor()
    await openMachine(view, name)
    const session = await view.context.newCDPSession(view.page)
    await session.send('Performance.enable')
    sessions.push(session)
    complaints.push(view.complaints)
  }
  return {
    version: browser.version(),
    async measureHeap() {
      const heaps = await Promise.all(
        sessions.map(async (session) => {
          await session.send('HeapProfiler.collectGarbage')
          const { metrics } = await session.send('Performance.getMetrics')
          return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
        }),
      )
      return Math.max(...heaps)
    },
    complaints: () => complaints.flat(),
    close: () => browser.close(),
  }
}
