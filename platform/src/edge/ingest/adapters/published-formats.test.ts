import { plainTopic } from '@busbar/link'
import { describe, expect, it, test } from 'vitest'
import { publishedFormats } from './published-formats.ts'
import { type Language, readMessage } from './read-message.ts'
import { SparkplugNode } from './sparkplug.ts'
import { isVendorJson } from './vendor.ts'
import { isWeintekJson } from './weintek.ts'

const now = Date.parse('2026-11-28T03:00:05Z')
const shanghai: Language = {
  adapter: null,
  timeZone: 'Asia/Shanghai',
  textEncoding: 'utf8',
  otherTopics: false,
}

function read(body: unknown, language: Language = shanghai, topic: string = plainTopic.telemetry) {
  const payload = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const node = new SparkplugNode()
  return readMessage(topic, payload, language, () => node, now)
}

/** Group, name, type and value of each sample, and how long ago it was taken, in seconds. */
function samplesOf(body: unknown, language?: Language) {
  return read(body, language).uplink.records.map((record) => {
    if (record.kind !== 'sample') return record.kind
    const { group, tag, type, value, time } = record
    return [group, tag, type, value, time === undefined ? undefined : (now - time) / 1_000]
  })
}

const at = now - 60_000
const neuronHead = { timestamp: at, node: 'modbus', group: 'grp' }
const telegrafMetric = {
  fields: { field_1: 30, field_2: 4, field_N: 59, n_images: 660 },
  name: 'docker',
  tags: { host: 'raynor' },
  timestamp: Math.floor(at / 1_000),
}

/** Bodies as the manuals of their makers show them, with times of now. */
const examples = {
  neuronValues: { ...neuronHead, values: { tag0: 123 }, errors: { tag1: 2014 }, metas: {} },
  neuronTags: {
    ...neuronHead,
    tags: [
      { name: 'tag0', value: 123 },
      { name: 'tag1', error: 2014 },
    ],
  },
  neuronEcp: {
    ...neuronHead,
    tags: [
      { name: 'tag_boolean', value: true, type: 1 },
      { name: 'tag_int32', value: 123, type: 2 },
      { name: 'tag_float', value: 123.4, type: 3 },
      { name: 'tag_string', value: 'abcd', type: 4 },
    ],
  },
  telegraf: telegrafMetric,
  telegrafBatch: { metrics: [telegrafMetric, { ...telegrafMetric, tags: { host: 'tychus' } }] },
  tasmotaSensor: {
    Time: '2026-11-28T11:00:00',
    ENERGY: { TotalStartTime: '2026-01-01T00:00:00', Total: 3.185, Power: 42, Voltage: [230, 231] },
    AM2301: { Temperature: 21.4, Humidity: null },
    TempUnit: 'C',
  },
  tasmotaState: { Time: '2026-11-28T11:00:00', Uptime: '0T00:00:11', UptimeSec: 11, POWER: 'ON' },
  shelly1: {
    wifi_sta: { connected: true, ssid: 'plant', rssi: -62 },
    time: '11:00',
    unixtime: Math.floor(at / 1_000),
    relays: [{ ison: false, has_timer: false }],
    meters: [{ power: 12.5, total: 481 }],
  },
  shelly2: {
    src: 'shellyplus1pm-441793d69718',
    dst: 'shellyplus1pm-441793d69718/events',
    method: 'NotifyStatus',
    params: { ts: at / 1_000 + 0.04, 'switch:0': { id: 0, apower: 8.9, output: true } },
  },
  shelly2Event: {
    src: 'shellyplus1pm-441793d69718',
    dst: 'shellyplus1pm-441793d69718/events',
    method: 'NotifyEvent',
    params: {
      ts: at / 1_000,
      events: [{ component: 'input:0', id: 0, event: 'single_push', ts: at / 1_000 }],
    },
  },
  zigbee2mqtt: {
    battery: 100,
    temperature: 21.4,
    linkquality: 120,
    last_seen: new Date(at).toISOString(),
    update: { state: 'idle', installed_version: 1 },
  },
  kepware: {
    timestamp: at,
    values: [
      { id: 'Channel1.Device1.Tag1', v: 42, q: true, t: at },
      { id: 'Channel1.Device1.Tag2', v: 0, q: false, t: at - 1_000 },
    ],
  },
  senml: [
    { bn: 'urn:dev:ow:10e2073a0108006:', bt: at / 1_000, bu: 'A', bver: 5, n: 'voltage', u: 'V', v: 120.1 },
    { n: 'current', t: -5, v: 1.2 },
    { n: 'current', t: -4, v: 1.3 },
  ],
  senmlNow: [{ n: 'urn:dev:ow:10e2073a01080063', u: 'Cel', v: 23.1 }],
} as const

