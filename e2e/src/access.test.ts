import { applications, createClient, machines } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  blacklistUser,
  createMachine,
  createUser,
  grantMachine,
  signIn,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findFaintColours, findFaults } from './axe.ts'
import { detailPane, machineEntry } from './devices.ts'
import { createFleet, fleetName } from './fleet.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import { type Look, signInDirectly, type Theme, twoLooks, type View, withView } from './view.ts'

/** Of this file's fleet: another file's has other codes. */
const from = 20_001

let site: Site
let browser: Browser
let db: Database
let person: TestUser
let machineId: number

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
  person = await createUser(db, { name: 'Ming Li' })
  await createFleet(db, person.userId, 60, from)
  const machine = await createMachine(db, { name: 'Never connected', owner: person.userId })
  machineId = machine.machineId
  await createHolders(machine)
  // Another terminal, to be signed out.
  await signIn(db, person.userId)
})

/** One of each kind of people that a machine's administration lists. */
async function createHolders({ machineId: id, code }: TestMachine): Promise<void> {
  const holder = async (grant: Parameters<typeof grantMachine>[3]) =>
    grantMachine(db, (await createUser(db)).userId, id, grant)
  await holder({ role: 'bkey' })
  await holder({ role: 'visitor', until: new Date(Date.now() + 3_600_000), readOnly: true })
  await holder({ role: 'visitor', until: new Date(Date.now() - 1) })
  await blacklistUser(db, (await createUser(db)).userId, id)
  const { token } = await signIn(db, (await createUser(db)).userId)
  const applicant = createClient({ baseUrl: site.url, lang: () => 'en', token: () => token })
  await applicant.call(machines.addMachine, { machineName: 'Press', machineCode: code })
  await applicant.call(applications.applyForVisit, { machineID: id, terminalID: 'test', message: 'Valve' })
}

type Check = (name: string) => Promise<void>

/** A part of the console with everything that opens on it: each is checked as soon as it stands. */
type Walk = (view: View, check: Check) => Promise<void>

const signedOut: Walk = async ({ page, t }, check) => {
  await page.goto('/login')
  await page.getByRole('button', { name: t.login.submit, exact: true }).click()
  await page.getByText(t.login.errors.passwordMissing).waitFor()
  await check('the sign-in with its errors')
  await page.goto('/loginTimeout')
  await page.getByRole('heading', { name: t.app.ended.title }).waitFor()
  await check('the end of a session')
}

const list: Walk = async (view, check) => {
  const { page, t, size } = view
  await page.goto('/index/')
  await machineEntry(view, fleetName(from + 49)).waitFor()
  await check('the device list')
  await page.getByRole('button', { name: t.app.header.unread(1) }).click()
  await page.getByRole('dialog').waitFor()
  await check('the messages')
  await page.keyboard.press('Escape')
  const panel = size === 'wide' ? t.app.header.user : t.app.menu.entries.me
  await page.getByRole('button', { name: panel, exact: size === 'narrow' }).click()
  await page.getByRole('dialog', { name: t.app.user.title }).waitFor()
  await check('the user panel')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: t.shortcuts.title }).waitFor()
  await check('the list of keys')
  await page.keyboard.press('Escape')
  if (size === 'wide') {
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await check('the jump palette')
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: t.machines.add }).first().click()
  const dialog = page.getByRole('dialog', { name: t.machines.addDialog.title })
  await dialog.getByRole('button', { name: t.machines.addDialog.submit, exact: true }).click()
  await dialog.getByText(t.machines.addDialog.problems.codeEmpty).waitFor()
  await check('adding a machine, with its errors')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('zzz')
  await page.getByText(t.machines.empty.noMatch).waitFor()
  await check('a list without a match')
}

const details: Walk = async (view, check) => {
  const { page } = view
  await page.goto(`/index/?machine=${machineId - 1}`)
  const pane = detailPane(view, fleetName(from + 59))
  await pane.getByText(view.t.machines.facts.code).waitFor()
  const tabs = pane.getByRole('tab')
  for (let place = 0; place < (await tabs.count()); place++) {
    await tabs.nth(place).click()
    await pane.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await check(`the details, ${await tabs.nth(place).textContent()}`)
  }
}

