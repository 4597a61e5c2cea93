import { destinations as contract } from '@busbar/contract'
import { encodeSparkplugPayload, metricValue, propertyValue, rawValue, SparkplugDatatype } from '@busbar/link'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { untilTrue } from '@busbar/testkit/until.ts'
import { connectAsync } from 'mqtt'
import { expect, onTestFinished, test } from 'vitest'
import {
  appendRows,
  appendTold,
  createBroker,
  createReportingProject,
  type ReportingProject,
} from '../../../test-support/destinations/reporting-project.ts'
import {
  findDisorder,
  type HostMessage,
  readMessage,
  valueIn,
} from '../../../test-support/destinations/sparkplug-host.ts'
import { type Heard, TheirBroker } from '../../../test-support/destinations/their-broker.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'

const ports = await Promise.all(Array.from({ length: 8 }, () => findFreePort()))
const clock = { aheadMs: 0 }
const site = useSite(
  { OUTGOING_ALLOWED_NETWORKS: ports.map((port) => `* 127.0.0.1:${port}`).join(', ') },
  { now: () => Date.now() + clock.aheadMs },
)

async function startBroker(): Promise<TheirBroker> {
  const broker = await TheirBroker.start({ port: ports.pop() })
  onTestFinished(() => broker.stop())
  return broker
}

const until = async (check: () => boolean | Promise<boolean>) =>
  expect(await untilTrue(check, 10_000)).toBeDefined()

/** The messages of a node, but for commands; a broker that was away may deliver one again. */
function messagesOf({ heard }: { readonly heard: readonly Heard[] }, node: string): HostMessage[] {
  const once = new Map(heard.map((each) => [`${each.topic} ${each.bytes.toString('hex')}`, each]))
  return [...once.values()]
    .map(({ topic, bytes }) => readMessage(topic, bytes))
    .filter((message) => message.node === node && message.type !== 'NCMD')
}

const typesOf = (messages: readonly HostMessage[]) => messages.map(({ type }) => type)
const ofType = (messages: readonly HostMessage[], type: string) =>
  messages.filter((each) => each.type === type)
const bdSeqs = (messages: readonly HostMessage[]) => messages.map(({ metrics }) => valueIn(metrics, 'bdSeq'))

const nodeOf = ({ projectId }: ReportingProject) => `project-${projectId}`

const rebirth = encodeSparkplugPayload({
  timestamp: Date.now(),
  metrics: [
    {
      ...{ name: 'Node Control/Rebirth', datatype: SparkplugDatatype.boolean },
      raw: rawValue(true, SparkplugDatatype.boolean),
    },
  ],
})

test.each(contract.mqttVersions)(
  'a host of MQTT %s sees births, data, deaths and rebirths',
  async (version) => {
    const broker = await startBroker()
    const project = await createReportingProject(site, 2)
    const node = nodeOf(project)
    const { targetId } = await createBroker(site, project, broker, { version, group: 'weber' }, 'sparkplug')
    const messages = () => messagesOf(broker, node)
    const numbers = () => ofType(messages(), 'DDATA').map(({ metrics }) => valueIn(metrics, 'n'))
    await appendTold(site, project, 600)
    await until(() => numbers().length === 600)
    expect(new Set(broker.heard.map(({ topic }) => topic.split('/').slice(0, 2).join('/')))).toEqual(
      new Set(['spBv1.0/weber']),
    )
    expect(numbers()).toEqual(Array.from({ length: 600 }, (_, n) => n))
    expect(typesOf(messages()).slice(0, 5)).toEqual(['NBIRTH', 'DBIRTH', 'DDATA', 'DBIRTH', 'DDATA'])
    expect(
      messages()
        .flatMap(({ device = [] }) => device)
        .slice(0, 2),
    ).toEqual(Array(2).fill(project.links[0]?.code))

    await broker.publish(`spBv1.0/weber/NCMD/${node}`, rebirth)
    await until(() => ofType(messages(), 'NBIRTH').length === 2 && messages().at(-1)?.type === 'DBIRTH')
    await until(() => typesOf(messages()).slice(-3).join() === 'NBIRTH,DBIRTH,DBIRTH')
    expect(
      messages()
        .slice(-2)
        .map(({ metrics }) => valueIn(metrics, 'n')),
    ).toEqual([598, 599])

    // Another client with its id ends its connection, and the broker publishes the will. It comes back without rows.
    const other = await connectAsync(broker.url, { clientId: `busbar-${targetId}`, reconnectPeriod: 0 })
    await until(() => messages().at(-1)?.type === 'NDEATH')
    const faultOf = async () => {
      const list = await site.as(project.owner).call(contract.listDestinations, { id: project.projectId })
      return list.find((each) => each.targetId === targetId)?.fault
    }
    await until(async () => (await faultOf()) === 'reset')
    await other.endAsync()
    clock.aheadMs += 10_000
    await until(() => ofType(messages(), 'DBIRTH').length === 6)
    expect(typesOf(messages()).slice(-4)).toEqual(['NDEATH', 'NBIRTH', 'DBIRTH', 'DBIRTH'])
    expect(
      messages()
        .slice(-2)
        .map(({ metrics }) => valueIn(metrics, 'n')),
    ).toEqual([598, 599])
    await until(async () => (await faultOf()) === null)
    await appendTold(site, project, 1)
    await until(() => messages().at(-1)?.type === 'DDATA')
    const settings = {
      name: 'Broker',
      type: 'mqtt',
      url: broker.url,
      format: 'sparkplug',
      mqtt: { group: 'weber' },
    } as const
    await site.as(project.owner).call(contract.updateDestination, { id: targetId, ...settings, state: 'off' })
    await until(() => ofType(messages(), 'NDEATH').length === 2)
    expect(bdSeqs(ofType(messages(), 'NBIRTH'))).toEqual([0n, 0n, 1n])
    expect(bdSeqs(ofType(messages(), 'NDEATH'))).toEqual([0n, 1n])
    expect(findDisorder(messages())).toEqual([])
  },
)

