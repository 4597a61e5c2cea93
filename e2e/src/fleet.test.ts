import { launchBrowser } from '@busbar/testkit/browser.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machineEntry } from './devices.ts'
import { createFleet, fleetName } from './fleet.ts'
import { longTaskMs, scrollByWheel, watchLongTasks } from './long-tasks.ts'
import { type Site, startSite } from './site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

const machines = 5_000

let site: Site
let browser: Browser

beforeAll(async () => {
  // Without a graphics card the raster work would be counted as the page's.
  ;[site, browser] = await Promise.all([startSite(), launchBrowser({ args: ['--disable-gpu'] })])
})

afterAll(async () => {
  await browser?.close()
  await site?.stop()
})

const looks: Look[] = [
  { lang: 'cn', size: 'wide', theme: 'light' },
  { lang: 'en', size: 'narrow', theme: 'dark' },
]

describe.each(looks)(`${machines} machines, $lang, $size`, (look) => {
  const from = looks.indexOf(look) * machines + 1
  /** What stands on top: the first that has an alarm. */
  const first = fleetName(from + 49)

  it('scroll and filter without a task a person would feel', () =>
    withView(browser, site, look, async (view) => {
      const db = await site.openDatabase()
      const person = await signInDirectly(view, site, db)
      await createFleet(db, person.userId, machines, from)
      await db.destroy()
      const { page, t } = view
      await page.goto('/index/')
      await machineEntry(view, first).waitFor()

      const watch = await watchLongTasks(page)
      await page.waitForTimeout(1_000)
      await watch.take()

      await scrollByWheel(page, 120, 900)
      const whileScrolling = await watch.take()

      const search = page.getByRole('searchbox', { name: t.machines.list.search })
      await search.click()
      await search.pressSequentially(`press ${from + 4_998}`, { delay: 60 })
      await machineEntry(view, fleetName(from + 4_998)).waitFor()
      await search.fill('')
      await machineEntry(view, first).waitFor()
      const whileFiltering = await watch.take()

      const tooLong = (tasks: readonly number[]) => tasks.filter((ms) => ms > longTaskMs)
      expect({ scrolling: tooLong(whileScrolling), filtering: tooLong(whileFiltering) }).toEqual({
        scrolling: [],
        filtering: [],
      })
    }))
})
