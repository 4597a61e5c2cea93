import { isUtf8 } from 'node:buffer'
import { alarmLevels, plainTopic } from '@busbar/link'
import {
  type AlarmLevel,
  type AlarmRecord,
  qualityNumber,
  type SampleRecord,
  type UplinkRecord,
  uplinkLimits,
} from '../../modules/telemetry/index.ts'
import { refusedUplink, type Uplink, withoutNul } from './uplink.ts'

/** JSON longer than this is not read. */
export const jsonBytesMax = 256 * 1024
/** In an array, what is older than this is a backlog (decision 44). */
const backlogMsMin = 5 * 60_000

/** Numbers of commands are below 2^53. */
const rpcRequestPattern = /^[1-9][0-9]{0,14}$/
const rpcErrorCharactersMax = 200

type JsonObject = Record<string, unknown>

/**
 * The ThingsBoard device API as a great many firmwares speak it: telemetry, attributes, alarms, answers to commands.
 * Anything that is not what its topic asks for is refused whole, with the reason as verdict.
 */
export function readPlainMessage(topic: string, payload: Buffer, now: number): Uplink {
  if (topic === plainTopic.telemetry) return readTelemetry(payload, now)
  if (topic === plainTopic.attributes) return readJson(payload, readAttributes)
  if (topic === plainTopic.alarms) return readJson(payload, readAlarms)
  if (topic.startsWith(plainTopic.rpcResponsePrefix)) {
    const request = topic.slice(plainTopic.rpcResponsePrefix.length)
    return readJson(payload, (json) => readRpcAnswer(request, json))
  }
  return refusedUplink('no adapter knows this topic')
}

/** The body of `v1/devices/me/telemetry` and of HTTP ingest. */
export function readTelemetry(payload: Buffer, now: number): Uplink {
  return readJson(payload, (json) => {
    const records: UplinkRecord[] = []
    if (!Array.isArray(json)) {
      readReading(json as JsonObject, records, undefined)
      return { records }
    }
    let strangers = 0
    // One entry is what the machine measures now; several with their own times are what it kept.
    const backlogBefore = json.length > 1 ? now - backlogMsMin : undefined
    for (const item of json as unknown[]) {
      if (isObject(item)) readReading(item, records, backlogBefore)
      else strangers++
    }
    return strangers === 0
      ? { records }
      : { records, verdict: `${strangers} entries of the array are no objects` }
  })
}

/** Parses a payload and hands it on when it is an object or an array. */
function readJson(payload: Buffer, read: (json: object) => Uplink): Uplink {
  if (payload.length > jsonBytesMax)
    return refusedUplink(`${payload.length} bytes of JSON, at most ${jsonBytesMax}`)
  if (!isUtf8(payload)) return refusedUplink('not UTF-8')
  let json: unknown
  try {
    json = JSON.parse(payload.toString())
  } catch {
    return refusedUplink('not JSON')
  }
  if (typeof json !== 'object' || json === null) return refusedUplink('JSON that is no object or array')
  return read(json)
}

/** `{"temp":21.5}` or `{"ts":…,"values":{…}}`. */
function readReading(reading: JsonObject, records: UplinkRecord[], backlogBefore: number | undefined): void {
  const { values } = reading
  if (!isObject(values)) {
    for (const name in reading) records.push(readSample(name, reading[name], undefined, false))
    return
  }
  const time = reading.ts === undefined ? undefined : readTime(reading.ts)
  const late = time !== undefined && backlogBefore !== undefined && time < backlogBefore
  for (const name in values) records.push(readSample(name, values[name], time, late))
}

/** A time that is no number is no time to believe: such samples are stored at their arrival, uncertain. */
function readTime(value: unknown): number {
  return typeof value === 'number' ? Math.trunc(value) : Number.NaN
}

function readSample(tag: string, json: unknown, time: number | undefined, late: boolean): SampleRecord {
  let type: SampleRecord['type']
  let value: SampleRecord['value']
  switch (typeof json) {
    case 'number':
      // JSON does not tell 1 from 1.0: a number is always a float, or its tag would change its type all the time.
      type = 'float64'
      value = json
      break
    case 'boolean':
      type = 'bool'
      value = json
      break
    case 'string':
      type = 'string'
      value = json
      break
    default:
      type = json === null ? undefined : 'string'
      value = json === null ? null : JSON.stringify(json)
  }
  return { kind: 'sample', group: '', tag, type, value, quality: qualityNumber.good, time, late }
}

function readAttributes(json: object): Uplink {
  if (Array.isArray(json)) return refusedUplink('attributes are an object')
  const attributes: Record<string, string | number | boolean | object> = {}
  let count = 0
  for (const [name, value] of Object.entries(json as JsonObject)) {
    if (value === null || value === undefined) continue
    if (++count > uplinkLimits.attributesMax)
      return refusedUplink(`more than ${uplinkLimits.attributesMax} attributes`)
    attributes[withoutNul(name)] = withoutNulDeep(value)
  }
  return { records: [{ kind: 'attributes', attributes }] }
}

function withoutNulDeep(value: unknown): string | number | boolean | object {
  if (typeof value === 'string') return withoutNul(value)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as object
}

function readAlarms(json: object): Uplink {
  const records: UplinkRecord[] = []
  const problems: string[] = []
  for (const item of Array.isArray(json) ? (json as unknown[]) : [json]) {
    const alarm = readAlarm(item)
    if (typeof alarm === 'string') problems.push(alarm)
    else records.push(alarm)
  }
  return problems.length === 0 ? { records } : { records, verdict: problems.slice(0, 3).join('; ') }
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
    key: withoutNul(key),
    level,
    text: readText(text),
    state,
    isRepeat: false,
    time,
    late: false,
  }
}

/** The answer to a command. It failed when it says so: `{"error":…}`, `{"success":false}`. */
function readRpcAnswer(request: string, json: object): Uplink {
  if (!rpcRequestPattern.test(request)) return { records: [] }
  return { records: [], rpcAnswer: { request: Number(request), error: rpcErrorOf(json as JsonObject) } }
}

function rpcErrorOf({ error, success }: JsonObject): string | null {
  if (error === undefined || error === null || error === false || error === '') {
    return success === false ? 'refused' : null
  }
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return withoutNul(text).slice(0, rpcErrorCharactersMax)
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
  const bytes = Buffer.from(withoutNul(text))
  if (bytes.length <= uplinkLimits.alarmTextBytesMax) return bytes.toString()
  let end: number = uplinkLimits.alarmTextBytesMax
  // Not in the middle of a character: its further bytes are 10xxxxxx.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

export function isAlarmLevel(level: unknown): level is AlarmLevel {
  return (alarmLevels as readonly unknown[]).includes(level)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
