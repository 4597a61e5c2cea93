import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { machine } from '../../../../test-support/project-answers.ts'
import { render } from '../../../../test-support/render.tsx'
import type { Project } from '../../../entities/project/project.ts'
import { deliveriesText } from '../../../shared/i18n/en/project-deliveries.ts'
import { destinationsText as t } from '../../../shared/i18n/en/project-destinations.ts'
import { embeddingText } from '../../../shared/i18n/en/project-embedding.ts'
import { DeliveriesPart } from '../deliveries/deliveries-part.tsx'
import { EmbeddingPart } from '../embedding/embedding-part.tsx'
import { DestinationsPart } from './destinations-part.tsx'

const project = { id: 12, isOwner: true, origins: [], mayEmbed: true } as unknown as Project

const destination = {
  ...{ targetId: 5, name: 'MES', type: 'webhook', url: 'https://mes.weber.example/busbar', format: 'json' },
  ...{ ndjson: false, gzip: false, lanes: 1, rowsMax: 1_000, rows: true, events: [] },
  ...{ state: 'on', switchedOff: null, failingSince: null, fault: null, status: null, nextTryAt: null },
  ...{ lastOkAt: 1, lagRows: 0, lagMs: 0, gaps: 0, secrets: [{ createdAt: 1, endsAt: null }] },
}

interface Refusal {
  readonly code?: string
  readonly field?: string
}

interface Asked {
  readonly what: string
  readonly body: unknown
}

/** Answers calls by their method and path; a text is the code of a refusal, which may be of a field. */
function answer(answers: Readonly<Record<string, unknown>>): Asked[] {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const what = `${method} ${new URL(url, location.href).pathname}`
    asked.push({ what, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    const found = answers[what]
    const { code, field } = typeof found === 'string' ? { code: found } : ((found ?? {}) as Refusal)
    const refused = code !== undefined && { code, message: `Refused: ${code}`, ...(field && { field }) }
    return new Response(
      JSON.stringify(
        refused
          ? { hwcode: 8, hwreason: refused.code, error: refused }
          : { hwcode: 0, hwreason: 'OK', hwdata: found ?? [] },
      ),
    )
  })
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const show = (part: typeof DestinationsPart, of: Project = project) => {
  const Part = part
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <Part project={of} />
    </QueryClientProvider>,
  )
}

const inDialog = () => page.getByRole('dialog')

