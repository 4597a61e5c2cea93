import { createRequire } from 'node:module'
import { decodeSparkplugPayload, encodeSparkplugPayload, rawValue, SparkplugDatatype } from '@busbar/link'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  findDisorder,
  type HostMessage,
  readMessage,
  valueIn,
} from '../../../test-support/destinations/sparkplug-host.ts'
import { SparkplugNode } from './sparkplug-node.ts'

const require = createRequire(new URL('../../../../testkit/package.json', import.meta.url))
const foreign = (require('sparkplug-payload') as typeof import('sparkplug-payload')).get('spBv1.0') as Foreign
type Foreign = NonNullable<ReturnType<typeof import('sparkplug-payload')['get']>>

function createNode({ isHistory = false } = {}): SparkplugNode {
  const node = new SparkplugNode({ group: 'g', edgeNode: 'n' }, { isHistory })
  node.begin(7)
  return node
}
const row = (code: string, values: object, linkId = 1) => ({
  linkId,
  text: `"machineCode":${JSON.stringify(code)},"time":1,"values":${JSON.stringify(values)}}`,
})
const command = (name: string, value: boolean) =>
  Buffer.from(
    encodeSparkplugPayload({
      metrics: [{ name, raw: rawValue(value, SparkplugDatatype.boolean) }],
    }),
  )
const again = command('Node Control/Rebirth', true)

test('numbers go on from 255 with 0', () => {
  const messages = createNode().tell(Array.from({ length: 600 }, () => row('A', { n: 1 })))
  const numbers = messages.map(({ payload }) => decodeSparkplugPayload(payload).seq)
  expect(numbers).toEqual(messages.map((_, place) => place % 256))
})

test('rows about the project have no message, and a code is one level', () => {
  const node = createNode()
  const gap = { linkId: null, text: '"time":1,"gap":{"from":0,"to":1}}' }
  expect(node.tell([gap]).map(({ topic }) => topic)).toEqual(['spBv1.0/g/NBIRTH/n'])
  expect(node.tell([row('a/#', { n: 1 }), gap]).map(({ topic }) => topic)).toEqual([
    'spBv1.0/g/DBIRTH/n/a__',
    'spBv1.0/g/DDATA/n/a__',
  ])
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a host gets births again at most once a second, and others nothing', () => {
  const node = createNode()
  const take = (topic: string, payload: Buffer) => node.take({ topic, payload })
  node.tell([row('A', { n: 1 }), row('B', { n: 1 })])
  vi.advanceTimersByTime(900)
  take(node.commandTopic, again)
  take(node.commandTopic, Buffer.from('rebirth'))
  expect(node.isDue).toBe(false)
  expect(node.tell([])).toEqual([])
  vi.advanceTimersByTime(200)
  expect(node.isDue).toBe(true)
  expect(node.tell([]).map(({ topic }) => topic)).toEqual([
    'spBv1.0/g/NBIRTH/n',
    'spBv1.0/g/DBIRTH/n/A',
    'spBv1.0/g/DBIRTH/n/B',
  ])
  take('spBv1.0/g/NCMD/other', again)
  take(node.commandTopic, Buffer.from('rebirth'))
  take(node.commandTopic, command('Node Control/Rebirth', false))
  take(node.commandTopic, command('Node Control/Reboot', true))
  take(node.commandTopic, Buffer.concat([again, Buffer.alloc(5_000)]))
  vi.advanceTimersByTime(2_000)
  expect(node.isDue).toBe(false)
})

test('a machine that left dies, is not born again with the others, and is when it comes back', () => {
  const node = createNode()
  const topics = (rows: ReturnType<typeof row>[] = []) =>
    node.tell(rows).map(({ topic }) => topic.slice('spBv1.0/g/'.length))
  node.tell([row('A', { n: 1 }, 1), row('B', { n: 1 }, 2)])
  node.forget(new Set([3]))
  expect(node.isDue).toBe(false)
  node.forget(new Set([2, 3]))
  expect(node.isDue).toBe(true)
  expect(topics()).toEqual(['DDEATH/n/B'])
  expect(node.isDue).toBe(false)
  vi.advanceTimersByTime(10_000)
  node.take({ topic: node.commandTopic, payload: again })
  expect(topics()).toEqual(['NBIRTH/n', 'DBIRTH/n/A'])
  node.forget(new Set([1]))
  expect(topics([row('A', { n: 2 }, 4)])).toEqual(['DDEATH/n/A', 'DBIRTH/n/A', 'DDATA/n/A'])
})

