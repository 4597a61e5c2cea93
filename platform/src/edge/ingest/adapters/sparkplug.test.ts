import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import {
  compressedPayload,
  encodeSparkplugPayload,
  rawValue,
  type SparkplugAlias,
  type SparkplugMetric,
  type SparkplugPayload,
  type SparkplugValue,
  SparkplugDatatype as type,
} from '@busbar/link'
import { beforeEach, describe, expect, it } from 'vitest'
import { type NodeTopic, SparkplugNode } from './sparkplug.ts'

const now = Date.UTC(2026, 10, 20)
const node = { group: 'g', edgeNode: '1111111111111111111' }
const topics = {
  nbirth: { type: 'NBIRTH', ...node },
  ndata: { type: 'NDATA', ...node },
  ndeath: { type: 'NDEATH', ...node },
  dbirth: { type: 'DBIRTH', ...node, device: 'plc' },
  ddata: { type: 'DDATA', ...node, device: 'plc' },
  ddeath: { type: 'DDEATH', ...node, device: 'plc' },
} as const satisfies Record<string, NodeTopic>

function metric(
  name: string | number,
  datatype: number,
  value: SparkplugValue,
  more: Partial<SparkplugMetric> = {},
): SparkplugMetric {
  const named = typeof name === 'string' ? { name } : { alias: name }
  return { ...named, datatype, timestamp: now, raw: rawValue(value, datatype), ...more }
}

const text = (value: string) => ({ type: type.string, raw: rawValue(value, type.string) })
const bytesOf = (seq: number, metrics: SparkplugMetric[]) =>
  encodeSparkplugPayload({ timestamp: now, seq, metrics })
const bdSeq = (value: bigint) => metric('bdSeq', type.uint64, value)

let edge: SparkplugNode

beforeEach(() => {
  edge = new SparkplugNode()
})

const accept = (topic: NodeTopic, payload: Uint8Array, at = now) => edge.accept(topic, payload, at)

