import { accounts, createClient, errorText, type Lang, type visits } from '@busbar/contract'
import { deviceCodeText as cn } from '../../console/src/shared/i18n/cn/device-code.ts'
import { visitChangesText as changesCn } from '../../console/src/shared/i18n/cn/visit-changes.ts'
import { deviceCodeText as en } from '../../console/src/shared/i18n/en/device-code.ts'
import { visitChangesText as changesEn } from '../../console/src/shared/i18n/en/visit-changes.ts'
import { detailPane } from './devices.ts'
import { sceneScreen as screen } from './scene-screen.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'
import { letGuestControl, type SceneMachine } from './visit-scene.ts'

/* A machine's visitors, the report, and a key's actions on visitors; signing in a program. */

/** The texts of a program that signs in, which come with their page. */
const deviceCodeWords: Readonly<Record<Lang, typeof cn>> = { cn, en }

const changesWords: Readonly<Record<Lang, typeof changesCn>> = { cn: changesCn, en: changesEn }

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

const changedNames = {
  cn: ['目标温度', '保温时间', '搅拌器', '配方', '进料流量', '出料温度'],
  en: [
    'Target temperature',
    'Holding time',
    'Mixer',
    'Recipe of the running batch',
    'Inflow',
    'Outlet temperature',
  ],
} as const

/** Changes of a visit by each way: a machine of the pictures has no port to a controller. */
function changesOf({ lang }: View): visits.VisitChanges {
  const [target = '', holding = '', mixer = '', recipe = '', inflow = '', outlet = ''] = changedNames[lang]
  const at = Date.now() - 20 * 60_000
  const none = { port: null, unit: null, place: null }
  const tool = { ways: ['port' as const], port: 'plc', unit: 1 }
  const changes: readonly Omit<visits.VisitChange, 'at'>[] = [
    { ...none, tagId: 1, tag: target, ways: ['write'], from: 72.5, to: 75, mayPutBack: true },
    { ...none, tagId: 2, tag: holding, ways: ['write', 'page'], from: 15, to: 22, mayPutBack: true },
    { ...tool, tagId: 3, tag: mixer, place: 'coil:4', from: false, to: true, mayPutBack: true },
    { ...none, tagId: 4, tag: recipe, ways: ['page'], from: null, to: 'B-204', mayPutBack: false },
    { ...tool, tagId: null, tag: '', place: 'holding:112', from: '1450', to: '1380', mayPutBack: false },
  ]
  return {
    state: 'done',
    changes: changes.map((change, place) => ({ ...change, at: at + place * 71_000 })),
    drifts: [
      { tagId: 5, tag: inflow, from: 12.4, to: 11.8 },
      { tagId: 6, tag: outlet, from: 71.9, to: 74.6 },
    ],
    revision: { from: 4, to: 5 },
    isCut: false,
  }
}

const told = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })

/** Opens the record of the guest's past visit. */
async function openChanges(view: View, machine: SceneMachine) {
  await view.page.route('**/api/v1/visits/*/changes', (route) => route.fulfill(told(changesOf(view))))
  const pane = await openPane(view, machine)
  const history = pane.getByRole('region', { name: view.t.visits.pane.history })
  await history
    .getByRole('button', { name: view.t.visits.pane.changesOf(machine.guestName) })
    .first()
    .click()
  await history.getByText('coil:4').waitFor()
  return history
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
  screen('visit-changes', async (view, machine) => {
    const history = await openChanges(view, machine)
    await history.getByRole('button', { name: changesWords[view.lang].drifts('2') }).click()
  }),
  screen('visit-put-back', async (view, machine) => {
    await view.page.route('**/putBack', (route) =>
      route.fulfill(
        told({
          results: [
            { tagId: 1, commandId: 1, refusal: '', why: '' },
            {
              tagId: 2,
              commandId: null,
              refusal: 'CHANGED_SINCE',
              why: errorText('CHANGED_SINCE', view.lang),
            },
            { tagId: 3, commandId: 3, refusal: '', why: '' },
          ],
        }),
      ),
    )
    const t = changesWords[view.lang]
    const history = await openChanges(view, machine)
    await history.getByRole('checkbox', { name: t.selectAll }).click()
    await history.getByRole('button', { name: t.putBack }).click()
    const question = view.page.getByRole('dialog', { name: t.putBackTitle('3') })
    await question.getByRole('button', { name: t.putBack }).click()
    await question.waitFor({ state: 'detached' })
    // The refused one is left.
    await history.getByRole('checkbox', { name: t.selectAll }).click()
    await history.getByRole('button', { name: t.putBack }).click()
    await view.page.getByRole('dialog', { name: t.putBackTitle('1') }).waitFor()
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
    await view.page.route('**/api/v1/visits/report?*', async (route) => {
      const answer = await route.fetch()
      const { hwdata, ...rest } = await answer.json()
      const changes = changesOf(view).changes.map((one) => ({
        ...one,
        sessionId: 1,
        user: machine.guestName,
      }))
      await route.fulfill({ json: { ...rest, hwdata: { ...hwdata, changes } } })
    })
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
