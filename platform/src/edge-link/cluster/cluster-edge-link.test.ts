import type { ClientHttp2Stream } from 'node:http2'
import { text } from 'node:stream/consumers'
import { plainTopic } from '@busbar/link'
import { createMachine, openTestTunnel } from '@busbar/testkit'
import { startTestCluster, type TestCluster } from '@busbar/testkit/cluster.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { NotReachable } from '../not-reachable.ts'

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startTestCluster([{}, {}])
})
afterAll(() => cluster.stop())

const nodes = () => {
  const [first, second] = cluster.nodes
  if (!first || !second) throw new Error('the cluster has two nodes')
  return { first, second }
}

async function connectMachine(port: number, machine: { code: string; secret: string }) {
  const client = await RawClient.login(port, machine)
  let number = 1
  return {
    client,
    async send(values: object) {
      client.publish(plainTopic.telemetry, JSON.stringify(values), { messageId: ++number })
      await client.next('puback')
    },
  }
}

it('values of a machine reach watchers at another node, and its newest ones are available there', async () => {
  const { first, second } = nodes()
  const machine = await createMachine(cluster.database.db)
  const { machineId } = machine
  const { client, send } = await connectMachine(first.mqttPort, machine)
  await send({ n: 1 })
  const { link } = second.platform
  const told: TagValueEvent[] = []
  await expect.poll(async () => (await link.presence([machineId])).get(machineId)?.online).toBe(true)
  const watch = await link.watch(machineId, (values) => told.push(...values))
  expect((await link.latest(machineId)).map(({ value }) => value)).toEqual([1])
  await send({ n: 2 })
  // The holder's first message may still have been under way, and brings the value before.
  await expect.poll(() => told.at(-1)?.value).toBe(2)
  expect((await link.latestOfEach([machineId])).get(machineId)).toMatchObject([{ value: 2, quality: 'good' }])
  watch.end()
  client.destroy()
  await expect
    .poll(
      async () => (await link.latest(machineId)).map(({ value, quality }) => ({ value, quality })),
      // The store is up to a second behind.
      { timeout: 10_000 },
    )
    .toEqual([{ value: 2, quality: 'stale' }])
})

it('a machine that connects to another node is online there at once, and nobody is notified that it is offline', async () => {
  const { first, second } = nodes()
  const machine = await createMachine(cluster.database.db)
  const { machineId } = machine
  const before = await connectMachine(first.mqttPort, machine)
  await before.send({ n: 1 })
  await expect
    .poll(async () => (await second.platform.link.presence([machineId])).get(machineId)?.online)
    .toBe(true)
  const told: TagValueEvent[] = []
  const watch = await first.platform.link.watch(machineId, (values) => told.push(...values))
  const after = await connectMachine(second.mqttPort, machine)
  await after.send({ n: 2 })
  await expect.poll(() => before.client.isClosed).toBe(true)
  await after.send({ n: 3 })
  await expect.poll(() => told.at(-1)).toMatchObject({ value: 3, quality: 'good' })
  expect(told.filter(({ quality }) => quality !== 'good')).toEqual([])
  expect(first.platform.gateway.presence.isOnline(machineId)).toBe(false)
  expect((await first.platform.link.presence([machineId])).get(machineId)).toMatchObject({ online: true })
  const gone = await cluster.database.db
    .selectFrom('facts')
    .select('id')
    .where('kind', '=', 'machine.offline')
    .where('machine_id', '=', machineId)
    .execute()
  expect(gone).toEqual([])
  watch.end()
  after.client.destroy()
})

it('a tunnel at one node answers a page request at another', async () => {
  const { first, second } = nodes()
  const machine = await createMachine(cluster.database.db)
  const { machineId } = machine
  const tunnel = await openTestTunnel(first, machine, (stream, headers) => {
    expect(Object.keys(headers).filter((name) => name.startsWith('busbar-'))).toEqual([])
    if (headers[':path'] === '/never') return
    stream.respond({ ':status': 201, 'x-path': headers[':path'] })
    stream.pipe(stream)
  })
  const { link } = second.platform
  const findLine = () => link.tunnel(machineId)
  // It answers for the tunnel once the NATS server has its subscription.
  await expect.poll(findLine, { timeout: 10_000 }).toBeDefined()
  const line = await findLine()
  if (!line) throw new Error('no tunnel was found')
  expect((await line.targets()).map(({ name }) => name)).toEqual(['page'])
  expect(await line.ping()).toBeGreaterThan(0)
  const open = async (path: string, endStream: boolean) =>
    (await line.openStream(
      { ':method': endStream ? 'GET' : 'POST', ':path': path, ':authority': 'page' },
      { endStream, purpose: 'visit' },
    )) as ClientHttp2Stream
  const posted = await open('/echo', false)
  posted.end('x'.repeat(5_000_000))
  const headers = new Promise((resolve) => posted.once('response', resolve))
  expect((await text(posted)).length).toBe(5_000_000)
  expect(await headers).toMatchObject({ ':status': 201, 'x-path': '/echo' })

  const held = await open('/never', true)
  const closed = new Promise((resolve) => held.once('close', resolve))
  tunnel.close()
  await closed
  expect(held.rstCode).not.toBe(0)
  await expect.poll(() => line.isOpen).toBe(false)
  await expect.poll(() => link.tunnel(machineId)).toBeUndefined()
})

it('a machine of another node cannot be reached without NATS, and can again afterwards', async () => {
  const { first, second } = nodes()
  const machine = await createMachine(cluster.database.db)
  const { machineId } = machine
  const { client, send } = await connectMachine(first.mqttPort, machine)
  await send({ n: 1 })
  const { link } = second.platform
  const told: TagValueEvent[] = []
  await expect.poll(async () => (await link.presence([machineId])).get(machineId)?.online).toBe(true)
  const watch = await link.watch(machineId, (values) => told.push(...values))
  await cluster.nats.stop()
  const write = { group: '', tag: 'n', value: 1 }
  await expect(link.prepareWrite(machineId, write, 1)).rejects.toBeInstanceOf(NotReachable)
  await expect(link.latest(machineId)).rejects.toBeInstanceOf(NotReachable)
  await send({ n: 2 })
  await cluster.nats.start()
  await expect.poll(() => told.at(-1)?.value, { timeout: 10_000 }).toBe(2)
  // This node may have its line again before the other one.
  const prepare = () => link.prepareWrite(machineId, write, 1).catch(() => undefined)
  await expect.poll(prepare, { timeout: 10_000 }).toBe('unsupported')
  watch.end()
  client.destroy()
})