describe('a birth', () => {
  it('defines tags, gives their first values, and is being online', () => {
    const uplink = accept(
      topics.nbirth,
      bytesOf(0, [
        bdSeq(0n),
        metric('Node Control/Rebirth', type.boolean, false),
        metric('oven/temp', type.float, 21.5, {
          alias: 1,
          properties: {
            engUnit: text('°C'),
            'displayName/cn': text('温度'),
            readOnly: { type: type.boolean, raw: rawValue(false, type.boolean) },
            scale: { type: type.int32, raw: rawValue(1, type.int32) },
          },
        }),
        metric('Properties/model', type.string, 'P-100'),
        metric('Alarms/E1', type.boolean, false, {
          properties: { level: text('critical'), text: text('Oil') },
        }),
      ]),
    )
    expect(uplink.online).toBe(true)
    expect(uplink.records).toEqual([
      {
        kind: 'tagDefinition',
        group: 'oven',
        tag: 'temp',
        type: 'float64',
        label: { cn: '温度' },
        unit: '°C',
        scale: 1,
        min: null,
        max: null,
        readOnly: false,
        isKey: false,
      },
      {
        kind: 'sample',
        group: 'oven',
        tag: 'temp',
        type: 'float64',
        value: 21.5,
        quality: 192,
        time: now,
        late: false,
        isPresent: true,
      },
      expect.objectContaining({
        kind: 'alarm',
        key: 'E1',
        state: 'cleared',
        level: 'critical',
        isRepeat: true,
      }),
      { kind: 'attributes', attributes: { model: 'P-100' } },
    ])
  })

  it('and its data note what is not stored as it was sent', () => {
    const long = 'x'.repeat(200)
    const birth = accept(
      topics.nbirth,
      bytesOf(0, [
        metric('t', type.int32, 1, {
          alias: 1,
          isTransient: true,
          properties: {
            engUnit: text(long),
            'displayName/cn': text(long),
            scale: { type: type.int32, raw: rawValue(13, type.int32) },
          },
        }),
        metric('Alarms/E1', type.int32, 1, { alias: 2 }),
        metric('Alarms/E2', type.boolean, true, { properties: { level: text('fatal'), text: text('a\0b') } }),
        metric('Alarms/busbar/away', type.boolean, true),
        metric('Properties/serial', type.uint64, 2n ** 53n + 1n),
        metric('Properties/model', type.string, null),
        metric('Properties/ho\0st', type.string, 'a'),
        metric('data', type.dataSet, null, { alias: 3 }),
        metric(9, type.int32, 1),
      ]),
    )
    const cut = `"${'x'.repeat(63)}…" was cut, or lost characters`
    expect(birth.notes).toEqual([
      '"t" has a scale that is not stored: 13',
      `"t": the text ${cut}`,
      '"t" is transient: not stored',
      '"E1" is named as an alarm, but its value is no boolean: not stored',
      '"E2" has a level that is not known: stored as major',
      '"E2": the text "a\\u{0}b" was cut, or lost characters',
      `"busbar/away" is not stored: an alarm's id does not begin with busbar/, as those of the platform do`,
      '"serial" is rounded: 9007199254740993 is read as 9007199254740992',
      '"model" has no value: not stored',
      '"Properties/ho\\u{0}st" lost characters of its name that cannot be stored',
      '"data" is of a kind that is not stored',
      'a metric of a birth has no name: not stored',
    ])
    const data = accept(
      topics.ndata,
      bytesOf(1, [metric(1, type.int32, 2, { isTransient: true }), metric(2, type.int32, 1)]),
    )
    expect(data).toMatchObject({
      records: [],
      notes: ['"t" is transient: not stored', expect.stringContaining('"E1"')],
    })
    expect(accept(topics.ndata, bytesOf(2, [metric('t', type.int32, 3)])).notes).toBe(undefined)
  })

  it('has where the machine is as JSON, and names a text that is something else', () => {
    const uplink = accept(
      topics.nbirth,
      bytesOf(0, [
        bdSeq(0n),
        metric('Properties/gps', type.string, '{"lat":48.1,"lng":11.5}'),
        metric('Properties/cells', type.string, '[{"mcc":262}]'),
        metric('Properties/wifi', type.string, '[{"mac"'),
        metric('Properties/place', type.string, '{"hall":1}'),
      ]),
    )
    expect(uplink.records).toEqual([
      {
        kind: 'attributes',
        attributes: { gps: { lat: 48.1, lng: 11.5 }, cells: [{ mcc: 262 }], place: '{"hall":1}' },
      },
    ])
    expect(uplink.notes).toEqual(['"wifi" is no JSON: not stored'])
  })

  it('shows no characters that turn the direction of text', () => {
    const hidden = JSON.stringify({ 1: 'on\u202eno' }).replace('\u202e', '\\u202E')
    const properties = {
      engUnit: text('\u200fbar'),
      displayName: text('pump\u202egnihton'),
      'words/cn': text(hidden),
      'words/en': text('{"1":"a\u2066b"}'),
    }
    const alarm = metric('Alarms/E1', type.boolean, true, { properties: { text: text('Oil\u2067!') } })
    const { records } = accept(topics.nbirth, bytesOf(0, [metric('a', type.int32, 1, { properties }), alarm]))
    expect(records[0]).toMatchObject({ unit: 'bar', label: { '': 'pumpgnihton' } })
    const { label } = records[0] as { label: Record<string, string> }
    expect(['words/cn', 'words/en'].map((key) => JSON.parse(label[key] ?? ''))).toEqual([
      { 1: 'onno' },
      { 1: 'ab' },
    ])
    expect(records[2]).toMatchObject({ kind: 'alarm', text: { '': 'Oil!' } })
  })

  it('of a device puts its tags into a separate group', () => {
    accept(topics.nbirth, bytesOf(0, []))
    const uplink = accept(topics.dbirth, bytesOf(1, [metric('oven/temp', type.int32, -5, { alias: 1 })]))
    expect(uplink.records).toMatchObject([
      { kind: 'tagDefinition', group: 'plc/oven', tag: 'temp', type: 'int64' },
      { kind: 'sample', group: 'plc/oven', value: -5 },
    ])
    expect(uplink.wantsRebirth).toBe(undefined)
    expect(accept(topics.ddata, bytesOf(2, [metric(1, type.int32, 7)])).records).toMatchObject([
      { group: 'plc/oven', tag: 'temp', value: 7 },
    ])
    expect(accept(topics.ddeath, bytesOf(3, []))).toEqual({ records: [], staleGroup: 'plc', goneAt: now })
  })

  it('reports the number of metrics of a kind that is not stored', () => {
    const uplink = accept(
      topics.nbirth,
      bytesOf(0, [{ name: 'file', datatype: type.file, raw: { kind: 'null' } }]),
    )
    expect(uplink).toMatchObject({
      records: [],
      verdict: 'unstoredMetrics',
      detail: '1 metrics of a kind that is not stored',
    })
  })
})

