import { createRequire } from 'node:module'
import type { UPayload } from 'sparkplug-payload/lib/sparkplugbpayload.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from './testing/test-gateway.ts'

const require = createRequire(new URL('../../../testkit/package.json', import.meta.url))
const sparkplug = require('sparkplug-client') as typeof import('sparkplug-client')
type Client = ReturnType<typeof sparkplug.newClient>

let test: TestGateway

beforeAll(async () => {
  test = await startTestGateway()
})

afterAll(() => test.stop())

async function openNode(machine: { code: string; secret: string }): Promise<Client> {
  const client = sparkplug.newClient({
    serverUrl: test.url,
    username: machine.code,
    password: machine.secret,
    groupId: 'plant',
    edgeNode: machine.code,
    clientId: machine.code,
    publishDeath: true,
    version: 'spBv1.0',
    mqttOptions: { reconnectPeriod: 0 },
  })
  await new Promise((resolve) => client.once('birth', resolve))
  return client
}

let lastAt = Date.now()

/** Metrics of a time of their own: two messages of one millisecond would be one to a reader. */
function metrics(temp: number): UPayload {
  const timestamp = ++lastAt
  return {
    timestamp,
    metrics: [
      { name: 'oven/temp', type: 'Double', value: temp, timestamp },
      { name: 'count', type: 'Int32', value: -7, timestamp },
      { name: 'big', type: 'Int64', value: 1234, timestamp },
      { name: 'on', type: 'Boolean', value: true, timestamp },
      { name: 'recipe', type: 'String', value: '甜点', timestamp },
    ],
  }
}

it('sparkplug-client is born, measures, answers a rebirth and dies', async () => {
  const machine = await test.createMachine()
  const client = await openNode(machine)
  const { presence } = test.gateway
  expect(presence.isOnline(machine.machineId)).toBe(false)
  let births = 0
  const rebirth = new Promise<void>((resolve) =>
    client.on('ncmd', (payload) => {
      if (payload.metrics?.some(({ name, value }) => name === 'Node Control/Rebirth' && value === true)) {
        births++
        client.publishNodeBirth(metrics(40))
        resolve()
      }
    }),
  )
  client.publishNodeBirth(metrics(20))
  await expect.poll(() => presence.isOnline(machine.machineId)).toBe(true)
  client.publishNodeData(metrics(21), { compress: true, algorithm: 'GZIP' })
  client.publishDeviceBirth('plc', metrics(30))
  client.publishDeviceData('plc', metrics(31), { compress: true })
  await expect.poll(async () => (await test.samples(machine.machineId)).length).toBe(20)
  const rows = await test.samples(machine.machineId)
  expect(rows.filter(({ tag }) => tag === 'temp').map(({ group, value }) => [group, value])).toEqual([
    ['oven', 20],
    ['oven', 21],
    ['plc/oven', 30],
    ['plc/oven', 31],
  ])
  expect(rows.filter(({ group, tag }) => group === '' && tag !== 'temp').slice(0, 4)).toMatchObject([
    { tag: 'count', type: 'int64', value: -7, quality: 192 },
    { tag: 'big', type: 'int64', value: 1234 },
    { tag: 'on', type: 'bool', value: 1 },
    { tag: 'recipe', type: 'string', value: '甜点' },
  ])
  expect(births).toBe(0)

  // A message lost on the way: the next one's number does not follow.
  ;(client as unknown as { seq: number }).seq += 3
  client.publishNodeData(metrics(22))
  await rebirth
  await expect.poll(async () => (await test.samples(machine.machineId)).length).toBe(30)
  expect(births).toBe(1)

  client.stop()
  await expect.poll(() => presence.isOnline(machine.machineId)).toBe(false)
  const latest = await test.telemetry.listLatest(machine.machineId)
  expect(latest.every(({ quality }) => quality === 'stale')).toBe(true)
})
