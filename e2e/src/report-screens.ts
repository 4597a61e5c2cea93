import { accounts, createClient, type Lang } from '@busbar/contract'
import { deviceCodeText as cn } from '../../console/src/shared/i18n/cn/device-code.ts'
import { deviceCodeText as en } from '../../console/src/shared/i18n/en/device-code.ts'
import { detailPane } from './devices.ts'
import { sceneScreen as screen } from './scene-screen.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'
import { letGuestControl, type SceneMachine } from './visit-scene.ts'

/* A machine's visitors, the report, and a key's actions on visitors; signing in a program. */

/** The texts of a program that signs in, which come with their page. */
const deviceCodeWords: Readonly<Record<Lang, typeof cn>> = { cn, en }

async function openPane(view: View, { machineId, name }: SceneMachine) {
  await view.page.goto(`/index/?machine=${machineId}&tab=visits`)
  const pane = detailPane(view, name)
  await pane.getByRole('radio', { name: view.t.visits.pane.filter.spans.month }).waitFor()
  return pane
}

/** A program requests a sign-in; returns the code that its person types. */
async function showCode({ page, lang }: View): Promise<string> {
  await page.goto('/deviceCode')
  const nobody = createClient({ baseUrl: new URL(page.url()).origin, lang: () => lang })
  const terminal = { terminalName: 'busbar-connect · plant-laptop', terminalUUID: 'screens-program' }
  return (await nobody.call(accounts.createDeviceCode, terminal)).userCode
}

const visitsOfMachine: readonly Screen[] = [
  screen('visits-custom', async (view, machine) => {
    const pane = await openPane(view, machine)
    await pane.getByRole('radio', { name: view.t.visits.pane.filter.spans.custom }).click()
    await pane.getByText(machine.guestName).last().waitFor()
  }),
  screen('visits-none', async (view, machine) => {
    const pane = await openPane(view, machine)
    await pane.getByRole('searchbox', { name: view.t.visits.pane.filter.who }).fill('zzz')
    await pane.getByText(view.t.visits.pane.filter.noMatch).waitFor()
  }),
  screen('visit-menu', async (view, machine) => {
    await letGuestControl(machine)
    const pane = await openPane(view, machine)
    await pane.getByRole('button', { name: view.t.visits.pane.more(machine.guestName) }).click()
    await view.page.getByRole('menuitem', { name: view.t.visits.pane.moreTime.half }).waitFor()
  }),
  screen('visit-more-time', async (view, machine) => {
    await letGuestControl(machine)
    const pane = await openPane(view, machine)
    await pane.getByRole('button', { name: view.t.visits.pane.more(machine.guestName) }).click()
    await view.page.getByRole('menuitem', { name: view.t.visits.pane.moreTime.custom }).click()
    await view.page.getByRole('dialog', { name: machine.guestName }).waitFor()
  }),
  screen('visit-end', async (view, machine) => {
    await letGuestControl(machine)
    const pane = await openPane(view, machine)
    await pane.getByRole('button', { name: view.t.visits.pane.endOf(machine.guestName) }).click()
    await view.page.getByRole('dialog').getByLabel(view.t.visits.pane.note).waitFor()
  }),
  screen('keys-visits', async (view, { machineId }) => {
    await view.page.goto(`/administrateCenter?machineId=${machineId}&tab=visits`)
    await view.page.getByText(view.t.visits.pane.states.confirmed).first().waitFor()
  }),
]

const report: readonly Screen[] = [
  screen('report', async (view, machine) => {
    await letGuestControl(machine)
    await view.page.goto(`/visitReport?machineId=${machine.machineId}`)
    await view.page.getByRole('heading', { name: view.t.visitReport.totals }).waitFor()
  }),
  screen('report-span', async (view, { machineId }) => {
    await view.page.goto(`/visitReport?machineId=${machineId}&from=2000&to=1000`)
    await view.page.getByText(view.t.visitReport.spanInvalid).waitFor()
  }),
  screen('report-stranger', async (view, { away }) => {
    await view.page.goto(`/visitReport?machineId=${away.machineId + 1_000}`)
    await view.page.getByText(view.t.visitReport.noAccess).waitFor()
  }),
]

const program: readonly Screen[] = [
  {
    name: 'program-type',
    signedIn: true,
    async arrive({ page, lang }) {
      await page.goto('/deviceCode')
      const field = page.getByLabel(deviceCodeWords[lang].code)
      await field.fill('7kmp')
      await field.press('Enter')
      await page.getByText(deviceCodeWords[lang].form).waitFor()
    },
  },
  screen('program-ask', async (view) => {
    await view.page.goto(`/deviceCode?code=${await showCode(view)}`)
    await view.page.getByRole('button', { name: view.t.account.qr.confirm }).waitFor()
  }),
  screen('program-over', async ({ page, lang }) => {
    await page.goto('/deviceCode?code=2222-2222')
    await page.getByText(deviceCodeWords[lang].over).waitFor()
  }),
  screen('program-confirmed', async (view) => {
    await view.page.goto(`/deviceCode?code=${await showCode(view)}`)
    await view.page.getByRole('button', { name: view.t.account.qr.confirm }).click()
    await view.page.getByText(deviceCodeWords[view.lang].confirmed).waitFor()
  }),
]

export const reportScreens: readonly Screen[] = [...visitsOfMachine, ...report, ...program]