describe('a body of a published format', () => {
  it.each(Object.entries(examples))('is claimed by one format alone: %s', (_, body) => {
    const json = structuredClone(body) as object
    expect(publishedFormats.filter(({ claims }) => claims(json))).toHaveLength(1)
    expect([isVendorJson(json), isWeintekJson(json), 'ts' in json]).toEqual([false, false, false])
  })

  it('is read plainly where keys fix the format, and otherwise named in the raw view', () => {
    expect(read(examples.neuronValues)).toMatchObject({ adapter: 'json', uplink: { detail: 'Neuron' } })
    expect(read(examples.neuronValues, { ...shanghai, adapter: 'json' }).uplink.records).toMatchObject([
      { group: '', tag: 'tag0', value: 123 },
    ])
  })
})

test('a plain body is claimed by no format', () => {
  const bodies = [
    { temp: 21.5 },
    { ts: at, values: { temp: 21.5 } },
    [{ ts: at, values: { temp: 21.5 } }, { temp: 3 }],
    { Time: '2026-11-28T11:00:00', temp: 21.5 },
    { time: at, sensor: { temp: 1 } },
    { timestamp: at, temp: 21.5, group: 'a' },
    { name: 'press', fields: 3, tags: 'x', timestamp: at },
    { values: [1, 2, 3], timestamp: at },
    { method: 'NotifyStatus', params: {} },
    { state: { reported: { temp: 21 } }, version: 3 },
    { d: { Tag: [5] } },
    { _groupTag: 'g', temp: '1' },
    { linkquality: 'good' },
    [{ v: 5 }],
    [],
    {},
  ]
  for (const body of bodies)
    expect(publishedFormats.filter(({ claims }) => claims(body)).map(({ name }) => name)).toEqual([])
})

test('Neuron’s values have their time, their group and their errors, in each of its formats', () => {
  const expected = [
    ['modbus/grp', 'tag0', 'float64', 123, 60],
    ['modbus/grp', 'tag1', undefined, null, 60],
  ]
  for (const body of [examples.neuronValues, examples.neuronTags]) {
    expect(samplesOf(body)).toEqual(expected)
    const { uplink } = read(body)
    expect(uplink.records[1]).toMatchObject({ quality: 0 })
    expect(uplink.notes).toEqual(['"tag1" is bad: error "2014"'])
    expect(uplink.clockAt).toBe(at)
  }
  expect(samplesOf(examples.neuronEcp)).toEqual([
    ['modbus/grp', 'tag_boolean', 'bool', true, 60],
    ['modbus/grp', 'tag_int32', 'int64', 123, 60],
    ['modbus/grp', 'tag_float', 'float64', 123.4, 60],
    ['modbus/grp', 'tag_string', 'string', 'abcd', 60],
  ])
  // Its manual has commas that JSON forbids.
  expect(
    read('{"timestamp":1,"node":"a","group":"b","tags":[{"name":"x","value":1,}]}').uplink,
  ).toMatchObject({
    verdict: 'notJson',
  })
})