test('a broker that goes away gets every row when it is back, after new births', async () => {
  const broker = await startBroker()
  const project = await createReportingProject(site)
  const { targetId } = await createBroker(site, project, broker, {}, 'sparkplug')
  const messages = () => messagesOf(broker, nodeOf(project))
  const numbers = () => new Set(ofType(messages(), 'DDATA').map(({ metrics }) => valueIn(metrics, 'n')))
  await appendRows(site, project, ['"values":{"n":1}', '"values":{"n":2}'])
  await until(() => numbers().size === 2)
  await broker.away()
  await appendRows(site, project, ['"values":{"n":3}', '"values":{"n":4}'])
  const isFailing = async () => {
    const list = await site.as(project.owner).call(contract.listDestinations, { id: project.projectId })
    return list.find((each) => each.targetId === targetId)?.fault !== null
  }
  await until(isFailing)
  await broker.begin()
  clock.aheadMs += 3_700_000
  await until(() => numbers().size === 4)
  const births = bdSeqs(ofType(messages(), 'NBIRTH')).map(Number)
  expect(births).toEqual([...new Set(births)].sort((a, b) => a - b))
  expect(births.length).toBeGreaterThan(1)
  expect(findDisorder(messages())).toEqual([])
})

test('metrics have the types, times, qualities and births of rows', async () => {
  const broker = await startBroker()
  const project = await createReportingProject(site)
  const messages = () => messagesOf(broker, nodeOf(project))
  await createBroker(site, project, broker, {}, 'sparkplug')
  const tell = async (...ends: string[]) => {
    const before = ofType(messages(), 'DDATA').length
    await appendRows(site, project, ends)
    await until(() => ofType(messages(), 'DDATA').length === before + ends.length)
  }
  await tell('"values":{"t":21.5,"on":true,"mode":"auto","none":null}', '"values":{"g.x":1}')
  const [, birth, first] = messages()
  expect(birth?.metrics.map(({ name, datatype }) => [name, datatype])).toEqual([
    ['t', SparkplugDatatype.double],
    ['on', SparkplugDatatype.boolean],
    ['mode', SparkplugDatatype.string],
    ['g.x', SparkplugDatatype.double],
  ])
  expect(birth?.metrics.map((metric) => metricValue(metric, metric.datatype))).toEqual([
    21.5,
    true,
    'auto',
    null,
  ])
  expect(first?.metrics.map(({ name }) => name)).toEqual(['t', 'on', 'mode'])
  await tell('"late":true,"values":{"t":1}', '"values":{"t":null},"quality":{"t":"bad"}')
  const [late, bad] = messages().slice(-2)
  expect(late?.metrics[0]).toMatchObject({ isHistorical: true })
  expect(bad?.metrics[0]).toMatchObject({ raw: { kind: 'null' } })
  expect(propertyValue(bad?.metrics[0]?.properties?.Quality)).toBe(0)
  expect(ofType(messages(), 'DBIRTH')).toHaveLength(1)
  await tell('"values":{"none":3}', '"values":{"t":"9007199254740993"}', '"values":{"t":7}')
  expect(typesOf(messages()).slice(-4)).toEqual(['DBIRTH', 'DDATA', 'DDATA', 'DDATA'])
  expect(
    messages()
      .slice(-2)
      .map(({ metrics }) => valueIn(metrics, 't')),
  ).toEqual(['9007199254740993', '7'])
  expect(findDisorder(messages())).toEqual([])
})

