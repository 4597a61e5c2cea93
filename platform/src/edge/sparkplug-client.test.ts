import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { UPayload } from 'sparkplug-payload/lib/sparkplugbpayload.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'

const require = createRequire(new URL('../../../testkit/package.json', import.meta.url))
const sparkplug = require('sparkplug-client') as typeof import('sparkplug-client')
/** The decoder inside sparkplug-payload, because its `decodePayload` leaves out values without a datatype. */
const { Payload } = (
  require('sparkplug-payload/lib/sparkplugPayloadProto.js') as {
    org: { eclipse: { tahu: { protobuf: { Payload: { decode(bytes: Uint8Array): ForeignPayload } } } } }
  }
).org.eclipse.tahu.protobuf

interface ForeignPayload {
  readonly metrics: readonly {
    readonly name: string
    /** 0 if missing, as in protobuf. */
    readonly alias: number | { toString(): string }
    readonly intValue: number
    readonly booleanValue: boolean
  }[]
}
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

/** Metrics with their own time: readers treat two messages of one millisecond as one. */
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

it('sparkplug-client sends a birth, values, a rebirth on request and a death', async () => {
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

  // A message is lost on the way: the next number does not follow.
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

/** The aliases of Eclipse Tahu's example of an edge node. */
const tahuAliases = { nextServer: 0, rebirth: 1, reboot: 2, output: 10 } as const

it("a write is not taken for another command by a node that resolves commands as Eclipse Tahu's example does", async () => {
  const machine = await test.createMachine()
  const client = await openNode(machine)
  const obeyed: unknown[] = []
  const control = (name: string, alias: number) => ({ name, alias, type: 'Boolean' as const, value: false })
  const beBorn = () => {
    const timestamp = ++lastAt
    client.publishNodeBirth({
      timestamp,
      metrics: [
        control('Node Control/Next Server', tahuAliases.nextServer),
        control('Node Control/Rebirth', tahuAliases.rebirth),
        control('Node Control/Reboot', tahuAliases.reboot),
      ],
    })
    const output = { name: 'output/Device Metric2', alias: tahuAliases.output, type: 'Int16' as const }
    client.publishDeviceBirth('Emulated Device', {
      timestamp,
      metrics: [{ ...output, value: 16, timestamp }],
    })
  }
  // Bytes as they came, read by the name or the alias, whichever fits first.
  const mqtt = (client as unknown as { client: EventEmitter }).client
  mqtt.on('message', (_topic: string, bytes: Uint8Array) => {
    for (const metric of Payload.decode(bytes).metrics) {
      const is = (name: string, alias: number) => metric.name === name || String(metric.alias) === `${alias}`
      if (is('Node Control/Next Server', tahuAliases.nextServer)) obeyed.push('next server')
      else if (is('Node Control/Rebirth', tahuAliases.rebirth)) obeyed.push('rebirth')
      else if (is('Node Control/Reboot', tahuAliases.reboot)) obeyed.push('reboot')
      else if (is('output/Device Metric2', tahuAliases.output)) obeyed.push(metric.intValue)
    }
  })
  beBorn()
  const write = { group: 'Emulated Device/output', tag: 'Device Metric2', value: 40n }
  const prepare = () => test.gateway.prepareWrite(machine.machineId, write)
  await expect.poll(() => typeof prepare(), { timeout: 10_000 }).toBe('object')
  const prepared = prepare()
  expect(typeof prepared === 'object' && prepared.send(1)).toBe(true)
  await expect.poll(() => obeyed, { timeout: 10_000 }).toEqual([40])

  // A message is lost on the way: the birth is requested by its own alias.
  ;(client as unknown as { seq: number }).seq += 3
  client.publishNodeData({ timestamp: ++lastAt, metrics: [] })
  await expect.poll(() => obeyed, { timeout: 10_000 }).toEqual([40, 'rebirth'])
  client.stop()
})

it('values of a device are stale from the time of its DDEATH, not from when that came', async () => {
  const machine = await test.createMachine()
  const client = await openNode(machine)
  client.publishNodeBirth({ timestamp: ++lastAt, metrics: [] })
  client.publishDeviceBirth('plc', metrics(30))
  const latest = () => test.telemetry.listLatest(machine.machineId)
  await expect.poll(async () => (await latest()).length, { timeout: 10_000 }).toBe(5)
  const goneAt = lastAt + 60_000
  client.publishDeviceDeath('plc', { timestamp: goneAt, metrics: [] })
  await expect
    .poll(async () => new Set((await latest()).map(({ quality, time }) => `${quality} ${time}`)), {
      timeout: 10_000,
    })
    .toEqual(new Set([`stale ${goneAt}`]))
  client.stop()
})
