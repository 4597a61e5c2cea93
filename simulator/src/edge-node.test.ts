import { ManualClock } from '@busbar/agent/testing/manual-clock.ts'
import { settled } from '@busbar/agent/testing/one-controller.ts'
import {
  decodeSparkplugPayload,
  encodeSparkplugPayload,
  lostMetric,
  lostPropertyKey,
  metricValue,
  propertyValue,
  type SparkplugMetric,
  type SparkplugPayload,
} from '@busbar/link'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { plannedOutages } from './connection-plan.ts'
import { startEdgeNode } from './edge-node.ts'
import { batchBytesMax, historyMostMs } from './history.ts'
import type { MachineNode } from './machine-node.ts'
import type { PastPlan } from './past-sender.ts'
import { demoTank, profiles, reeferTruck } from './profiles/index.ts'
import { type Listener, listen, startTestBroker, type TestBroker } from './testing/test-broker.ts'
import { createTurns } from './turns.ts'

const code = '3020882951040806712'
const topicOf = (type: string) => `spBv1.0/busbar/${type}/${code}`
const hourMs = 3_600_000
const [press] = profiles
if (press === undefined) throw new Error('no profiles')

let broker: TestBroker
const nodes: MachineNode[] = []
const listeners: Listener[] = []

beforeAll(async () => {
  broker = await startTestBroker()
})
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
  for (const { client } of listeners.splice(0)) await client.endAsync(true)
})
afterAll(() => broker.stop())

/** An instant in which this machine's own schedule keeps it connected for the next minutes. */
function calmInstant(): number {
  let at = Date.UTC(2026, 4, 11, 6)
  while (plannedOutages(code, 'steady', at, at + hourMs).length > 0) at += hourMs
  return at
}

async function start(options: Partial<Parameters<typeof startEdgeNode>[0]> = {}) {
  const clock = { at: calmInstant() }
  const listener = await listen(broker.url, ['spBv1.0/#'])
  listeners.push(listener)
  const node = await startEdgeNode({
    mqttUrl: broker.url,
    code,
    secret: 'test-secret',
    profile: press as NonNullable<typeof press>,
    now: () => clock.at,
    ...options,
  })
  nodes.push(node)
  node.tick()
  return { clock, listener, node }
}

const payloadOf = (message: { payload: Buffer }) => decodeSparkplugPayload(message.payload)
const find = (payload: SparkplugPayload, name: string) =>
  payload.metrics.find((metric) => metric.name === name)

function rebirthRequest(): Buffer {
  const metrics = [
    { name: 'Node Control/Rebirth', datatype: 11, raw: { kind: 'boolean', value: true } as const },
  ]
  return Buffer.from(encodeSparkplugPayload({ metrics }))
}

test('the birth names every tag with type, texts, unit and the one key tag', async () => {
  const { listener } = await start()
  const birth = payloadOf(await listener.until(({ topic }) => topic === topicOf('NBIRTH')))
  expect(birth.seq).toBe(0)
  expect(metricValue(find(birth, 'bdSeq') ?? { raw: { kind: 'null' } }, 4)).toBe(0n)
  expect(metricValue(find(birth, 'Properties/model') ?? { raw: { kind: 'null' } }, 12)).toBe('HX-380T')
  const key = birth.metrics.filter((metric) => propertyValue(metric.properties?.keyTag) === true)
  expect(key.map((metric) => metric.name)).toEqual(['Mould/mould_temp'])
  expect(propertyValue(key[0]?.properties?.engUnit)).toBe('°C')
  expect(propertyValue(key[0]?.properties?.['displayName/cn'])).toBe('模具温度')
  expect(propertyValue(key[0]?.properties?.scale)).toBe(1)
  expect(propertyValue(find(birth, 'Mould/mould_temp_sp')?.properties?.readOnly)).toBe(false)
  const types = new Set(
    birth.metrics.filter((metric) => metric.alias !== undefined).map((metric) => metric.datatype),
  )
  expect([...types].sort((one, other) => Number(one) - Number(other))).toEqual([4, 10, 11, 12])
  const alarm = find(birth, 'Alarms/E2107')
  expect(propertyValue(alarm?.properties?.level)).toBe('critical')
  expect(propertyValue(alarm?.properties?.['text/en'])).toBe('Mould temperature above high limit')
})

