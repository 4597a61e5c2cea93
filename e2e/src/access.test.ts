import type { Database } from '@busbar/platform/database/database.ts'
import { blacklistUser, createMachine, createUser, grantMachine, type TestUser } from '@busbar/testkit'
import { launchBrowser } from '@busbar/testkit/browser.ts'
import axe, { type AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detailPane, machineEntry, showVariables } from './devices.ts'
import { createFleet, fleetName } from './fleet.ts'
import { type Site, startSite } from './site.ts'
import { type Look, signInDirectly, withView } from './view.ts'

let site: Site
let browser: Browser
let db: Database
let person: TestUser
let machineId: number

beforeAll(async () => {
  site = await startSite()
  browser = await launchBrowser()
  db = await site.openDatabase()
  person = await createUser(db, { name: 'Ming Li' })
  await createFleet(db, person.userId, 60)
  machineId = (await createMachine(db, { name: 'Never connected', owner: person.userId })).machineId
  await createHolders(machineId)
})

afterAll(async () => {
  await db?.destroy()
  await browser?.close()
  await site?.stop()
})

/** One of each kind of people that a machine's administration lists. */
async function createHolders(id: number): Promise<void> {
  const holder = async (grant: Parameters<typeof grantMachine>[3]) =>
    grantMachine(db, (await createUser(db)).userId, id, grant)
  await holder({ role: 'bkey' })
  await holder({ role: 'visitor', until: new Date(Date.now() + 3_600_000), readOnly: true })
  await holder({ role: 'visitor', until: new Date(Date.now() - 1) })
  await blacklistUser(db, (await createUser(db)).userId, id)
}

/** What axe calls serious or critical: who it hits cannot do the thing, or hardly. */
async function seriousFaults(page: Page): Promise<string[]> {
  // Evaluated, not added: the console's content security policy lets no script in, this one neither.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
    )
}

const corners: Look[] = [
  { lang: 'cn', theme: 'light', size: 'wide' },
  { lang: 'en', theme: 'dark', size: 'wide' },
  { lang: 'en', theme: 'light', size: 'narrow' },
  { lang: 'cn', theme: 'dark', size: 'narrow' },
]

describe.each(corners)('without a mouse or without eyes, $lang, $theme, $size', (look) => {
  it('the sign-in, with its errors, has nothing serious', () =>
    withView(browser, site, look, async ({ page, t }) => {
      await page.goto('/login')
      await page.getByRole('button', { name: t.login.submit, exact: true }).click()
      await page.getByText(t.login.errors.passwordMissing).waitFor()
      expect(await seriousFaults(page)).toEqual([])
    }))

  it('the device list has nothing serious', () =>
    withView(browser, site, look, async (view) => {
      await signInDirectly(view, site, db, person)
      await view.page.goto('/index/')
      await machineEntry(view, fleetName(50)).waitFor()
      expect(await seriousFaults(view.page)).toEqual([])
    }))

  it('the detail pane has nothing serious', () =>
    withView(browser, site, look, async (view) => {
      await signInDirectly(view, site, db, person)
      await view.page.goto(`/index/?machine=${machineId - 1}`)
      const pane = detailPane(view, fleetName(60))
      await pane.getByText(view.t.machines.facts.code).waitFor()
      expect(await seriousFaults(view.page)).toEqual([])
      await showVariables(view, pane)
      await pane.getByRole('row').first().waitFor()
      expect(await seriousFaults(view.page)).toEqual([])
    }))

  it('the dialog for adding has nothing serious', () =>
    withView(browser, site, look, async (view) => {
      await signInDirectly(view, site, db, person)
      await view.page.goto('/index/')
      await view.page.getByRole('button', { name: view.t.machines.add }).first().click()
      const dialog = view.page.getByRole('dialog', { name: view.t.machines.addDialog.title })
      await dialog.getByRole('button', { name: view.t.machines.addDialog.submit, exact: true }).click()
      await dialog.getByText(view.t.machines.addDialog.problems.codeEmpty).waitFor()
      expect(await seriousFaults(view.page)).toEqual([])
    }))

  it('the administration of a machine has nothing serious', () =>
    withView(browser, site, look, async (view) => {
      const { page, t } = view
      await signInDirectly(view, site, db, person)
      for (const tab of ['', '&tab=visitors', '&tab=bkeys', '&tab=blacklist', '&tab=settings']) {
        await page.goto(`/administrateCenter?machineId=${machineId}${tab}`)
        await page.locator('main').locator('li, form').first().waitFor()
        expect(await seriousFaults(page)).toEqual([])
      }
      await page.goto(`/administrateCenter?machineId=${machineId}&tab=visitors`)
      await page.getByRole('button', { name: t.access.visitors.add }).click()
      const dialog = page.getByRole('dialog', { name: t.access.add.visitorTitle })
      await dialog.getByRole('radio', { name: t.access.add.presets.custom }).click()
      await dialog.getByRole('button', { name: t.access.add.submitVisitor, exact: true }).click()
      await dialog.getByText(t.access.add.problems.accountMissing).waitFor()
      expect(await seriousFaults(page)).toEqual([])
    }))

  it('the safety centre has nothing serious', () =>
    withView(browser, site, look, async (view) => {
      await signInDirectly(view, site, db, person)
      await view.page.goto('/safety')
      await view.page.getByText(view.t.safety.current, { exact: true }).waitFor()
      expect(await seriousFaults(view.page)).toEqual([])
    }))
})
