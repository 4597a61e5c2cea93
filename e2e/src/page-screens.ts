import { visits } from '@busbar/contract'
import type { Page } from 'playwright-core'
import { machinePage } from './machine-page.ts'
import { holdTemperature, lowAlarm } from './modbus-rig.ts'
import { type Arrive, sceneScreen as screen } from './scene-screen.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'
import { letGuestControl, type SceneMachine, type VisitScene } from './visit-scene.ts'

/* The screens of a visitor on a visit host: the host's own pages and the agent's page. */

/** Enters as a person does, in the current tab. */
async function enter(view: View, { code, machineId }: SceneMachine, scene: VisitScene): Promise<Page> {
  const { page, lang, t } = view
  await page.goto(`/visit/${machineId}`)
  await page.getByRole('button', { name: t.visits.enter, exact: true }).click()
  await page.waitForURL((url) => url.href.startsWith(scene.visitUrl(code)), { waitUntil: 'commit' })
  await machinePage(view, page).tile(holdTemperature[lang]).getByText('72.5').waitFor()
  return page
}

/** After a link: the console opens the visit only after the person confirms. */
const showLink: Arrive = async ({ page }, { code }, { visitUrl }) => {
  await page.goto(visitUrl(code))
  await page.getByRole('button').waitFor()
}
const smallWidths = [320, 768] as const

const ownPages: readonly Screen[] = [
  screen('visit-no-right', async ({ page }, _, { visitUrl, strangersCode }) => {
    await page.goto(visitUrl(strangersCode))
    await page.getByRole('heading').waitFor()
  }),
  ...smallWidths.map((width) =>
    screen('visit-link', showLink, { sizes: ['narrow'], viewport: { width, height: 844 } }),
  ),
  screen('visit-link', showLink, { sizes: ['wide'] }),
  screen('visit-ended', async (view, machine, scene) => {
    const page = await enter(view, machine, scene)
    const { list } = await machine.owner.call(visits.listVisits, { machineId: machine.machineId, live: true })
    for (const { sessionId } of list) await machine.owner.call(visits.endVisit, { sessionId })
    await page.reload()
    await page.getByRole('heading').waitFor()
  }),
  screen('visit-offline', async (view, machine, scene) => {
    const page = await enter(view, machine, scene)
    await machine.modbusRig.stopAgent()
    try {
      await page.reload()
      await page.getByRole('heading').waitFor()
    } finally {
      await machine.modbusRig.startAgent()
    }
  }),
]

const panel = { sizes: ['wide'], viewport: { width: 800, height: 480 } } as const

/** With an alarm, so that the page shows all of its parts. */
const showPage: Arrive = async (view, machine, scene) => {
  const page = await enter(view, machine, scene)
  machine.modbusRig.setAlarm(true)
  await page.locator('#strip').getByText(lowAlarm[view.lang]).waitFor()
}

const showPart =
  (part: 'trend' | 'setpoints' | 'alarms'): Arrive =>
  async (view, machine, scene) => {
    await showPage(view, machine, scene)
    await view.page.goto(`${scene.visitUrl(machine.code)}#${part}`)
    // The page reads the part to show when it starts.
    await view.page.reload()
    await view.page.locator('#strip').getByText(lowAlarm[view.lang]).waitFor()
  }

const showSheet: Arrive = async (view, machine, scene) => {
  await showPart('setpoints')(view, machine, scene)
  await view.page.locator('.setpoint-value').first().click()
}

const page: readonly Screen[] = [
  screen('page', showPage),
  screen('page-panel', showPage, panel),
  screen('page-trend', showPart('trend'), { sizes: ['narrow'] }),
  screen('page-trend-panel', showPart('trend'), panel),
  screen('page-setpoints', showPart('setpoints'), { sizes: ['narrow'] }),
  screen('page-setpoints-panel', showPart('setpoints'), panel),
  screen('page-keys', showSheet),
  screen('page-keys-panel', showSheet, panel),
  screen('page-watching', async (view, machine, scene) => {
    await letGuestControl(machine)
    await showPart('setpoints')(view, machine, scene)
  }),
  screen('page-ended', async (view, machine, scene) => {
    const opened = await enter(view, machine, scene)
    const { list } = await machine.owner.call(visits.listVisits, { machineId: machine.machineId, live: true })
    for (const { sessionId } of list) await machine.owner.call(visits.endVisit, { sessionId })
    await machinePage(view, opened).ended.waitFor()
  }),
]

/** The screens of visit hosts. */
export const pageScreens: readonly Screen[] = [...ownPages, ...page]
