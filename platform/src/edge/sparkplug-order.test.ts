import { gzipSync } from 'node:zlib'
import {
  compressedPayload,
  encodeSparkplugPayload,
  rawValue,
  type SparkplugMetric,
  SparkplugDatatype as type,
} from '@busbar/link'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import { reorderedMax, reorderWaitMs } from './ingest/adapters/sparkplug-order.ts'
import { gatewayLimits } from './limits.ts'

/** The waits that run, for the test to end. */
const waits = new Set<{ ms: number; run: () => void }>()
let test: TestGateway

beforeAll(async () => {
  test = await startTestGateway({
    after(ms, run) {
      const wait = { ms, run }
      waits.add(wait)
      return () => waits.delete(wait)
    },
  })
})

beforeEach(() => waits.clear())

afterAll(() => test.stop())

/** Ends the wait that runs. */
function endWait(): void {
  const [wait] = waits
  if (!wait) throw new Error('no message waits')
  waits.delete(wait)
  wait.run()
}

const int = (name: string | number, value: number): SparkplugMetric => ({
  ...(typeof name === 'string' ? { name } : { alias: name }),
  datatype: type.int32,
  raw: rawValue(value, type.int32),
})

/** A node after a birth with `metrics`, which sends a test's messages with any number. */
async function openNode(...metrics: SparkplugMetric[]) {
  const machine = await test.createMachine()
  const client = await RawClient.login(test.port, machine)
  const topic = (type: string) => `spBv1.0/plant/${type}/${machine.code}`
  client.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: topic('NCMD'), qos: 1 }] })
  await client.next('suback')
  let at = Date.now()
  const bytesOf = (seq: number, told: SparkplugMetric[]) => {
    // Two values of one millisecond would be stored at their arrival.
    at++
    return encodeSparkplugPayload({
      timestamp: at,
      seq,
      metrics: told.map((metric) => ({ ...metric, timestamp: at })),
    })
  }
  const publish = (type: string, seq: number, ...told: SparkplugMetric[]) =>
    client.publish(topic(type), Buffer.from(bytesOf(seq, told)), { messageId: seq + 1 })
  publish('NBIRTH', 0, ...metrics)
  await client.next('puback')
  return {
    client,
    topic,
    bytesOf,
    publish,
    /** The packet ids acknowledged next. */
    async acknowledged(count: number) {
      const ids: (number | undefined)[] = []
      while (ids.length < count) ids.push((await client.next('puback')).messageId)
      return ids
    },
    /** The number of requests for a birth. */
    async rebirths() {
      client.send({ cmd: 'pingreq' })
      await client.next('pingresp')
      return client.packets.filter(({ cmd }) => cmd === 'publish').length
    },
    async values() {
      return (await test.samples(machine.machineId)).map(({ tag, value }) => [tag, value])
    },
  }
}

it('two messages that were swapped on the way ask for no rebirth, and are acknowledged as they came', async () => {
  const node = await openNode({ ...int('a', 0), alias: 1 })
  node.publish('NDATA', 2, int(1, 2))
  expect(await node.rebirths()).toBe(0)
  expect([...waits].map(({ ms }) => ms)).toEqual([reorderWaitMs])
  expect(await node.values()).toEqual([['a', 0]])
  node.publish('NDATA', 1, int(1, 1))
  expect(await node.acknowledged(2)).toEqual([3, 2])
  node.publish('NDATA', 3, int(1, 3))
  expect(await node.acknowledged(1)).toEqual([4])
  expect(await node.rebirths()).toBe(0)
  expect(waits.size).toBe(0)
  const stored = (await node.values()).map(([, value]) => value)
  expect([...stored].sort()).toEqual([0, 1, 2, 3])
  node.client.destroy()
})

it('a packed message that comes before its turn waits for it too', async () => {
  const node = await openNode({ ...int('a', 0), alias: 1 })
  const packed = compressedPayload(gzipSync(node.bytesOf(2, [int(1, 2)])), 'GZIP')
  node.client.publish(node.topic('NDATA'), Buffer.from(encodeSparkplugPayload(packed)), { messageId: 3 })
  node.publish('NDATA', 1, int(1, 1))
  expect(await node.acknowledged(2)).toEqual([3, 2])
  expect(await node.rebirths()).toBe(0)
  node.client.destroy()
})