const machineActs: Walk = async (view, check) => {
  const { page, t } = view
  const words = t.machineEdit
  const label = words.menu.label('Never connected')
  await page.goto('/index/')
  await page.getByRole('searchbox').fill('Never')
  const opener = machineEntry(view, 'Never connected').getByRole('button', { name: label })
  const dialog = page.getByRole('dialog')
  const { edit, groups, transfer, removeAkey } = words.menu
  for (const item of [edit, groups, transfer, removeAkey]) {
    await opener.click()
    await page.getByRole('menuitem', { name: item }).waitFor()
    if (item === edit) await check('the menu of a machine')
    await page.getByRole('menuitem', { name: item }).click()
    await dialog.waitFor()
    await dialog.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
    await check(`the dialog of ${item}`)
    await page.keyboard.press('Escape')
  }
}

const safety: Walk = async ({ page, t }, check) => {
  await page.goto('/safety')
  await page.getByText(t.safety.current, { exact: true }).waitFor()
  await check('the safety centre')
  await page
    .locator('main')
    .getByRole('button', { name: new RegExp(`^${t.safety.signOut}`) })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await check('signing a terminal out')
}

const administration: Walk = async ({ page, t }, check) => {
  await page.goto(`/administrateCenter?machineId=${machineId}`)
  const main = page.locator('main')
  for (const tab of ['now', 'bkeys', 'blacklist', 'settings', 'applications', 'times', 'visitors'] as const) {
    await page.getByRole('navigation').getByRole('link', { name: t.access.tabs[tab] }).click()
    await page.waitForURL((url) => (url.searchParams.get('tab') ?? 'now') === tab)
    await main.locator('li, form, [role="rowgroup"]').first().waitFor()
    await check(`the administration, ${tab}`)
  }
  await page.getByRole('button', { name: t.access.visitors.add }).click()
  const dialog = page.getByRole('dialog', { name: t.access.add.visitorTitle })
  await dialog.getByRole('radio', { name: t.access.add.presets.custom }).click()
  await dialog.getByRole('button', { name: t.access.add.submitVisitor, exact: true }).click()
  await dialog.getByText(t.access.add.problems.accountMissing).waitFor()
  await check('letting somebody in, with its errors')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: t.app.discard.drop }).click()
  await main.getByRole('button', { name: t.access.visitors.end }).first().click()
  await page.getByRole('dialog').waitFor()
  await check('a question before something that cannot be undone')
}

const entering: Walk = async ({ page, context, t }, check) => {
  await page.goto(`/visit/${machineId}`)
  await page.locator('main').getByRole('alert').waitFor()
  await check('a machine that cannot be entered')
  await page.goto('/safety')
  await page.getByText(t.safety.current, { exact: true }).waitFor()
  await context.setOffline(true)
  await page.getByRole('alert').filter({ hasText: t.app.link.gone.title }).waitFor()
  await check('the platform out of reach')
  await context.setOffline(false)
}

const walks = { signedOut, list, details, machineActs, safety, administration, entering }

async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
}

/** Checks each screen completely, and in the other theme only its colours, which are all that a theme changes. */
async function walk(path: Walk, view: View): Promise<void> {
  const { page, theme } = view
  const otherTheme = theme === 'light' ? 'dark' : 'light'
  const faults: string[] = []
  await path(view, async (name) => {
    faults.push(...(await findFaults(page, name)))
    await showTheme(page, otherTheme)
    faults.push(...(await findFaintColours(page, `${name}, ${otherTheme}`)))
    await showTheme(page, theme)
  })
  expect(faults).toEqual([])
}

/** Each part in both looks, every other one in the same: a run sees both looks. */
const cases = twoLooks.flatMap((_, turned) =>
  Object.entries(walks).map(([part, path], place) => {
    const look = twoLooks[(place + turned) % twoLooks.length] as Look
    return { part, path, look, ...look }
  }),
)

describe('axe finds no fault, light and dark', () => {
  it.each(pickTurns('axe', cases, 4))('$part, $lang, $size', ({ path, look }) =>
    withView(browser, site, look, async (view) => {
      if (path !== signedOut) await signInDirectly(view, site, db, person)
      await walk(path, view)
    }),
  )
})