describe('data', () => {
  beforeEach(() => {
    accept(
      topics.nbirth,
      bytesOf(5, [
        bdSeq(3n),
        metric('a', type.int16, 1, { alias: 1 }),
        metric('Alarms/E1', type.boolean, false, { alias: 2, properties: { level: text('minor') } }),
      ]),
    )
  })

  it('has the type its birth announced', () => {
    const bare = { alias: 1, raw: { kind: 'int', value: 0xffff_fffb } } as const
    expect(accept(topics.ndata, bytesOf(6, [bare])).records).toMatchObject([
      { tag: 'a', type: 'int64', value: -5, time: now },
    ])
  })

  it('follows its birth’s number, whatever that was, around 256', () => {
    for (let seq = 6; seq < 600; seq++) {
      expect(accept(topics.ndata, bytesOf(seq % 256, [metric(1, type.int16, 1)])).wantsRebirth).toBe(
        undefined,
      )
    }
  })

  it('after a gap is kept, and a birth is requested, once in ten seconds', () => {
    const gap = accept(topics.ndata, bytesOf(8, [metric(1, type.int16, 2)]))
    expect(gap).toMatchObject({ records: [{ value: 2 }], wantsRebirth: true })
    expect(accept(topics.ndata, bytesOf(11, []), now + 9_999).wantsRebirth).toBe(false)
    expect(accept(topics.ndata, bytesOf(14, []), now + 10_000).wantsRebirth).toBe(true)
  })

  it('of an unknown alias requests a birth and keeps the rest', () => {
    const uplink = accept(topics.ndata, bytesOf(6, [metric(99, type.int16, 2), metric(1, type.int16, 3)]))
    expect(uplink).toMatchObject({
      records: [{ value: 3 }],
      wantsRebirth: true,
      verdict: 'unknownMetrics',
      detail: '1 metrics that no birth announced',
    })
  })

  it('that is historical is late, that is transient is left out', () => {
    const records = accept(
      topics.ndata,
      bytesOf(6, [
        metric(1, type.int16, 2, { isHistorical: true }),
        metric(1, type.int16, 3, { isTransient: true }),
      ]),
    ).records
    expect(records).toMatchObject([{ value: 2, late: true }])
  })

  it('carries its quality', () => {
    const withQuality = (quality: number) =>
      metric(1, type.int16, 2, {
        properties: { Quality: { type: type.int32, raw: rawValue(quality, type.int32) } },
      })
    const records = accept(topics.ndata, bytesOf(6, [0, 192, 500, 64, 7].map(withQuality))).records
    expect(records.map((record) => record.kind === 'sample' && record.quality)).toEqual([0, 192, 500, 64, 0])
  })

  it('raises and clears alarms', () => {
    expect(accept(topics.ndata, bytesOf(6, [metric(2, type.boolean, true)])).records).toMatchObject([
      { kind: 'alarm', key: 'E1', level: 'minor', state: 'raised', isRepeat: false },
    ])
  })

  it('is unpacked before its number is checked', () => {
    const inner = (seq: number) => Buffer.from(bytesOf(seq, [metric(1, type.int16, seq)]))
    const packed: [Uint8Array, 'GZIP' | 'DEFLATE'][] = [
      [gzipSync(inner(6)), 'GZIP'],
      [deflateSync(inner(7)), 'DEFLATE'],
      [deflateRawSync(inner(8)), 'DEFLATE'],
    ]
    for (const [body, algorithm] of packed) {
      const uplink = accept(topics.ndata, encodeSparkplugPayload(compressedPayload(body, algorithm)))
      expect(uplink).toMatchObject({ records: [{ tag: 'a' }] })
      expect(uplink.wantsRebirth).toBe(undefined)
    }
  })

  it('that unpacks to too much, or is not a payload, is refused with the reason', () => {
    const bomb = compressedPayload(gzipSync(Buffer.alloc(8 * 1024 * 1024)), 'GZIP')
    expect(accept(topics.ndata, encodeSparkplugPayload(bomb))).toMatchObject({
      records: [],
      verdict: 'protocolError',
    })
    expect(accept(topics.ndata, Buffer.from('{"a":1}'))).toMatchObject({
      records: [],
      verdict: 'protocolError',
    })
    const noBody: SparkplugPayload = { uuid: 'SPBV1.0_COMPRESSED', metrics: [] }
    expect(accept(topics.ndata, encodeSparkplugPayload(noBody)).detail).toMatch(/without body/)
  })
})

