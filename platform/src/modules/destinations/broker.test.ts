import { X509Certificate } from 'node:crypto'
import { destinations as contract } from '@busbar/contract'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { untilTrue } from '@busbar/testkit/until.ts'
import { expect, onTestFinished, test } from 'vitest'
import {
  appendTold,
  createBroker,
  createReportingProject,
  type ReportingProject,
} from '../../../test-support/destinations/reporting-project.ts'
import { ScriptedBroker } from '../../../test-support/destinations/scripted-broker.ts'
import {
  type BrokerOptions,
  makeCertificates,
  TheirBroker,
} from '../../../test-support/destinations/their-broker.ts'

const ports = await Promise.all(Array.from({ length: 30 }, () => findFreePort()))
const clock = { aheadMs: 0 }
const site = useSite(
  { OUTGOING_ALLOWED_NETWORKS: ports.map((port) => `* 127.0.0.1:${port}`).join(', ') },
  { now: () => Date.now() + clock.aheadMs },
)

async function startBroker(options: BrokerOptions = {}): Promise<TheirBroker> {
  const broker = await TheirBroker.start({ port: ports.pop(), ...options })
  onTestFinished(() => broker.stop())
  return broker
}

async function startScripted(): Promise<ScriptedBroker> {
  const broker = await new ScriptedBroker().start(ports.pop() ?? 0)
  onTestFinished(() => broker.stop())
  return broker
}

const until = async (check: () => boolean | Promise<boolean>) =>
  expect(await untilTrue(check, 10_000)).toBeDefined()

async function find(project: ReportingProject, targetId: number): Promise<contract.Destination> {
  const list = await site.as(project.owner).call(contract.listDestinations, { id: project.projectId })
  return list.find((each) => each.targetId === targetId) as contract.Destination
}

async function countUsed({ projectId }: ReportingProject): Promise<number> {
  const usage = site.db.selectFrom('project_usage').select('rows').where('project_id', '=', projectId)
  return (await usage.execute()).reduce((sum, { rows }) => sum + rows, 0)
}

const numberOf = (payload: string): number =>
  Number((JSON.parse(payload) as { id: string }).id.split('-').at(-1))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test.each(['3.1.1', '5'] as const)(
  'rows reach a broker of MQTT %s over TLS, in their order',
  async (version) => {
    const tls = makeCertificates()
    const user = { name: 'mes', password: 'secret', topics: '#' }
    const broker = await startBroker({ tls, user })
    const project = await createReportingProject(site, 2)
    const { targetId, secret } = await createBroker(site, project, broker, {
      ...{ version, ca: tls.ca, username: 'mes', password: 'secret' },
      topic: 'busbar/{projectId}/{group}/{machineCode}',
    })
    expect(secret).toBeNull()
    await appendTold(site, project, 1_200)
    await until(() => broker.heard.length >= 1_200)
    expect(broker.heard.map(({ payload }) => numberOf(payload))).toEqual(upTo(1_200))
    const codes = project.links.map(({ code }) => `busbar/${project.projectId}/g/${code}`)
    expect(broker.heard.slice(0, 2).map(({ topic }) => topic)).toEqual(codes)
    await until(async () => (await countUsed(project)) === 1_200)
    expect(await find(project, targetId)).toMatchObject({ lagRows: 0, fault: null, status: null })
  },
)

test('a broker that goes away gets every row when it is back', async () => {
  const broker = await startBroker()
  const project = await createReportingProject(site)
  const { targetId } = await createBroker(site, project, broker)
  await appendTold(site, project, 50)
  await until(() => broker.heard.length >= 50)
  await broker.away()
  await appendTold(site, project, 50)
  await until(async () => (await find(project, targetId)).fault !== null)
  await broker.begin()
  clock.aheadMs += 3_700_000
  await until(async () => (await countUsed(project)) === 100)
  await until(() => new Set(broker.heard.map(({ payload }) => payload)).size === 100)
})

test('rows that the broker did not acknowledge are sent again, and counted once', async () => {
  const broker = await startScripted()
  broker.answer = (place) => (place === 7 ? 'drop' : 0)
  const project = await createReportingProject(site)
  const { targetId } = await createBroker(site, project, broker)
  await appendTold(site, project, 10)
  await until(async () => (await find(project, targetId)).fault === 'reset')
  expect(await countUsed(project)).toBe(0)
  clock.aheadMs += 10_000
  await until(async () => (await countUsed(project)) === 10)
  const again = broker.published.filter(({ of }) => of === 2).map(({ payload }) => numberOf(payload))
  expect(again).toEqual(upTo(10))
})