test('Telegraf’s metrics are variables in groups that tell their series apart', () => {
  expect(samplesOf(examples.telegraf)[0]).toEqual(['docker/host=raynor', 'field_1', 'float64', 30, 60])
  const groups = samplesOf(examples.telegrafBatch).map(([group]) => group)
  expect(new Set(groups)).toEqual(new Set(['docker/host=raynor', 'docker/host=tychus']))
  expect(groups).toHaveLength(8)
})

test('Tasmota’s sensors are variables at its wall time', () => {
  expect(samplesOf(examples.tasmotaSensor)).toEqual([
    ['', 'ENERGY.TotalStartTime', 'string', '2026-01-01T00:00:00', 5],
    ['', 'ENERGY.Total', 'float64', 3.185, 5],
    ['', 'ENERGY.Power', 'float64', 42, 5],
    ['', 'ENERGY.Voltage[0]', 'float64', 230, 5],
    ['', 'ENERGY.Voltage[1]', 'float64', 231, 5],
    ['', 'AM2301.Temperature', 'float64', 21.4, 5],
    ['', 'AM2301.Humidity', undefined, null, 5],
    ['', 'TempUnit', 'string', 'C', 5],
  ])
  expect(samplesOf(examples.tasmotaState).at(-1)).toEqual(['', 'POWER', 'string', 'ON', 5])
})

test('Shelly’s components are variables of the device', () => {
  expect(samplesOf(examples.shelly1)).toEqual([
    ['', 'wifi_sta.connected', 'bool', true, 60],
    ['', 'wifi_sta.ssid', 'string', 'plant', 60],
    ['', 'wifi_sta.rssi', 'float64', -62, 60],
    ['', 'relays[0].ison', 'bool', false, 60],
    ['', 'relays[0].has_timer', 'bool', false, 60],
    ['', 'meters[0].power', 'float64', 12.5, 60],
    ['', 'meters[0].total', 'float64', 481, 60],
  ])
  expect(samplesOf({ ...examples.shelly1, unixtime: 0 })[0]).toEqual([
    '',
    'wifi_sta.connected',
    'bool',
    true,
    undefined,
  ])
  expect(samplesOf(examples.shelly2)).toEqual([
    ['shellyplus1pm-441793d69718', 'switch:0.id', 'float64', 0, 59.96],
    ['shellyplus1pm-441793d69718', 'switch:0.apower', 'float64', 8.9, 59.96],
    ['shellyplus1pm-441793d69718', 'switch:0.output', 'bool', true, 59.96],
  ])
  expect(samplesOf(examples.shelly2Event)).toEqual([
    ['shellyplus1pm-441793d69718', 'input:0.event', 'string', 'single_push', 60],
  ])
})

test('Zigbee2MQTT’s devices tell when they were last seen', () => {
  expect(samplesOf(examples.zigbee2mqtt)).toEqual([
    ['', 'battery', 'float64', 100, 60],
    ['', 'temperature', 'float64', 21.4, 60],
    ['', 'linkquality', 'float64', 120, 60],
    ['', 'update.state', 'string', 'idle', 60],
    ['', 'update.installed_version', 'float64', 1, 60],
  ])
  expect(samplesOf({ linkquality: 1, last_seen: '5 minutes ago' })).toEqual([
    ['', 'linkquality', 'float64', 1, undefined],
    ['', 'last_seen', 'string', '5 minutes ago', undefined],
  ])
})

test('Kepware’s values have each their quality and time', () => {
  expect(read(examples.kepware).uplink.records).toMatchObject([
    { tag: 'Channel1.Device1.Tag1', value: 42, quality: 192, time: at, late: false },
    { tag: 'Channel1.Device1.Tag2', value: 0, quality: 0, time: at - 1_000, late: false },
  ])
  const kept = examples.kepware.values.map((value) => ({ ...value, t: value.t - 3_600_000 }))
  expect(read({ ...examples.kepware, values: kept }).uplink.records).toMatchObject([
    { late: true },
    { late: true },
  ])
})

