import { limits, textWidth } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { createMachine, createUser, grantMachine, listMachine, type TestUser } from '@busbar/testkit'
import type { Browser, Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findFaults } from './axe.ts'
import { machineEntry } from './devices.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, type View, withView } from './view.ts'
import { expectWayIn } from './visits.ts'

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const deadlineMs = 10_000
const wide: Look = { lang: 'en', theme: 'light', size: 'wide' }
const phone: Look = { lang: 'cn', theme: 'dark', size: 'narrow' }

/** A person's browser for as long as `work` takes. */
function withPerson(look: Look, user: TestUser, work: (view: View) => Promise<void>): Promise<void> {
  return withView(browser, site, look, async (view) => {
    await signInDirectly(view, site, db, user)
    await work(view)
    expect(view.complaints).toEqual([])
  })
}

/** The row of the one message that is about an application. */
const row = ({ page, t }: View): Locator =>
  page.getByRole('list', { name: t.messages.list }).getByRole('listitem').first()

const pane = ({ page }: View): Locator => page.locator('[data-pane]')

/** The bell shows the number of unread messages. */
const bell = ({ page, t }: View, unread: number): Locator =>
  page.getByRole('button', { name: t.app.header.unread(unread), exact: true })

it('shows an application to both keys immediately, and as answered to the second one', async () => {
  const akey = await createUser(db, { name: 'Ann Akey', lang: 'en' })
  const bkey = await createUser(db, { name: '王强', lang: 'cn' })
  const guest = await createUser(db, { name: 'Gus Guest', lang: 'en' })
  const name = 'Press 7'
  const { machineId } = await createMachine(db, { name, owner: akey.userId })
  await grantMachine(db, bkey.userId, machineId, { role: 'bkey' })
  await listMachine(db, guest.userId, machineId, name)

  await withPerson(wide, akey, (first) =>
    withPerson(phone, bkey, (second) =>
      withPerson(wide, guest, async (asking) => {
        await asking.page.goto('/index/')
        await Promise.all([first, second].map(({ page }) => page.goto('/msgCenter')))
        await Promise.all([first, second].map((view) => bell(view, 0).waitFor()))
        await second.page.getByText(second.t.messages.empty.inbox).waitFor()

        await applyFor(asking, name)
        await machineEntry(asking, name).getByText(asking.t.applications.waitingShort).first().waitFor()

        for (const view of [first, second]) {
          await view.page.bringToFront()
          await bell(view, 1).waitFor({ timeout: deadlineMs })
          await row(view).getByText(view.t.messages.needsAnswer).waitFor({ timeout: deadlineMs })
          await row(view).getByRole('button').first().click()
          await pane(view)
            .getByRole('button', { name: view.t.applications.answer.refuse, exact: true })
            .waitFor()
          // Opening it is reading it.
          await bell(view, 0).waitFor({ timeout: deadlineMs })
          expect(await findFaults(view.page, 'an application')).toEqual([])
        }

        await first.page.bringToFront()
        await pane(first).getByRole('radio', { name: first.t.access.add.presets['10m'], exact: true }).click()
        await pane(first).getByRole('button', { name: first.t.applications.answer.letIn.ro }).click()
        await first.page.getByText(first.t.applications.answer.outcomes.passed('Gus Guest')).waitFor()

        await second.page.bringToFront()
        await pane(second)
          .getByText(second.t.applications.states[5] ?? '')
          .first()
          .waitFor({ timeout: deadlineMs })
        await pane(second)
          .getByRole('list', { name: second.t.applications.steps.label })
          .getByText('Ann Akey')
          .waitFor()
        expect(
          await pane(second).getByRole('button', { name: second.t.applications.answer.refuse }).count(),
        ).toBe(0)

        await asking.page.bringToFront()
        await machineEntry(asking, name)
          .getByText(asking.t.applications.waitingShort)
          .waitFor({ state: 'detached', timeout: deadlineMs })
        await bell(asking, 1).waitFor({ timeout: deadlineMs })
        await deleteAll(asking)
      }),
    ),
  )
})

/** Applies to visit from the row of a machine. */
async function applyFor({ page, t, ...view }: View, name: string): Promise<void> {
  const { apply } = t.applications
  await expectWayIn({ page, t, ...view }, name, false)
  await page.getByRole('button', { name: apply.openOf(name) }).click()
  const dialog = page.getByRole('dialog', { name: apply.title(name) })
  const tooLong = 'More letters than fit into fifteen wide characters'
  await dialog.getByLabel(apply.message).fill(tooLong)
  expect(await findFaults(page, 'applying')).toEqual([])
  await dialog.getByRole('button', { name: apply.submit }).click()
  await dialog.getByText(t.app.tooLong(textWidth(tooLong), limits.visitMessageMax)).waitFor()
  await dialog.getByLabel(apply.message).fill('Service pump 3')
  await dialog.getByRole('button', { name: apply.submit }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Empties a tab, after the confirmation that names it. */
async function deleteAll(view: View): Promise<void> {
  const { page, t } = view
  await page.goto('/msgCenter?tab=sent')
  await row(view).waitFor()
  await page.getByRole('button', { name: t.messages.more, exact: true }).click()
  await page.getByRole('menuitem', { name: t.messages.removeAll }).click()
  const dialog = page.getByRole('dialog', { name: t.messages.confirm.all(t.messages.tabs.sent, '2') })
  await dialog.getByRole('button', { name: t.messages.confirm.action, exact: true }).click()
  await page.getByText(t.messages.empty.sent).waitFor()
  await bell(view, 0).waitFor({ timeout: deadlineMs })
  expect(await findFaults(page, 'an empty tab')).toEqual([])
  await expectTabRemembered(view)
}

/**
 * The message centre opens with the tab used last; a link to the alarms of projects, which is without a tab,
 * opens the inbox.
 */
async function expectTabRemembered({ page, t }: View): Promise<void> {
  const menu = page.getByRole('navigation', { name: t.app.menu.label })
  await menu.getByRole('link', { name: t.app.menu.entries.devices }).click()
  await page.waitForURL((url) => url.pathname === '/index/')
  await menu.getByRole('link', { name: t.app.menu.entries.messages }).click()
  await page.waitForURL((url) => url.pathname === '/msgCenter' && url.search === '?tab=sent')
  const tabs = page.getByRole('navigation', { name: t.messages.tabs.label }).getByRole('link')
  expect(await tabs.allTextContents()).toEqual([
    t.messages.tabs.inbox,
    t.messages.tabs.sent,
    t.messages.tabs.alarm,
    t.messages.tabs.device,
  ])
  await page.goto('/msgCenter?tab=project')
  await page.getByRole('region', { name: t.messages.tabs.inbox }).waitFor()
}
