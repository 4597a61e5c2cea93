import { errors } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { pickTurns } from '@busbar/testkit/turns.ts'
import type { Browser, Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { applyFor, closePane, openMessage, waitForUnread } from './applications.ts'
import { detailPane, openMachine, showVariables, variableRow } from './devices.ts'
import { listen } from './listen.ts'
import { type MachinePage, machinePage } from './machine-page.ts'
import { holdTemperature, targetTemperature } from './modbus-rig.ts'
import { shareSite } from './shared-site.ts'
import type { Site } from './site.ts'
import type { Look, View } from './view.ts'
import { type VisitSetup, withVisitSetup } from './visit-setup.ts'
import { insideRow, openAdministration, personRow, pressControl, visitBar } from './visits.ts'

/** The promises are a second or so; a busy machine gets ten before the test fails. */
const deadlineMs = 10_000

let site: Site
let browser: Browser
let db: Database

beforeAll(async () => {
  ;({ site, browser, db } = await shareSite())
})

const desk: Look = { lang: 'cn', size: 'wide', theme: 'light' }
const phone: Look = { lang: 'en', size: 'narrow', theme: 'dark' }

/** The machine as the applicant calls it. */
const ownNames = { cn: '隔壁的杀菌机', en: 'Next door' } as const

/** The applicant's message to the keys. */
const words = { cn: '检修三号泵', en: 'Service pump 3' } as const

const looks = [
  { owner: desk, applicant: phone },
  { owner: phone, applicant: desk },
]

describe.each(pickTurns('rights', looks))(
  'owner $owner.lang, $owner.size; applicant $applicant.lang, $applicant.size',
  ({ owner, applicant }) => {
    it('each sees the other’s acts without reload, from the application to the blacklist', () =>
      withVisitSetup({ site, browser, db, keyLook: owner }, applicant, async (setup) => {
        const { key, guest } = setup
        await addByCode(setup)
        await askToBindInVain(setup)
        const inside = await askToVisit(setup)
        await watch(setup, inside)
        await getControl(setup, inside)
        await write(setup, inside)
        await cutOff(setup, inside)
        await blacklist(setup, inside)
        expect(key.complaints).toEqual([])
        expect(guest.complaints.filter((complaint) => !isExpected(complaint))).toEqual([])
      }))
  },
)

/** The applicant’s details of the machine, which a phone shows in place of the list. */
async function ownPane(guest: View): Promise<Locator> {
  const name = ownNames[guest.lang]
  await guest.page.bringToFront()
  const pane = detailPane(guest, name)
  return (await pane.count()) > 0 ? pane : openMachine(guest, name)
}

/** Errors of an entry before there is a right, and of connections cut when the right ends. */
function isExpected(complaint: string): boolean {
  return /^Failed to load resource: .*(status of 40[13]|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE)/.test(
    complaint,
  )
}

/** The applicant knows only the code: they see that the machine exists, without its data. */
async function addByCode({ key, guest, machine }: VisitSetup): Promise<void> {
  await key.page.goto('/index/')
  await waitForUnread(key, 0)

  const { page, t } = guest
  await page.goto('/index/')
  await page.getByRole('button', { name: t.machines.add }).first().click()
  const words = t.machines.addDialog
  const dialog = page.getByRole('dialog', { name: words.title })
  await dialog.getByLabel(words.code).fill(machine.code)
  await dialog.getByText(t.machineEdit.check.owned).waitFor()
  await dialog.getByLabel(words.name, { exact: true }).fill(ownNames[guest.lang])
  await dialog.getByRole('button', { name: words.submit, exact: true }).click()
  const pane = detailPane(guest, ownNames[guest.lang])
  await pane.getByText(t.machines.ordinary.title).waitFor()
  expect(await pane.getByRole('tab').count()).toBe(0)
}

/** They apply to become Bkey; the owner’s badge rises, and the refusal arrives in the applicant’s open pane. */
async function askToBindInVain({ key, guest, guestName, name }: VisitSetup): Promise<void> {
  const pane = detailPane(guest, ownNames[guest.lang])
  const own = guest.t.machineEdit.menu.label(ownNames[guest.lang])
  await pane.getByRole('button', { name: own }).click()
  await guest.page.getByRole('menuitem', { name: guest.t.applications.apply.bind }).click()
  await applyFor(guest, words[guest.lang])
  const waiting = pane.getByText(guest.t.applications.waitingOf.bind)
  await waiting.waitFor({ timeout: deadlineMs })

  await waitForUnread(key, 1)
  const message = await openMessage(key, guestName)
  await message.getByText(words[guest.lang], { exact: true }).waitFor()
  expect(await message.textContent()).toContain(name)
  const t = key.t.applications
  await message.getByRole('button', { name: t.answer.refuse, exact: true }).click()
  await message
    .getByText(t.states[3] ?? '', { exact: true })
    .first()
    .waitFor({ timeout: deadlineMs })
  await closePane(key)
  await waitForUnread(key, 0)

  await waiting.waitFor({ state: 'detached', timeout: deadlineMs })
  await closePane(guest)
  // The result arrives as a message; the person's own requests do not.
  await waitForUnread(guest, 1)
}

/**
 * A link to the machine's page is refused at first: they apply there, the owner allows ten minutes of
 * watching, and the waiting page continues automatically.
 */
async function askToVisit({ key, guest, machine, guestName }: VisitSetup): Promise<MachinePage> {
  const { t } = guest
  const tab = await guest.context.newPage()
  await tab.goto(`/visit/${machine.machineId}`)
  await tab.getByRole('heading', { name: t.visits.page.failures.GENERAL_USER.title }).waitFor()
  await tab.getByRole('button', { name: t.applications.apply.visit }).click()
  await applyFor({ ...guest, page: tab }, words[guest.lang])
  await tab.getByText(t.applications.waitingOf.visit).waitFor({ timeout: deadlineMs })

  await waitForUnread(key, 1)
  const message = await openMessage(key, guestName)
  await message.getByRole('radio', { name: key.t.access.add.presets['10m'] }).click()
  await message.getByRole('radio', { name: key.t.access.modes.ro }).click()
  await message.getByRole('button', { name: key.t.applications.answer.letIn.ro, exact: true }).click()
  await message
    .getByText(key.t.applications.states[5] ?? '', { exact: true })
    .first()
    .waitFor({ timeout: deadlineMs })

  await tab.waitForURL(({ hostname }) => hostname === `${machine.code}.visit.localhost`, {
    timeout: deadlineMs,
  })
  return machinePage(guest, tab)
}

/** Both look at the same live value; the owner sees who is inside; a visitor who watches cannot set anything. */
async function watch(setup: VisitSetup, inside: MachinePage): Promise<void> {
  const { key, guest, machine, modbusRig, name, guestName } = setup
  await key.page.goto(`/index/?machine=${machine.machineId}&tab=visits`)
  await expectText(insideRow(key, guestName), key.t.visits.in.watching)

  const hold = inside.tile(holdTemperature[guest.lang])
  await hold.getByText('72.5').waitFor({ timeout: deadlineMs })
  await inside.watchingOnly.waitFor()
  const pane = await ownPane(guest)
  await showVariables(guest, pane)
  await pane.getByText(guest.t.visits.setPoint.watchOnly).waitFor()
  const tag = targetTemperature[guest.lang]
  await variableRow(pane, tag).waitFor()
  expect(
    await pane.getByRole('button', { name: guest.t.visits.setPoint.edit(tag), exact: true }).count(),
  ).toBe(0)

  modbusRig.setHoldTemperature(61.5)
  await hold.getByText('61.5').waitFor({ timeout: deadlineMs })
  await expectText(variableRow(pane, holdTemperature[guest.lang]), '61.5')
  await inside.show('setpoints')
  const target = inside.setPoint(tag)
  await target.waitFor()
  expect(await target.getByRole('button').evaluateAll(areDisabled)).toBe(true)
  await detailPane(key, name).waitFor()
}

/** They ask for control; the owner, wherever they are in the console, gives it together with read and write. */
async function getControl({ key, guest, guestName }: VisitSetup, inside: MachinePage): Promise<void> {
  const { bar, in: states } = guest.t.visits
  await guest.page.bringToFront()
  const own = ownNames[guest.lang]
  await closePane(guest)
  await pressControl(guest, visitBar(guest), own, bar.ask)
  await expectText(visitBar(guest), bar.asked)

  const t = key.t.visits
  const ask = key.page.getByRole('region', { name: t.asks.label })
  await ask.getByRole('button', { name: t.asks.give, exact: true }).click()
  const dialog = key.page.getByRole('dialog', { name: t.asks.grantTitle(guestName) })
  await dialog.getByRole('button', { name: t.asks.grantConfirm, exact: true }).click()
  await expectText(insideRow(key, guestName), t.in.control)

  await expectText(visitBar(guest), states.control)
  const askMore = guest.page.getByRole('button', { name: guest.t.applications.apply.rw })
  await askMore.first().waitFor({ state: 'detached', timeout: deadlineMs })
  const target = inside.setPoint(targetTemperature[guest.lang])
  await target.locator('button:enabled').first().waitFor({ timeout: deadlineMs })
}

/** The written value is in the controller, and the owner sees who changed it, from which to which value. */
async function write(
  { key, guest, modbusRig, name, guestName }: VisitSetup,
  inside: MachinePage,
): Promise<void> {
  const before = modbusRig.targetTemperature()
  await inside.page.bringToFront()
  await inside.set(targetTemperature[guest.lang], '75', '75.0')
  expect(modbusRig.targetTemperature()).toBe(75)

  const t = key.t.visits
  const pane = detailPane(key, name)
  const written = pane.getByRole('listitem').filter({ hasText: targetTemperature[key.lang] })
  await expectText(written, guestName)
  await expectText(written, t.pane.wrote(String(before), '75'))
  await expectText(written, t.pane.states.confirmed)
  await showVariables(key, pane)
  await expectText(variableRow(pane, targetTemperature[key.lang]), /75\.0/)
}

/** The owner ends the visit time: each of the visitor's pages says so, and later values reach only the owner. */
async function cutOff(setup: VisitSetup, inside: MachinePage): Promise<void> {
  const { key, guest, machine, modbusRig, name, guestName } = setup
  const own = await ownPane(guest)
  await showVariables(guest, own)
  const watched = variableRow(own, holdTemperature[guest.lang])
  const inTunnel = await listen(inside.page)
  const inConsole = await listen(guest.page)
  modbusRig.setHoldTemperature(66.5)
  await expectText(watched, '66.5')
  for (const heard of [inTunnel, inConsole])
    await expect.poll(() => heard.has(66.5), { timeout: deadlineMs }).toBe(true)

  const t = key.t.access
  await openAdministration(key, machine, 'visitors')
  await personRow(key, guestName).getByRole('button', { name: t.visitors.end }).click()
  const asked = key.page.getByRole('dialog', { name: t.confirm.end.title(guestName) })
  await asked.getByRole('button', { name: t.confirm.end.action, exact: true }).click()
  await expectText(personRow(key, guestName), t.time.over)

  await inside.ended.waitFor({ timeout: deadlineMs })
  await watched.waitFor({ state: 'detached', timeout: deadlineMs })
  await own.getByText(guest.t.machines.ordinary.title).waitFor()
  await closePane(guest)
  const { bar, reasons } = guest.t.visits
  const told = visitBar(guest)
    .getByRole('status')
    .filter({ hasText: bar.ended(ownNames[guest.lang]) })
  await expectText(told, reasons.visitTimeOver)

  const bytes = inTunnel.bytes()
  await key.page.goto(`/index/?machine=${machine.machineId}&tab=variables`)
  modbusRig.setHoldTemperature(88.5)
  await expectText(variableRow(detailPane(key, name), holdTemperature[key.lang]), '88.5')
  expect(inTunnel.bytes()).toBe(bytes)
  expect(inConsole.has(88.5)).toBe(false)
}

/** They are about to apply again while the owner blacklists them: refused, and nothing is left to try. */
async function blacklist(setup: VisitSetup, inside: MachinePage): Promise<void> {
  const { key, guest, machine, guestName } = setup
  const pane = await ownPane(guest)
  const apply = pane.getByRole('button', { name: guest.t.applications.apply.visit })
  await apply.click()

  const t = key.t.access
  await openAdministration(key, machine, 'visitors')
  await personRow(key, guestName)
    .getByRole('button', { name: t.more(guestName) })
    .click()
  await key.page.getByRole('menuitem', { name: t.visitors.block }).click()
  const asked = key.page.getByRole('dialog', { name: t.confirm.block.title(guestName) })
  await asked.getByRole('button', { name: t.confirm.block.action, exact: true }).click()
  await key.page.getByText(t.confirm.block.done(guestName)).waitFor()
  await personRow(key, guestName).waitFor({ state: 'detached' })

  await applyFor(guest, words[guest.lang])
  await expectText(guest.page.getByRole('dialog').getByRole('alert'), errors.BLACKLIST.text[guest.lang])
  await discardMessage(guest)
  const { title } = guest.t.visits.page.failures.BLACKLIST
  await pane.getByRole('heading', { name: title }).waitFor({ timeout: deadlineMs })
  await apply.waitFor({ state: 'detached', timeout: deadlineMs })
  await closePane(guest)
  // Both results, and that they are out for good.
  await waitForUnread(guest, 3)
  await inside.page.goto(`${site.url}/visit/${machine.machineId}`)
  await inside.page.getByRole('heading', { name: title }).waitFor()
}

/**
 * Closes the dialog for applying with the refused message in it, after the console's confirmation; with keys
 * only.
 */
async function discardMessage({ page, t }: View): Promise<void> {
  const { title, drop } = t.app.discard
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: title }).waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: drop, exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('dialog').first().waitFor({ state: 'detached' })
}

/** Waits, at most the deadline, until an element shows it. */
async function expectText(element: Locator, text: string | RegExp): Promise<void> {
  await element.filter({ hasText: text }).first().waitFor({ timeout: deadlineMs })
}

const areDisabled = (buttons: { disabled?: boolean }[]) => buttons.every(({ disabled }) => disabled === true)