describe('a command', () => {
  const alias64 = 2n ** 64n - 1n
  const int16Of = (name: string, alias: SparkplugAlias) => metric(name, type.int16, 1, { alias })
  const write = (tag: string, group = '') => edge.prepareWrite(node.edgeNode, { group, tag, value: 7n })

  it('does not name a metric beside its alias, nor its type, for any alias', () => {
    accept(topics.nbirth, bytesOf(0, [int16Of('a', 0), int16Of('b', alias64)]))
    accept(topics.dbirth, bytesOf(1, [int16Of('c', 2n ** 53n)]))
    const raw = { kind: 'int', value: 7 }
    expect(write('a')).toEqual({ topic: `spBv1.0/g/NCMD/${node.edgeNode}`, metric: { alias: 0, raw } })
    expect(write('b')).toMatchObject({ metric: { alias: alias64, raw } })
    expect(write('c', 'plc')).toEqual({
      topic: `spBv1.0/g/DCMD/${node.edgeNode}/plc`,
      metric: { alias: 2n ** 53n, raw },
    })
  })

  it('goes by the name where the birth gave no alias, or gave it twice', () => {
    const [nameless, twice] = [metric('a', type.int16, 1), [int16Of('b', 3), int16Of('c', 3)]]
    accept(topics.nbirth, bytesOf(0, [nameless, ...twice]))
    const raw = { kind: 'int', value: 7 }
    expect(write('a')).toMatchObject({ metric: { name: 'a', datatype: type.int16, raw } })
    expect(write('b')).toMatchObject({ metric: { name: 'b', datatype: type.int16, raw } })
  })

  it('requests a birth by the alias if the node gave one, else by the name', () => {
    const rebirth = { name: 'Node Control/Rebirth', raw: { kind: 'boolean', value: true } }
    expect(edge.rebirthMetric()).toMatchObject(rebirth)
    accept(topics.nbirth, bytesOf(0, [metric('Node Control/Rebirth', type.boolean, false)]))
    expect(edge.rebirthMetric()).toMatchObject(rebirth)
    accept(topics.nbirth, bytesOf(0, [metric('Node Control/Rebirth', type.boolean, false, { alias: 1 })]))
    expect(edge.rebirthMetric()).toEqual({ alias: 1, raw: rebirth.raw })
  })
})

describe('an alias', () => {
  it('above 2^53 finds its own metric and no neighbour', () => {
    const aliases = [2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 2n, 2n ** 64n - 1n]
    const named = aliases.map((alias, index) => metric(`t${index}`, type.int16, 0, { alias }))
    accept(topics.nbirth, bytesOf(0, named))
    const told = aliases.map((alias, index) => ({ alias, raw: rawValue(index, type.int16) }))
    const { records } = accept(topics.ndata, bytesOf(1, told))
    expect(records).toMatchObject(aliases.map((_, index) => ({ tag: `t${index}`, value: index })))
  })
})

