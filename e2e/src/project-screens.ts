import { type destinations, enterprises, projects } from '@busbar/contract'
import type { Locator } from 'playwright-core'
import { destinationsText as destinationsCn } from '../../console/src/shared/i18n/cn/project-destinations.ts'
import { projectDetailText as detailCn } from '../../console/src/shared/i18n/cn/project-detail.ts'
import { projectsText as cn } from '../../console/src/shared/i18n/cn/projects.ts'
import { destinationsText as destinationsEn } from '../../console/src/shared/i18n/en/project-destinations.ts'
import { projectDetailText as detailEn } from '../../console/src/shared/i18n/en/project-detail.ts'
import { projectsText as en } from '../../console/src/shared/i18n/en/projects.ts'
import { opened } from './console-screens.ts'
import type { Screen } from './screen.ts'
import { clientOf, type View } from './view.ts'

/** The texts of projects, which come with their pages. */
const words = {
  cn: { ...cn, detail: detailCn, destinations: destinationsCn },
  en: { ...en, detail: detailEn, destinations: destinationsEn },
} as const

async function openSubject({ page }: View, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('main').locator('[data-subject], [role="row"]').first().waitFor()
}

type ProjectPart = keyof typeof en.parts

/** Opens a part of the demo's own project. */
async function openPart(view: View, part: ProjectPart): Promise<void> {
  const client = await clientOf(view)
  const [first] = await client.call(projects.listProjects, {})
  if (!first) throw new Error('the demo has no project')
  await openSubject(view, `/project/${first.id}${part === 'overview' ? '' : `/${part}`}`)
}

const part = (name: ProjectPart): Screen => ({
  name: name === 'overview' ? 'project' : `project-${name}`,
  signedIn: true,
  arrive: (view) => openPart(view, name),
})

const destination: destinations.Destination = {
  ...{ targetId: 1, name: 'MES', type: 'webhook', url: 'https://mes.weber.example/busbar', format: 'json' },
  ...{ ndjson: false, gzip: true, lanes: 2, rowsMax: 1_000, rows: true, events: ['alarm.raised'] },
  ...{ state: 'on', switchedOff: null, failingSince: null, fault: null, status: null, nextTryAt: null },
  ...{ lastOkAt: Date.now() - 4_000, lagRows: 0, lagMs: 0, gaps: 0 },
  secrets: [{ createdAt: 1, endsAt: null }],
}

const hourMs = 3_600_000

/** One of each look. */
const destinationsOf = (): destinations.Destination[] => [
  destination,
  {
    ...{ ...destination, targetId: 2, name: 'ERP Halle 3', url: 'https://erp.weber.example/hooks/busbar/v2' },
    ...{
      failingSince: Date.now() - 2 * hourMs,
      fault: 'status',
      status: 503,
      nextTryAt: Date.now() + 600_000,
    },
    ...{ lagRows: 12_480, lagMs: 2 * hourMs, lastOkAt: Date.now() - 2 * hourMs },
  },
  {
    ...{
      ...destination,
      targetId: 3,
      name: 'Leitstand',
      type: 'mqtt',
      url: 'mqtts://broker.weber.example:8883',
    },
    mqtt: {
      ...{ version: '5', clientId: '', username: 'busbar', topic: 'factory/{machineCode}/{group}' },
      ...{ group: '', edgeNode: '', ca: '', pin: '', certificate: '' },
      ...{ hasPassword: true, hasPrivateKey: false },
    },
  },
  {
    ...{
      ...destination,
      targetId: 4,
      name: 'Portal',
      url: 'https://portal.weber.example/rows',
      format: 'flat',
    },
    ...{
      state: 'switchedOff',
      switchedOff: 'failedTooLong',
      lagRows: 1_204_331,
      lagMs: 72 * hourMs,
      gaps: 2,
    },
    ...{
      lastOkAt: Date.now() - 73 * hourMs,
      gap: { from: Date.now() - 80 * hourMs, to: Date.now() - 73 * hourMs },
    },
  },
  {
    ...{ ...destination, targetId: 5, name: 'Test', url: 'https://test.weber.example/', state: 'off' },
    lastOkAt: null,
  },
]

const delivery: destinations.Delivery = {
  ...{ id: 1, at: Date.now() - 4_000, targetId: 1, target: 'MES', rows: 184, bytes: 21_430, status: 'ok' },
  ...{ httpStatus: 204, attempts: 1, ms: 43, requests: 12 },
}