test('a node that comes back is born with its machines, but for those that left meanwhile', () => {
  const node = createNode()
  node.tell([row('A', { n: 1 }, 1), row('B', { n: 2 }, 2)])
  node.begin(8)
  node.forget(new Set([1]))
  const messages = node.tell([]).map(({ topic, payload }) => readMessage(topic, payload))
  expect(messages.map(({ type, device, seq }) => [type, device, seq])).toEqual([
    ['NBIRTH', undefined, 0],
    ['DBIRTH', 'B', 1],
  ])
  expect(valueIn(messages[0]?.metrics ?? [], 'bdSeq')).toBe(8n)
  expect(valueIn(messages[1]?.metrics ?? [], 'n')).toBe(2)
})

/** Two connections of a node, with their deaths. */
function tellTwice(secondBdSeq = 8): HostMessage[] {
  const node = createNode()
  const connection = () => [...node.tell([row('A', { n: 1 }), row('A', { n: 2 })]), node.death]
  const first = connection()
  node.begin(secondBdSeq)
  return [...first, ...connection()].map(({ topic, payload }) => readMessage(topic, payload))
}

test('planted: the order that hosts check is broken by late births, missing deaths and connections without a count', () => {
  expect(findDisorder(tellTwice())).toEqual([])
  const [nodeBirth, birth, data, ...rest] = tellTwice() as [HostMessage, HostMessage, HostMessage]
  expect(findDisorder([data, nodeBirth, birth, ...rest])).toContain('n was not born so')
  expect(findDisorder([nodeBirth, data, birth, ...rest])).toContain('n was not born so')
  const alive = tellTwice().filter(({ type }) => type !== 'NDEATH')
  expect(findDisorder(alive)).toEqual(['a connection without a death'])
  expect(findDisorder(tellTwice(7))).toEqual(['a connection that was not counted'])
})

test('the decoder of others reads births and data', () => {
  const messages = createNode().tell([
    row('A', { t: 21.5, on: true, mode: '自动', big: '9007199254740993' }),
    { linkId: 1, text: '"machineCode":"A","time":2,"late":true,"values":{"t":null},"quality":{"t":"bad"}}' },
  ])
  const read = messages.map(({ payload }) => foreign.decodePayload(payload))
  expect(read.map(({ seq }) => Number(seq))).toEqual([0, 1, 2, 3])
  const told = (place: number) => read[place]?.metrics?.map(({ name, type, value }) => [name, type, value])
  expect(told(0)?.map(([name, type, value]) => [name, type, String(value)])).toEqual([
    ['bdSeq', 'Int64', '7'],
    ['Node Control/Rebirth', 'Boolean', 'false'],
  ])
  expect(told(2)).toEqual([
    ['t', 'Double', 21.5],
    ['on', 'Boolean', true],
    ['mode', 'String', '自动'],
    ['big', 'String', '9007199254740993'],
  ])
  expect(read[3]?.metrics).toMatchObject([
    { name: 't', value: null, isHistorical: true, properties: { Quality: { type: 'Int32', value: 0 } } },
  ])
})

test('a row of many new metrics among others has one birth', () => {
  const rows = Array.from({ length: 100 }, (_, n) => row('A', { [`m${n}`]: n }))
  const births = createNode()
    .tell(rows)
    .filter(({ topic }) => topic.includes('/DBIRTH/'))
  expect(births).toHaveLength(1)
})

test('a node that knows too many metrics is full', () => {
  const node = createNode()
  const many = (from: number) =>
    Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`m${from + n}`, n]))
  node.tell([row('A', many(0))])
  expect(node.isFull).toBe(false)
  node.tell([row('A', many(60_000))])
  expect(node.isFull).toBe(true)
})

test('all rows of a node of history are historical', () => {
  const [, birth, data] = createNode({ isHistory: true })
    .tell([row('A', { n: 1 })])
    .map(({ payload }) => decodeSparkplugPayload(payload).metrics[0])
  expect(birth).toMatchObject({ raw: { kind: 'null' } })
  expect(data).toMatchObject({ isHistorical: true, raw: { value: 1 } })
})
