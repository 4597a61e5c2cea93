import { decodeSparkplugPayload, encodeSparkplugPayload, rawValue, SparkplugDatatype } from '@busbar/link'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SparkplugNode, sparkplugNames } from './sparkplug-node.ts'

const createNode = () => new SparkplugNode({ group: 'g', edgeNode: 'n' }, 7)
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
  expect(take('spBv1.0/g/NCMD/other', again)).toBe(false)
  expect(take(node.commandTopic, Buffer.from('rebirth'))).toBe(false)
  expect(take(node.commandTopic, command('Node Control/Rebirth', false))).toBe(false)
  expect(take(node.commandTopic, command('Node Control/Reboot', true))).toBe(false)
  expect(take(node.commandTopic, Buffer.concat([again, Buffer.alloc(5_000)]))).toBe(false)
  expect(node.dueInMs).toBeUndefined()
  expect(take(node.commandTopic, again)).toBe(true)
  expect(take(node.commandTopic, again)).toBe(false)
  vi.advanceTimersByTime(900)
  expect(node.tell([])).toEqual([])
  vi.advanceTimersByTime(200)
  expect(node.tell([]).map(({ topic }) => topic)).toEqual([
    'spBv1.0/g/NBIRTH/n',
    'spBv1.0/g/DBIRTH/n/A',
    'spBv1.0/g/DBIRTH/n/B',
  ])
  expect(node.dueInMs).toBeUndefined()
})

test('a machine that left dies, is not born again with the others, and is when it comes back', () => {
  const node = createNode()
  const topics = (rows: ReturnType<typeof row>[] = []) =>
    node.tell(rows).map(({ topic }) => topic.slice('spBv1.0/g/'.length))
  node.tell([row('A', { n: 1 }, 1), row('B', { n: 1 }, 2)])
  expect(node.forget(new Set([3]))).toBe(false)
  expect(node.forget(new Set([2, 3]))).toBe(true)
  expect(node.dueInMs).toBe(0)
  expect(topics()).toEqual(['DDEATH/n/B'])
  expect(node.dueInMs).toBeUndefined()
  vi.advanceTimersByTime(10_000)
  node.take({ topic: node.commandTopic, payload: again })
  expect(topics()).toEqual(['NBIRTH/n', 'DBIRTH/n/A'])
  node.forget(new Set([1]))
  expect(topics([row('A', { n: 2 }, 4)])).toEqual(['DDEATH/n/A', 'DBIRTH/n/A', 'DDATA/n/A'])
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
  const node = new SparkplugNode({ group: 'g', edgeNode: 'n' }, 0, { isHistory: true })
  const [, birth, data] = node
    .tell([row('A', { n: 1 })])
    .map(({ payload }) => decodeSparkplugPayload(payload).metrics[0])
  expect(birth).toMatchObject({ raw: { kind: 'null' } })
  expect(data).toMatchObject({ isHistorical: true, raw: { value: 1 } })
})

test('names are those of the settings, or of the project', () => {
  expect(sparkplugNames({ group: '', edgeNode: '' }, 3, '-test')).toEqual({
    group: 'busbar',
    edgeNode: 'project-3-test',
  })
})
