import { plainTopic } from '@busbar/link'
import { describe, expect, it, test } from 'vitest'
import { type Language, readMessage } from './read-message.ts'
import { SparkplugNode } from './sparkplug.ts'
import { weintekWrite } from './weintek.ts'

const code = '1234567890123456789'
const now = Date.parse('2026-11-20T00:00:05Z')
const anything: Language = {
  adapter: null,
  timeZone: 'Asia/Shanghai',
  textEncoding: 'utf8',
  otherTopics: false,
}

function read(topic: string, payload: string | Buffer, language: Language = anything) {
  const node = new SparkplugNode()
  return readMessage(topic, Buffer.from(payload), language, () => node, now)
}

const valuesOf = ({ uplink }: ReturnType<typeof read>) =>
  uplink.records.map((record) =>
    record.kind === 'sample' ? [record.group, record.tag, record.type, record.value] : record.kind,
  )

describe('a vendor’s HMI', () => {
  const payload =
    '{"_terminalTime":"2026-11-20 08:00:03.250","_groupName":"注塑一线","temp":"21.50","recipe":"007","running":"1","alarm":""}'

  it('reads GBK where its keys said so, also a character that ends with a backslash; other bytes are refused', () => {
    // 刓 is 84 5C in GBK.
    const gbk = Buffer.concat([
      Buffer.from('{"'),
      Buffer.from('cec2b6c8', 'hex'),
      Buffer.from('":"21.5","lot":"'),
      Buffer.from('845c', 'hex'),
      Buffer.from('"}'),
    ])
    const language = { ...anything, textEncoding: 'gbk' as const }
    for (const topic of [plainTopic.telemetry, `data/${code}/g/hmi`]) {
      expect(valuesOf(read(topic, gbk, language)).map(([, tag, , value]) => [tag, value])).toEqual([
        ['温度', '21.5'],
        ['lot', '刓'],
      ])
      expect(read(topic, gbk).uplink).toMatchObject({
        verdict: 'notJson',
        detail: expect.stringContaining('GBK'),
      })
    }
    const broken = Buffer.from('7b22ff223a317d', 'hex')
    expect(read(plainTopic.telemetry, broken, language).uplink).toMatchObject({
      verdict: 'notJson',
      detail: 'not GBK, the text encoding of the machine',
    })
  })

  it('reads flat JSON of texts, in its own time, under its group', () => {
    const message = read(`data/${code}/Line 1/Zone A/hmi-01`, payload)
    expect(message.adapter).toBe('vendor')
    expect(valuesOf(message)).toEqual([
      ['Line 1/Zone A', 'temp', 'float64', '21.50'],
      ['Line 1/Zone A', 'recipe', 'string', '007'],
      ['Line 1/Zone A', 'running', 'float64', '1'],
      ['Line 1/Zone A', 'alarm', undefined, ''],
    ])
    const at = Date.parse('2026-11-20T00:00:03.250Z')
    expect(message.uplink.records.every((record) => record.kind === 'sample' && record.time === at)).toBe(
      true,
    )
    expect(message.uplink).toMatchObject({ clockAt: at })
  })

  it('reads its group from the payload if the topic has none, on either topic', () => {
    expect(valuesOf(read(`data/${code}/hmi-01`, payload))[0]?.[0]).toBe('注塑一线')
    expect(read(plainTopic.telemetry, payload)).toMatchObject({ adapter: 'vendor' })
    expect(valuesOf(read(`data/${code}/hmi-01`, '{"_groupTag":7,"a":1}'))).toEqual([['7', 'a', 'float64', 1]])
  })

  it('whose clock shows nonsense is stored at arrival, with a note', () => {
    for (const time of ['"2026-02-30 08:00:00"', '"00:00"', 'null']) {
      const { uplink } = read(`data/${code}/hmi`, `{"_terminalTime":${time},"a":"1"}`)
      expect(uplink.records).toMatchObject([{ time: Number.NaN }])
      expect(uplink).toMatchObject({ notes: [expect.stringContaining('is no time')] })
      expect(uplink.clockAt).toBeUndefined()
    }
  })

  it('is read as plain JSON of its group when it is not flat, and refused where keys fix the machine to an HMI', () => {
    const vendor: Language = { ...anything, adapter: 'vendor' }
    for (const [json, values] of [
      ['{"ts":1,"values":{"a":1}}', [['g', 'a', 'float64', 1]]],
      ['[{"a":"1"}]', [['g', 'a', 'string', '1']]],
      [
        '{"a":{"b":1},"c":"1"}',
        [
          ['g', 'a.b', 'float64', 1],
          ['g', 'c', 'string', '1'],
        ],
      ],
    ] as const) {
      const plain = read(`data/${code}/g/t`, json)
      expect([plain.adapter, valuesOf(plain)]).toEqual(['json', values])
      expect(read(`data/${code}/g/t`, json, vendor)).toMatchObject({
        adapter: 'vendor',
        uplink: { records: [], verdict: 'unknownShape' },
      })
    }
    const named = read(`data/${code}/g/t`, '{"_groupTag":"g","a":{"b":1}}')
    expect(named).toMatchObject({ adapter: 'vendor', uplink: { records: [], verdict: 'unknownShape' } })
    expect(read(`data/${code}/g/t`, '{"a":').uplink).toMatchObject({ records: [], verdict: 'notJson' })
  })
})

