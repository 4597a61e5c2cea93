import { type ErrorCode, errors, visits } from '@busbar/contract'
import { arriveAtList } from './console-screens.ts'
import { detailPane, variableRow } from './devices.ts'
import { targetTemperature } from './modbus-rig.ts'
import { findRow } from './rows.ts'
import { sceneScreen as screen } from './scene-screen.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'
import { letGuestControl, openVisit, type SceneMachine } from './visit-scene.ts'
import { visitBar } from './visits.ts'

/* Entering a machine in the console: the way in and why not, the bar, the pane, set-points, keys and visitors. */

const checkPath = '**/api/v1/audit/checkCloudServiceState*'
const openPath = '**/api/v1/audit/getValidVisitUrl*'
const writePath = '**/api/v1/data/*/write*'

/** Leaves a call unanswered while the picture is taken. */
const hold = ({ page }: View, path: string) => page.route(path, () => undefined)

async function refuse({ page, lang }: View, code: ErrorCode, hwdata?: unknown): Promise<void> {
  const { http, hwcode, hwreason, text } = errors[code]
  const json = { hwcode, hwreason, hwdata, error: { code, message: text[lang] } }
  await page.route(openPath, (route) => route.fulfill({ status: http, json }))
}

/** Replaces the answer of the check of the caller's rights. */
async function answerCheck({ page }: View, said: { next?: string; online?: boolean }): Promise<void> {
  const hwdata = {
    cloudService: true,
    online: true,
    role: 1,
    mode: 'rw',
    visitTime: -1,
    next: 'open',
    ...said,
  }
  await page.route(checkPath, (route) => route.fulfill({ json: { hwcode: 0, hwreason: 'OK', hwdata } }))
}

/** The page that a link or a bookmark opens; if it asks, the person presses the button. */
async function enterInVain({ page, t }: View, machineId: number, target?: string): Promise<void> {
  await page.goto(`/visit/${machineId}${target ? `?target=${target}` : ''}`)
  const why = page.locator('main').getByRole('alert')
  const enter = page.getByRole('button', { name: t.visits.enter, exact: true })
  await why.or(enter).waitFor()
  if (await enter.isVisible()) await enter.click()
  await why.waitFor()
}

const refused: readonly ErrorCode[] = [
  'GENERAL_USER',
  'BLACKLIST',
  'WRONG_ROLE',
  'REST_TIME_OUT',
  'CLOUD_EXPIRED',
  'ClOUD_VISIT_TIMEOUT',
  'VISITS_OFF',
  '429',
]

const wayIn: readonly Screen[] = [
  screen('enter-question', async ({ page, t }, { machineId }) => {
    await page.goto(`/visit/${machineId}`)
    await page.getByRole('button', { name: t.visits.enter, exact: true }).waitFor()
  }),
  screen('enter-progress', async (view, { machineId }) => {
    await hold(view, openPath)
    await view.page.goto(`/visit/${machineId}`)
    await view.page.getByRole('button', { name: view.t.visits.enter, exact: true }).click()
    await view.page.getByText(view.t.visits.page.steps.connect).waitFor()
  }),
  ...refused.map((code) =>
    screen(`enter-${code.toLowerCase()}`, async (view, { machineId }) => {
      await refuse(view, code)
      await enterInVain(view, machineId)
    }),
  ),
  screen('enter-target-unknown', async (view, { machineId }) => {
    await refuse(view, 'TARGET_UNKNOWN')
    await enterInVain(view, machineId, 'drive')
  }),
  screen('enter-not-read-only', async (view, { machineId }) => {
    await refuse(view, 'TARGET_NOT_READ_ONLY')
    await enterInVain(view, machineId, 'mixer')
  }),
  screen('enter-control-taken', async (view, { machineId, guestName }) => {
    await refuse(view, 'CONTROL_TAKEN', { who: guestName })
    await enterInVain(view, machineId, 'mixer')
  }),
  screen('enter-password', async (view, { machineId }) => {
    await answerCheck(view, { next: 'password' })
    await enterInVain(view, machineId)
  }),
  screen('enter-offline', (view, { away }) => enterInVain(view, away.machineId)),
  screen('enter-no-tunnel', async (view, { machineId }) => {
    await answerCheck(view, { online: false })
    await enterInVain(view, machineId)
  }),
  screen('enter-unreachable', async (view, { machineId }) => {
    await view.page.route(openPath, (route) => route.abort())
    await enterInVain(view, machineId)
  }),
]