it('the secret of a new destination is shown once, and a press beside it does not lose it', async () => {
  const asked = answer({
    'GET /api/project/v1/targets': [],
    'POST /api/project/v1/targets': { targetId: 5, secret: 'whsec_abc' },
  })
  await show(DestinationsPart)
  await page.getByRole('button', { name: t.add }).click()
  await inDialog().getByLabelText(t.name).fill('MES')
  await inDialog().getByLabelText(t.url).fill('https://mes.weber.example/busbar')
  await inDialog().getByRole('button', { name: t.add }).click()
  await expect.element(inDialog().getByText('whsec_abc')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(inDialog().getByText('whsec_abc')).toBeVisible()
  expect(asked.find(({ what }) => what === 'POST /api/project/v1/targets')?.body).toMatchObject({
    ...{ id: 12, name: 'MES', type: 'webhook', url: 'https://mes.weber.example/busbar', format: 'json' },
    ...{ ndjson: false, gzip: false, lanes: 1, rowsMax: 1_000, rows: true, events: [] },
  })
  await inDialog().getByRole('button', { name: t.secretClose }).click()
  expect(inDialog().query()).toBeNull()
})

it('an address that cannot be a destination is refused beside its field', async () => {
  answer({ 'GET /api/project/v1/targets': [], 'POST /api/project/v1/targets': 'DESTINATION_ADDRESS' })
  await show(DestinationsPart)
  await page.getByRole('button', { name: t.add }).click()
  await inDialog().getByLabelText(t.name).fill('MES')
  await inDialog().getByLabelText(t.url).fill('https://127.0.0.1/busbar')
  await inDialog().getByRole('button', { name: t.add }).click()
  await expect
    .element(inDialog().getByLabelText(t.url))
    .toHaveAccessibleDescription('Refused: DESTINATION_ADDRESS')
})

it('a failing destination says why, and so does one that is switched off', async () => {
  const failing = { ...destination, failingSince: 1_000, fault: 'status', status: 503, nextTryAt: 2_000 }
  const gone = { ...destination, targetId: 6, name: 'ERP', state: 'switchedOff', switchedOff: 'gone' }
  answer({ 'GET /api/project/v1/targets': [failing, gone] })
  await show(DestinationsPart)
  await expect.element(page.getByText(`${t.faults.status.is} (HTTP 503)`, { exact: false })).toBeVisible()
  await expect.element(page.getByText(t.switchedOff.gone)).toBeVisible()
})

it('a test of a refused address names it without saying that anything was connected to it', async () => {
  answer({
    'GET /api/project/v1/targets': [destination],
    'POST /api/project/v1/targets/5/test': {
      ...{ ok: false, isExample: false, request: 'POST /busbar HTTP/1.1', response: '', status: null },
      ...{ fault: 'addressRefused', detail: 'private', address: '10.4.0.17', certificate: null },
      ...{ ms: 9, lookupMs: null, connectMs: null, tlsMs: null, signInMs: null, answerMs: null },
    },
  })
  await show(DestinationsPart)
  await page.getByRole('button', { name: `${t.test} MES` }).click()
  await inDialog().getByRole('button', { name: t.testSend }).click()
  await expect.element(inDialog().getByText('10.4.0.17')).toBeVisible()
  await expect.element(inDialog().getByText(t.address)).not.toBeInTheDocument()
})

it('a test shows the request and says what is wrong and how to mend it', async () => {
  answer({
    'GET /api/project/v1/targets': [destination],
    'POST /api/project/v1/targets/5/test': {
      ...{ ok: false, isExample: true, request: 'POST /busbar HTTP/1.1', response: '', status: null },
      ...{ fault: 'tls', detail: 'certificate has expired', address: '203.0.113.7', certificate: null },
      ...{ ms: 31, lookupMs: 2, connectMs: 9, tlsMs: null, signInMs: null, answerMs: null },
    },
  })
  await show(DestinationsPart)
  await page.getByRole('button', { name: `${t.test} MES` }).click()
  await inDialog().getByRole('button', { name: t.testSend }).click()
  await expect.element(inDialog().getByText(t.faults.tls.is)).toBeVisible()
  await expect.element(inDialog().getByText(t.faults.tls.remedy)).toBeVisible()
  await expect.element(inDialog().getByText('POST /busbar HTTP/1.1')).toBeVisible()
  await expect.element(inDialog().getByText(t.testExample)).toBeVisible()
  await expect.element(inDialog().getByText(`${t.phases.connect} 9 ms`)).toBeVisible()
})

const broker = {
  ...{ ...destination, targetId: 7, name: 'Plant', type: 'mqtt', url: 'mqtts://broker.weber.example:8883' },
  mqtt: {
    ...{ version: '5', clientId: '', username: 'busbar', topic: 'factory/{machineCode}', ca: '', pin: '' },
    ...{ group: '', edgeNode: '' },
    ...{ certificate: '', hasPassword: true, hasPrivateKey: false },
  },
}

/** Chooses one of a select's. */
async function choose(label: string, option: string) {
  await inDialog()
    .getByRole('button', { name: new RegExp(`^${label}`) })
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

it('a broker is added with its topic, shown for a device of the project, and its sign-in', async () => {
  const asked = answer({
    'GET /api/project/v1/targets': [],
    'POST /api/project/getMachine': [machine],
    'POST /api/project/v1/targets': { targetId: 7, secret: null },
  })
  await show(DestinationsPart)
  await page.getByRole('button', { name: t.add }).click()
  await choose(t.type, t.types.mqtt)
  await inDialog().getByLabelText(t.name).fill('Plant')
  await inDialog().getByLabelText(t.url).fill('mqtts://broker.weber.example:8883')
  await inDialog().getByLabelText(t.topic).fill('factory/{machineCode}/{group}')
  await expect.element(inDialog().getByText('factory/100000000003/{group}')).toBeVisible()
  await choose(t.signIn, t.signIns.password)
  await inDialog().getByLabelText(t.username).fill('busbar')
  await inDialog().getByLabelText(t.password, { exact: true }).fill('secret')
  await inDialog().getByRole('button', { name: t.add }).click()
  await expect.poll(() => inDialog().query()).toBeNull()
  expect(asked.find(({ what }) => what === 'POST /api/project/v1/targets')?.body).toEqual({
    ...{ id: 12, type: 'mqtt', name: 'Plant', url: 'mqtts://broker.weber.example:8883', format: 'json' },
    mqtt: {
      ...{ version: '5', clientId: '', username: 'busbar', password: 'secret', ca: '', pin: '' },
      ...{ topic: 'factory/{machineCode}/{group}', certificate: '' },
    },
  })
})

it('a broker of Sparkplug has a group and an edge node instead of a topic', async () => {
  const asked = answer({
    'GET /api/project/v1/targets': [],
    'POST /api/project/getMachine': [machine],
    'POST /api/project/v1/targets': { targetId: 7, secret: null },
  })
  await show(DestinationsPart)
  await page.getByRole('button', { name: t.add }).click()
  await choose(t.type, t.types.mqtt)
  await inDialog().getByLabelText(t.name).fill('Plant')
  await inDialog().getByLabelText(t.url).fill('mqtts://broker.weber.example:8883')
  await choose(t.format, t.formats.sparkplug)
  expect(inDialog().getByLabelText(t.topic, { exact: true }).query()).toBeNull()
  await inDialog().getByLabelText(t.edgeNode).fill('line/3')
  await inDialog().getByRole('button', { name: t.add }).click()
  await expect.element(inDialog().getByLabelText(t.edgeNode)).toHaveAccessibleDescription(t.topicLevelWrong)
  await inDialog().getByLabelText(t.edgeNode).fill('line-3')
  await inDialog().getByLabelText(t.group).fill('weber')
  await inDialog().getByRole('button', { name: t.add }).click()
  await expect.poll(() => inDialog().query()).toBeNull()
  expect(asked.find(({ what }) => what === 'POST /api/project/v1/targets')?.body).toEqual({
    ...{ id: 12, type: 'mqtt', name: 'Plant', url: 'mqtts://broker.weber.example:8883' },
    format: 'sparkplug',
    mqtt: {
      ...{ version: '5', clientId: '', username: '', ca: '', pin: '', certificate: '' },
      ...{ group: 'weber', edgeNode: 'line-3' },
    },
  })
})

it('a topic that rows cannot be published to is refused with its place, and so is a text that is not a certificate', async () => {
  const asked = answer({ 'GET /api/project/v1/targets': [] })
  await show(DestinationsPart)
  await page.getByRole('button', { name: t.add }).click()
  await choose(t.type, t.types.mqtt)
  await inDialog().getByLabelText(t.name).fill('Plant')
  await inDialog().getByLabelText(t.url).fill('mqtts://broker.weber.example:8883')
  await choose(t.trust, t.trusts.ca)
  await inDialog().getByLabelText(t.topic).fill('factory/#')
  await inDialog().getByLabelText(t.ca).fill('no certificate')
  await inDialog().getByRole('button', { name: t.add }).click()
  await expect
    .element(inDialog().getByLabelText(t.topic))
    .toHaveAccessibleDescription(t.topicFaults.character(9, '#'))
  await expect.element(inDialog().getByLabelText(t.ca)).toHaveAccessibleDescription(t.pemWrong)
  expect(asked.map(({ what }) => what)).not.toContain('POST /api/project/v1/targets')
})

it('a change of a broker keeps its password, and the platform’s refusal of a field stands beside it', async () => {
  const asked = answer({
    'GET /api/project/v1/targets': [broker],
    'PUT /api/project/v1/targets/7': { code: 'DESTINATION_PASSWORD', field: 'mqtt.password' },
  })
  await show(DestinationsPart)
  await expect.element(page.getByText('MQTT 5')).toBeVisible()
  await page.getByTitle('Plant').click()
  await inDialog().getByLabelText(t.url).fill('mqtts://other.weber.example')
  await inDialog().getByRole('button', { name: t.save }).click()
  await expect
    .element(inDialog().getByLabelText(t.password, { exact: true }))
    .toHaveAccessibleDescription('Refused: DESTINATION_PASSWORD')
  const sent = asked.find(({ what }) => what === 'PUT /api/project/v1/targets/7')?.body
  expect(sent).toMatchObject({
    type: 'mqtt',
    url: 'mqtts://other.weber.example',
    mqtt: { username: 'busbar' },
  })
  expect(sent).not.toHaveProperty('mqtt.password')
})

it('members see destinations, and only the owner changes them', async () => {
  answer({ 'GET /api/project/v1/targets': [destination] })
  await show(DestinationsPart, { ...project, isOwner: false } as Project)
  await expect.element(page.getByText('MES', { exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: t.add }).query()).toBeNull()
  expect(page.getByRole('button', { name: new RegExp(t.test) }).query()).toBeNull()
})

it('only a dead letter can be sent again', async () => {
  const delivery = {
    ...{ at: 1_000, targetId: 5, target: 'MES', rows: 3, bytes: 200, httpStatus: 204, attempts: 1, ms: 12 },
  }
  const asked = answer({
    'GET /api/project/v1/targets': [destination],
    'GET /api/project/v1/deliveries': {
      list: [
        { ...delivery, id: 1, status: 'ok' },
        { ...delivery, id: 2, target: 'ERP', status: 'dead', httpStatus: 422, error: 'status' },
      ],
      ...{ total: 2, page: 1, pageSize: 100 },
    },
    'POST /api/project/v1/deliveries/2/resend': {},
  })
  await show(DeliveriesPart)
  const again = page.getByRole('button', { name: new RegExp(`^${deliveriesText.resend}`) })
  await expect.element(again).toBeVisible()
  expect(again.elements()).toHaveLength(1)
  await again.click()
  await expect.poll(() => asked.map(({ what }) => what)).toContain('POST /api/project/v1/deliveries/2/resend')
})

it('members see the websites that may embed, and only the owner changes them', async () => {
  answer({ 'POST /api/project/getMachine': [] })
  const origins = ['https://portal.example']
  await show(EmbeddingPart, { ...project, isOwner: false, origins } as Project)
  await expect.element(page.getByText('https://portal.example', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('switch', { name: embeddingText.title })).toBeDisabled()
  expect(page.getByRole('textbox', { name: embeddingText.origin }).query()).toBeNull()
  expect(
    page.getByRole('button', { name: embeddingText.remove('https://portal.example') }).query(),
  ).toBeNull()
})

it('an origin that cannot embed is refused beside its field, and stays in it', async () => {
  answer({ 'POST /api/project/getMachine': [], 'POST /api/project/edit': 'ORIGIN_WRONG' })
  await show(EmbeddingPart)
  const field = page.getByLabelText(embeddingText.origin)
  await field.fill('https://portal.weber.example/path')
  await page.getByRole('button', { name: embeddingText.add, exact: true }).click()
  await expect.element(field).toHaveAccessibleDescription('Refused: ORIGIN_WRONG')
  await expect.element(field).toHaveValue('https://portal.weber.example/path')
})
