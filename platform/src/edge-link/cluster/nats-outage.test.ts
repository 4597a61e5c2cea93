import { setTimeout as sleep } from 'node:timers/promises'
import { access, accounts, tagSettings, telemetry } from '@busbar/contract'
import {
  createMachine,
  createUser,
  failureOf,
  grantMachine,
  PushClient,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { startTestCluster, type TestCluster } from '@busbar/testkit/cluster.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { LoadClient } from '../../../test-support/gateway/load-client.ts'
import { compareKept } from '../../../test-support/telemetry/compare-kept.ts'
import { Inside } from '../../../test-support/visit-host/inside.ts'
import { Station } from '../../../test-support/visit-host/station.ts'
import { WritableMachine } from '../../../test-support/writes/writable-machine.ts'

/* Two whole platforms on one database: the work of each continues while they have no connection to each other. */

/** Longer than a lease on values lasts. */
const outageMs = 20_000
const rightMsMax = 1_000
const deadline = { timeout: 15_000, interval: 50 }

let cluster: TestCluster
let near: TestPlatform
let far: TestPlatform
beforeAll(async () => {
  cluster = await startTestCluster([{}, {}])
  ;[near, far] = cluster.nodes as [TestPlatform, TestPlatform]
})
afterAll(() => cluster.stop())

it('20 s without NATS: each node continues its own work, cannot reach the other one, and recovers by itself', async () => {
  const { db } = cluster.database
  const owner = await createUser(db)
  const visitor = await createUser(db)
  const as = near.as(owner)
  const openMachine = () => createMachine(db, { owner: owner.userId })

  const loaded = await Promise.all(
    [near, far].map(async ({ mqttPort }) => {
      const machine = await openMachine()
      const { code, secret, machineId } = machine
      const load = { window: 4, restMs: 20, firstAt: Date.now(), hasClock: true }
      return { machineId, client: new LoadClient({ code, secret, port: mqttPort, ...load }) }
    }),
  )
  onTestFinished(() => loaded.forEach(({ client }) => void client.abandon()))
  const [hereSp, awaySp] = await Promise.all([near, far].map((site) => openSetPoint(site, owner)))
  const [here, away] = await Promise.all(
    [near, far].map(async (site) => {
      const station = await Station.open(site, await openMachine())
      onTestFinished(() => station.close())
      return station
    }),
  )
  if (!hereSp || !awaySp || !here || !away) throw new Error('there are two of each')
  const grantId = await grantMachine(db, visitor.userId, here.machine.machineId, { role: 'visitor' })
  const { ticket } = await as.call(accounts.createPushTicket, {})
  const page = await PushClient.open(near.url, ticket)
  onTestFinished(() => page.close())
  const countTold = ({ machine }: Station) =>
    page.events.filter((event) => event.scene === 'values' && event.machineId === String(machine.machineId))
      .length
  const untilTold = async (station: Station) => {
    const before = countTold(station)
    await expect.poll(() => countTold(station), deadline).toBeGreaterThan(before + 5)
  }
  for (const station of [here, away]) page.watch(station.machine.machineId)
  await untilTold(here)
  await untilTold(away)
  const [insideHere, insideAway, visiting] = await Promise.all([
    Inside.enter(near, owner, here),
    Inside.enter(near, owner, away),
    Inside.enter(near, visitor, here),
  ])
  for (const inside of [insideHere, insideAway, visiting]) onTestFinished(() => inside.close())
  const statusIn = async ({ client }: Inside) => (await client.request('/page')).status
  expect(await Promise.all([insideHere, insideAway, visiting].map(statusIn))).toEqual([200, 200, 200])
  const arrival = here.arrival('/held')
  const held = visiting.client.open('/held').catch((error: Error) => error)
  const stream = await arrival
  stream.on('error', () => undefined)
  const cut = new Promise((resolve) => stream.once('close', resolve))

  const acknowledged = () => loaded.map(({ client }) => client.acknowledged.size)
  await cluster.nats.stop()
  const stoppedAt = performance.now()
  const atStop = acknowledged()
  const { machineId } = away.machine
  const setAway = { ...awaySp.write, value: 7 }
  await expect
    .poll(() => failureOf(as, telemetry.writeTag, setAway).then(({ code }) => code), deadline)
    .toBe('NOT_REACHABLE')
  const latest = { machineId, tags: [] }
  expect(await failureOf(as, telemetry.listLatest, latest)).toMatchObject({ code: 'NOT_REACHABLE' })
  // The cached way to a tunnel is still used for a while.
  await expect.poll(() => statusIn(insideAway), deadline).toBe(503)
  const { commandId } = await as.call(telemetry.writeTag, { ...hereSp.write, value: 5 })
  const resultOf = (id: number) =>
    page.find((event) =>
      event.scene === 'writeResult' && event.result.commandId === String(id) ? event.result.state : undefined,
    )
  expect(await resultOf(commandId)).toBe('confirmed')
  expect(await statusIn(insideHere)).toBe(200)
  await untilTold(here)
  // The other node revokes the right, and this one reads that from the database.
  const tookMs = await calmMsOf(async () => {
    await far.as(owner).call(access.removeVisitor, { visitTimeId: grantId })
    await cut
  })
  expect(tookMs).toBeLessThan(rightMsMax)
  await held
  await sleep(outageMs - (performance.now() - stoppedAt))
  const atStart = acknowledged()
  expect(atStart.every((count, place) => count > (atStop[place] ?? 0) + 50)).toBe(true)
  expect(await statusIn(insideHere)).toBe(200)

  await cluster.nats.start()
  await untilTold(away)
  await expect.poll(() => statusIn(insideAway), deadline).toBe(200)
  expect((await as.call(telemetry.listLatest, latest)).length).toBe(1)
  expect(await resultOf((await as.call(telemetry.writeTag, setAway)).commandId)).toBe('confirmed')
  expect([hereSp.machine.taken, awaySp.machine.taken]).toEqual([[5], [7]])
  await Promise.all(loaded.map(({ client }) => client.drain()))
  expect(await compareKept(db, loaded)).toEqual({ missing: 0, elsewhere: 0 })
})

async function openSetPoint(site: TestPlatform, owner: TestUser) {
  const { machineId, ...label } = await createMachine(site.db, { owner: owner.userId })
  const machine = new WritableMachine(label, 'sp', site.mqttPort)
  onTestFinished(() => machine.end())
  const findTag = async () => (await site.as(owner).call(telemetry.listTags, { machineId })).at(0)?.tagId
  await expect.poll(findTag, deadline).toBeDefined()
  const write = { machineId, tagId: (await findTag()) ?? 0 }
  await site.as(owner).call(tagSettings.setTag, { ...write, writable: true })
  return { write, machine }
}