const bar: readonly Screen[] = [
  screen('bar-one', async (view, { owner, machineId }) => {
    await openVisit(owner, machineId)
    await arriveAtList(view)
    await visitBar(view).getByRole('timer').waitFor()
  }),
  screen('bar-other-address', async (view, { owner, machineId, name }) => {
    await owner.call(visits.openVisit, { machineID: machineId, terminalID: 'screens', target: 'mixer' })
    await arriveAtList(view)
    await visitBar(view)
      .getByRole('button', { name: view.t.visits.bar.otherAddress.label(name) })
      .click()
    await view.page.getByText(view.t.visits.bar.otherAddress.text).waitFor()
  }),
  screen('bar-several', async (view, { owner, machineId }) => {
    await openVisit(owner, machineId)
    await owner.call(visits.openVisit, { machineID: machineId, terminalID: 'screens', target: 'mixer' })
    await arriveAtList(view)
    await visitBar(view)
      .getByRole('button', { name: view.t.visits.bar.several(2) })
      .click()
  }),
  screen('bar-release', async (view, { owner, machineId }) => {
    const listed = '**/api/v1/visits?**'
    await openVisit(owner, machineId)
    await view.page.route(listed, async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      for (const visit of json.hwdata.list) visit.releaseAt = Date.now() + 50_000
      await route.fulfill({ response, json })
    })
    await arriveAtList(view)
    await view.page.getByRole('region', { name: view.t.visits.releases.label }).waitFor()
  }),
  screen('bar-ended', async (view, { owner, machineId, name }) => {
    const { sessionId } = await openVisit(owner, machineId)
    await arriveAtList(view)
    await visitBar(view).getByRole('timer').waitFor()
    await owner.call(visits.endVisit, { sessionId })
    await visitBar(view).getByText(view.t.visits.bar.ended(name)).waitFor()
  }),
  screen('bar-ask', async (view, { owner, guest, machineId }) => {
    await openVisit(owner, machineId)
    await arriveAtList(view)
    await visitBar(view).getByRole('timer').waitFor()
    const { sessionId } = await openVisit(guest, machineId)
    await guest.call(visits.controlVisit, { sessionId, action: 'take' })
    await view.page.getByRole('region', { name: view.t.visits.asks.label }).waitFor()
  }),
]

async function editTarget(view: View, { machineId, name }: SceneMachine, value?: string) {
  const { page, t, lang } = view
  const tag = targetTemperature[lang]
  await page.goto(`/index/?machine=${machineId}&tab=variables`)
  const pane = detailPane(view, name)
  await pane.getByRole('button', { name: t.visits.setPoint.edit(tag) }).click()
  const field = pane.getByLabel(t.visits.setPoint.value(tag))
  await field.waitFor()
  if (value !== undefined) {
    await field.fill(value)
    await field.press('Enter')
  }
  return { pane, row: variableRow(pane, tag) }
}

