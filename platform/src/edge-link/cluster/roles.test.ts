import {
  access,
  accounts,
  exports as exporting,
  machines,
  telemetry,
  visits as visitsContract,
} from '@busbar/contract'
import { plainTopic, SparkplugDatatype } from '@busbar/link'
import {
  createMachine,
  createUser,
  failureOf,
  grantMachine,
  PushClient,
  type TestMachine,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { startTestCluster, type TestCluster } from '@busbar/testkit/cluster.ts'
import { withBuilders } from '@busbar/testkit/test-site.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { Inside } from '../../../test-support/visit-host/inside.ts'
import { Station } from '../../../test-support/visit-host/station.ts'
import { WriteSite, writableMetric } from '../../../test-support/writes/write-site.ts'

/* Two nodes hold machines, one answers people's calls and pages, one has visits and jobs. */

const deadline = { timeout: 10_000, interval: 20 }

let cluster: TestCluster
let edges: readonly [TestPlatform, TestPlatform]
let api: TestPlatform
let visits: TestPlatform
let owner: TestUser
beforeAll(async () => {
  const roles = ['edge', 'edge', 'api,realtime', 'visits,jobs']
  cluster = await startTestCluster(roles.map((ROLES) => ({ ROLES })))
  const [one, two, people, rest] = cluster.nodes as [TestPlatform, TestPlatform, TestPlatform, TestPlatform]
  edges = [one, two]
  api = people
  visits = rest
  owner = await createUser(cluster.database.db)
})
afterAll(() => cluster.stop())

async function openPage(user: TestUser): Promise<PushClient> {
  const { ticket } = await api.as(user).call(accounts.createPushTicket, {})
  const page = await PushClient.open(api.url, ticket)
  onTestFinished(() => page.close())
  return page
}

async function connectMachine(edge: TestPlatform, machine: TestMachine) {
  const client = await RawClient.login(edge.mqttPort, machine)
  onTestFinished(() => client.destroy())
  let number = 1
  return {
    client,
    async send(values: object) {
      client.publish(plainTopic.telemetry, JSON.stringify(values), { messageId: ++number })
      await client.next('puback')
    },
  }
}

const valueCame = (page: PushClient, machine: TestMachine, wanted: number) =>
  page.find((event) =>
    event.scene === 'values' &&
    event.machineId === String(machine.machineId) &&
    event.values.some(({ value }) => value.case === 'numberValue' && value.value === wanted)
      ? true
      : undefined,
  )

const stateCame = (page: PushClient, machine: TestMachine, online: boolean) =>
  page.find((event) =>
    event.scene === 'machineState' &&
    event.state.machineId === String(machine.machineId) &&
    event.state.online === online
      ? true
      : undefined,
  )

it('pages at the realtime node show values and the online state of machines at either edge node', async () => {
  const page = await openPage(owner)
  for (const edge of edges) {
    const machine = await createMachine(cluster.database.db, { owner: owner.userId })
    page.watch(machine.machineId)
    const { client, send } = await connectMachine(edge, machine)
    await send({ n: 41 })
    await valueCame(page, machine, 41)
    await send({ n: 42 })
    await valueCame(page, machine, 42)
    await stateCame(page, machine, true)
    // The api node hears of it by itself, not by the page's node.
    const isOnline = async () => {
      const answer = await api.as(owner).call(machines.listMachines, {})
      return 'list' in answer && answer.list.find((item) => item.machine_id === machine.machineId)?.online
    }
    await expect.poll(isOnline, deadline).toBe(true)
    client.destroy()
    await stateCame(page, machine, false)
  }
})

it('new tags of a machine at an edge node are in the lists of the api node', async () => {
  const machine = await createMachine(cluster.database.db, { owner: owner.userId })
  const { machineId } = machine
  const listTags = async () =>
    (await api.as(owner).call(telemetry.listTags, { machineId })).map(({ tag }) => tag)
  expect(await listTags()).toEqual([])
  const { send } = await connectMachine(edges[0], machine)
  await send({ a: 1 })
  await expect.poll(listTags, deadline).toEqual(['a'])
  await send({ b: 1 })
  await expect.poll(listTags, deadline).toEqual(['a', 'b'])
})

it('a write at the api node is confirmed by a machine of an edge node, and not sent without NATS', async () => {
  const here = new WriteSite()
  here.site = withBuilders(api)
  here.owner = owner
  here.machine = await createMachine(cluster.database.db, { owner: owner.userId })
  here.page = await openPage(owner)
  onTestFinished(() => here.end())
  const node = await here.openNode(['NCMD', 'DCMD'], edges[0].mqttPort)
  await node.publish('NBIRTH', [writableMetric('sp', SparkplugDatatype.double, 20)])
  await here.latestIs('sp', 20)
  const commandId = await here.write('sp', 25)
  await node.client.next('publish')
  await node.publish('NDATA', [writableMetric('sp', SparkplugDatatype.double, 25)])
  expect(await here.resultOf(commandId)).toMatchObject({ state: 'confirmed' })

  const { tagId } = await here.tagOf('sp')
  // Without NATS the api node reads in the database that the machine is connected, where its edge node writes it soon.
  const connections = cluster.database.db
    .selectFrom('machine_connections')
    .select('id')
    .where('machine_id', '=', here.machine.machineId)
    .where('ended_at', 'is', null)
  await expect.poll(async () => (await connections.execute()).length, deadline).toBe(1)
  await cluster.nats.stop()
  try {
    const write = { machineId: here.machine.machineId, tagId, value: 30 }
    expect(await failureOf(api.as(owner), telemetry.writeTag, write)).toMatchObject({ code: 'NOT_REACHABLE' })
  } finally {
    await cluster.nats.start()
  }
  const { machineId } = here.machine
  const reach = () =>
    api.platform.link.latest(machineId).then(
      () => true,
      () => false,
    )
  await expect.poll(reach, deadline).toBe(true)
  await here.latestIs('sp', 25)
})

it('a right revoked at the api node cuts a stream at the visits node and the values of a page', async () => {
  const { db } = cluster.database
  const machine = await createMachine(db, { owner: owner.userId })
  const visitor = await createUser(db)
  const grantId = await grantMachine(db, visitor.userId, machine.machineId, { role: 'visitor' })
  const station = await Station.open(edges[1], machine)
  onTestFinished(() => station.close())
  const page = await openPage(visitor)
  page.watch(machine.machineId)
  await page.find((event) => (event.scene === 'values' ? true : undefined))
  const inside = await Inside.enter(visits, visitor, station)
  onTestFinished(() => inside.close())
  expect((await inside.client.request('/before')).text).toBe('page')
  const arrival = station.arrival('/held')
  const held = inside.client.open('/held').catch((error: Error) => error)
  const stream = await arrival
  stream.on('error', () => undefined)
  const cut = new Promise((resolve) => stream.once('close', resolve))
  const told = () => page.events.filter(({ scene }) => scene === 'values').length
  const tookMs = await calmMsOf(async () => {
    await api.as(owner).call(access.removeVisitor, { visitTimeId: grantId })
    await cut
  })
  expect(tookMs).toBeLessThan(1_000)
  await held
  // The machine keeps sending values; the visitor's page gets none from here on.
  await expect.poll(async () => (await inside.client.request('/after')).status, deadline).toBe(403)
  const before = told()
  const { told: value } = station
  await expect.poll(() => station.told, deadline).toBeGreaterThan(value + 10)
  expect(told()).toBe(before)
})

it('a person who pressed in the console at the api node is not asked again at the visits node', async () => {
  const machine = await createMachine(cluster.database.db, { owner: owner.userId })
  const { machineId } = machine
  const station = await Station.open(edges[0], machine)
  onTestFinished(() => station.close())
  // The api node has the tunnel once the NATS server has heard of it.
  await expect.poll(() => api.platform.link.tunnel(machineId), deadline).toBeDefined()
  await api.as(owner).call(visitsContract.openVisit, {
    ...{ machineID: machineId, path: '/drives', terminalID: 'a'.repeat(32) },
  })
  const { visitPort } = visits.platform.visits
  const caller = { userId: owner.userId, sessionId: owner.sessionId, address: '127.0.0.1', now: Date.now() }
  const findAsked = () => visitPort.findAsked(caller, machineId, 'page')
  await expect.poll(findAsked, deadline).toBeDefined()
  const visitId = (await findAsked())?.visitId ?? 0
  expect(await visitPort.findAskedPath(visitId)).toBe('/drives')
  const mayPass = () => visitPort.takeMark(visitId, '/drives', Date.now())
  expect([await mayPass(), await mayPass()]).toEqual([true, false])
})

it('a job queued by a call at the api node runs in the process with jobs', async () => {
  const machine = await createMachine(cluster.database.db, { owner: owner.userId })
  const { machineId } = machine
  const { send } = await connectMachine(edges[0], machine)
  await send({ n: 1 })
  const as = api.as(owner)
  const listTags = () => as.call(telemetry.listTags, { machineId })
  await expect.poll(async () => (await listTags()).length, deadline).toBe(1)
  const tagIds = (await listTags()).map(({ tagId }) => tagId)
  const to = Date.now()
  const kind = { format: 'csv', layout: 'long', timezone: 'UTC', agg: 'avg' } as const
  const { jobId } = await as.call(exporting.createExport, { tagIds, from: to - 60_000, to, ...kind })
  const stateOfJob = async () =>
    (await as.call(exporting.listExports, {})).find((row) => row.jobId === jobId)?.state
  await expect.poll(stateOfJob, deadline).toBe('ready')
})
