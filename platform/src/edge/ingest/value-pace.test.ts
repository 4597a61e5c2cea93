import { encodeSparkplugPayload, plainTopic, SparkplugDatatype } from '@busbar/link'
import type { TestMachine } from '@busbar/testkit/builders.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../../test-support/gateway/test-gateway.ts'
import { costOf, isDroppable, ValuePace } from './value-pace.ts'

const perS = 1_000
let test: TestGateway
let ticks = 0

beforeAll(async () => {
  test = await startTestGateway({ machineValuesPerS: perS, ticks: () => ticks })
})

afterAll(() => test.stop())

/** A message with this number of values of one tag, at different times. */
function values(count: number): string {
  return JSON.stringify(
    Array.from({ length: count }, (_, index) => ({ ts: 1_700_000_000_000 + index, values: { n: index } })),
  )
}

function post(machine: TestMachine, body: string) {
  const basic = Buffer.from(`${machine.code}:${machine.secret}`).toString('base64')
  return test.gateway.ingestHttp(`Basic ${basic}`, async () => Buffer.from(body), '127.0.0.1')
}

it('a machine that sends too many values waits alone, and no acknowledged value is dropped', async () => {
  const machine = await test.createMachine()
  const fast = await RawClient.login(test.port, machine)
  const other = await RawClient.login(test.port, await test.createMachine())
  fast.publish(plainTopic.telemetry, values(perS * 2), { messageId: 1 })
  fast.publish(plainTopic.telemetry, '{"second":1}', { messageId: 2 })
  await fast.next('puback')
  for (let id = 1; id <= 5; id++) {
    other.publish(plainTopic.telemetry, `{"n":${id}}`, { messageId: id })
    await other.next('puback')
  }
  expect(fast.packets).toEqual([])
  ticks += 1_001
  expect((await fast.next('puback')).messageId).toBe(2)
  const stored = await test.samples(machine.machineId)
  expect(stored.filter(({ tag }) => tag === 'n')).toHaveLength(perS * 2)
  expect(stored.filter(({ tag }) => tag === 'second')).toHaveLength(1)
  fast.destroy()
  other.destroy()
})

it('QoS 0 above the pace is dropped and counted, and the raw log reports it once a second', async () => {
  const machine = await test.createMachine()
  const fast = await RawClient.login(test.port, machine)
  const before = test.gateway.stats().tooFast
  fast.publish(plainTopic.telemetry, values(perS), { qos: 0 })
  for (let n = 0; n < 100; n++) fast.publish(plainTopic.telemetry, '{"dropped":1}', { qos: 0 })
  await expect.poll(() => test.gateway.stats().tooFast - before).toBe(100)
  const raw = () => test.gateway.listRawMessages(machine.machineId, 100)
  const told = (await raw()).filter(({ verdict }) => verdict === 'tooFast')
  expect(told).toHaveLength(1)
  ticks += 1_001
  fast.publish(plainTopic.telemetry, '{"kept":1}')
  await fast.next('puback')
  const tags = new Set((await test.samples(machine.machineId)).map(({ tag }) => tag))
  expect(tags).toEqual(new Set(['n', 'kept']))
  fast.destroy()
})

it('a birth or death above the pace waits, and is not dropped', async () => {
  const machine = await test.createMachine()
  const node = await RawClient.login(test.port, machine)
  const before = test.gateway.stats().tooFast
  node.publish(plainTopic.telemetry, values(perS), { qos: 0 })
  const birth = encodeSparkplugPayload({
    timestamp: 1_700_000_000_000,
    seq: 0,
    metrics: [
      { name: 'bdSeq', datatype: SparkplugDatatype.int64, raw: { kind: 'long', value: 0n } },
      { name: 'born', datatype: SparkplugDatatype.boolean, raw: { kind: 'boolean', value: true } },
    ],
  })
  node.publish(`spBv1.0/g/NBIRTH/${machine.code}`, Buffer.from(birth), { qos: 0 })
  node.sendBytes([0xc0, 0])
  const other = await RawClient.login(test.port, await test.createMachine())
  for (let round = 0; round < 20; round++) {
    other.sendBytes([0xc0, 0])
    await other.next('pingresp')
  }
  other.destroy()
  expect(node.packets).toEqual([])
  ticks += 1_001
  await node.next('pingresp')
  await test.telemetry.settled()
  expect((await test.samples(machine.machineId)).map(({ tag }) => tag)).toContain('born')
  expect(test.gateway.stats().tooFast).toBe(before)
  node.destroy()
  for (const type of ['NBIRTH', 'NDEATH', 'DBIRTH/d', 'DDEATH/d']) {
    const [kind, device] = type.split('/')
    const topic = `spBv1.0/g/${kind}/${machine.code}${device ? `/${device}` : ''}`
    expect(isDroppable(topic, 0)).toBe(false)
  }
  expect(isDroppable(`spBv1.0/g/NDATA/${machine.code}`, 0)).toBe(true)
  expect(isDroppable(`spBv1.0/g/NDATA/${machine.code}`, 1)).toBe(false)
})

