import { isUtf8 } from 'node:buffer'
import { type telemetry as contract, limits } from '@busbar/contract'
import type { TextEncoding } from '@busbar/link'
import { encodingNames, parseSparkplugTopic, plainTopic } from '@busbar/link'
import { guessType, type SampleRecord } from '../../../modules/telemetry/index.ts'
import { isOtherTopic } from '../../mqtt/topic-rights.ts'
import { toUtf8 } from './json-encoding.ts'
import { isObject, isScalar, readJson } from './json-payload.ts'
import { localClock } from './local-time.ts'
import { readPlainMessage, readPlainTelemetry } from './plain-json.ts'
import { publishedFormats } from './published-formats.ts'
import { jsonSample } from './sample-list.ts'
import type { DecodedMessage, SparkplugNode } from './sparkplug.ts'
import { emptyUplink, refusedUplink, type Uplink } from './uplink.ts'
import { isVendorJson, readVendor } from './vendor.ts'
import { isWeintekJson, readWeintek } from './weintek.ts'

const plainPrefix = 'v1/devices/me/'
const dataPrefix = 'data/'

/** The way to read a machine's messages. */
export interface Language {
  /** The adapter to use; null: chosen by the message. */
  readonly adapter: contract.Adapter | null
  /** IANA zone of its clock, where it sends wall times. */
  readonly timeZone: string
  /** Of its JSON. */
  readonly textEncoding: TextEncoding
  /** Other topics than its own are groups of values. */
  readonly otherTopics: boolean
}

/** The contents of one message, and the adapter that read it; null if none could be named. */
export interface ReadMessage {
  readonly uplink: Uplink
  readonly adapter: contract.Adapter | null
}

/**
 * Reads one message with the adapter its topic and its shape ask for. Telemetry in JSON may be of three shapes, on
 * `v1/devices/me/telemetry` as under `data/{machine code}/…`. `decoded` where a Sparkplug message was decoded before.
 * Never throws.
 */
export function readMessage(
  topic: string,
  payload: Buffer,
  language: Language,
  node: () => SparkplugNode,
  now: number,
  decoded?: DecodedMessage,
): ReadMessage {
  if (topic === plainTopic.telemetry) return readTelemetry(payload, language, now)
  if (topic.startsWith(plainPrefix)) {
    if (language.adapter === 'sparkplug') return otherAdapter(language.adapter, topic)
    const json = toUtf8(payload, language.textEncoding)
    const clock = localClock(language.timeZone)
    return {
      uplink: json === null ? otherEncoding(language) : readPlainMessage(topic, json, clock, now),
      adapter: 'json',
    }
  }
  if (topic.startsWith(dataPrefix)) return readTelemetry(payload, language, now, topic)
  const parsed = parseSparkplugTopic(topic)
  if (parsed && parsed.type !== 'STATE') {
    if (language.adapter !== null && language.adapter !== 'sparkplug') {
      return otherAdapter(language.adapter, topic)
    }
    return { uplink: node().accept(parsed, payload, now, decoded), adapter: 'sparkplug' }
  }
  if (language.otherTopics && isOtherTopic(topic)) return readOther(payload, language, now, topic)
  const why = topic.startsWith('cmd/') ? 'a machine does not command itself' : 'no adapter knows this topic'
  return { uplink: refusedUplink('unknownTopic', why), adapter: null }
}

/** The variable of a message that is one value. */
const onlyTag = 'value'

/**
 * A message on another topic than a machine's own: its body is telemetry, or one value, in the group of that name
 * (rules/wire.md: other topics).
 */
