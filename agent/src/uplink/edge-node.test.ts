import type { SparkplugMetric } from '@busbar/link'
import {
  decodeSparkplugPayload,
  encodeSparkplugPayload,
  metricValue,
  propertyValue,
  Quality,
  SparkplugDatatype,
} from '@busbar/link'
import { expect, test } from 'vitest'
import { buildSample, buildTag } from '../testing/builders.ts'
import { EdgeNode } from './edge-node.ts'

const code = '1000000000000000001'
const at = 1_760_000_000_000

function buildNode() {
  const tags = [
    buildTag({
      group: 'zone 1',
      name: 'temperature',
      displayName: { cn: '一区温度', en: 'Zone 1' },
      unit: '°C',
      scale: 1,
      min: 0,
      max: 300,
      keyTag: true,
    }),
    buildTag({ name: 'count', type: 'int16', readOnly: false }),
    buildTag({ name: 'never read', type: 'string' }),
  ]
  return new EdgeNode({ code, tags, attributes: { model: 'HX', firmware: '1.10' }, firstBdSeq: 255 })
}

const decoded = (message: { payload: Uint8Array }) => decodeSparkplugPayload(message.payload)
const named = (metrics: SparkplugMetric[], name: string): SparkplugMetric => {
  const metric = metrics.find((candidate) => candidate.name === name)
  if (metric === undefined) throw new Error(`no metric ${name}`)
  return metric
}

test('a birth tells everything: sequence, rebirth, attributes, tags with aliases, values, properties', () => {
  const node = buildNode()
  node.beginSession(at)
  const message = node.birth(
    at,
    [buildSample({ tag: 0, value: 21.5, at: at - 50 }), buildSample({ tag: 1, value: -7, at: at - 60 })],
    [],
  )
  expect(message.topic).toBe(`spBv1.0/busbar/NBIRTH/${code}`)
  const birth = decoded(message)
  expect(birth).toMatchObject({ timestamp: at, seq: 0 })
  expect(named(birth.metrics, 'bdSeq').raw).toEqual({ kind: 'long', value: 255n })
  expect(named(birth.metrics, 'Node Control/Rebirth').raw).toEqual({ kind: 'boolean', value: false })
  expect(named(birth.metrics, 'Properties/firmware').raw).toEqual({ kind: 'string', value: '1.10' })

  const temperature = named(birth.metrics, 'zone 1/temperature')
  expect(temperature).toMatchObject({ alias: 1, timestamp: at - 50, datatype: SparkplugDatatype.double })
  expect(metricValue(temperature, temperature.datatype)).toBe(21.5)
  const properties = Object.fromEntries(
    Object.entries(temperature.properties ?? {}).map(([key, property]) => [key, propertyValue(property)]),
  )
  expect(properties).toEqual({
    Quality: Quality.good,
    engUnit: '°C',
    'displayName/cn': '一区温度',
    'displayName/en': 'Zone 1',
    readOnly: true,
    min: 0,
    max: 300,
    scale: 1,
    keyTag: true,
  })
  const count = named(birth.metrics, 'count')
  expect(metricValue(count, count.datatype)).toBe(-7)
  expect(propertyValue(count.properties?.readOnly)).toBe(false)
  const unread = named(birth.metrics, 'never read')
  expect(unread.raw).toEqual({ kind: 'null' })
  expect(propertyValue(unread.properties?.Quality)).toBe(Quality.bad)
})

test('the texts of an enumeration are sent in both languages', () => {
  const tags = [buildTag({ type: 'int32', words: { 0: 'Off', 1: 'Auto' } })]
  const birth = decoded(new EdgeNode({ code, tags, attributes: {}, firstBdSeq: 0 }).birth(at, [], []))
  const { properties } = named(birth.metrics, 'tag')
  for (const key of ['words/cn', 'words/en'])
    expect(JSON.parse(String(propertyValue(properties?.[key])))).toEqual({ 0: 'Off', 1: 'Auto' })
})

test('the will, the birth and the death of a session carry one bdSeq; the next session the next', () => {
  const node = buildNode()
  const bdSeqs = () =>
    [node.beginSession(at), node.birth(at, [], []), node.death(at)].map((message) => {
      return metricValue(named(decoded(message).metrics, 'bdSeq'), SparkplugDatatype.int64)
    })
  expect(bdSeqs()).toEqual([255n, 255n, 255n])
  expect(bdSeqs()).toEqual([0n, 0n, 0n])
  const death = decoded(node.death(at))
  expect(death.seq).toBeUndefined()
  expect(death.metrics).toHaveLength(1)
})

