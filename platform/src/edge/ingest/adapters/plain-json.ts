import { isDeepStrictEqual } from 'node:util'
import { alarmLevels, plainTopic } from '@busbar/link'
import { cleanText } from '../../../kernel/storable-text.ts'
import {
  type AlarmLevel,
  type AlarmRecord,
  type UplinkRecord,
  uplinkLimits,
} from '../../../modules/telemetry/index.ts'
import { faultOfAlarmKey } from './alarm-key.ts'
import { isObject, isScalar, type JsonObject, readJson, type Scalar } from './json-payload.ts'
import type { LocalClock } from './local-time.ts'
import { Notes } from './notes.ts'
import { isBacklog, type Source } from './published/format.ts'
import { noteNoTime, readTime } from './read-time.ts'
import { jsonSample, SampleList, type Taken } from './sample-list.ts'
import { refusedUplink, type Uplink } from './uplink.ts'

const membersShownMax = 5
const memberCharactersMax = 40

/** Numbers of commands are below 2^53. */
const rpcRequestPattern = /^[1-9][0-9]{0,14}$/
const rpcErrorCharactersMax = 200
const problemsShownMax = 3

/**
 * The messages of the ThingsBoard device API beside telemetry: attributes, alarms, answers to commands. A message with
 * the wrong contents for its topic is refused as a whole, with the reason.
 */
export function readPlainMessage(topic: string, payload: Buffer, clock: LocalClock, now: number): Uplink {
  if (topic === plainTopic.attributes) return readJson(payload, readAttributes)
  if (topic === plainTopic.alarms) return readJson(payload, (json) => readAlarms(json, clock, now))
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
export function readPlainTelemetry(json: object, source: Source): Uplink {
  if (!Array.isArray(json)) return readReading(json as JsonObject, source, false)
  const records: UplinkRecord[] = []
  const notes = new Notes()
  let strangers = 0
  let clockAt: number | undefined
  for (const item of json as unknown[]) {
    if (!isObject(item)) {
      strangers++
      continue
    }
    // A single entry is a present measurement; several with their own times are kept ones.
    const reading = readReading(item, source, json.length > 1)
    for (const record of reading.records) records.push(record)
    notes.addAll(reading.notes)
    const at = reading.clockAt
    if (at !== undefined && (clockAt === undefined || at > clockAt)) clockAt = at
  }
  const uplink = { records, clockAt, notes: notes.texts }
  if (strangers === 0) return uplink
  const detail = `${strangers} entries of the array are no objects`
  return { ...uplink, verdict: 'partlyRefused', detail }
}

/** `{"temp":21.5}` or `{"ts":…,"values":{…}}`, with the machine's clock where the reading is not late. */
function readReading(reading: JsonObject, { group, clock, now }: Source, isOfList: boolean): Uplink {
  const { values, ts } = reading
  if (!isObject(values)) return readSamples(reading, { group, time: undefined, late: false })
  const time = ts === undefined ? undefined : readTime(ts, clock, now)
  const late = reading.late === true || (isOfList && time !== undefined && isBacklog(time, now))
  const uplink = readSamples(values, { group, time, late })
  const notes = [...noteMembers(reading), ...(uplink.notes ?? [])]
  if (time !== undefined && Number.isNaN(time)) notes.push(noteNoTime('"ts"', ts))
  return { ...uplink, clockAt: late ? undefined : time, notes }
}

/** The note of the members beside values, their time and whether they are late. */
function noteMembers(reading: JsonObject): string[] {
  const ignored: string[] = []
  for (const name in reading)
    if (name !== 'values' && name !== 'ts' && (name !== 'late' || typeof reading.late !== 'boolean'))
      ignored.push(name)
  if (ignored.length === 0) return ignored
  const shown = ignored.slice(0, membersShownMax).map((name) => `"${name.slice(0, memberCharactersMax)}"`)
  return [`ignored beside "values": ${shown.join(', ')}`]
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

function readAttributes(json: object): Uplink {
  if (Array.isArray(json)) return refusedUplink('unknownShape', 'attributes are an object')
  const attributes: [string, string | number | boolean | object][] = []
  const notes = new Notes()
  for (const [name, value] of Object.entries(json as JsonObject)) {
    if (value === null) notes.addOf(name, ' is null: not stored')
    else attributes.push([name, value as string | number | boolean | object])
  }
  if (attributes.length > uplinkLimits.attributesMax)
    return refusedUplink('unstorable', `more than ${uplinkLimits.attributesMax} attributes`)
  return { records: [{ kind: 'attributes', attributes: Object.fromEntries(attributes) }], notes: notes.texts }
}

function readAlarms(json: object, clock: LocalClock, now: number): Uplink {
  const records: AlarmRecord[] = []
  const problems: string[] = []
  const notes = new Notes()
  for (const item of Array.isArray(json) ? (json as unknown[]) : [json]) {
    const alarm = readAlarm(item, clock, now)
    if (typeof alarm === 'string') problems.push(alarm)
    else {
      records.push(alarm)
      notes.addAll(noteChanged(item as JsonObject, alarm))
    }
  }
  const uplink = { records, notes: notes.texts }
  if (problems.length === 0) return uplink
  const verdict = records.length === 0 ? 'unknownShape' : 'partlyRefused'
  return { ...uplink, verdict, detail: problems.slice(0, problemsShownMax).join('; ') }
}

const alarmMembers: ReadonlySet<string> = new Set(['id', 'state', 'level', 'text', 'ts'])

/** Notes of the members that an alarm lost of its message. */
function noteChanged(item: JsonObject, { key, text, time }: AlarmRecord): string[] {
  const notes: string[] = []
  if (!isDeepStrictEqual(Object.values(text), textsOf(item.text)))
    notes.push(`"${key}": its text was shortened, or has no form or language that is stored`)
  if (item.id !== key && String(item.id) !== key) notes.push(`"${key}": its id lost control characters`)
  if (time !== undefined && Number.isNaN(time)) notes.push(noteNoTime(`"${key}": ts`, item.ts))
  const ignored = Object.keys(item).filter((name) => !alarmMembers.has(name))
  if (ignored.length > 0) notes.push(`"${key}": ignored ${ignored.slice(0, membersShownMax).join(', ')}`)
  return notes
}

/** The texts that an alarm was sent with, whatever their form. */
function textsOf(text: unknown): unknown[] {
  if (text === undefined) return ['']
  return isObject(text) ? Object.values(text) : [text]
}

function readAlarm(item: unknown, clock: LocalClock, now: number): AlarmRecord | string {
  if (!isObject(item)) return 'an alarm is an object'
  const { id, state, level = 'major', text = '', ts } = item
  const key = typeof id === 'number' ? String(id) : id
  if (typeof key !== 'string') return "an alarm's id is a text"
  const fault = faultOfAlarmKey(cleanText(key))
  if (fault !== undefined) return fault
  if (state !== 'raised' && state !== 'cleared') return 'an alarm is raised or cleared'
  if (!isAlarmLevel(level)) return `an alarm's level is one of ${alarmLevels.join(', ')}`
  const time = ts === undefined ? undefined : readTime(ts, clock, now)
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