describe('a death', () => {
  it('counts when it belongs to the birth before it', () => {
    accept(topics.nbirth, bytesOf(0, [bdSeq(3n)]))
    expect(accept(topics.ndeath, bytesOf(0, [bdSeq(2n)])).online).toBe(undefined)
    expect(edge.isBorn).toBe(true)
    expect(accept(topics.ndeath, bytesOf(0, [bdSeq(3n)])).online).toBe(false)
    expect(accept(topics.ndeath, bytesOf(0, [bdSeq(3n)])).online).toBe(undefined)
  })

  it('does not count before the first birth, and data after it requests one', () => {
    expect(accept(topics.ndeath, bytesOf(0, [bdSeq(0n)]))).toEqual({ records: [] })
    accept(topics.nbirth, bytesOf(0, [bdSeq(0n), metric('a', type.int16, 1, { alias: 1 })]))
    accept(topics.ndeath, bytesOf(0, [bdSeq(0n)]))
    expect(accept(topics.ndata, bytesOf(1, [metric(1, type.int16, 1)])).wantsRebirth).toBe(true)
  })
})

describe('news of an outage', () => {
  const stamped = (at: number | undefined, metrics: SparkplugMetric[]) =>
    encodeSparkplugPayload({ ...(at === undefined ? {} : { timestamp: at }), seq: 1, metrics })
  const long = (value: number) => ({ type: type.int64, raw: rawValue(value, type.int64) })

  it('name the data that the agent had to drop, though the metric is of the moment', () => {
    const lost = metric('Busbar/Lost', type.boolean, true, {
      isTransient: true,
      properties: { from: long(now - 5_000), to: long(now - 1_000), samples: long(40) },
    })
    const { records } = accept(topics.ndata, bytesOf(1, [lost, metric('Busbar/Lost', type.boolean, true)]))
    expect(records).toEqual([{ kind: 'lost', from: now - 5_000, to: now - 1_000, samples: 40 }])
  })

  it('come with how the alarm stands now', () => {
    const since = now - 60_000
    accept(
      topics.nbirth,
      bytesOf(0, [metric('Alarms/E1', type.boolean, false, { alias: 1, timestamp: since })]),
    )
    const late = metric(1, type.boolean, true, { isHistorical: true, timestamp: since - 1 })
    expect(accept(topics.ndata, bytesOf(1, [late])).records).toMatchObject([
      { kind: 'alarm', state: 'raised', late: true, standing: { state: 'cleared', time: since } },
    ])
    accept(topics.ndata, bytesOf(2, [metric(1, type.boolean, true)]))
    expect(accept(topics.ndata, bytesOf(3, [late])).records).toMatchObject([
      { standing: { state: 'raised', time: now } },
    ])
  })

  it('keep their value though the tag was a whole number then and is a float by its birth', () => {
    accept(topics.nbirth, bytesOf(0, [metric('t', type.double, 1.5, { alias: 1 })]))
    const late = (value: bigint) => metric(1, type.int64, value, { isHistorical: true })
    const { records } = accept(topics.ndata, bytesOf(1, [late(-7n), late(2n ** 53n + 1n)]))
    // A value that a float cannot hold is left unchanged, and stored as bad.
    expect(records).toMatchObject([
      { type: 'float64', value: -7, late: true },
      { type: 'float64', value: 2n ** 53n + 1n },
    ])
  })

  it('do not show how the machine’s clock goes', () => {
    accept(topics.nbirth, bytesOf(0, [metric('t', type.int32, 1, { alias: 1 })]))
    const historical = metric(1, type.int32, 1, { isHistorical: true })
    expect(accept(topics.ndata, stamped(now - 9_000, [historical])).clockAt).toBeUndefined()
    expect(accept(topics.ndata, stamped(now - 9_000, [historical, metric(1, type.int32, 2)])).clockAt).toBe(
      now - 9_000,
    )
    expect(accept(topics.ndata, stamped(undefined, [metric(1, type.int32, 2)])).clockAt).toBeUndefined()
  })

  it('by a wrong clock do not show since when an alarm is active', () => {
    const raised = metric('Alarms/E1', type.boolean, true, { timestamp: now - 7_200_000 })
    const at = (stamp: number) =>
      accept(topics.nbirth, encodeSparkplugPayload({ timestamp: stamp, seq: 0, metrics: [raised] })).records
    expect(at(now)).toMatchObject([{ time: now - 7_200_000 }])
    expect(at(now - 3_600_000)).toMatchObject([{ time: undefined }])
  })
})