test('data follows by alias in unbroken sequence, and a rebirth begins again with the same bdSeq', async () => {
  const { clock, listener, node } = await start()
  await listener.until(({ topic }) => topic === topicOf('NBIRTH'))
  for (let step = 1; step <= 31; step += 1) {
    clock.at += 2_000
    node.tick()
  }
  const refreshed = await listener.until(
    (message) =>
      message.topic === topicOf('NDATA') && payloadOf(message).metrics.length === press?.tags.length,
  )
  const data = listener.heard.filter(({ topic }) => topic === topicOf('NDATA')).map(payloadOf)
  expect(data.map((payload) => payload.seq)).toEqual(data.map((_, index) => index + 1))
  expect(data.every((payload) => payload.metrics.every((metric) => metric.name === undefined))).toBe(true)
  expect(payloadOf(refreshed).timestamp).toBe(clock.at - 2_000)

  const births = () => listener.heard.filter(({ topic }) => topic === topicOf('NBIRTH')).map(payloadOf)
  await listener.client.publishAsync(topicOf('NCMD'), rebirthRequest(), { qos: 1 })
  await listener.until(() => births().length === 2)
  expect(births()[1]?.seq).toBe(0)
  expect(metricValue(find(births()[1] ?? { metrics: [] }, 'bdSeq') ?? { raw: { kind: 'null' } }, 4)).toBe(0n)
})

test('a write is applied and reported immediately, a read-only tag reports its value', async () => {
  const { listener } = await start({ profile: demoTank })
  await listener.until(({ topic }) => topic === topicOf('NBIRTH'))
  const metrics = [
    { name: 'Tank/level_sp', datatype: 10, raw: { kind: 'double', value: 71.5 } as const },
    { name: 'Tank/level', datatype: 10, raw: { kind: 'double', value: 1 } as const },
  ]
  await listener.client.publishAsync(topicOf('NCMD'), Buffer.from(encodeSparkplugPayload({ metrics })), {
    qos: 1,
  })
  const aliasOf = (name: string) => demoTank.tags.findIndex((tag) => tag.name === name) + 1
  const told = async (name: string) => {
    const message = await listener.until(
      (candidate) =>
        candidate.topic === topicOf('NDATA') && payloadOf(candidate).metrics[0]?.alias === aliasOf(name),
    )
    return metricValue(payloadOf(message).metrics[0] ?? { raw: { kind: 'null' } }, 10)
  }
  expect(await told('level_sp')).toBe(71.5)
  expect(await told('level')).toBeGreaterThan(2)
})

test('an invalid command is ignored', async () => {
  const { listener } = await start()
  await listener.until(({ topic }) => topic === topicOf('NBIRTH'))
  await listener.client.publishAsync(topicOf('NCMD'), Buffer.from([0x08, 0xff, 0xff]), { qos: 1 })
  await listener.client.publishAsync(topicOf('NCMD'), rebirthRequest(), { qos: 1 })
  await listener.until(() => listener.heard.filter(({ topic }) => topic === topicOf('NBIRTH')).length === 2)
})

test('the line falls silent in an outage, the will tells of it, and the next birth counts bdSeq up', async () => {
  const from = calmInstant() + 60_000
  const { clock, listener, node } = await start({ outages: [[from, from + 120_000]] })
  await listener.until(({ topic }) => topic === topicOf('NBIRTH'))
  clock.at = from
  node.tick()
  const death = await listener.until(({ topic }) => topic === topicOf('NDEATH'))
  expect(metricValue(find(payloadOf(death), 'bdSeq') ?? { raw: { kind: 'null' } }, 4)).toBe(0n)
  clock.at = from + 120_000
  node.tick()
  const next = await listener.until(
    (message) =>
      message.topic === topicOf('NBIRTH') &&
      metricValue(find(payloadOf(message), 'bdSeq') ?? { raw: { kind: 'null' } }, 4) === 1n,
  )
  expect(payloadOf(next).seq).toBe(0)
})

