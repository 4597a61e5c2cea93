import type { SparkplugMetric } from '@busbar/link'
import { encodeSparkplugPayload, metricValue, propertyValue, SparkplugDatatype } from '@busbar/link'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LogFields } from '../log.ts'
import { Outbox } from '../outbox/outbox.ts'
import type { Sample } from '../tag.ts'
import { buildSample, buildTag } from '../testing/builders.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { TestBroker } from '../testing/test-broker.ts'
import { EdgeNode } from './edge-node.ts'
import type { Uplink } from './uplink.ts'
import { startUplink } from './uplink.ts'

const code = '1000000000000000001'
const secret = 'very-secret-words'

let broker: TestBroker
let clock: ManualClock
let events: string[]
let logged: string
const uplinks: Uplink[] = []

beforeEach(async () => {
  broker = await TestBroker.start()
  clock = new ManualClock()
  events = []
  logged = ''
})

afterEach(async () => {
  broker.unacknowledged.clear()
  for (const uplink of uplinks.splice(0)) await stopped(uplink)
  await broker.close()
})

/** Stops with a clock that moves: the limits of stop are on it. */
async function stopped(uplink: Uplink): Promise<void> {
  let done = false
  const stop = uplink.stop().then(() => {
    done = true
  })
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1)
  }
  await stop
}