it('long messages before their turn do not keep the places that others wait for', async () => {
  const node = await openNode({ ...int('a', 0), alias: 1 })
  const other = await openNode({ ...int('a', 0), alias: 1 })
  const count = gatewayLimits.longMessagesMax + 1
  const many = Array.from({ length: 300 }, (_, place) => int(`m${place}`, place))
  const publishPacked = ({ client, topic, bytesOf }: typeof node, seq: number) => {
    const packed = encodeSparkplugPayload(compressedPayload(gzipSync(bytesOf(seq, many)), 'GZIP'))
    client.publish(topic('NDATA'), Buffer.from(packed), { messageId: seq + 1 })
  }
  const before = test.gateway.stats().messages
  for (let seq = 2; seq < 2 + count; seq++) publishPacked(node, seq)
  // The last one waits for a place, which those before it have while they wait for number 1.
  await expect.poll(() => test.gateway.stats().messages - before).toBe(count)
  endWait()
  publishPacked(other, 1)
  expect(await other.acknowledged(1)).toEqual([2])
  expect(await node.acknowledged(count)).toHaveLength(count)
  node.client.destroy()
  other.client.destroy()
})

it('a missing message delays the next ones for one wait, and a rebirth is requested', async () => {
  const node = await openNode({ ...int('a', 0), alias: 1 })
  node.publish('NDATA', 3, int(1, 3))
  node.publish('NDATA', 2, int(1, 2))
  expect(await node.rebirths()).toBe(0)
  endWait()
  expect(await node.acknowledged(2)).toEqual([4, 3])
  expect(await node.rebirths()).toBe(1)
  node.publish('NDATA', 4, int(1, 4))
  expect(await node.acknowledged(1)).toEqual([5])
  expect(waits.size).toBe(0)
  expect((await node.values()).map(([, value]) => value).sort()).toEqual([0, 2, 3, 4])
  node.client.destroy()
})

it('data that overtakes its birth is not read by the aliases of the birth before', async () => {
  const node = await openNode({ ...int('a', 0), alias: 1 })
  node.publish('NDATA', 1, int(1, 1))
  expect(await node.acknowledged(1)).toEqual([2])
  const birth = Buffer.from(node.bytesOf(0, [{ ...int('b', 7), alias: 1 }]))
  node.publish('NDATA', 1, int(1, 8))
  node.client.publish(node.topic('NBIRTH'), birth, { messageId: 9 })
  expect(await node.acknowledged(2)).toEqual([2, 9])
  expect(await node.values()).toEqual([
    ['a', 0],
    ['a', 1],
    ['b', 7],
    ['b', 8],
  ])
  expect(await node.rebirths()).toBe(0)
  node.client.destroy()
})

it('messages sent before a new birth are not read by its aliases', async () => {
  const node = await openNode({ ...int('a', 0), alias: 1 })
  node.publish('NDATA', 5, int(1, 5))
  node.publish('NBIRTH', 0, { ...int('b', 7), alias: 1 })
  expect(await node.acknowledged(2)).toEqual([6, 1])
  expect(await node.values()).toEqual([
    ['a', 0],
    ['a', 5],
    ['b', 7],
  ])
  expect(waits.size).toBe(0)
  node.client.destroy()
})

it('messages that wait are bounded: one more lets all of them go', async () => {
  const node = await openNode({ ...int('a', 0), alias: 1 })
  for (let seq = 2; seq < 2 + reorderedMax; seq++) node.publish('NDATA', seq, int(1, seq))
  expect(await node.rebirths()).toBe(0)
  node.publish('NDATA', 2 + reorderedMax, int(1, 99))
  expect(await node.acknowledged(reorderedMax + 1)).toHaveLength(reorderedMax + 1)
  expect(await node.rebirths()).toBe(1)
  expect(waits.size).toBe(0)
  node.client.destroy()
})

it('a message that waits when the platform stops is stored and acknowledged before the end', async () => {
  const stopping = await startTestGateway({ after: () => () => undefined })
  const machine = await stopping.createMachine()
  const client = await RawClient.login(stopping.port, machine)
  const publish = (type: string, seq: number) =>
    client.publish(
      `spBv1.0/plant/${type}/${machine.code}`,
      Buffer.from(encodeSparkplugPayload({ timestamp: Date.now() + seq, seq, metrics: [int('a', seq)] })),
      { messageId: seq + 1 },
    )
  publish('NBIRTH', 0)
  await client.next('puback')
  publish('NDATA', 2)
  client.send({ cmd: 'pingreq' })
  await client.next('pingresp')
  await stopping.gateway.drain(60_000)
  expect(await client.next('puback')).toMatchObject({ messageId: 3 })
  expect((await stopping.samples(machine.machineId)).map(({ value }) => value)).toEqual([0, 2])
  await stopping.stop()
})

it('a message that waits when its connection breaks is not lost', async () => {
  const node = await openNode({ ...int('a', 0), alias: 1 })
  node.publish('NDATA', 2, int(1, 2))
  expect(await node.rebirths()).toBe(0)
  node.client.destroy()
  await expect
    .poll(() => node.values(), { timeout: 10_000 })
    .toEqual([
      ['a', 0],
      ['a', 2],
    ])
  expect(waits.size).toBe(0)
})
