import { errors } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createUser, PushClient } from '@busbar/testkit'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detailPane, machineEntry } from './devices.ts'
import { createFleet, fleetName } from './fleet.ts'
import { shareSite } from './shared-site.ts'
import { type Account, type OwnSite, startSite } from './site.ts'
import { type Look, signInByForm, signInDirectly, type View, withView } from './view.ts'

let site: OwnSite
let browser: Browser
let db: Database
let person: Account

beforeAll(async () => {
  site = await startSite()
  ;({ browser } = await shareSite())
  db = await site.openDatabase()
  const { email } = await createUser(db, { password })
  person = { account: email, password }
})

afterAll(async () => {
  await db?.destroy()
  await site?.stop()
})

const wide: Look = { lang: 'cn', size: 'wide', theme: 'light' }
const phone: Look = { lang: 'en', size: 'narrow', theme: 'dark' }
const password = 'quite a secret'
const strangersCode = '1234567890123456789'
let fleets = 0

/** A person with a few machines, on their device list. */
async function arrive(view: View): Promise<string> {
  const from = 1 + 10 * fleets++
  const user = await createUser(db, { lang: view.lang })
  await createFleet(db, user.userId, 5, from)
  await signInDirectly(view, site, db, user)
  await view.page.goto('/index/')
  await machineEntry(view, fleetName(from)).waitFor()
  return fleetName(from)
}

async function openAddDialog({ page, t }: View): Promise<Locator> {
  await page.getByRole('button', { name: t.machines.add }).first().click()
  return page.getByRole('dialog', { name: t.machines.addDialog.title })
}

async function typeMachine({ t }: View, dialog: Locator): Promise<void> {
  await dialog.getByLabel(t.machines.addDialog.code).fill(strangersCode)
  await dialog.getByLabel(t.machines.addDialog.name, { exact: true }).fill('Press 1')
}

async function expectTyped({ t }: View, dialog: Locator): Promise<void> {
  expect(await dialog.getByLabel(t.machines.addDialog.code).inputValue()).toBe(strangersCode)
  expect(await dialog.getByLabel(t.machines.addDialog.name, { exact: true }).inputValue()).toBe('Press 1')
}

/** The bar, and not the notice of a call that failed meanwhile. */
const trouble = ({ page, t }: View, kind: 'gone' | 'slow') =>
  page.getByRole('alert').and(page.locator('[data-link-bar]')).filter({ hasText: t.app.link[kind].title })

describe('a console whose calls get no answer', () => {
  it('says so after a few seconds without an answer, and nothing once the answer is here', () =>
    withView(browser, site, wide, async (view) => {
      const { page, t } = view
      await arrive(view)
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route('**/api/user/v1/tokenInfo*', async (route) => {
        await held
        await route.continue()
      })
      await page.getByRole('link', { name: t.settings.title }).click()
      await page.getByRole('link', { name: t.settings.menu.sessions }).click()
      await trouble(view, 'slow').waitFor()
      answer()
      await page.getByText(t.safety.current, { exact: true }).waitFor()
      await trouble(view, 'slow').waitFor({ state: 'hidden' })
    }))

  it('offers to reload where its files are those of an older version, and keeps the list', () =>
    withView(browser, site, phone, async (view) => {
      const { page, t } = view
      const files = '**/assets/machine-detail-pane*.js'
      await page.route(files, (route) => route.fulfill({ status: 404 }))
      const first = await arrive(view)
      await machineEntry(view, first).getByText(first, { exact: true }).click()
      await page.getByText(t.app.part.outdated).waitFor()
      expect(await machineEntry(view, first).count()).toBe(1)
      await page.unroute(files)
      await page.getByRole('button', { name: t.app.part.reload }).click()
      await detailPane(view, first).getByRole('heading', { name: first }).waitFor()
    }))
})

