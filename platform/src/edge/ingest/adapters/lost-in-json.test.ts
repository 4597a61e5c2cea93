import { plainTopic } from '@busbar/link'
import { describe, expect, it } from 'vitest'
import { localClock } from './local-time.ts'
import { readPlainMessage } from './plain-json.ts'
import { type Language, readMessage } from './read-message.ts'
import { SparkplugNode } from './sparkplug.ts'

const now = Date.parse('2026-11-28T03:00:05Z')
const language: Language = { adapter: null, timeZone: 'UTC', textEncoding: 'utf8', otherTopics: true }
const notesOf = (body: string, topic: string = plainTopic.telemetry) =>
  readMessage(topic, Buffer.from(body), language, () => new SparkplugNode(), now).uplink.notes ?? []

const sent = '9007199254740993'
const rounded = (name: string) => `"${name}" is rounded: ${sent} is read as 9007199254740992`

describe('a whole number beyond 2^53 is noted with both figures', () => {
  const data = 'data/1234567890123456789/hmi'
  it.each([
    ['plain', `{"n":${sent}}`, 'n', plainTopic.telemetry],
    ['with its time', `{"ts":${now},"values":{"n":${sent}}}`, 'n', plainTopic.telemetry],
    ['in a list', `[{"n":1},{"n":${sent}}]`, 'n', plainTopic.telemetry],
    ['nested', `{"a":{"b":[${sent}]}}`, 'a.b[0]', plainTopic.telemetry],
    ['beside NaN', `{"n":${sent},"m":NaN}`, 'n', plainTopic.telemetry],
    ['of an HMI', `{"_groupTag":"g","n":${sent}}`, 'n', data],
    ['of Weintek', `{"d":{"n":[${sent}]}}`, 'n', data],
    ['on another topic', `{"n":${sent}}`, 'n', 'plant/oven'],
    [
      'of Telegraf',
      `{"name":"c","tags":{},"timestamp":1795831742,"fields":{"n":${sent}}}`,
      'n',
      plainTopic.telemetry,
    ],
    [
      'of Neuron',
      `{"node":"m","group":"g","timestamp":${now},"values":{"n":${sent}}}`,
      'n',
      plainTopic.telemetry,
    ],
    [
      'of Kepware',
      `{"timestamp":${now},"values":[{"id":"n","v":${sent},"t":${now}}]}`,
      'n',
      plainTopic.telemetry,
    ],
    ['of SenML', `[{"n":"n","v":${sent}}]`, 'n', plainTopic.telemetry],
    ['as an attribute', `{"n":{"serial":[${sent}]}}`, 'n', plainTopic.attributes],
    ['as the id of an alarm', `{"id":${sent},"state":"raised"}`, '9007199254740992', plainTopic.alarms],
  ])('%s', (_, body, name, topic) => {
    expect(notesOf(body, topic)).toContain(rounded(name))
  })

  it('and so are digits after the point that no float64 has', () => {
    expect(notesOf('{"n":1.00000000000000000000001,"m":123456789.1234567891}')).toEqual([
      '"n" is rounded: 1.00000000000000000000001 is read as 1',
      '"m" is rounded: 123456789.1234567891 is read as 123456789.12345679',
    ])
  })

  it('but not what a float64 holds, times and texts', () => {
    const held =
      '9007199254740992,10000000000000000000000,0.10000000000000001,0.1000000000000000056,1.50000000000000000000'
    expect(notesOf(`{"n":[${held}],"text":"${sent}","version":"1.2.3.4.5.6.7.8.9.10"}`)).toEqual([])
    expect(notesOf(`{"ts":1795831742123456789,"values":{"n":0.30000000000000004}}`)).toEqual([])
  })

  it('names both where two numbers become one', () => {
    expect(notesOf(`{"a":${sent},"b":9007199254740992}`)).toContain(
      `"b" is rounded: ${sent} or 9007199254740992 is read as 9007199254740992`,
    )
  })
})

describe('a name that comes twice in one object is noted', () => {
  const note = '"a" comes twice in one object: the last one counts'
  it.each([
    '{"a":1,"a":2}',
    '{"a" : 1,\n"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"ts":1,"values":{"a":[{"b":1}],"a":2}}',
    '{"x":[{"a":1,"a":{}}]}',
  ])('%s', (body) => {
    expect(notesOf(body)).toContain(note)
  })

  it('but not in two objects or in texts', () => {
    const body = '{"a":{"a":1,"b":{"a":1}},"b":"10:30:00","c":"\\"a\\": 1, \\"a\\" : {","d":"}"}'
    expect(notesOf(body)).toEqual([])
    expect(notesOf('[{"a":1},{"a":2}]')).toEqual([])
  })
})

it('a null attribute is noted, and a "late" that is not a boolean', () => {
  const attributes = readPlainMessage(
    plainTopic.attributes,
    Buffer.from('{"m":null,"k":1}'),
    localClock('UTC'),
    now,
  )
  expect(attributes).toMatchObject({
    records: [{ attributes: { k: 1 } }],
    notes: ['"m" is null: not stored'],
  })
  expect(notesOf(`{"ts":${now},"late":"true","values":{"n":1}}`)).toEqual(['ignored beside "values": "late"'])
})

it('long bodies of nothing but digits, quotes or names are read to their end', { timeout: 10_000 }, () => {
  const many = (part: string) => part.repeat(Math.floor(200_000 / part.length))
  const lists = [
    `"${many('1')}"`,
    `"${many('\\"')}"`,
    `1${many('0')}1`,
    `{${many('"":0,')}"":0}`,
    many(`${sent},`) + sent,
  ]
  for (const list of lists) expect(notesOf(`{"n":${sent},"more":[${list}]}`)).toContain(rounded('n'))
})
