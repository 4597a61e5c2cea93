import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { machineEntry } from './devices.ts'
import { createFleet, fleetName } from './fleet.ts'
import { scrollByWheel } from './long-tasks.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

const machines = 5_000
/** Rows a screen holds, and those kept ready above and below it. */
const drawnMax = 80

let site: Site
let browser: Browser

beforeAll(async () => {
  ;({ site, browser } = await shareSite())
})

const looks: Look[] = [
  { lang: 'cn', size: 'wide', theme: 'light' },
  { lang: 'en', size: 'narrow', theme: 'dark' },
]

describe.each(pickTurns('fleet', looks))(`${machines} machines, $lang, $size`, (look) => {
  const from = looks.indexOf(look) * machines + 1
  /** The top row: the first machine with an alarm. */
  const first = fleetName(from + 49)

  it('scroll and filter while few are drawn, and stay live', () =>
    withView(browser, site, look, async (view) => {
      const db = await site.openDatabase()
      const person = await signInDirectly(view, site, db)
      await createFleet(db, person.userId, machines, from)
      await db.destroy()
      const { page, t } = view
      let lostSockets = 0
      page.on('websocket', (socket) => socket.on('close', () => lostSockets++))
      await page.goto('/index/')
      await machineEntry(view, first).waitFor()

      const search = page.getByRole('searchbox', { name: t.machines.list.search })
      const last = fleetName(from + machines - 1)
      await scrollByWheel(page, 120, 300)
      // However far a person scrolls, only visible rows are drawn, which keeps every task short.
      // bench/fleet.ts measures how long they take.
      expect(await machineEntry(view, '').count()).toBeLessThan(drawnMax)
      await search.click()
      await search.pressSequentially(last, { delay: 60 })
      await machineEntry(view, last).waitFor()
      expect(await machineEntry(view, '').count()).toBeLessThan(drawnMax)
      await search.fill('')
      await machineEntry(view, first).waitFor()
      expect(await machineEntry(view, '').count()).toBeLessThan(drawnMax)
      // Thousands of rows passed by: asking for their values must not have cost the page its live connection.
      expect(lostSockets).toBe(0)
      expect(view.complaints).toEqual([])
    }))
})