test('SenML’s records go on from the base values before them', () => {
  const name = 'urn:dev:ow:10e2073a0108006:'
  expect(samplesOf(examples.senml)).toEqual([
    ['', `${name}voltage`, 'float64', 120.1, 60],
    ['', `${name}current`, 'float64', 1.2, 65],
    ['', `${name}current`, 'float64', 1.3, 64],
  ])
  expect(samplesOf(examples.senmlNow)).toEqual([
    ['', 'urn:dev:ow:10e2073a01080063', 'float64', 23.1, undefined],
  ])
  const other = [
    { bn: 'a/', bv: 100, n: 'v', v: 1 },
    { n: 's', vs: 'on', t: -30 },
    { n: 'b', vb: false, s: 7 },
    { n: 'd', vd: 'aGk' },
  ]
  expect(samplesOf(other)).toEqual([
    ['', 'a/v', 'float64', 101, undefined],
    ['', 'a/s', 'string', 'on', 30],
    ['', 'a/b', 'bool', false, undefined],
    ['', 'a/b.sum', 'float64', 7, undefined],
  ])
  expect(read(other).uplink.notes).toEqual(['not stored: the data of "a/d"'])
})

describe('nested values', () => {
  it('of any sender are variables of their own', () => {
    const shadow = { state: { reported: { temp: 21.5, doors: ['open', 'shut'] } }, version: 3 }
    expect(samplesOf(shadow)).toEqual([
      ['', 'state.reported.temp', 'float64', 21.5, undefined],
      ['', 'state.reported.doors[0]', 'string', 'open', undefined],
      ['', 'state.reported.doors[1]', 'string', 'shut', undefined],
      ['', 'version', 'float64', 3, undefined],
    ])
    const aliyun = {
      id: '123',
      version: '1.0',
      params: { Power: { value: 1, time: at } },
      method: 'thing.event.property.post',
    }
    expect(samplesOf(aliyun)).toContainEqual(['', 'params.Power.value', 'float64', 1, undefined])
    expect(samplesOf({ ts: at, values: { a: { b: 1 }, c: 2 } })).toEqual([
      ['', 'a.b', 'float64', 1, 60],
      ['', 'c', 'float64', 2, 60],
    ])
  })

  it('beyond the limits are not stored, and a note says so', () => {
    const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) })
    const wide = Object.fromEntries(Array.from({ length: 1_001 }, (_, place) => [`n${place}`, place]))
    const { records, notes } = read({ fine: 1, deep: deep(9), wave: Array(101).fill(0), wide }).uplink
    expect(records).toHaveLength(1_001)
    expect(notes).toEqual([
      'not stored, nested too deeply or too many: "deep.a.a.a.a.a.a.a.a", "wave", "wide.n1000"',
    ])
    const { uplink } = read({ deep: deep(8), ['x'.repeat(300)]: { a: 1 }, ['__proto__']: { polluted: 1 } })
    expect(uplink.records).toHaveLength(2)
    expect({}).not.toHaveProperty('polluted')
  })
})

test('a message that is a value and no JSON is named by its topic', () => {
  const value = (text: string, language?: Language) => {
    const { uplink } = read(text, language, 'data/CODE/shellies/plug/relay/0/power')
    return uplink.records.map(
      (record) => record.kind === 'sample' && [record.group, record.tag, record.type, record.value],
    )
  }
  const named = (type: string | undefined, given: string) => [['shellies/plug/relay/0', 'power', type, given]]
  expect(value('12.5')).toEqual(named('float64', '12.5'))
  expect(value('on')).toEqual(named('string', 'on'))
  expect(value('true')).toEqual(named('bool', 'true'))
  expect(value('--')).toEqual(named(undefined, '--'))
  for (const other of ['', '  ', '{"a":', '[1', '"x', 'x'.repeat(1_025)]) expect(value(other)).toEqual([])
  expect(value('12.5', { ...shanghai, adapter: 'vendor' })).toEqual([])
  expect(read('12.5').uplink.records).toEqual([])
})
