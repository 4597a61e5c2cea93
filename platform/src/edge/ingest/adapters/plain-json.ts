import { alarmLevels, plainTopic } from '@busbar/link'
import { cleanText } from '../../../kernel/storable-text.ts'
import {
  type AlarmLevel,
  type AlarmRecord,
  type UplinkRecord,
  uplinkLimits,
} from '../../../modules/telemetry/index.ts'
import { isObject, isScalar, type JsonObject, readJson, type Scalar } from './json-payload.ts'
import type { Source } from './published/format.ts'
import { jsonSample, SampleList, type Taken } from './sample-list.ts'
import { refusedUplink, type Uplink, uplinkNotesMax } from './uplink.ts'

/** In an array, entries older than this are a backlog (rules/telemetry.md: late samples). */
const backlogMsMin = 5 * 60_000

/** Numbers of commands are below 2^53. */
const rpcRequestPattern = /^[1-9][0-9]{0,14}$/
const rpcErrorCharactersMax = 200
const problemsShownMax = 3

/**
 * The messages of the ThingsBoard device API beside telemetry: attributes, alarms, answers to commands. A message with
 * the wrong contents for its topic is refused as a whole, with the reason.
 */
export function readPlainMessage(topic: string, payload: Buffer): Uplink {
  if (topic === plainTopic.attributes) return readJson(payload, readAttributes)
  if (topic === plainTopic.alarms) return readJson(payload, readAlarms)
  if (topic.startsWith(plainTopic.rpcResponsePrefix)) {
    const request = topic.slice(plainTopic.rpcResponsePrefix.length)
    return readJson(payload, (json) => readRpcAnswer(request, json))
  }
  return refusedUplink('unknownTopic', 'no adapter knows this topic')
}

/**
 * The JSON of `v1/devices/me/telemetry` and of HTTP ingest; on other topics in the group that these name (rules/wire.md:
 * plain json).
 */
export function readPlainTelemetry(json: object, { group, now }: Source): Uplink {
  if (!Array.isArray(json)) return readReading(json as JsonObject, group, undefined)
  const records: UplinkRecord[] = []
  const notes = new Set<string>()
  let strangers = 0
  let clockAt: number | undefined
  // A single entry is a present measurement; several with their own times are kept ones.
  const backlogBefore = json.length > 1 ? now - backlogMsMin : undefined
  for (const item of json as unknown[]) {
    if (!isObject(item)) {
      strangers++
      continue
    }
    const reading = readReading(item, group, backlogBefore)
    for (const record of reading.records) records.push(record)
    for (const note of reading.notes ?? []) if (notes.size < uplinkNotesMax) notes.add(note)
    const at = reading.clockAt
    if (at !== undefined && (clockAt === undefined || at > clockAt)) clockAt = at
  }
  const uplink = { records, clockAt, notes: [...notes] }
  if (strangers === 0) return uplink
  const detail = `${strangers} entries of the array are no objects`
  return { ...uplink, verdict: 'partlyRefused', detail }
}

/** `{"temp":21.5}` or `{"ts":…,"values":{…}}`, with the machine's clock where the reading is not late. */
function readReading(reading: JsonObject, group: string, backlogBefore: number | undefined): Uplink {
  const { values } = reading
  if (!isObject(values)) return readSamples(reading, { group, time: undefined, late: false })
  const time = reading.ts === undefined ? undefined : readTime(reading.ts)
  const late = time !== undefined && backlogBefore !== undefined && time < backlogBefore
  return {
    ...readSamples(values, { group, time, late }),
    clockAt: late || Number.isNaN(time) ? undefined : time,
  }
}

/** Records wait for their commit by the hundred thousand, so their array has no spare capacity. */
function readSamples(values: JsonObject, taken: Taken): Uplink {
  let isFlat = true
  const records = Object.keys(values).map((name) => {
    const value = values[name]
    if (!isScalar(value)) isFlat = false
    return jsonSample(name, value as Scalar, taken)
  })
  if (isFlat) return { records }
  const list = new SampleList()
  list.addMembers(values, taken)
  return list.toUplink()
}

/** A time that is not a number is not plausible: such samples are stored at their arrival, uncertain. */
function readTime(value: unknown): number {
  return typeof value === 'number' ? Math.trunc(value) : Number.NaN
}

