import { type AnswerOf, type destinations, enterprises, projects } from '@busbar/contract'
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

type TestResult = AnswerOf<typeof destinations.testDestination>

const webhookRequest =
  'POST /busbar HTTP/1.1\r\nHost: mes.weber.example\r\nContent-Type: application/json\r\nwebhook-id: msg_7_1_test\r\n' +
  'webhook-timestamp: 1796000000\r\nwebhook-signature: v1,q3fW0l8yVnq1wq0k2u3m8tQkQe0mH0m4S2y3n1i0x5A=\r\n\r\n' +
  '[{"id":"7-1-1","machineCode":"8525179459691074009","machineName":"Injection press 380T","group":"Melt",' +
  '"time":1796000000000,"receivedAt":1796000000120,"values":{"temperature":218.4,"pressure":96.2}}]'

const accepted: TestResult = {
  ...{ ok: true, isExample: false, request: webhookRequest, status: 204, fault: null, detail: '' },
  ...{ response: 'HTTP/1.1 204 No Content\r\nserver: nginx\r\n\r\n', address: '203.0.113.20' },
  certificate: {
    ...{ subject: 'mes.weber.example', issuer: "Let's Encrypt R11", validTo: Date.UTC(2027, 1, 3) },
    fingerprint: Array.from({ length: 32 }, (_, place) => (place * 7 + 16).toString(16)).join(':'),
  },
  ...{ ms: 184, lookupMs: 12, connectMs: 31, tlsMs: 58, signInMs: null, answerMs: 83 },
}

const ended = {
  ...{ ok: false, response: '', status: null },
  ...{ lookupMs: null, connectMs: null, tlsMs: null, answerMs: null },
} as const
const untrusted: TestResult = {
  ...{ ...accepted, ...ended, fault: 'tls', detail: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', address: null },
  ms: 101,
}
const refusedAddress: TestResult = {
  ...{ ...accepted, ...ended, fault: 'addressRefused', detail: 'private', certificate: null },
  ...{ address: '10.4.0.17', ms: 9 },
}
const brokerAccepted: TestResult = {
  ...{ ...accepted, status: null, address: '203.0.113.21', ms: 212, signInMs: 28 },
  request:
    'CONNECT 5 busbar-3-test\nPUBLISH QoS 1 factory/8525179459691074009/Melt\n{"id":"7-1-1","values":{"temperature":218.4}}',
  response: 'CONNACK 0x00\nPUBACK 0x00',
}

/** The result of a test of the destination in this place. */
const tested = (name: string, place: number, result: TestResult): Screen => ({
  name: `project-test-${name}`,
  signedIn: true,
  async arrive(view) {
    await view.page.route('**/api/project/v1/targets/*/test', (route) => route.fulfill(ok(result)))
    await openFilled(view, 'destinations')
    const t = words[view.lang].destinations
    await view.page.getByRole('button', { name: t.test, exact: false }).nth(place).click()
    await view.page.getByRole('dialog').getByRole('button', { name: t.testSend, exact: true }).click()
    await view.page.getByRole('dialog').getByRole('status').waitFor()
  },
})

/** A part of a project that has nothing yet. */
const emptyPart = (name: ProjectPart): Screen => ({
  name: `project-${name}-empty`,
  signedIn: true,
  async arrive(view) {
    for (const path of ['getMachine', 'v1/targets', 'v1/deliveries'])
      await view.page.route(`**/api/project/${path}*`, (route) =>
        route.fulfill(ok(path === 'v1/deliveries' ? { list: [], total: 0, page: 1, pageSize: 50 } : [])),
      )
    await view.page.route('**/api/project/get', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      const none = { machine_length: 0, machines: [], report_count: 0, available_count: 0, state: 'waiting' }
      const list = body.hwdata.map((project: projects.Project) => ({ ...project, ...none }))
      await route.fulfill({ response: answer, json: { ...body, hwdata: list } })
    })
    await view.page.route('**/api/project/v1/usage*', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      const none = { rows: 0, rowsMax: 0, perDay: 0, endsAt: null, lastingEveryS: null, minutes: [] }
      await route.fulfill({ response: answer, json: { ...body, hwdata: { ...body.hwdata, ...none } } })
    })
    const client = await clientOf(view)
    const [first] = await client.call(projects.listProjects, {})
    await view.page.goto(`/project/${first?.id}${name === 'overview' ? '' : `/${name}`}`)
    await view.page.locator('main section:not([aria-busy="true"])').first().waitFor()
  },
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
  tested('webhook', 0, accepted),
  tested('certificate', 0, untrusted),
  tested('refused', 1, refusedAddress),
  tested('broker', 2, brokerAccepted),
  emptyPart('overview'),
  emptyPart('machines'),
  emptyPart('destinations'),
  emptyPart('deliveries'),
  dialog('project-destination', 'destinations', ({ lang }) => words[lang].destinations.add),
  {
    name: 'keys-projects',
    signedIn: true,
    arrive: (view) =>
      openSubject(view, `/administrateCenter?machineId=${opened.machineIds?.[view.lang]}&tab=projects`),
  },
]