test('a machine that leaves the project dies at once', async () => {
  const broker = await startBroker()
  const project = await createReportingProject(site, 2)
  const messages = () => messagesOf(broker, nodeOf(project))
  await createBroker(site, project, broker, {}, 'sparkplug')
  await appendTold(site, project, 2)
  await until(() => ofType(messages(), 'DDATA').length === 2)
  const [link] = project.links
  await site.db
    .deleteFrom('project_machines')
    .where('id', '=', link?.linkId ?? 0)
    .execute()
  await recordRightChange(site.db, { projectId: project.projectId, reason: 'project' })
  await until(() => messages().at(-1)?.type === 'DDEATH')
  expect(messages().at(-1)?.device).toBe(link?.code)
  await broker.publish(`spBv1.0/busbar/NCMD/${nodeOf(project)}`, rebirth)
  await until(() => ofType(messages(), 'NBIRTH').length === 2 && messages().at(-1)?.type === 'DBIRTH')
  expect(ofType(messages(), 'DBIRTH').map(({ device }) => device)).toEqual([
    ...project.links.map(({ code }) => code),
    project.links[1]?.code,
  ])
  expect(findDisorder(messages())).toEqual([])
})

test('a test is born and dies as a node of its own', async () => {
  const broker = await startBroker()
  const project = await createReportingProject(site)
  const names = { group: 'weber', edgeNode: 'line-3' }
  const { targetId } = await createBroker(site, project, broker, names, 'sparkplug')
  await appendTold(site, project, 1)
  await until(() => messagesOf(broker, 'line-3').length === 3)
  const told = await site.as(project.owner).call(contract.testDestination, { id: targetId })
  expect(told).toMatchObject({ ok: true, fault: null })
  expect(told.request).toContain(
    'PUBLISH qos=1 topic=spBv1.0/weber/NBIRTH/line-3-test\n{"metrics":[{"raw":{"kind":"long","value":"0"},"name":"bdSeq"',
  )
  await until(() => messagesOf(broker, 'line-3-test').length === 4)
  expect(typesOf(messagesOf(broker, 'line-3-test'))).toEqual(['NBIRTH', 'DBIRTH', 'DDATA', 'NDEATH'])
  expect(findDisorder(messagesOf(broker, 'line-3-test'))).toEqual([])
  expect(typesOf(messagesOf(broker, 'line-3'))).toEqual(['NBIRTH', 'DBIRTH', 'DDATA'])
})

test('only brokers have Sparkplug, with names that are one level of a topic', async () => {
  const project = await createReportingProject(site)
  const refusal = (settings: object) =>
    site.refusalOf(project.owner, contract.createDestination, {
      ...{ id: project.projectId, name: 'Broker', type: 'mqtt', url: `mqtt://127.0.0.1:${ports[0]}` },
      ...{ format: 'sparkplug', ...settings },
    })
  expect(await refusal({ type: 'webhook', url: 'https://93.184.215.14/' })).toBe('400')
  for (const name of ['a/b', '+', '#', 'a\0', 'x'.repeat(65)]) {
    expect(await refusal({ mqtt: { group: name } })).toBe('400')
    expect(await refusal({ mqtt: { edgeNode: name } })).toBe('400')
  }
  expect(await refusal({ format: 'json', mqtt: { group: 'a' } })).toBe('DESTINATION_TOPIC')
})

test('two destinations of a space have neither one node nor one client id at a broker', async () => {
  const project = await createReportingProject(site)
  const url = `mqtt://127.0.0.1:${ports[0]}`
  const create = (of: ReportingProject, mqtt: object, format: contract.RowFormat = 'sparkplug') =>
    site.as(of.owner).call(contract.createDestination, {
      ...{ id: of.projectId, name: 'Broker', type: 'mqtt', url, format },
      mqtt: { topic: 'rows', ...mqtt },
    })
  const refusal = async (...sent: Parameters<typeof create>) => {
    const failure = await create(...sent).catch((error: unknown) => error)
    return failure as { readonly code?: string; readonly field?: string }
  }
  const node = { group: 'weber', edgeNode: 'line-3' }
  const { targetId } = await create(project, node)
  const beside = await createReportingProject(site, 1, project.owner)
  for (const own of [project, beside])
    expect(await refusal(own, node)).toMatchObject({ code: 'DESTINATION_TAKEN', field: 'mqtt.edgeNode' })
  expect(await refusal(beside, { clientId: `busbar-${targetId}` }, 'json')).toMatchObject({
    ...{ code: 'DESTINATION_TAKEN', field: 'mqtt.clientId' },
  })
  const twice = await Promise.allSettled([1, 2].map(() => create(project, { clientId: 'mes' }, 'json')))
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await create(await createReportingProject(site), node)
  const other = await create(beside, { ...node, group: '' })
  const save = (state: 'on' | 'off') =>
    site.as(project.owner).call(contract.updateDestination, {
      ...{ id: other.targetId, name: 'Broker', type: 'mqtt', url, format: 'sparkplug', mqtt: node, state },
    })
  await expect(save('on')).rejects.toMatchObject({ code: 'DESTINATION_TAKEN' })
  await save('off')
  await expect(save('on')).rejects.toMatchObject({ code: 'DESTINATION_TAKEN' })
})