describe('a window for which the platform has no socket left', () => {
  it('says so, is read away, and is live again once another window is closed', () =>
    withView(browser, site, wide, async (view) => {
      const { page, t, lang } = view
      const user = await createUser(db, { lang })
      const { token } = await signInDirectly(view, site, db, user)
      const others = await Promise.all(Array.from({ length: 10 }, () => PushClient.open(site.url, token)))
      try {
        for (const other of others) other.heartbeat()
        await expect.poll(() => others.every(({ events }) => events.length > 0)).toBe(true)
        await page.clock.install()
        await page.goto('/index/')
        const notice = page.getByRole('alert').filter({ hasText: t.app.link.polling.title })
        await notice.getByRole('button', { name: t.app.link.gotIt }).click()
        await notice.waitFor({ state: 'hidden' })
        await page.getByText(t.app.live.polling, { exact: true }).waitFor()
      } finally {
        for (const other of others) other.close()
      }
      await page.clock.fastForward(65_000)
      await page.getByText(t.app.live.live, { exact: true }).waitFor()
    }))
})

describe('a session that ends during typing', () => {
  it('restores the typed text after the sign-in', () =>
    withView(browser, site, wide, async (view) => {
      const { page, t } = view
      await page.goto('/login')
      await signInByForm(view, person)
      await page.getByText(t.machines.empty.title).waitFor()
      const dialog = await openAddDialog(view)
      await typeMachine(view, dialog)
      await dialog.getByLabel(t.machines.addDialog.password, { exact: true }).fill('its password')
      // Gone without a word on the push socket: as after a restore, or when its time is up.
      await db.deleteFrom('sessions').execute()
      await dialog.getByRole('button', { name: t.machines.addDialog.submit, exact: true }).click()
      await page.waitForURL((url) => url.pathname === '/loginTimeout')
      await page.getByRole('link', { name: t.app.ended.again }).click()
      expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('its password')
      await signInByForm(view, person)
      await dialog.waitFor()
      await expectTyped(view, dialog)
      expect(await dialog.getByLabel(t.machines.addDialog.password, { exact: true }).inputValue()).toBe('')
    }))

  it('in another tab says so here', () =>
    withView(browser, site, wide, async (view) => {
      const { page, t, context } = view
      await arrive(view)
      const other = await context.newPage()
      await other.goto('/safety')
      await other.getByText(t.safety.current, { exact: true }).waitFor()
      await other.getByRole('button', { name: t.app.header.signOut }).click()
      await other.waitForURL((url) => url.pathname === '/login')
      await page
        .getByRole('dialog', { name: t.app.signedOut.title })
        .getByText(t.app.signedOut.here)
        .waitFor()
      await page.getByRole('button', { name: t.app.signedOut.again }).click()
      await page.waitForURL((url) => url.pathname === '/login')
    }))
})

it('a platform that is gone is reported, screen and input stay, and everything continues without a reload', () =>
  withView(browser, site, wide, async (view) => {
    const { page, t, lang } = view
    const first = await arrive(view)
    await page.evaluate('globalThis.neverReloaded = true')
    const dialog = await openAddDialog(view)
    await typeMachine(view, dialog)
    const submit = dialog.getByRole('button', { name: t.machines.addDialog.submit, exact: true })

    await db.destroy()
    await site.kill()
    await trouble(view, 'gone').waitFor()
    await submit.click()
    await dialog.getByText(t.machines.addDialog.failed).waitFor()
    await expectTyped(view, dialog)
    // Exactly: the notice of the lost platform says the time of the data, too.
    const asOf = new RegExp(`^${t.machines.notLive('\\d{2}:\\d{2}:\\d{2}')}$`)
    await page.locator('main').getByText(asOf).waitFor()
    await site.start()
    db = await site.openDatabase()
    await trouble(view, 'gone').waitFor({ state: 'hidden' })

    await submit.click()
    await dialog.getByText(errors['04010102'].text[lang], { exact: true }).waitFor()
    await expectTyped(view, dialog)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: t.app.discard.drop, exact: true }).click()
    await machineEntry(view, first).waitFor()
    await page.getByText(t.app.live.live, { exact: true }).waitFor()
    expect(await page.evaluate('globalThis.neverReloaded')).toBe(true)
  }))
