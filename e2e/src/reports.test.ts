import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createEnterprise, createEnterpriseMachine } from '@busbar/testkit'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { findPageFaults } from './page-faults.ts'
import { reportWords } from './scheduled-report-screens.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { looksOf, signInDirectly, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

describe.each(looksOf('reports'))('reports in $lang, $size, $theme', (look) => {
  it('a report is set up with a preview of its pages, made, and downloaded', () =>
    withView(browser, site, look, async (view) => {
      const { page, lang } = view
      const words = reportWords[lang]
      const { eid, owner } = await createEnterprise(db)
      await createEnterpriseMachine(db, eid, { name: 'Press 7' })
      await signInDirectly(view, site, db, owner)

      await page.goto(`/dataCenter/reports?eid=${eid}`)
      await page.getByText(words.list.empty).waitFor()
      await page.getByRole('button', { name: words.list.add }).first().click()
      await page.getByRole('textbox', { name: words.edit.name }).fill('Line 1')
      const options = (name: string) => page.getByRole('group', { name, exact: true }).getByRole('option')
      await options(words.edit.machines).filter({ hasText: 'Press 7' }).click()
      await options(words.edit.parts).filter({ hasText: words.parts.statistics }).click()
      await options(words.edit.parts).filter({ hasText: words.parts.trends }).click()
      await page.getByRole('button', { name: words.preview.show, exact: true }).click()
      await page.getByRole('img', { name: words.preview.page(1, 1) }).waitFor({ timeout: 30_000 })
      expect(await findFaults(page, 'the form of a report')).toEqual([])
      expect(await findPageFaults(page)).toEqual([])
      await page.getByRole('button', { name: words.edit.save, exact: true }).click()

      await page.getByRole('button', { name: words.runs.now }).click()
      await page.getByRole('menuitem', { name: words.runs.onlyMake }).click()
      const link = page.getByRole('link', { name: words.formats.pdf })
      await link.waitFor({ timeout: 30_000 })
      const download = page.waitForEvent('download')
      await link.click()
      expect((await download).suggestedFilename()).toMatch(/^Line 1 .*\.pdf$/)
    }))
})
