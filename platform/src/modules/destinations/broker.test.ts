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