async function start(
  fields: { samplesMax?: number; early?: Sample[]; current?: () => Sample[] } = {},
): Promise<Uplink> {
  const log = (_level: string, event: string, about?: LogFields): void => {
    events.push(event)
    logged += JSON.stringify(about ?? {})
  }
  const outbox = await Outbox.open({
    folder: null,
    bytesMax: 0,
    drop: 'oldest',
    syncMs: 0,
    samplesMax: fields.samplesMax ?? 10_000,
    tags: [buildTag()],
    clock,
    log,
  })
  const uplink = startUplink({
    url: broker.url,
    code,
    secret,
    outbox,
    early: fields.early ?? [],
    node: new EdgeNode({ code, tags: [buildTag()], attributes: {}, firstBdSeq: 7 }),
    machine: {
      current: fields.current ?? (() => []),
      alarms: () => [],
      write: async () => ({ refused: 'readOnly' }),
    },
    clock,
    log,
    random: () => 1,
  })
  uplinks.push(uplink)
  return uplink
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
const onlineTimes = (count: number) =>
  until(() => events.filter((event) => event === 'uplink.online').length >= count)
const values = (metrics: SparkplugMetric[]) =>
  metrics.map((metric) => metricValue(metric, SparkplugDatatype.double))
const dataValues = () => broker.of('NDATA').flatMap((arrival) => values(arrival.payload.metrics))

test('connects as its code with a death as will, subscribes to commands, is born, sends', async () => {
  const uplink = await start({ current: () => [buildSample({ value: 42 })] })
  await onlineTimes(1)
  const [connect] = broker.connects
  expect(connect).toMatchObject({
    clientId: code,
    username: code,
    clean: true,
    keepalive: 20,
    protocolVersion: 4,
  })
  expect(connect?.password?.toString()).toBe(secret)
  expect(connect?.will).toMatchObject({ topic: `spBv1.0/busbar/NDEATH/${code}`, qos: 1, retain: false })
  expect(broker.subscriptions).toEqual([`spBv1.0/busbar/NCMD/${code}`])
  expect(broker.of('NBIRTH')).toHaveLength(1)
  expect(broker.of('NBIRTH')[0]?.qos).toBe(1)
  expect(
    values(broker.of('NBIRTH')[0]?.payload.metrics.filter((metric) => metric.alias === 1) ?? []),
  ).toEqual([42])

  uplink.send([buildSample({ value: 43 })])
  await broker.until(() => broker.of('NDATA').length === 1)
  const data = broker.of('NDATA')[0]
  expect(data).toMatchObject({ qos: 1, payload: { seq: 1 } })
  expect(data?.payload.metrics[0]?.isHistorical).toBeUndefined()
  expect(dataValues()).toEqual([43])
  expect(logged).not.toContain(secret)
  expect(logged).not.toContain(code)
})

test('a sample stays until its PUBACK: unacknowledged ones come again after the next birth, late', async () => {
  const uplink = await start()
  await onlineTimes(1)
  uplink.send([buildSample({ value: 1 })])
  await broker.until(() => broker.of('NDATA').length === 1)
  // A round trip behind it: that first one is acknowledged.
  uplink.send([buildSample({ value: 2 })])
  await broker.until(() => broker.of('NDATA').length === 2)
  broker.unacknowledged.add('NDATA')
  uplink.send([buildSample({ value: 3 })])
  await broker.until(() => broker.of('NDATA').length === 3)

  broker.unacknowledged.clear()
  broker.breakConnections()
  await until(() => events.includes('uplink.offline'))
  uplink.send([buildSample({ value: 4 })])
  clock.advance(1_000)
  await onlineTimes(2)
  await broker.until(() => dataValues().includes(4))

  const afterBirth = broker.arrivals.slice(
    broker.arrivals.findLastIndex((arrival) => arrival.type === 'NBIRTH'),
  )
  expect(afterBirth.map((arrival) => arrival.type)).toEqual(['NBIRTH', 'NDATA'])
  const late = afterBirth[1]?.payload
  expect(late?.seq).toBe(1)
  expect(values(late?.metrics ?? [])).toContain(3)
  expect(values(late?.metrics ?? [])).toContain(4)
  expect(values(late?.metrics ?? [])).not.toContain(1)
  expect(late?.metrics.every((metric) => metric.isHistorical)).toBe(true)
})

test('a broken line is a death by will, and the next session has the next bdSeq', async () => {
  await start()
  await onlineTimes(1)
  broker.breakConnections()
  await until(() => events.includes('uplink.offline'))
  clock.advance(1_000)
  await onlineTimes(2)
  const bdSeqs = broker.arrivals.map((arrival) => [
    arrival.type,
    metricValue(arrival.payload.metrics[0] ?? { raw: { kind: 'null' } }, SparkplugDatatype.int64),
  ])
  expect(bdSeqs).toEqual([
    ['NBIRTH', 7n],
    ['NDEATH', 7n],
    ['NBIRTH', 8n],
  ])
})

test('data waits for the acknowledgement of the birth; without one the connection is given up', async () => {
  broker.unacknowledged.add('NBIRTH')
  const uplink = await start()
  await broker.until(() => broker.of('NBIRTH').length === 1)
  uplink.send([buildSample()])
  clock.advance(59_000)
  expect(broker.of('NDATA')).toEqual([])
  broker.unacknowledged.clear()
  clock.advance(1_000)
  await until(() => events.includes('uplink.unreachable'))
  clock.advance(1_000)
  await onlineTimes(1)
  await broker.until(() => broker.of('NDATA').length === 1)
  expect(broker.of('NDATA')[0]?.payload.metrics[0]?.isHistorical).toBe(true)
})

test('readings between the birth and its acknowledgement are live, not history', async () => {
  broker.unacknowledged.add('NBIRTH')
  const uplink = await start()
  await broker.until(() => broker.of('NBIRTH').length === 1)
  uplink.send([buildSample()])
  broker.acknowledgeHeld()
  await broker.until(() => broker.of('NDATA').length === 1)
  expect(broker.of('NDATA')[0]?.payload.metrics[0]?.isHistorical).not.toBe(true)
})

test('without acknowledgements at most 2,000 samples are sent, then the agent reconnects', async () => {
  broker.unacknowledged.add('NDATA')
  const uplink = await start()
  await onlineTimes(1)
  uplink.send(Array.from({ length: 5_000 }, (_, index) => buildSample({ value: index })))
  await broker.until(() => broker.of('NDATA').length === 4)
  expect(dataValues()).toHaveLength(2_000)
  broker.unacknowledged.clear()
  clock.advance(60_000)
  await until(() => events.includes('uplink.offline'))
  broker.arrivals.length = 0
  clock.advance(1_000)
  await broker.until(() => dataValues().length >= 5_000)
  expect(dataValues()).toEqual(Array.from({ length: 5_000 }, (_, index) => index))
})

test('a full outbox drops the oldest and says so', async () => {
  const uplink = await start({ samplesMax: 3 })
  uplink.send([1, 2, 3, 4, 5].map((value) => buildSample({ value })))
  expect(events).toContain('outbox.samplesDropped')
  await broker.until(() => broker.of('NDATA').length === 2)
  const [gap, rest] = broker.of('NDATA').map(({ payload }) => payload.metrics)
  expect(gap).toMatchObject([
    { name: 'Busbar/Lost', isTransient: true, raw: { kind: 'boolean', value: true } },
  ])
  const about = Object.entries(gap?.[0]?.properties ?? {})
  expect(Object.fromEntries(about.map(([key, property]) => [key, propertyValue(property)]))).toEqual({
    from: 1_760_000_000_000n,
    to: 1_760_000_000_000n,
    samples: 2n,
  })
  expect(values(rest ?? [])).toEqual([3, 4, 5])
})

test('an unacknowledged gap is reported again', async () => {
  broker.unacknowledged.add('NDATA')
  const uplink = await start({ samplesMax: 3 })
  uplink.send([1, 2, 3, 4, 5].map((value) => buildSample({ value })))
  const gaps = () => broker.of('NDATA').filter(({ payload }) => payload.metrics[0]?.name === 'Busbar/Lost')
  await broker.until(() => gaps().length === 1)
  broker.unacknowledged.clear()
  broker.breakConnections()
  await until(() => events.includes('uplink.offline'))
  clock.advance(1_000)
  await broker.until(() => dataValues().includes(5))
  expect(gaps()[1]?.payload.metrics[0]?.properties).toEqual(gaps()[0]?.payload.metrics[0]?.properties)
  expect(gaps()).toHaveLength(2)
})

test('a live sample waits behind one message of the backlog at most', async () => {
  const uplink = await start()
  uplink.send(Array.from({ length: 5_000 }, (_, index) => buildSample({ value: index })))
  broker.unacknowledged.add('NDATA')
  await broker.until(() => broker.of('NDATA').length === 1)
  expect(broker.of('NDATA')[0]?.payload.metrics[0]?.isHistorical).toBe(true)
  uplink.send([buildSample({ value: 9_999 })])
  await broker.until(() => broker.of('NDATA').length === 2)
  expect(broker.of('NDATA')[1]?.payload.metrics).toMatchObject([{ raw: { kind: 'double', value: 9_999 } }])
  expect(broker.of('NDATA')[1]?.payload.metrics[0]?.isHistorical).toBeUndefined()
})

test('a rebirth command gives a new birth with seq 0 and the newest values; other commands are ignored', async () => {
  let value = 1
  const uplink = await start({ current: () => [buildSample({ value })] })
  await onlineTimes(1)
  const command = (metrics: SparkplugMetric[]) =>
    broker.send(`spBv1.0/busbar/NCMD/${code}`, encodeSparkplugPayload({ metrics }))
  command([{ name: 'Node Control/Reboot', raw: { kind: 'boolean', value: true } }])
  await until(() => events.includes('uplink.commandIgnored'))
  value = 2
  clock.advance(1_000)
  command([{ name: 'Node Control/Rebirth', raw: { kind: 'boolean', value: true } }])
  await broker.until(() => broker.of('NBIRTH').length === 2)
  expect(broker.of('NBIRTH')[1]?.payload.seq).toBe(0)
  expect(values(broker.of('NBIRTH')[1]?.payload.metrics.slice(-1) ?? [])).toEqual([2])
  uplink.send([buildSample({ value: 3 })])
  await broker.until(() => broker.of('NDATA').length === 1)
  expect(broker.of('NDATA')[0]?.payload.seq).toBe(1)

  command([{ name: 'Node Control/Rebirth', raw: { kind: 'boolean', value: true } }])
  broker.send(`spBv1.0/busbar/NCMD/${code}`, Uint8Array.of(0xff))
  await until(() => events.includes('uplink.commandUnreadable'))
  expect(broker.of('NBIRTH')).toHaveLength(2)
})

test('tags that are others now give a new birth, once a second at most', async () => {
  const uplink = await start({ current: () => [buildSample({ value: 1 })] })
  await onlineTimes(1)
  uplink.rebirth()
  uplink.rebirth()
  uplink.send([buildSample({ value: 2 })])
  await broker.until(() => broker.of('NDATA').length === 1)
  expect(broker.of('NBIRTH')).toHaveLength(1)
  clock.advance(1_000)
  await broker.until(() => broker.of('NBIRTH').length === 2)
  clock.advance(5_000)
  uplink.send([buildSample({ value: 3 })])
  await broker.until(() => broker.of('NDATA').length === 2)
  expect(broker.of('NBIRTH')).toHaveLength(2)
})

test('a write that cannot be tried is answered with its reason and the current value, and is not a reading', async () => {
  await start({ current: () => [buildSample({ value: 7 })] })
  await onlineTimes(1)
  const metrics: SparkplugMetric[] = [
    { alias: 1, raw: { kind: 'double', value: 99 } },
    { name: 'gone', datatype: SparkplugDatatype.double, raw: { kind: 'double', value: 1 } },
  ]
  broker.send(`spBv1.0/busbar/NCMD/${code}`, encodeSparkplugPayload({ metrics }))
  await broker.until(() => broker.of('NDATA').length === 2)
  const told = broker.of('NDATA').flatMap((arrival) => arrival.payload.metrics)
  expect(told.map(({ isTransient }) => isTransient)).toEqual([true, true])
  expect(told.map(({ properties }) => propertyValue(properties?.writeError))).toEqual([
    'there is no such tag',
    'the tag is read-only',
  ])
  const readOnly = told.find(({ alias }) => alias === 1)
  expect(readOnly && metricValue(readOnly, SparkplugDatatype.double)).toBe(7)
  expect(told.find(({ name }) => name === 'gone')?.raw).toEqual({ kind: 'null' })
})

test('after a refused secret the agent waits before the next attempt', async () => {
  broker.connackCode = 5
  await start()
  await until(() => events.includes('uplink.refused'))
  clock.advance(59_000)
  expect(broker.connects).toHaveLength(1)
  broker.connackCode = 0
  clock.advance(1_000)
  await onlineTimes(1)
  expect(logged).not.toContain(secret)
})

test('an absent cloud is tried with growing pauses and found when it is there', async () => {
  const { port } = broker
  await broker.close()
  const uplink = await start()
  uplink.send([buildSample({ value: 5 })])
  for (let round = 1; round <= 3; round++) {
    await until(() => events.filter((event) => event === 'uplink.unreachable').length === round)
    if (round === 3) broker = await TestBroker.start(port)
    clock.advance(1_000 * 2 ** (round - 1))
  }
  await onlineTimes(1)
  await broker.until(() => broker.of('NDATA').length === 1)
  expect(dataValues()).toEqual([5])
})

test('readings from before the connection come with the first birth, or else late', async () => {
  const early = [buildSample({ value: 1 })]
  await start({ early, current: () => early })
  await onlineTimes(1)
  for (const uplink of uplinks.splice(0)) await stopped(uplink)
  expect(broker.of('NDATA')).toEqual([])

  const { port } = broker
  await broker.close()
  events = []
  await start({ early })
  await until(() => events.includes('uplink.unreachable'))
  broker = await TestBroker.start(port)
  clock.advance(1_000)
  await broker.until(() => dataValues().length === 1)
  expect(broker.of('NDATA')[0]?.payload.metrics[0]).toMatchObject({ isHistorical: true })
})

test('a reading from before the connection survives a later change before the birth', async () => {
  const early = [buildSample({ value: 1, at: 1_000 })]
  await start({ early, current: () => [buildSample({ value: 2, at: 2_000 })] })
  await broker.until(() => dataValues().length === 1)
  expect(dataValues()).toEqual([1])
  expect(broker.of('NDATA')[0]?.payload.metrics[0]).toMatchObject({ isHistorical: true })
})

test('stop sends waiting samples, then the death, and the will is not sent', async () => {
  const uplink = await start()
  await onlineTimes(1)
  uplink.send([buildSample({ value: 8 })])
  uplinks.length = 0
  await stopped(uplink)
  expect(broker.arrivals.map((arrival) => [arrival.type, arrival.isWill])).toEqual([
    ['NBIRTH', false],
    ['NDATA', false],
    ['NDEATH', false],
  ])
  clock.advance(120_000)
  expect(broker.connects).toHaveLength(1)
})

test('an attribute is told by a birth, then by data, and after a break by the next birth', async () => {
  const uplink = await start()
  const gps = (lat: number) => new Map([['gps', `{"lat":${lat}}`]])
  const told = (kind: 'NBIRTH' | 'NDATA') =>
    broker
      .of(kind)
      .flatMap(({ payload }) =>
        payload.metrics.flatMap(({ name, raw }) => (name === 'Properties/gps' ? [raw] : [])),
      )
  // Before there is a line.
  uplink.describe(gps(47))
  await onlineTimes(1)
  expect(told('NBIRTH')).toEqual([{ kind: 'string', value: '{"lat":47}' }])
  uplink.describe(gps(48))
  await broker.until(() => told('NDATA').length === 1)
  broker.breakConnections()
  await until(() => events.includes('uplink.offline'))
  uplink.describe(gps(49))
  clock.advance(1_000)
  await onlineTimes(2)
  expect(told('NDATA')).toEqual([{ kind: 'string', value: '{"lat":48}' }])
  expect(told('NBIRTH').at(-1)).toEqual({ kind: 'string', value: '{"lat":49}' })
  uplink.describe(new Map([['wifi', '[]']]))
  clock.advance(1_000)
  await broker.until(() => broker.of('NBIRTH').length === 3)
})