test('seq starts at 0 with a birth, goes up by one and wraps at 256', () => {
  const node = buildNode()
  const seqs = [decoded(node.birth(at, [], [])).seq]
  for (let count = 0; count < 257; count++) seqs.push(decoded(node.data(at, [buildSample()], false)).seq)
  expect([seqs[0], seqs[1], seqs[255], seqs[256], seqs[257]]).toEqual([0, 1, 255, 0, 1])
  expect(decoded(node.birth(at, [], [])).seq).toBe(0)
})

test('data goes by alias; late samples are marked; a quality only when it is not good', () => {
  const node = buildNode()
  const message = node.data(
    at,
    [
      buildSample({ tag: 1, value: -1, at: 5 }),
      buildSample({ tag: 0, value: null, quality: Quality.bad, at: 6 }),
    ],
    true,
  )
  expect(decoded(message).metrics).toEqual([
    { alias: 2, timestamp: 5, isHistorical: true, raw: { kind: 'int', value: 0xffffffff } },
    {
      alias: 1,
      timestamp: 6,
      isHistorical: true,
      raw: { kind: 'null' },
      properties: { Quality: { type: SparkplugDatatype.int32, raw: { kind: 'int', value: 0 } } },
    },
  ])
  expect(decoded(node.data(at, [buildSample()], false)).metrics[0]?.isHistorical).toBeUndefined()
})

test('commands: rebirth and writes are understood, rubbish refused', () => {
  const node = buildNode()
  const command = (metrics: SparkplugMetric[]) => node.parseCommand(encodeSparkplugPayload({ metrics }))
  const rebirth: SparkplugMetric = { name: 'Node Control/Rebirth', raw: { kind: 'boolean', value: true } }
  expect(command([rebirth])).toEqual({ rebirth: true, writes: [], ignoredCount: 0 })
  expect(command([{ ...rebirth, raw: { kind: 'boolean', value: false } }])?.rebirth).toBe(false)
  expect(
    command([
      { alias: 1, raw: { kind: 'double', value: 5 } },
      { name: 'count', datatype: SparkplugDatatype.int16, raw: { kind: 'int', value: 0xffff_fff9 } },
      { name: 'nothing', raw: { kind: 'double', value: 1 } },
      { alias: 2, raw: { kind: 'null' } },
    ])?.writes,
  ).toEqual([
    { name: '', tag: 0, value: 5 },
    { name: 'count', tag: 1, value: -7 },
    { name: 'nothing', tag: undefined, value: 1 },
    { name: '', tag: 1, value: null },
  ])
  expect(node.parseCommand(Uint8Array.of(0xff, 0xff))).toBeNull()
})

test('a command of many metrics does not flood the controller', () => {
  const many = Array.from(
    { length: 70 },
    (): SparkplugMetric => ({ alias: 1, raw: { kind: 'double', value: 5 } }),
  )
  const command = buildNode().parseCommand(encodeSparkplugPayload({ metrics: many }))
  expect([command?.writes.length, command?.ignoredCount]).toEqual([64, 6])
})

test('a value read back carries the written value, its author, and the refusal', () => {
  const written = { visit: '', from: 1, to: 2, error: 'illegal data address (Modbus exception 2)' }
  const { metrics } = decoded(buildNode().data(at, [buildSample({ value: 1, written })], false))
  const properties = Object.entries(metrics[0]?.properties ?? {})
  expect(Object.fromEntries(properties.map(([key, property]) => [key, propertyValue(property)]))).toEqual({
    readBack: true,
    writtenFrom: 1,
    writtenTo: 2,
    visit: '',
    writeError: 'illegal data address (Modbus exception 2)',
  })
})

test('an attribute that is new needs a birth; later values of it go in data, and births have the newest', () => {
  const node = buildNode()
  const gps = (lat: number) => new Map([['gps', JSON.stringify({ lat, lng: 11 })]])
  const propertiesOf = (message: { payload: Uint8Array }) =>
    decoded(message).metrics.flatMap(({ name, raw }) =>
      name?.startsWith('Properties/') ? [[name, raw]] : [],
    )
  node.birth(at, [], [])
  expect(node.describe(gps(48))).toEqual({ needsBirth: true })
  expect(propertiesOf(node.birth(at, [], []))).toContainEqual([
    'Properties/gps',
    { kind: 'string', value: '{"lat":48,"lng":11}' },
  ])
  expect(node.describe(gps(49))).toEqual({ needsBirth: false })
  const data = node.attributes(at, gps(49))
  expect(data.topic).toBe(`spBv1.0/busbar/NDATA/${code}`)
  expect(decoded(data)).toMatchObject({ seq: 1, timestamp: at })
  expect(propertiesOf(data)).toEqual([['Properties/gps', { kind: 'string', value: '{"lat":49,"lng":11}' }]])
  expect(propertiesOf(node.birth(at, [], []))).toContainEqual([
    'Properties/gps',
    { kind: 'string', value: '{"lat":49,"lng":11}' },
  ])
})