const deliveriesOf = (): destinations.Delivery[] => [
  delivery,
  {
    ...{ ...delivery, id: 2, at: Date.now() - 60_000, targetId: 2, target: 'ERP Halle 3', status: 'failed' },
    ...{
      httpStatus: 503,
      attempts: 5,
      rows: 1_000,
      bytes: 104_000,
      requests: 1,
      ms: 15_000,
      error: 'status',
    },
  },
  {
    ...{ ...delivery, id: 3, at: Date.now() - hourMs, targetId: 3, target: 'Leitstand', status: 'dead' },
    ...{ httpStatus: 135, attempts: 5, rows: 3, bytes: 611, requests: 1, error: 'rowRefused' },
  },
  { ...delivery, id: 4, at: Date.now() - 2 * hourMs, status: 'resent', attempts: 6, requests: 1, rows: 3 },
]

const ok = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })

/** A part of a project that has destinations in every state. */
async function openFilled(view: View, name: 'destinations' | 'deliveries'): Promise<void> {
  await view.page.route('**/api/project/v1/targets*', (route) => route.fulfill(ok(destinationsOf())))
  const list = deliveriesOf()
  await view.page.route('**/api/project/v1/deliveries*', (route) =>
    route.fulfill(ok({ list, total: list.length, page: 1, pageSize: 50 })),
  )
  await openPart(view, name)
}

const filled = (name: 'destinations' | 'deliveries'): Screen => ({
  name: `project-${name}-filled`,
  signedIn: true,
  arrive: (view) => openFilled(view, name),
})

/** A dialog over a part of the project. */
const dialog = (name: string, of: ProjectPart, button: (view: View) => string): Screen => ({
  name,
  signedIn: true,
  async arrive(view) {
    await openPart(view, of)
    await view.page.getByRole('button', { name: button(view), exact: true }).click()
    await view.page.getByRole('dialog').waitFor()
  },
})

async function choose(view: View, dialog: Locator, from: string, to: string): Promise<void> {
  await dialog.getByRole('button', { name: from }).click()
  await view.page.getByRole('option', { name: to, exact: true }).click()
}

/** The dialog that adds a broker, filled in. */
const broker = (name: string, fill: (dialog: Locator, view: View) => Promise<void>): Screen => ({
  name,
  signedIn: true,
  async arrive(view) {
    await openFilled(view, 'destinations')
    const t = words[view.lang].destinations
    await view.page.getByRole('button', { name: t.add, exact: true }).click()
    const dialog = view.page.getByRole('dialog')
    await choose(view, dialog, t.types.webhook, t.types.mqtt)
    await fill(dialog, view)
  },
})

export const projectScreens: readonly Screen[] = [
  { name: 'projects', signedIn: true, arrive: (view) => openSubject(view, '/project/?eid=0') },
  {
    name: 'projects-enterprise',
    signedIn: true,
    async arrive(view) {
      const client = await clientOf(view)
      const [space] = await client.call(enterprises.listUserEnterprises, {})
      await openSubject(view, `/project/?type=1&eid=${space?.eid}`)
    },
  },
  {
    name: 'projects-new',
    signedIn: true,
    async arrive(view) {
      await openSubject(view, '/project/?eid=0')
      await view.page.getByRole('button', { name: words[view.lang].list.add }).click()
      await view.page.getByRole('dialog').waitFor()
    },
  },
  part('overview'),
  part('machines'),
  part('people'),
  part('destinations'),
  part('deliveries'),
  part('embedding'),
  part('developers'),
  part('settings'),
  dialog('project-machines-add', 'machines', ({ lang }) => words[lang].detail.machines.add),
  dialog('project-people-add', 'people', ({ lang }) => words[lang].detail.people.add),
  dialog('project-key', 'settings', ({ lang }) => words[lang].detail.settings.keyChange),
  filled('destinations'),
  filled('deliveries'),
  broker('project-broker', async (dialog, view) => {
    const t = words[view.lang].destinations
    await dialog.getByLabel(t.topic, { exact: true }).fill('factory/{machineCode}/{group}')
    await choose(view, dialog, t.signIns.none, t.signIns.both)
  }),
  broker('project-sparkplug', async (dialog, view) => {
    const { formats } = words[view.lang].destinations
    await choose(view, dialog, formats.json, formats.sparkplug)
  }),
  dialog('project-destination', 'destinations', ({ lang }) => words[lang].destinations.add),
  {
    name: 'keys-projects',
    signedIn: true,
    arrive: (view) =>
      openSubject(view, `/administrateCenter?machineId=${opened.machineIds?.[view.lang]}&tab=projects`),
  },
]
