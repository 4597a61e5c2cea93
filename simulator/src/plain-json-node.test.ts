import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { plannedOutages } from './connection-plan.ts'
import { batchBytesMax, historyMostMs } from './history.ts'
import type { MachineNode } from './machine-node.ts'
import { startPlainJsonNode } from './plain-json-node.ts'
import { findProfile } from './profiles/index.ts'
import type { MachineProfile } from './profiles/profile.ts'
import {
  type Listener,
  listen,
  type Received,
  startTestBroker,
  type TestBroker,
} from './testing/test-broker.ts'
import { createTurns } from './turns.ts'

const code = '1727731578064929494'
const hourMs = 3_600_000
const telemetry = 'v1/devices/me/telemetry'

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

function calmInstant(profile: MachineProfile): number {
  let at = Date.UTC(2026, 4, 11, 6)
  while (plannedOutages(code, profile.presence, at, at + hourMs).length > 0) at += hourMs
  return at
}

async function start(options: Partial<Parameters<typeof startPlainJsonNode>[0]> = {}) {
  const profile = findProfile('material-feeding')
  if (profile === undefined) throw new Error('no such profile')
  const clock = { at: calmInstant(profile) }
  const listener = await listen(broker.url, ['v1/devices/me/#'])
  listeners.push(listener)
  const mqttUrl = broker.url
  const node = await startPlainJsonNode({
    mqttUrl,
    code,
    secret: 'test',
    profile,
    now: () => clock.at,
    ...options,
  })
  nodes.push(node)
  node.tick()
  return { clock, listener, node, profile }
}

const bodyOf = (message: Received) => JSON.parse(message.payload.toString())

test('attributes, every value with its time, and the alarms are sent at the start', async () => {
  const { clock, listener, profile } = await start()
  const attributes = bodyOf(await listener.until(({ topic }) => topic === 'v1/devices/me/attributes'))
  expect(attributes).toMatchObject({ model: 'CF-3', firmware: '2.2.5', network: 'ETH' })
  const first = bodyOf(await listener.until(({ topic }) => topic === telemetry))
  expect(first.ts).toBe(clock.at)
  expect(Object.keys(first.values)).toEqual(profile.tags.map((tag) => tag.name))
  const isAlarm = ({ topic }: Received) => topic === 'v1/devices/me/alarms'
  await listener.until(() => listener.heard.filter(isAlarm).length === profile.alarms.length)
  expect(bodyOf(listener.heard.find(isAlarm) as Received)).toMatchObject({
    id: 'H1-LOW',
    state: expect.stringMatching(/^(raised|cleared)$/),
    level: 'major',
    text: { cn: '料斗缺料', en: 'Hopper running empty' },
  })
})

test('a standing alarm has the time of its raising again after a restart', async () => {
  const isAlarm = ({ topic }: Received) => topic === 'v1/devices/me/alarms'
  const { clock, node, profile } = await start()
  // Its hopper runs empty from time to time.
  while (node.model.alarms().size === 0) {
    clock.at += 60_000
    node.tick()
  }
  const [id] = [...node.model.alarms()]
  const saved = node.save()
  await node.stop()
  const again = await start({ saved, now: () => clock.at + 5_000 })
  await again.listener.until(() => again.listener.heard.filter(isAlarm).length >= profile.alarms.length)
  const told = again.listener.heard.filter(isAlarm).map(bodyOf)
  expect(told.find((alarm) => alarm.id === id)).toMatchObject({
    state: 'raised',
    ts: saved?.alarmSince?.[id as string],
  })
  expect(saved?.alarmSince?.[id as string]).toBeLessThanOrEqual(clock.at)
})

test('a write is answered once and the value is sent', async () => {
  const { listener } = await start()
  await listener.until(({ topic }) => topic === telemetry)
  const request = { method: 'write', params: { dryer_temp_sp: 95, hopper_1: 3 } }
  await listener.client.publishAsync('v1/devices/me/rpc/request/17', JSON.stringify(request), { qos: 1 })
  await listener.client.publishAsync('v1/devices/me/rpc/request/18', 'rubbish', { qos: 1 })
  const answer = await listener.until(({ topic }) => topic === 'v1/devices/me/rpc/response/17')
  expect(bodyOf(answer)).toEqual({
    results: { dryer_temp_sp: 'written', hopper_1: 'readOnly' },
    error: 'readOnly',
  })
  const told = await listener.until(
    (message) =>
      message.topic === telemetry && Object.keys(bodyOf(message).values).join() === 'dryer_temp_sp',
  )
  expect(bodyOf(told).values).toEqual({ dryer_temp_sp: 95 })
})

test('history goes as arrays with their times, newest first, no batch above the limit', async () => {
  const profile = findProfile('material-feeding') as MachineProfile
  const until = calmInstant(profile)
  const past = {
    ...{ fromAt: until - historyMostMs, untilAt: until, toldFromAt: undefined },
    onTold: () => undefined,
    turns: createTurns(1),
  }
  const { listener, node } = await start({ past })
  await node.settled
  // Messages acknowledged to the node may still be on their way to the listener.
  await listener.until(
    (message) => message.topic === telemetry && bodyOf(message)[0]?.ts === until - historyMostMs,
  )
  const batches = listener.heard.filter(
    (message) => message.topic === telemetry && Array.isArray(bodyOf(message)),
  )
  expect(Math.max(...batches.map(({ payload }) => payload.length))).toBeLessThanOrEqual(batchBytesMax)
  const times: number[] = batches.flatMap((batch) => bodyOf(batch).map((sample: { ts: number }) => sample.ts))
  expect(Math.min(...times)).toBe(until - historyMostMs)
  expect(times).toHaveLength(360 + 23 * 60 + 6 * 24 * 6 + 1)
  const firsts: number[] = batches.map((batch) => bodyOf(batch)[0].ts)
  expect(firsts).toEqual(firsts.toSorted((one, other) => other - one))
})

test('the node reconnects when its broker returns', async () => {
  const own = await startTestBroker()
  const { clock, node } = await start({ mqttUrl: own.url })
  await node.settled
  await own.stop()
  const port = Number(new URL(own.url).port)
  const again = await startTestBroker(port)
  try {
    const listener = await listen(again.url, ['v1/devices/me/#'])
    listeners.push(listener)
    clock.at += 2_000
    node.tick()
    await listener.until(({ topic }) => topic === telemetry)
  } finally {
    await node.stop()
    await again.stop()
  }
})
