import { get } from 'sparkplug-payload'
import { describe, expect, test } from 'vitest'
import { LinkError } from '../link-error.ts'
import { SparkplugDatatype } from './datatype.ts'
import { decodeSparkplugPayload } from './decode-payload.ts'
import { encodeSparkplugPayload } from './encode-payload.ts'
import { metricValue, propertyValue, rawValue } from './metric-value.ts'
import type { SparkplugAlias, SparkplugMetric, SparkplugPayload, SparkplugRaw } from './payload.ts'
import { compressedPayload, compression, sparkplugLimits } from './payload.ts'

const reference = get('spBv1.0')
if (reference === null) throw new Error('sparkplug-payload has no spBv1.0')
type ReferencePayload = Parameters<typeof reference.encodePayload>[0]

/** A small generator with a seed (mulberry32), so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const alphabet = ['a', 'Z', '/', ' ', '温', '度', 'é', '🔥', '\u0000', '\ufeff', '"']

function randomText(random: () => number, lengthMax: number): string {
  let text = ''
  for (let left = Math.floor(random() * lengthMax); left > 0; left--) {
    text += alphabet[Math.floor(random() * alphabet.length)]
  }
  return text
}

function randomRaw(random: () => number, withBytes: boolean): SparkplugRaw {
  switch (Math.floor(random() * (withBytes ? 8 : 7))) {
    case 0:
      return { kind: 'null' }
    case 1:
      return { kind: 'int', value: Math.floor(random() * 2 ** Math.ceil(random() * 32)) }
    case 2:
      return {
        kind: 'long',
        value: BigInt.asUintN(
          64,
          BigInt(Math.floor(random() * 2 ** 53)) << BigInt(Math.floor(random() * 30)),
        ),
      }
    case 3:
      return { kind: 'float', value: Math.fround((random() - 0.5) * 10 ** (random() * 60 - 30)) }
    case 4:
      return { kind: 'double', value: (random() - 0.5) * 10 ** (random() * 600 - 300) }
    case 5:
      return { kind: 'boolean', value: random() < 0.5 }
    case 6:
      return { kind: 'string', value: randomText(random, 100) }
    default:
      return {
        kind: 'bytes',
        value: Uint8Array.from({ length: Math.floor(random() * 300) }, () => random() * 256),
      }
  }
}

/** A bigint only where a number does not hold it. */
function randomAlias(random: () => number): SparkplugAlias {
  const alias = BigInt(Math.floor(random() * 2 ** 53)) << BigInt(Math.floor(random() * 12))
  return alias > BigInt(Number.MAX_SAFE_INTEGER) ? alias : Number(alias)
}

function randomPayload(random: () => number): SparkplugPayload {
  const maybe = () => random() < 0.5
  const metrics = Array.from({ length: Math.floor(random() * 12) }, () => {
    const metric: SparkplugMetric = { raw: randomRaw(random, true) }
    if (maybe()) metric.name = randomText(random, 60)
    if (maybe()) metric.alias = randomAlias(random)
    if (maybe()) metric.timestamp = Math.floor(random() * 4e12)
    if (maybe()) metric.datatype = Math.floor(random() * 22)
    if (maybe()) metric.isHistorical = maybe()
    if (maybe()) metric.isTransient = maybe()
    if (maybe()) {
      metric.properties = {}
      for (let left = Math.floor(random() * 5); left > 0; left--) {
        metric.properties[`${left}${randomText(random, 8)}`] = { type: 12, raw: randomRaw(random, false) }
      }
    }
    return metric
  })
  const payload: SparkplugPayload = { metrics }
  if (maybe()) payload.timestamp = Math.floor(random() * 4e12)
  if (maybe()) payload.seq = Math.floor(random() * 256)
  if (maybe()) payload.uuid = randomText(random, 40)
  if (maybe()) payload.body = Uint8Array.from({ length: Math.floor(random() * 2000) }, () => random() * 256)
  return payload
}

