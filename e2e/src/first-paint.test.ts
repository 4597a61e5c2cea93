import type { Database } from '@busbar/platform/kernel/database/database.ts'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFleet } from './fleet.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { moving, openView, signInDirectly, type View } from './view.ts'

let site: Site
let browser: Browser
let db: Database
/** Of this file's fleet: another file's have other codes. */
const firstMachine = 73_001

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

/** Holds all scripts of the console back until the function that it answers is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/**
 * Tells of the first mark of a coming page whether the page before it still stood beside it. The page itself
 * looks, at the change: on a slow machine the outline follows before a question from here arrives.
 */
async function watchComing(page: Page): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle<{ promise: Promise<boolean> }>(`(() => {
    const { promise, resolve } = Promise.withResolvers()
    const observer = new MutationObserver(() => {
      if (!document.querySelector('[data-coming]')) return
      observer.disconnect()
      resolve(document.querySelector('h1')?.checkVisibility() === true)
    })
    observer.observe(document, { attributes: true, childList: true, subtree: true })
    return { promise }
  })()`)
  return () => seen.evaluate(({ promise }) => promise)
}

async function withSlowPage(size: View['size'], work: (view: View) => Promise<void>): Promise<void> {
  const view = await openView(browser, site, { lang: 'en', theme: 'light', size }, moving)
  try {
    await work(view)
    expect(view.complaints).toEqual([])
  } finally {
    await view.context.close()
  }
}

/** The edges of the frame's parts, in whole pixels: header and menu, and of the page its list. */
async function edges(page: Page, parts: readonly string[]): Promise<(number | undefined)[][]> {
  const boxes = await Promise.all(parts.map((part) => page.locator(part).first().boundingBox()))
  return boxes.map((box) => [box?.x, box?.y, box?.width, box?.height].map((edge) => edge && Math.round(edge)))
}

describe('before the console’s scripts are there', () => {
  it.each(['wide', 'narrow'] as const)('the outline has the measures of the %s page', async (size) => {
    await withSlowPage(size, async (view) => {
      const { page } = view
      const user = await signInDirectly(view, site, db)
      if (size === 'wide') await createFleet(db, user.userId, 3, firstMachine)
      const go = await holdScripts(page)
      await page.goto('/index/', { waitUntil: 'commit' })
      await page.locator('.outline').waitFor()
      const outlined = await edges(page, ['.outline header', '.outline nav', '.outline main'])
      const list = await edges(page, ['.outline i:last-child'])
      go()
      await page.locator('[data-shell]').waitFor()
      const menu = page.getByRole('navigation', { name: view.t.app.menu.label })
      await menu.waitFor()
      expect(await edges(page, ['[data-shell] > header', '[data-shell] > nav', '#content'])).toEqual(outlined)
      await expect.poll(() => page.locator('.outline').count()).toBe(0)
      if (size === 'wide')
        expect(await edges(page, [`section[aria-label="${view.t.machines.list.label}"]`])).toEqual(list)
    })
  })

  it('the pages before a session have no outline of those behind it', async () => {
    await withSlowPage('wide', async ({ page }) => {
      const go = await holdScripts(page)
      await page.goto('/login', { waitUntil: 'commit' })
      await page.locator('.outline').waitFor({ state: 'attached' })
      expect(await page.locator('.outline').isVisible()).toBe(false)
      go()
      await page.getByRole('textbox').first().waitFor()
    })
  })
})

it('shows that the page of a press is on its way, and then its outline', async () => {
  await withSlowPage('wide', async (view) => {
    const { page, t } = view
    await signInDirectly(view, site, db)
    await page.goto('/index/')
    const heading = page.getByRole('heading', { level: 1 })
    await heading.waitFor()
    const go = await holdScripts(page)
    const seenWithHeading = await watchComing(page)
    await page.getByRole('link', { name: t.app.menu.entries.messages }).click()
    expect(await seenWithHeading()).toBe(true)
    await page.locator('[aria-busy="true"][data-page-wait="list"]').waitFor()
    await page.getByRole('link', { name: t.settings.title }).first().click()
    await page.locator('[data-page-wait="form"]').waitFor()
    await page.getByRole('link', { name: t.app.menu.entries.messages }).click()
    go()
    await page.getByRole('heading', { level: 1, name: t.messages.title }).waitFor()
    await expect.poll(() => page.locator('[data-coming]').count()).toBe(0)
  })
})