function readOther(payload: Buffer, language: Language, now: number, group: string): ReadMessage {
  const read = readTelemetry(payload, language, now, undefined, group)
  const utf8 = toUtf8(payload, language.textEncoding)
  const { verdict } = read.uplink
  const isRead = verdict !== 'notJson' && verdict !== 'unknownShape'
  if (isRead || utf8 === null || !isUtf8(utf8) || utf8.length > limits.tagTextBytesMax) return read
  const value = utf8.toString().trim()
  // A broken object is not a text.
  if (/^[{[]/.test(value)) return read
  if (value === '') return { uplink: emptyUplink, adapter: null }
  const taken = { group, time: undefined, late: false }
  return {
    uplink: { records: [{ ...jsonSample(onlyTag, value, taken), type: guessType(value) }] },
    adapter: 'json',
  }
}

/**
 * Telemetry as JSON, by MQTT or by HTTP. `dataTopic` is the vendors' topic it came on; undefined for
 * `v1/devices/me/telemetry`, HTTP and other topics, of which `otherTopic` is the group.
 */
export function readTelemetry(
  payload: Buffer,
  language: Language,
  now: number,
  dataTopic?: string,
  otherTopic = '',
): ReadMessage {
  if (language.adapter === 'sparkplug') return otherAdapter('sparkplug', dataTopic ?? plainTopic.telemetry)
  if (language.adapter === 'json' && dataTopic !== undefined) return otherAdapter('json', dataTopic)
  let adapter: contract.Adapter | null = language.adapter
  const utf8 = toUtf8(payload, language.textEncoding)
  if (utf8 === null) return { uplink: otherEncoding(language), adapter }
  const value = adapter === null && dataTopic !== undefined ? readPlainValue(utf8, dataTopic) : undefined
  if (value) return { uplink: { records: [value] }, adapter: 'json' }
  const uplink = readJson(utf8, (json) => {
    const source = {
      group: dataTopic === undefined ? otherTopic : groupOfTopic(dataTopic),
      clock: localClock(language.timeZone),
      now,
    }
    // Most messages have `ts`, which none of the formats has.
    const mayBeFormat = adapter === null && !('ts' in json)
    const format = mayBeFormat ? publishedFormats.find((one) => one.claims(json)) : undefined
    if (format) {
      adapter = 'json'
      return { detail: format.name, ...format.read(json, source) }
    }
    adapter ??= adapterOf(json, dataTopic !== undefined)
    if (adapter === 'json') return readPlainTelemetry(json, source)
    return adapter === 'weintek' ? readWeintek(json, source, now) : readVendor(json, source, now)
  })
  return { uplink, adapter }
}

/** The shape of telemetry by its contents; flat contents are plain JSON on its own topic, and a vendor's on theirs. */
function adapterOf(json: object, isDataTopic: boolean): contract.Adapter {
  if (isWeintekJson(json)) return 'weintek'
  const isFlat = isObject(json) && Object.values(json).every(isScalar)
  return isVendorJson(json) || (isDataTopic && isFlat) ? 'vendor' : 'json'
}

/**
 * A message that is a value and no JSON, as many small devices send them (`on`, `21.5`): the last part of its topic is
 * the name. Undefined for JSON, and for anything that is too long for a value.
 */
function readPlainValue(payload: Buffer, dataTopic: string): SampleRecord | undefined {
  if (payload.length === 0 || payload.length > limits.tagTextBytesMax || !isUtf8(payload)) return undefined
  const value = payload.toString().trim()
  if (value === '' || /^[[{"\uFEFF]/.test(value)) return undefined
  const taken = { group: groupOfTopic(dataTopic), time: undefined, late: false }
  return {
    ...jsonSample(dataTopic.slice(dataTopic.lastIndexOf('/') + 1), value, taken),
    type: guessType(value),
  }
}

/** The middle of `data/{project}/{group…}/{terminal}`, which may hold `/`; the last part is the HMI's name for itself. */
function groupOfTopic(topic: string): string {
  return topic.split('/').slice(2, -1).join('/')
}

function otherEncoding({ textEncoding }: Language): Uplink {
  return refusedUplink('notJson', `not ${encodingNames[textEncoding]}, the text encoding of the machine`)
}

function otherAdapter(adapter: contract.Adapter, topic: string): ReadMessage {
  const detail = `the machine is fixed to ${adapter}, which has no such topic: ${topic.slice(0, 80)}`
  return { uplink: refusedUplink('otherAdapter', detail), adapter }
}