function decodeError(bytes: Uint8Array, limits = sparkplugLimits): LinkError {
  try {
    decodeSparkplugPayload(bytes, limits)
  } catch (error) {
    if (error instanceof LinkError) return error
    throw error
  }
  throw new Error('decoded without an error')
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

describe('round trip', () => {
  test('2,000 random payloads come back as they were', () => {
    const random = seeded(20260701)
    for (let round = 0; round < 2000; round++) {
      const payload = randomPayload(random)
      expect(decodeSparkplugPayload(encodeSparkplugPayload(payload))).toEqual(payload)
    }
  })

  test('a nested length at every border of its varint', () => {
    for (const length of [0, 1, 115, 116, 117, 118, 119, 127, 128, 16_370, 16_378, 16_384, 20_000]) {
      const payload: SparkplugPayload = {
        metrics: [{ name: 'x', raw: { kind: 'bytes', value: new Uint8Array(length).fill(7) } }],
      }
      expect(decodeSparkplugPayload(encodeSparkplugPayload(payload))).toEqual(payload)
    }
  })

  test('decoded bytes do not share memory with the socket buffer', () => {
    const wire = encodeSparkplugPayload({ metrics: [], body: bytes(1, 2, 3) })
    const { body } = decodeSparkplugPayload(wire)
    wire.fill(0)
    expect(body).toEqual(bytes(1, 2, 3))
  })

  test('a view into the middle of a larger buffer', () => {
    const wire = encodeSparkplugPayload({ metrics: [{ raw: { kind: 'double', value: 1.5 } }], seq: 3 })
    const larger = new Uint8Array(wire.length + 20).fill(0xff)
    larger.set(wire, 9)
    expect(decodeSparkplugPayload(larger.subarray(9, 9 + wire.length))).toEqual({
      metrics: [{ raw: { kind: 'double', value: 1.5 } }],
      seq: 3,
    })
  })
})

describe('against sparkplug-payload', () => {
  test('reads back written payloads: negative integers, 64 bits, floats, text, null, properties, data sets', () => {
    const payload = {
      timestamp: 1_700_000_000_123,
      seq: 255,
      metrics: [
        { name: 'i8', type: 'Int8', value: -7 },
        { name: 'i16', type: 'Int16', value: -32768 },
        { name: 'i32', type: 'Int32', value: -2147483648 },
        { name: 'u16', type: 'UInt16', value: 65535 },
        { name: 'u32', type: 'UInt32', value: 4294967295 },
        { name: 'f', type: 'Float', value: 21.5 },
        { name: 'd', type: 'Double', value: 0.1 },
        { name: 'b', type: 'Boolean', value: true, alias: 12 },
        { name: '温度', type: 'String', value: '二十一度' },
        { name: 'none', type: 'Int32', value: null },
        { name: 'historical', type: 'Int32', value: 1, isHistorical: true },
        {
          name: 'props',
          type: 'Double',
          value: 1,
          properties: { engUnit: { type: 'String', value: '°C' }, scale: { type: 'Int32', value: -2 } },
        },
        {
          name: 'set',
          type: 'DataSet',
          value: { numOfColumns: 1, columns: ['c'], types: ['String'], rows: [['x']] },
        },
      ],
    } as ReferencePayload
    const decoded = decodeSparkplugPayload(reference.encodePayload(payload))
    expect(decoded.timestamp).toBe(1_700_000_000_123)
    expect(decoded.seq).toBe(255)
    expect(decoded.metrics.map((metric) => metricValue(metric, metric.datatype))).toEqual([
      -7,
      -32768,
      -2147483648,
      65535,
      4294967295,
      21.5,
      0.1,
      true,
      '二十一度',
      null,
      1,
      1,
      null,
    ])
    expect(decoded.metrics[7]?.alias).toBe(12)
    expect(decoded.metrics[9]?.raw).toEqual({ kind: 'null' })
    expect(decoded.metrics[10]?.isHistorical).toBe(true)
    expect(propertyValue(decoded.metrics[11]?.properties?.engUnit)).toBe('°C')
    expect(propertyValue(decoded.metrics[11]?.properties?.scale)).toBe(-2)
    expect(decoded.metrics[12]?.raw).toEqual({ kind: 'other' })
  })

  test('writes back read payloads', () => {
    const cases: [string, number, boolean | number | bigint | string][] = [
      ['Int8', SparkplugDatatype.int8, -128],
      ['Int16', SparkplugDatatype.int16, -2],
      ['Int32', SparkplugDatatype.int32, -2147483648],
      ['UInt16', SparkplugDatatype.uint16, 65535],
      ['Int64', SparkplugDatatype.int64, -9007199254740995n],
      ['Int64', SparkplugDatatype.int64, 9223372036854775807n],
      ['UInt64', SparkplugDatatype.uint64, 18446744073709551615n],
      ['Double', SparkplugDatatype.double, 1e300],
      ['Float', SparkplugDatatype.float, 0.5],
      ['Boolean', SparkplugDatatype.boolean, false],
      ['String', SparkplugDatatype.string, '表'],
    ]
    for (const [type, datatype, value] of cases) {
      const wire = encodeSparkplugPayload({
        timestamp: 1_700_000_000_000,
        metrics: [{ name: 'm', datatype, raw: rawValue(value, datatype) }],
        seq: 1,
      })
      const metric = reference.decodePayload(wire).metrics?.[0]
      expect(metric?.type).toBe(type)
      expect(String(metric?.value)).toBe(String(value))
    }
  })

  test('two hundred random payloads mean the same to both', () => {
    const random = seeded(7)
    for (let round = 0; round < 200; round++) {
      const metrics = Array.from({ length: 8 }, (_, index) => {
        const value = Math.floor((random() - 0.5) * 2 ** 32)
        return { name: `m${index}`, type: 'Int32', value, timestamp: Math.floor(random() * 4e12) }
      })
      const wire = reference.encodePayload({ metrics, seq: round } as ReferencePayload)
      const decoded = decodeSparkplugPayload(wire)
      expect(decoded.metrics.map((metric) => metricValue(metric, metric.datatype))).toEqual(
        metrics.map((metric) => metric.value),
      )
      const back = reference.decodePayload(encodeSparkplugPayload(decoded))
      expect(back.metrics?.map((metric) => metric.value)).toEqual(metrics.map((metric) => metric.value))
      expect(back.metrics?.map((metric) => Number(metric.timestamp))).toEqual(
        metrics.map((metric) => metric.timestamp),
      )
    }
  })
})

describe('an alias', () => {
  test('integers up to 2^64 - 1 stay exact, whatever wrote them', () => {
    const borders = [
      0,
      1,
      2 ** 32,
      Number.MAX_SAFE_INTEGER,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n,
      2n ** 64n - 1n,
    ]
    for (const alias of borders) {
      const wire = encodeSparkplugPayload({ metrics: [{ alias, raw: { kind: 'null' } }] })
      expect(decodeSparkplugPayload(wire).metrics[0]?.alias).toBe(alias)
      const theirs = reference.decodePayload(
        encodeSparkplugPayload({
          metrics: [
            { name: 'm', alias, datatype: SparkplugDatatype.boolean, raw: { kind: 'boolean', value: true } },
          ],
        }),
      )
      expect(String(theirs.metrics?.[0]?.alias)).toBe(String(alias))
    }
  })
})

describe('values', () => {
  test('int_value is two’s complement in the width of its type, also when only the low bits were sent', () => {
    expect(metricValue({ raw: { kind: 'int', value: 0xf6 } }, SparkplugDatatype.int8)).toBe(-10)
    expect(metricValue({ raw: { kind: 'int', value: 0xfffffff6 } }, SparkplugDatatype.int8)).toBe(-10)
    expect(metricValue({ raw: { kind: 'int', value: 0xfff6 } }, SparkplugDatatype.int16)).toBe(-10)
    expect(metricValue({ raw: { kind: 'int', value: 0xfffffff6 } }, SparkplugDatatype.int32)).toBe(-10)
    expect(metricValue({ raw: { kind: 'int', value: 0xfffffff6 } }, SparkplugDatatype.uint32)).toBe(
      4294967286,
    )
  })

  test('64 bits stay exact and keep one JavaScript type', () => {
    const minusOne: SparkplugRaw = { kind: 'long', value: 0xffffffffffffffffn }
    expect(metricValue({ raw: minusOne }, SparkplugDatatype.int64)).toBe(-1n)
    expect(metricValue({ raw: minusOne }, SparkplugDatatype.uint64)).toBe(18446744073709551615n)
    expect(metricValue({ raw: { kind: 'int', value: 5 } }, SparkplugDatatype.int64)).toBe(5n)
    expect(metricValue({ raw: { kind: 'long', value: 9007199254740993n } }, SparkplugDatatype.int64)).toBe(
      9007199254740993n,
    )
  })

  test('a kind that the type cannot represent counts as missing', () => {
    expect(metricValue({ raw: { kind: 'string', value: '7' } }, SparkplugDatatype.int32)).toBeNull()
    expect(metricValue({ raw: { kind: 'double', value: 7 } }, SparkplugDatatype.int64)).toBeNull()
    expect(metricValue({ raw: { kind: 'bytes', value: bytes(1) } }, SparkplugDatatype.bytes)).toBeNull()
  })

  test('rawValue refuses what would lose bits', () => {
    expect(() => rawValue(128, SparkplugDatatype.int8)).toThrow(LinkError)
    expect(() => rawValue(-1, SparkplugDatatype.uint16)).toThrow(LinkError)
    expect(() => rawValue(2 ** 32, SparkplugDatatype.uint32)).toThrow(LinkError)
    expect(() => rawValue(1.5, SparkplugDatatype.int32)).toThrow(LinkError)
    expect(() => rawValue(2n ** 63n, SparkplugDatatype.int64)).toThrow(LinkError)
    expect(() => rawValue('1', SparkplugDatatype.double)).toThrow(LinkError)
  })
})

describe('malformed input', () => {
  const sample = encodeSparkplugPayload({
    timestamp: 1_700_000_000_000,
    seq: 3,
    metrics: [
      {
        name: 'oven/temperature 温度',
        alias: 1,
        datatype: 10,
        raw: { kind: 'double', value: 21.5 },
        properties: { engUnit: { type: 12, raw: { kind: 'string', value: '°C' } } },
      },
      { alias: 2, raw: { kind: 'long', value: 0xffffffffffffffffn } },
    ],
  })

  test('a varint without end, and one longer than ten bytes', () => {
    expect(decodeError(bytes(0x08, 0x80)).reason).toBe('truncated')
    expect(decodeError(bytes(0x08, ...Array(12).fill(0x80), 0)).reason).toBe('malformed')
  })

  test('lengths that point beyond the end, up to 2^64', () => {
    expect(decodeError(bytes(0x12, 0x05, 0x00)).reason).toBe('truncated')
    expect(decodeError(bytes(0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)).reason).toBe(
      'truncated',
    )
    // The metric is 2 bytes long but its name claims 5: it may not read on into the next field.
    expect(decodeError(bytes(0x12, 0x02, 0x0a, 0x05, 0x18, 0x01, 0x18, 0x01, 0x18)).reason).toBe('truncated')
  })

  test('field number 0, reserved wire types, a group that ends before it begins', () => {
    expect(decodeError(bytes(0x00, 0x00)).reason).toBe('malformed')
    expect(decodeError(bytes(0x3e)).reason).toBe('malformed')
    expect(decodeError(bytes(0x34)).reason).toBe('malformed')
    expect(decodeError(Uint8Array.from({ length: 100 }, () => 0x33)).reason).toBe('limit')
  })

  test('unknown fields of every wire type are passed over', () => {
    const unknown = [
      [0x38, 0xff, 0x01], // field 7, varint
      [0x39, 1, 2, 3, 4, 5, 6, 7, 8], // field 7, 64 bits
      [0x3a, 0x02, 0xff, 0xff], // field 7, bytes
      [0x3b, 0x08, 0x01, 0x3c], // field 7, a group with a varint in it
      [0x3d, 1, 2, 3, 4], // field 7, 32 bits
      [0x0a, 0x01, 0x41], // field 1 is a varint: as bytes it is another field
    ]
    for (const field of unknown) {
      expect(decodeSparkplugPayload(bytes(...field, 0x18, 0x05))).toEqual({ metrics: [], seq: 5 })
    }
  })

  test('bad UTF-8, short and long', () => {
    expect(decodeError(bytes(0x22, 0x02, 0xc3, 0x28)).reason).toBe('utf8')
    expect(decodeError(bytes(0x22, 100, ...Array(99).fill(0x41), 0xff)).reason).toBe('utf8')
  })

  test('every limit', () => {
    const limits = { payloadBytesMax: 40, metricsMax: 3, propertiesPerMetricMax: 2, stringBytesMax: 5 }
    const of = (payload: SparkplugPayload) => decodeError(encodeSparkplugPayload(payload), limits)
    const raw: SparkplugRaw = { kind: 'null' }
    expect(of({ metrics: [], body: new Uint8Array(41) }).reason).toBe('limit')
    expect(of({ metrics: Array(4).fill({ raw }) }).reason).toBe('limit')
    expect(of({ metrics: [{ name: '123456', raw }] }).reason).toBe('limit')
    expect(of({ metrics: [{ raw, properties: { a: { raw }, b: { raw }, c: { raw } } }] }).reason).toBe(
      'limit',
    )
  })

  test('an alias above 2^64 is cut, not rounded; one below 0 or broken is not written', () => {
    const aliasOf = (...varint: number[]) =>
      decodeSparkplugPayload(bytes(0x12, varint.length + 1, 0x10, ...varint)).metrics[0]?.alias
    expect(aliasOf(...Array(9).fill(0xff), 0x03)).toBe(2n ** 64n - 1n)
    expect(aliasOf(...Array(9).fill(0x80), 0x02)).toBe(0)
    for (const alias of [-1, -1n, 1.5, 2n ** 64n]) {
      expect(() => encodeSparkplugPayload({ metrics: [{ alias, raw: { kind: 'null' } }] })).toThrow(LinkError)
    }
  })

  test('property keys without values', () => {
    expect(decodeError(bytes(0x12, 0x05, 0x4a, 0x03, 0x0a, 0x01, 0x61)).reason).toBe('malformed')
  })

  test('a property named __proto__ is only a property', () => {
    const properties = JSON.parse('{"__proto__":{"raw":{"kind":"string","value":"x"}}}')
    const decoded = decodeSparkplugPayload(
      encodeSparkplugPayload({ metrics: [{ raw: { kind: 'null' }, properties }] }),
    )
    expect(Object.keys(decoded.metrics[0]?.properties ?? {})).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(decoded.metrics[0]?.properties)).toBeNull()
  })

  test('every prefix of a payload is either refused or a payload of fewer fields', () => {
    for (let length = 0; length < sample.length; length++) {
      try {
        expect(decodeSparkplugPayload(sample.subarray(0, length)).metrics.length).toBeLessThanOrEqual(2)
      } catch (error) {
        expect(error).toBeInstanceOf(LinkError)
      }
    }
  })

  test('100,000 damaged and random payloads: a payload or a LinkError, nothing else', () => {
    const random = seeded(99)
    let refused = 0
    let accepted = 0
    for (let round = 0; round < 100_000; round++) {
      const wire =
        round % 2 === 0
          ? sample.slice()
          : Uint8Array.from({ length: Math.floor(random() * 64) }, () => random() * 256)
      for (let left = 1 + Math.floor(random() * 4); left > 0 && wire.length > 0; left--) {
        wire[Math.floor(random() * wire.length)] = random() * 256
      }
      let payload: SparkplugPayload
      try {
        payload = decodeSparkplugPayload(wire)
      } catch (error) {
        if (!(error instanceof LinkError)) throw error
        refused++
        continue
      }
      accepted++
      for (const metric of payload.metrics) metricValue(metric, metric.datatype)
    }
    expect(refused).toBeGreaterThan(10_000)
    expect(accepted).toBeGreaterThan(1_000)
  })
})

describe('compression', () => {
  test('names the algorithm of an envelope and leaves ordinary payloads alone', () => {
    const envelope = decodeSparkplugPayload(encodeSparkplugPayload(compressedPayload(bytes(1, 2), 'GZIP')))
    expect(compression(envelope)).toBe('GZIP')
    expect(envelope.body).toEqual(bytes(1, 2))
    expect(compression({ ...envelope, metrics: [] })).toBe('DEFLATE')
    expect(compression({ ...envelope, uuid: 'something' })).toBeNull()
    expect(compression(compressedPayload(bytes(), 'DEFLATE'))).toBe('DEFLATE')
  })
})