describe('a Weintek HMI', () => {
  // As the vendor's manual shows it, and as gateways that follow it do.
  const manual = '{"d":{"Tag":[5]},"ts":"2017-04-18T17:36:52.501856"}'
  const full = `{
    "d" : {
        "number C" : [ 0 ],
        "Bit" : [ false ],
        "Lot" : [ "007" ],
        "My array" : [ 0, 10, 20 ],
        "Nothing" : [ ]
    },
    "ts" : "2026-11-20T11:00:05.360316"
}`

  it('reads arrays of one element, timed at their arrival', () => {
    for (const topic of [plainTopic.telemetry, `data/${code}/hmi`]) {
      const { uplink, adapter } = read(topic, manual)
      expect(adapter).toBe('weintek')
      expect(uplink.records).toMatchObject([
        { group: '', tag: 'Tag', type: 'float64', value: 5, time: undefined, late: false },
      ])
      expect(uplink.verdict).toBeUndefined()
    }
  })

  it('keeps the types the HMI has, and parts of an array apart', () => {
    const message = read(`data/${code}/Line 1/hmi`, full)
    expect(valuesOf(message)).toEqual([
      ['Line 1', 'number C', 'float64', 0],
      ['Line 1', 'Bit', 'bool', false],
      ['Line 1', 'Lot', 'string', '007'],
      ['Line 1', 'My array[0]', 'float64', 0],
      ['Line 1', 'My array[1]', 'float64', 10],
      ['Line 1', 'My array[2]', 'float64', 20],
      ['Line 1', 'Nothing', undefined, null],
    ])
    // Three hours ahead, by its own clock in its own zone.
    expect(message.uplink.clockAt).toBe(now + 3 * 3_600_000 + 360)
    expect([weintekWrite('Tag', 5), weintekWrite('My array[1]', 5)]).toEqual(['{"d":{"Tag":[5]}}', undefined])
  })

  it('is not taken for one because a plain machine has a member "d"', () => {
    for (const json of ['{"d":{"x":1},"temp":2}', '{"d":5}', '{"d":{"x":1}}', '{"d":[1]}']) {
      expect(read(plainTopic.telemetry, json).adapter).toBe('json')
    }
  })

  it('names the unreadable values', () => {
    const weintek: Language = { ...anything, adapter: 'weintek' }
    expect(
      read(plainTopic.telemetry, '{"d":{"a":[{"b":1}],"c":[2],"e":3},"device":"x"}', weintek),
    ).toMatchObject({
      uplink: {
        records: [{ tag: 'c' }, { tag: 'e' }],
        verdict: 'partlyRefused',
        detail: expect.stringContaining('"a"'),
      },
    })
  })
})