test('history fills the week before, newest first, with its gap and no batch above the limit', async () => {
  const until = calmInstant()
  const gap = [until - 5 * hourMs, until - 4 * hourMs] as const
  const lost = [until - 50 * hourMs, until - 49 * hourMs] as const
  const plan: PastPlan = {
    fromAt: until - historyMostMs,
    untilAt: until,
    lost,
    toldFromAt: undefined,
    onTold: (fromAt) => acknowledged.push(fromAt),
    turns: createTurns(1),
  }
  const acknowledged: number[] = []
  const { listener, node } = await start({ past: plan, outages: [gap] })
  await node.settled
  // Reported last, because messages acknowledged to the node may still be on their way to the listener.
  const droppedOf = (message: { payload: Buffer }) =>
    payloadOf(message).metrics.find((metric) => metric.name === lostMetric)
  const dropped = droppedOf(await listener.until((message) => droppedOf(message) !== undefined))
  const past = listener.heard
    .filter(({ topic }) => topic === topicOf('NDATA'))
    .map((message) => ({ bytes: message.payload.length, metrics: payloadOf(message).metrics }))
    .filter(({ metrics }) => metrics.some((metric) => metric.alias === 1 && metric.isHistorical))
  expect(Math.max(...past.map(({ bytes }) => bytes))).toBeLessThanOrEqual(batchBytesMax)
  const firstTimes = past.map(({ metrics }) => Number(metrics[0]?.timestamp))
  expect(firstTimes).toEqual(firstTimes.toSorted((one, other) => other - one))
  const times = past.flatMap(({ metrics }) =>
    metrics.filter((metric) => metric.alias === 1).map((metric) => Number(metric.timestamp)),
  )
  // Ten seconds apart for the last hour, a minute for its day less the gap, ten minutes for the rest less what was lost.
  expect(times).toHaveLength(360 + 22 * 60 + 6 * 24 * 6 - 6 + 1)
  expect(acknowledged.toSorted((one, other) => other - one)).toEqual(acknowledged)
  expect(acknowledged.at(-1)).toBe(plan.fromAt)
  expect(new Set(times).size).toBe(times.length)
  for (const [from, to] of [gap, lost]) expect(times.filter((at) => at >= from && at < to)).toEqual([])
  expect(propertyValue(dropped?.properties?.[lostPropertyKey.from])).toBe(BigInt(lost[0]))
  expect(past.every(({ metrics }) => metrics.every((metric) => metric.isHistorical))).toBe(true)
  const alarmsOf = (message: { payload: Buffer }) =>
    payloadOf(message).metrics.filter((metric) => metric.isHistorical && metric.name?.startsWith('Alarms/'))
  const isRaised = (metric: SparkplugMetric) => metric.raw.kind === 'boolean' && metric.raw.value
  const ended = await listener.until(
    (message) => message.topic === topicOf('NDATA') && alarmsOf(message).some((metric) => !isRaised(metric)),
  )
  const name = alarmsOf(ended)[0]?.name
  const told = listener.heard
    .filter(({ topic }) => topic === topicOf('NDATA'))
    .flatMap(alarmsOf)
    .filter((metric) => metric.name === name)
  expect(told.slice(0, 2).map(isRaised)).toEqual([true, false])
})

test('without a word about history none is sent', async () => {
  const { clock, listener, node } = await start()
  await node.settled
  clock.at += 2_000
  node.tick()
  await listener.until(({ topic }) => topic === topicOf('NDATA'))
  const historical = listener.heard
    .flatMap((message) => payloadOf(message).metrics)
    .filter((metric) => metric.isHistorical)
  expect(historical).toEqual([])
})

test('a machine on wheels tells its place by a birth, and the next places by data', async () => {
  const clock = new ManualClock()
  const { listener, node } = await start({ profile: reeferTruck, clock, now: () => clock.now() })
  const told = (type: string) =>
    listener.heard
      .filter(({ topic }) => topic === topicOf(type))
      .flatMap((message) => payloadOf(message).metrics.filter(({ name }) => name === 'Properties/gps'))
      .map(({ raw }) => JSON.parse(String(raw.kind === 'string' && raw.value)))
  await listener.until(({ topic }) => topic === topicOf('NBIRTH'))
  // The stream of the drive gives what was put into it.
  await settled()
  await settled()
  clock.advance(2_000)
  await listener.until(() => told('NBIRTH').length === 1)
  expect(told('NBIRTH')[0]).toMatchObject({ lat: expect.closeTo(31.29, 0), lng: expect.closeTo(121.2, 0) })
  for (let minutes = 0; minutes < 20; minutes++) {
    clock.advance(60_000)
    await settled()
    node.tick()
  }
  await listener.until(() => told('NDATA').length > 1)
  expect(told('NBIRTH')).toHaveLength(1)
})
