import { plainTopic } from '@busbar/link'
import { createMachine } from '@busbar/testkit'
import { startTestCluster, type TestCluster } from '@busbar/testkit/cluster.ts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { NotReachable } from '../not-reachable.ts'
import { machineSubject } from './questions.ts'

/* Nodes of two versions side by side, as during an upgrade. */

const deadline = { timeout: 15_000, interval: 50 }

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startTestCluster([{}])
})
afterAll(() => cluster.stop())

async function connectMachine() {
  const { db } = cluster.database
  const [node] = cluster.nodes
  if (!node) throw new Error('the cluster has a node')
  const machine = await createMachine(db)
  const client = await RawClient.login(node.mqttPort, machine)
  onTestFinished(() => client.destroy())
  client.publish(plainTopic.telemetry, '{"n":1}')
  await client.next('puback')
  const { machineId } = machine
  const isWritten = async () =>
    db.selectFrom('machine_connections').select('id').where('machine_id', '=', machineId).executeTakeFirst()
  await expect.poll(isWritten, deadline).toBeDefined()
  return { node, machine, client }
}

it('an older node answers an unknown question as not reachable, and continues', async () => {
  const { machine, node } = await connectMachine()
  const newer = cluster.openLine('newer')
  onTestFinished(() => newer.stop())
  newer.start()
  await expect.poll(() => newer.isUp, deadline).toBe(true)
  const ask = (name: string) => newer.ask(machineSubject(machine.machineId), { name, asked: {} }, 5_000)
  await expect(ask('forecast')).rejects.toMatchObject({ why: 'unreachable' })
  expect(await ask('latest')).toMatchObject([{ value: 1 }])
  expect(node.platform.gateway.presence.isOnline(machine.machineId)).toBe(true)
})

it('nodes whose messages differ report a machine as not reachable, never as offline, and each names the other', async () => {
  const { machine, client, node } = await connectMachine()
  const { machineId } = machine
  const other = await cluster.add({}, { wireVersion: 3 })
  const { link } = other.platform
  expect((await link.presence([machineId])).get(machineId)).toMatchObject({ online: true, isHere: false })
  await expect(link.latest(machineId)).rejects.toBeInstanceOf(NotReachable)
  const write = { group: '', tag: 'n', value: 1 }
  await expect(link.prepareWrite(machineId, write, 1)).rejects.toBeInstanceOf(NotReachable)
  // Storing values, rights and the online state need no messages.
  const moved = await RawClient.login(other.mqttPort, machine)
  onTestFinished(() => moved.destroy())
  moved.publish(plainTopic.telemetry, '{"n":2}')
  await moved.next('puback')
  expect((await link.latest(machineId)).map(({ value }) => value)).toEqual([2])
  // It got no message, and finds out at its next write of the machine's last-seen time.
  await expect.poll(() => client.isClosed, deadline).toBe(true)
  expect(node.platform.gateway.presence.isOnline(machineId)).toBe(false)
  const gone = await cluster.database.db
    .selectFrom('facts')
    .select('id')
    .where('kind', '=', 'machine.offline')
    .where('machine_id', '=', machineId)
    .execute()
  expect(gone).toEqual([])
})