test('only a fixed adapter is used', () => {
  const plain = '{"temp":"21.5"}'
  const fixed = (adapter: Language['adapter']): Language => ({ ...anything, adapter })
  const shown = (topic: string, payload: string, language: Language) => {
    const { adapter, uplink } = read(topic, payload, language)
    return [adapter, uplink.verdict, uplink.records.length]
  }
  const data = `data/${code}/g/t`
  expect(shown(plainTopic.telemetry, plain, fixed('weintek'))).toEqual(['weintek', 'unknownShape', 0])
  expect(shown(data, '{"d":{"a":[1]}}', fixed('vendor'))).toEqual(['vendor', 'unknownShape', 0])
  expect(shown(plainTopic.telemetry, plain, fixed('vendor'))).toEqual(['vendor', undefined, 1])
  expect(shown(data, plain, fixed('json'))).toEqual(['json', 'otherAdapter', 0])
  expect(shown(plainTopic.telemetry, '{"d":{"a":[1]}}', fixed('json'))).toEqual(['json', undefined, 1])
  for (const topic of [data, plainTopic.telemetry, plainTopic.attributes]) {
    expect(shown(topic, plain, fixed('sparkplug'))).toEqual(['sparkplug', 'otherAdapter', 0])
  }
  expect(shown(`spBv1.0/g/NDATA/${code}`, '', fixed('vendor'))).toEqual(['vendor', 'otherAdapter', 0])
  // An HMI's attributes have the same form in all shapes.
  expect(shown(plainTopic.attributes, '{"model":"cMT-X"}', fixed('weintek'))).toEqual(['json', undefined, 1])
})

/** Numbers that repeat exactly from one seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const seeds = [
  '{"_terminalTime":"2026-11-20 08:00:03.250","_groupTag":"g","temp":"21.50","on":"true","x":null}',
  '{"d":{"Tag":[5],"Bit":[true],"Text":["abc"],"Arr":[1,2,3]},"ts":"2017-04-18T17:36:52.501856"}',
  '[{"ts":1700000000000,"values":{"a":1,"b":"x"}},{"temp":21.5}]',
]
const pieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  'null',
  '1e999',
  '-0',
  '"d"',
  '"ts"',
  '"__proto__"',
  '\\u0000',
]
const topics = [plainTopic.telemetry, `data/${code}/g/t`, `data/${code}//`, `cmd/${code}/g/t`]
const languages: Language[] = [null, 'json', 'vendor', 'weintek', 'sparkplug'].map((adapter) => ({
  adapter: adapter as Language['adapter'],
  timeZone: 'America/New_York',
  textEncoding: 'utf8',
  otherTopics: false,
}))

test('four thousand broken messages: none throws, none names another machine, each has records or a reason', () => {
  const random = createRandom(20_261_120)
  for (let round = 0; round < 4_000; round++) {
    const bytes = [...Buffer.from(seeds[random(seeds.length)] ?? '')]
    for (let changes = 1 + random(4); changes > 0; changes--) {
      const place = random(bytes.length + 1)
      const piece = random(2) === 0 ? [random(256)] : [...Buffer.from(pieces[random(pieces.length)] ?? '')]
      bytes.splice(place, random(4), ...piece)
    }
    const topic = topics[random(topics.length)] ?? ''
    const message = read(topic, Buffer.from(bytes), languages[random(languages.length)])
    const { records, verdict } = message.uplink
    for (const record of records) {
      expect(record.kind).toBe('sample')
      expect(record).not.toHaveProperty('machineId')
    }
    if (topic.startsWith('cmd/')) expect(verdict).toBe('unknownTopic')
    if (verdict !== undefined && verdict !== 'partlyRefused') expect(records).toEqual([])
  }
})
