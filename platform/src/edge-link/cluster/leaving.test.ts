import { once } from 'node:events'
import { plainTopic } from '@busbar/link'
import { createMachine, dialTestTunnel, type TestMachine, type TestPlatform } from '@busbar/testkit'
import { startTestCluster, type TestCluster } from '@busbar/testkit/cluster.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { LoadClient } from '../../../test-support/gateway/load-client.ts'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { listLogged } from '../../../test-support/telemetry/logged-samples.ts'

/* A node that stops while another node has the same roles hands its machines over. */

const deadline = { timeout: 10_000, interval: 20 }

let cluster: TestCluster
let first: TestPlatform
let second: TestPlatform
beforeEach(async () => {
  cluster = await startTestCluster([{ ROLES: 'edge' }, {}])
  const [one, two] = cluster.nodes as [TestPlatform, TestPlatform]
  first = one
  second = two
})
afterEach(() => cluster.stop())

async function listGone(machines: readonly TestMachine[]): Promise<number[]> {
  const rows = await cluster.database.db
    .selectFrom('facts')
    .select('machine_id')
    .where('kind', '=', 'machine.offline')
    .execute()
  const wanted = new Set(machines.map(({ machineId }) => machineId))
  return rows.flatMap(({ machine_id }) => (machine_id !== null && wanted.has(machine_id) ? [machine_id] : []))
}

it('under load: machines continue at the other node, nothing acknowledged is missing, and none becomes offline', async () => {
  const { db } = cluster.database
  const machines = await Promise.all(Array.from({ length: 6 }, () => createMachine(db)))
  const firstAt = Date.now()
  const load = machines.map(
    ({ code, secret }) => new LoadClient({ code, secret, port: first.mqttPort, window: 25, firstAt }),
  )
  onTestFinished(() => {
    for (const client of load) client.abandon()
  })
  const acknowledged = () => load.reduce((sum, client) => sum + client.acknowledged.size, 0)
  await expect.poll(acknowledged, deadline).toBeGreaterThan(300)
  // A proxy that finds one port closed takes the other.
  for (const client of load) client.moveTo(second.mqttPort)

  await first.stop()
  const before = acknowledged()
  const { presence } = second.platform.gateway
  await expect
    .poll(() => machines.filter(({ machineId }) => presence.isOnline(machineId)).length, deadline)
    .toBe(machines.length)
  await expect.poll(acknowledged, deadline).toBeGreaterThan(before + 300)
  await Promise.all(load.map((client) => client.drain()))

  for (const [place, client] of load.entries()) {
    const stored = await listLogged(db, machines[place]?.machineId)
    const numbers = new Set(stored.map(({ at }) => at.getTime() - firstAt))
    expect([...client.acknowledged].filter((number) => !numbers.has(number))).toEqual([])
  }
  // The second node writes the connections some moments after they came, and ends the former ones with them.
  const listLeft = () =>
    db
      .selectFrom('machine_connections')
      .select('machine_id')
      .where('node_id', '=', 'node-0')
      .where('ended_at', 'is', null)
      .execute()
  await expect.poll(listLeft, deadline).toEqual([])
  const goneBefore = await db
    .selectFrom('facts')
    .select('id')
    .where('kind', '=', 'machine.offline')
    .where(
      'id',
      '<',
      db
        .selectFrom('facts')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('kind', '=', 'machine.online'),
    )
    .execute()
  expect(goneBefore).toEqual([])
})

it('a machine gets the reason, stays online while it may reconnect, then is offline since it was last seen', async () => {
  const { db } = cluster.database
  const machine = await createMachine(db)
  const { machineId } = machine
  const client = await RawClient.login(first.mqttPort, machine, { version: 5 })
  client.publish(plainTopic.telemetry, '{"n":1}')
  await client.next('puback')
  await first.stop()
  expect(await client.next('disconnect')).toMatchObject({ reasonCode: 0x8b })

  const { link, gateway } = second.platform
  const isOnline = async () => (await link.presence([machineId])).get(machineId)?.online
  expect(await isOnline()).toBe(true)
  await gateway.presence.endSilent()
  expect(await isOnline()).toBe(true)
  expect(await listGone([machine])).toEqual([])
  // Its values are the stored ones meanwhile; a write says that it cannot be reached now.
  await expect
    .poll(async () => (await link.latest(machineId)).map(({ value }) => value), deadline)
    .toEqual([1])
  await expect(link.prepareWrite(machineId, { group: '', tag: 'n', value: 1 }, 1)).rejects.toThrow()

  await sql`update machine_connections set expected_until = now() where machine_id = ${machineId}`.execute(db)
  await gateway.presence.endSilent()
  expect(await isOnline()).toBe(false)
  expect(await listGone([machine])).toEqual([machineId])
  const { last_seen_at, ended_at } = await db
    .selectFrom('machine_connections')
    .select(['last_seen_at', 'ended_at'])
    .where('machine_id', '=', machineId)
    .executeTakeFirstOrThrow()
  expect(ended_at).toEqual(last_seen_at)
})

it('a machine that connects to the other node and disconnects is offline at once, not only after its time', async () => {
  const machine = await createMachine(cluster.database.db)
  const client = await RawClient.login(first.mqttPort, machine)
  client.publish(plainTopic.telemetry, '{"n":1}')
  await client.next('puback')
  await first.stop()
  expect(await listGone([machine])).toEqual([])
  const back = await RawClient.login(second.mqttPort, machine)
  back.publish(plainTopic.telemetry, '{"n":2}')
  await back.next('puback')
  back.destroy()
  await expect.poll(() => listGone([machine])).toEqual([machine.machineId])
})

it('a node that restarts at once gives its former machines their time to reconnect', async () => {
  const { db } = cluster.database
  const machine = await createMachine(db)
  const client = await RawClient.login(first.mqttPort, machine)
  client.publish(plainTopic.telemetry, '{"n":1}')
  await client.next('puback')
  await first.stop()
  const again = await cluster.add({ ROLES: 'edge' }, { nodeId: 'node-0' })
  expect(await listGone([machine])).toEqual([])
  const back = await RawClient.login(again.mqttPort, machine)
  onTestFinished(() => back.destroy())
  await expect.poll(() => again.platform.gateway.presence.isOnline(machine.machineId), deadline).toBe(true)
  expect(await listGone([machine])).toEqual([])
})

it('a tunnel ends when no stream is open in it, and opens at the other node', async () => {
  const machine = await createMachine(cluster.database.db)
  const before = dialTestTunnel({ url: first.url }, machine)
  await once(before, 'open')
  const closed = once(before, 'close')
  await first.stop()
  expect((await closed)[0]).toBe(1001)
  const after = dialTestTunnel({ url: second.url }, machine)
  onTestFinished(() => after.terminate())
  await once(after, 'open')
})

it('the last node with a role sets its machines offline, as a single process does', async () => {
  const machine = await createMachine(cluster.database.db)
  await first.stop()
  const client = await RawClient.login(second.mqttPort, machine)
  client.publish(plainTopic.telemetry, '{"n":1}')
  await client.next('puback')
  await second.stop()
  expect(await listGone([machine])).toEqual([machine.machineId])
})