const pane: readonly Screen[] = [
  screen('pane-visits', async (view, machine) => {
    await letGuestControl(machine)
    await openVisit(machine.owner, machine.machineId)
    await view.page.goto(`/index/?machine=${machine.machineId}&tab=visits`)
    const details = detailPane(view, machine.name)
    await details.getByText(view.t.visits.pane.states.confirmed).waitFor()
    await details.getByText(view.t.visits.in.control, { exact: true }).waitFor()
  }),
  screen('set-point-open', async (view, machine) => {
    await editTarget(view, machine)
  }),
  screen('set-point-outside', async (view, machine) => {
    const { pane: details } = await editTarget(view, machine, '200')
    await details.getByRole('alert').waitFor()
  }),
  screen('set-point-digits', async (view, machine) => {
    const { pane: details } = await editTarget(view, machine, '72.55')
    await details.getByRole('alert').waitFor()
  }),
  screen('set-point-sending', async (view, machine) => {
    await hold(view, writePath)
    const { row } = await editTarget(view, machine, '77')
    await row.getByRole('status').waitFor()
  }),
  screen('set-point-confirmed', async (view, machine) => {
    const { pane: details, row } = await editTarget(view, machine)
    const field = details.getByLabel(view.t.visits.setPoint.value(targetTemperature[view.lang]))
    // Another look may have written 74 already, so this write would be no change.
    await field.fill((await field.inputValue()) === '74.0' ? '74.5' : '74')
    await field.press('Enter')
    await row.getByText(view.t.visits.setPoint.confirmed).waitFor()
  }),
  screen('set-point-large-step', async (view, machine) => {
    const { pane: details } = await editTarget(view, machine, '90')
    await details.getByRole('alert').waitFor()
  }),
  screen('set-point-kept', async (view, machine) => {
    const { pane: details, row } = await editTarget(view, machine, '92')
    await details.getByRole('alert').waitFor()
    await view.page.keyboard.press('Enter')
    await row.getByText(view.t.visits.setPoint.kept('')).waitFor()
  }),
  screen('set-point-taken', async (view, machine) => {
    await letGuestControl(machine)
    const { pane: details } = await editTarget(view, machine, '80')
    await details.getByRole('alert').waitFor()
    // A large step has to be confirmed.
    await view.page.keyboard.press('Enter')
    await details.getByRole('alert').filter({ hasText: machine.guestName }).waitFor()
  }),
]

async function openKeys({ page }: View, machineId: number, tab?: string): Promise<void> {
  await page.goto(`/administrateCenter?machineId=${machineId}${tab ? `&tab=${tab}` : ''}`)
  await page.locator('main').locator('li, form, [role="gridcell"]').first().waitFor()
}

const tabs: readonly string[] = ['visitors', 'bkeys', 'blacklist', 'settings']

const keys: readonly Screen[] = [
  screen('keys-now', async (view, machine) => {
    await letGuestControl(machine)
    await openKeys(view, machine.machineId)
    await view.page.getByText(view.t.visits.in.control, { exact: true }).waitFor()
  }),
  ...tabs.map((tab) => screen(`keys-${tab}`, (view, { machineId }) => openKeys(view, machineId, tab))),
  screen('keys-add', async (view, { machineId }) => {
    await openKeys(view, machineId, 'visitors')
    await view.page.getByRole('button', { name: view.t.access.visitors.add }).click()
    await view.page.getByRole('dialog', { name: view.t.access.add.visitorTitle }).waitFor()
  }),
  screen('keys-add-friend', async (view, { machineId }) => {
    await openKeys(view, machineId, 'visitors')
    await view.page.getByRole('button', { name: view.t.access.visitors.add }).click()
    await view.page.getByRole('button', { name: view.t.account.picker.show }).click()
    await view.page.getByRole('listbox', { name: view.t.account.picker.list }).waitFor()
  }),
  screen('keys-end', async (view, { machineId, guestName }) => {
    await openKeys(view, machineId, 'visitors')
    const row = findRow(view.page, guestName)
    await row.getByRole('button', { name: view.t.access.visitors.end }).click()
    await view.page.getByRole('dialog').waitFor()
  }),
]

/** The console's screens about visits and rights. */
export const visitScreens: readonly Screen[] = [...wayIn, ...bar, ...pane, ...keys]