test('a process that ends between the PUBACK and its commit leaves the rows to the next one', async () => {
  const broker = await startScripted()
  const project = await createReportingProject(site)
  const { targetId } = await createBroker(site, project, broker)
  broker.answer = async (place) => {
    if (place === 5)
      await site.db
        .updateTable('destination_lanes')
        .set({ turn: 1_000, leased_until: new Date(0) })
        .where('destination_id', '=', targetId)
        .execute()
    return 0
  }
  await appendTold(site, project, 5)
  await until(async () => (await countUsed(project)) === 5)
  expect(broker.published.map(({ payload }) => numberOf(payload))).toEqual([...upTo(5), ...upTo(5)])
  await until(() => broker.open === 1)
})

test('five refusals of a row make a dead letter, the next ones go, and it can be sent again', async () => {
  const broker = await startScripted()
  broker.answer = () => 0x87
  const project = await createReportingProject(site)
  const { targetId } = await createBroker(site, project, broker)
  await appendTold(site, project, 3)
  const list = async () =>
    (await site.as(project.owner).call(contract.listDeliveries, { id: project.projectId })).list
  for (let tries = 1; tries <= 5; tries++) {
    await until(async () => (await list()).length === tries)
    clock.aheadMs += 3_700_000
  }
  broker.answer = () => 0
  await appendTold(site, project, 2)
  await until(async () => (await countUsed(project)) === 2)
  const dead = (await list()).find(({ status }) => status === 'dead')
  expect(dead).toMatchObject({ targetId, httpStatus: 0x87, error: 'rowRefused', rows: 3 })
  const detail = await site.as(project.owner).call(contract.getDelivery, { id: dead?.id ?? 0 })
  expect(detail.request).toMatch(/^CONNECT .*\nPUBLISH qos=1 topic=factory\/\w+\n\{"id":/)
  expect(detail.response).toBe('CONNACK 0x00 Success\nPUBACK 0x87 Not authorized')
  await site.as(project.owner).call(contract.resendDelivery, { id: dead?.id ?? 0 })
  expect(broker.connects.at(-1)?.clientId).toBe(`busbar-${targetId}-resend`)
  expect(await countUsed(project)).toBe(5)
})

test('a destination that is turned off has no connection', async () => {
  const broker = await startScripted()
  const project = await createReportingProject(site)
  const { targetId } = await createBroker(site, project, broker)
  await appendTold(site, project, 1)
  await until(async () => (await countUsed(project)) === 1)
  expect(broker.open).toBe(1)
  const settings = { name: 'Broker', type: 'mqtt', url: broker.url, mqtt: { topic: 'a' } } as const
  await site.as(project.owner).call(contract.updateDestination, { id: targetId, ...settings, state: 'off' })
  await until(() => broker.open === 0)
})

const tls = makeCertificates()
const others = makeCertificates()
const user = { name: 'mes', password: 'secret', topics: 'factory/#' }
const fingerprint = new X509Certificate(tls.certificate).fingerprint256

test('a test shows each step, and what is wrong', async () => {
  const broker = await startBroker({ tls, user })
  const project = await createReportingProject(site)
  const right = { ca: tls.ca, username: 'mes', password: 'secret' }
  const tell = async (mqtt: Parameters<typeof createBroker>[3]) => {
    clock.aheadMs += 60_000
    const { targetId } = await createBroker(site, project, broker, mqtt)
    const told = await site.as(project.owner).call(contract.testDestination, { id: targetId })
    await site.as(project.owner).call(contract.deleteDestination, { id: targetId })
    return told
  }
  for (const version of contract.mqttVersions) {
    const told = await tell({ ...right, version })
    expect(told).toMatchObject({ ok: true, fault: null, address: '127.0.0.1', isExample: true })
    expect(told.certificate?.fingerprint).toBe(fingerprint)
    for (const ms of [told.lookupMs, told.connectMs, told.tlsMs, told.signInMs, told.answerMs])
      expect(ms).toEqual(expect.any(Number))
    expect(told.request).toContain('user=mes password=***')
    expect(JSON.stringify(told)).not.toContain('secret')
    expect(await tell({ ...right, version, password: 'wrong' })).toMatchObject({ fault: 'signInRefused' })
    expect(await tell({ ...right, version, password: undefined })).toMatchObject({ fault: 'signInRefused' })
  }
  expect(await tell({ ...right, ca: '', pin: fingerprint })).toMatchObject({ ok: true })
  expect(await tell({ ...right, ca: '', pin: 'ab'.repeat(32) })).toMatchObject({ detail: 'PIN_DIFFERS' })
  for (const ca of ['', others.ca]) {
    const told = await tell({ ...right, ca })
    expect(told).toMatchObject({ ok: false, fault: 'tls', signInMs: null, response: '' })
    expect(told.certificate?.fingerprint).toBe(fingerprint)
  }
  expect(await tell({ ...right, topic: 'elsewhere' })).toMatchObject({
    ...{ fault: 'rowRefused', status: 0x87, detail: '0x87 Not authorized' },
  })
})

test('a broker that asks for a certificate gets that of the destination', async () => {
  const broker = await startBroker({ tls, asksForCertificate: true })
  const project = await createReportingProject(site)
  const own = { ca: tls.ca, certificate: tls.certificate, privateKey: tls.privateKey }
  const { targetId } = await createBroker(site, project, broker, own)
  const told = await site.as(project.owner).call(contract.testDestination, { id: targetId })
  expect(told).toMatchObject({ ok: true })
  const without = await createBroker(site, project, broker, { ca: tls.ca })
  const refused = await site.as(project.owner).call(contract.testDestination, { id: without.targetId })
  expect(refused).toMatchObject({ ok: false })
})

test('secrets are sealed, never answered, and kept for the address that they were entered for', async () => {
  const broker = await startBroker({ tls, user })
  const project = await createReportingProject(site)
  const { owner } = project
  const sent = { ca: tls.ca, username: 'mes', password: 'secret', topic: 'factory/x' }
  const own = { certificate: tls.certificate, privateKey: tls.privateKey }
  const { targetId } = await createBroker(site, project, broker, { ...sent, ...own })
  const found = await find(project, targetId)
  expect(found.mqtt).toMatchObject({ hasPassword: true, hasPrivateKey: true, certificate: tls.certificate })
  const stored = await site.db.selectFrom('destinations').selectAll().where('id', '=', targetId).execute()
  for (const text of [JSON.stringify(found), JSON.stringify(stored)]) {
    expect(text).not.toContain('"secret"')
    expect(text).not.toContain('PRIVATE KEY')
  }
  expect(stored[0]?.mqtt_secrets?.includes('secret')).toBe(false)
  const { password: _, ...shown } = sent
  const change = (url: string, mqtt: object) =>
    ({ id: targetId, name: 'Broker', type: 'mqtt', url, mqtt: { ...shown, ...mqtt } }) as const
  await site.as(owner).call(contract.updateDestination, change(broker.url, { certificate: tls.certificate }))
  expect(await site.as(owner).call(contract.testDestination, { id: targetId })).toMatchObject({ ok: true })
  const elsewhere = change(`mqtt://127.0.0.1:${ports.at(-1)}`, {})
  expect(await site.refusalOf(owner, contract.updateDestination, elsewhere)).toBe('DESTINATION_PASSWORD')
  await site.as(owner).call(contract.updateDestination, change(broker.url, { password: '' }))
  expect((await find(project, targetId)).mqtt).toMatchObject({ hasPassword: false, hasPrivateKey: false })
  await site.as(owner).call(contract.updateDestination, elsewhere)
})

test('settings that no broker has are refused, with what is wrong', async () => {
  const project = await createReportingProject(site)
  const url = `mqtt://127.0.0.1:${ports.at(-1)}`
  const refusal = (changes: object) => {
    clock.aheadMs += 60_000
    return site.refusalOf(project.owner, contract.createDestination, {
      ...{ id: project.projectId, name: 'Broker', type: 'mqtt', url, mqtt: { topic: 'a' } },
      ...changes,
    })
  }
  for (const wrong of [{ lanes: 2 }, { gzip: true }, { ndjson: true }, { rows: false }, { mqtt: undefined }])
    expect(await refusal(wrong)).toBe('400')
  expect(await refusal({ events: ['alarm.raised'] })).toBe('400')
  expect(await refusal({ type: 'webhook', url: 'https://93.184.215.14/' })).toBe('400')
  expect(await refusal({ mqtt: { topic: 'a/#' } })).toBe('DESTINATION_TOPIC')
  expect(await refusal({ mqtt: { topic: 'x'.repeat(201) } })).toBe('DESTINATION_TOPIC')
  const { certificate, privateKey } = tls
  const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
  for (const mqtt of [
    { ca: pem },
    { certificate: pem, privateKey },
    { certificate },
    { certificate, privateKey: others.privateKey },
  ])
    expect(await refusal({ mqtt: { topic: 'a', ...mqtt } })).toBe('DESTINATION_CERTIFICATE')
  for (const wrong of ['mqtts://10.0.0.1', 'https://93.184.215.14', 'mqtts://93.184.215.14/path'])
    expect(await refusal({ url: wrong }), wrong).toBe('DESTINATION_ADDRESS')
  expect(await refusal({ url: 'mqtts://me:secret@93.184.215.14' })).toBe('DESTINATION_ADDRESS')
  expect(await refusal({ url: 'mqtt://93.184.215.14' })).toBe('DESTINATION_PLAIN')
})

test('a destination keeps its type, and a broker has no secret that signs', async () => {
  const project = await createReportingProject(site)
  const { targetId } = await createBroker(site, project, { url: `mqtt://127.0.0.1:${ports.at(-1)}` })
  const other = { id: targetId, name: 'MES', type: 'webhook', url: 'https://93.184.215.14/' } as const
  expect(await site.refusalOf(project.owner, contract.updateDestination, other)).toBe('DESTINATION_TYPE')
  const reset = await site.refusalOf(project.owner, contract.resetDestinationSecret, { id: targetId })
  expect(reset).toBe('DESTINATION_TYPE')
})