function readAttributes(json: object): Uplink {
  if (Array.isArray(json)) return refusedUplink('unknownShape', 'attributes are an object')
  const attributes = Object.entries(json as JsonObject).filter(
    (entry): entry is [string, string | number | boolean | object] =>
      entry[1] !== null && entry[1] !== undefined,
  )
  if (attributes.length > uplinkLimits.attributesMax)
    return refusedUplink('unstorable', `more than ${uplinkLimits.attributesMax} attributes`)
  return { records: [{ kind: 'attributes', attributes: Object.fromEntries(attributes) }] }
}

function readAlarms(json: object): Uplink {
  const records: UplinkRecord[] = []
  const problems: string[] = []
  for (const item of Array.isArray(json) ? (json as unknown[]) : [json]) {
    const alarm = readAlarm(item)
    if (typeof alarm === 'string') problems.push(alarm)
    else records.push(alarm)
  }
  if (problems.length === 0) return { records, ...noteChanged(json, records) }
  const verdict = records.length === 0 ? 'unknownShape' : 'partlyRefused'
  return { records, verdict, detail: problems.slice(0, problemsShownMax).join('; ') }
}

/** Reports for the raw log that texts of alarms were shortened, or a NUL removed from them. */
function noteChanged(json: object, records: readonly UplinkRecord[]): { detail?: string } {
  const given = Array.isArray(json) ? (json as unknown[]) : [json]
  const keys = records.flatMap((record, place) => {
    const item = given[place]
    if (record.kind !== 'alarm' || !isObject(item)) return []
    const texts: unknown[] = isObject(item.text) ? [item.text.cn, item.text.en] : [item.text]
    return texts.some((text) => typeof text === 'string' && shorten(text) !== text) ? [record.key] : []
  })
  if (keys.length === 0) return {}
  return { detail: `texts shortened, or rid of NUL: ${keys.slice(0, problemsShownMax).join(', ')}` }
}

function readAlarm(item: unknown): AlarmRecord | string {
  if (!isObject(item)) return 'an alarm is an object'
  const { id, state, level = 'major', text = '', ts } = item
  const key = typeof id === 'number' ? String(id) : id
  if (typeof key !== 'string' || key === '' || Buffer.byteLength(key) > uplinkLimits.alarmKeyBytesMax) {
    return `an alarm's id is a text of 1 to ${uplinkLimits.alarmKeyBytesMax} bytes`
  }
  if (state !== 'raised' && state !== 'cleared') return 'an alarm is raised or cleared'
  if (!isAlarmLevel(level)) return `an alarm's level is one of ${alarmLevels.join(', ')}`
  const time = ts === undefined ? undefined : readTime(ts)
  return {
    kind: 'alarm',
    key: cleanText(key),
    level,
    text: readText(text),
    state,
    isRepeat: false,
    time,
    late: false,
  }
}

/** The answer to a command. It failed if it has `{"error":…}` or `{"success":false}`. */
function readRpcAnswer(request: string, json: object): Uplink {
  if (!rpcRequestPattern.test(request)) return { records: [] }
  return { records: [], rpcAnswer: { request: Number(request), error: rpcErrorOf(json as JsonObject) } }
}

function rpcErrorOf({ error, success }: JsonObject): string | null {
  if (error === undefined || error === null || error === false || error === '') {
    return success === false ? 'refused' : null
  }
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return cleanText(text).slice(0, rpcErrorCharactersMax)
}

/** A text, or texts by language. */
function readText(text: unknown): Record<string, string> {
  if (typeof text === 'string') return { '': shorten(text) }
  if (!isObject(text)) return { '': '' }
  return Object.fromEntries(
    Object.entries(text).flatMap(([lang, value]) =>
      typeof value === 'string' && (lang === 'cn' || lang === 'en') ? [[lang, shorten(value)]] : [],
    ),
  )
}

export function shorten(text: string): string {
  const bytes = Buffer.from(cleanText(text))
  if (bytes.length <= uplinkLimits.alarmTextBytesMax) return bytes.toString()
  let end: number = uplinkLimits.alarmTextBytesMax
  // Not in the middle of a character: its further bytes are 10xxxxxx.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

export function isAlarmLevel(level: unknown): level is AlarmLevel {
  return (alarmLevels as readonly unknown[]).includes(level)
}