it('parallel posts get as much room as posts one after another', async () => {
  const machine = await test.createMachine()
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(machine, values(perS))))
  const stored = answers.filter((answer) => 'stored' in answer)
  expect(stored).toHaveLength(1)
  expect(answers.filter((answer) => 'retryIn' in answer && answer.retryIn === 1)).toHaveLength(4)
  ticks += 1_001
  expect(await post(machine, '{"n":1}')).toMatchObject({ stored: 1 })
})

it('a birth of 5,000 tags costs 5,000 values', () => {
  const tag = { kind: 'tagDefinition' } as never
  const sample = { kind: 'sample' } as never
  expect(costOf([...Array(5_000).fill(tag), ...Array(5_000).fill(sample)])).toBe(5_000)
})

it('a text costs 1 for each started 64 bytes, whatever its script', () => {
  const costOfValue = (value: string) => costOf([{ kind: 'sample', value } as never])
  expect(['', 'a'.repeat(64), 'a'.repeat(65), '值'.repeat(21), '值'.repeat(22)].map(costOfValue)).toEqual([
    1, 1, 2, 1, 2,
  ])
})

const longText = 'x'.repeat(1_000)
const texts = (count: number, of: string | string[] = longText) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, of]))

function textBirth(): Buffer {
  const metrics = Array.from({ length: 100 }, (_, n) => ({
    name: `m${n}`,
    datatype: SparkplugDatatype.string,
    raw: { kind: 'string' as const, value: longText },
  }))
  const bdSeq = {
    name: 'bdSeq',
    datatype: SparkplugDatatype.int64,
    raw: { kind: 'long' as const, value: 0n },
  }
  const payload = { timestamp: 1_700_000_000_000, seq: 0, metrics: [bdSeq, ...metrics] }
  return Buffer.from(encodeSparkplugPayload(payload))
}

const textAlarms = Array.from({ length: 100 }, (_, n) => ({
  id: `E${n}`,
  level: 'info',
  text: longText,
  state: 'raised',
}))

/** Messages whose values fit the pace, and whose bytes do not. */
const doors: Readonly<Record<string, { topic(code: string): string; payload: string | Buffer }>> = {
  'plain JSON': { topic: () => plainTopic.telemetry, payload: JSON.stringify(texts(100)) },
  'an HMI’s JSON': {
    topic: (code) => `data/${code}/line/hmi`,
    payload: JSON.stringify({ d: texts(100, [longText]) }),
  },
  'a Sparkplug birth': { topic: (code) => `spBv1.0/g/NBIRTH/${code}`, payload: textBirth() },
  alarms: { topic: () => plainTopic.alarms, payload: JSON.stringify(textAlarms) },
  attributes: { topic: () => plainTopic.attributes, payload: JSON.stringify(texts(50, longText.repeat(2))) },
}

it.each(Object.entries(doors))('texts of 1 kB by %s filled the disk within the pace', async (_, door) => {
  const machine = await test.createMachine()
  const client = await RawClient.login(test.port, machine)
  client.publish(door.topic(machine.code), door.payload, { messageId: 1 })
  await client.next('puback')
  // Counted by its values, it would leave room for this one.
  expect(await post(machine, '{"n":1}')).toEqual({ code: '429', retryIn: 1 })
  client.destroy()
})

it('texts of 1 kB by HTTP filled the disk within the pace, also those sent again', async () => {
  const machine = await test.createMachine()
  const body = JSON.stringify({ ts: Date.now(), values: texts(100) })
  expect(await post(machine, body)).toMatchObject({ stored: 100 })
  expect(await post(machine, '{"n":1}')).toEqual({ code: '429', retryIn: 1 })
  ticks += 2_001
  expect(await post(machine, body)).toMatchObject({ repeated: 100 })
  expect(await post(machine, '{"n":1}')).toEqual({ code: '429', retryIn: 1 })
})

it('over a long time at most the pace is taken, and two seconds’ worth at once', () => {
  let now = 0
  const pace = new ValuePace(100, () => now)
  let taken = 0
  for (; now <= 60_000; now += 10) {
    if (pace.waitMs() > 0) continue
    pace.take(7)
    taken += 7
  }
  expect(taken).toBeGreaterThan(6_000)
  expect(taken).toBeLessThanOrEqual(6_200)
})
