import { qualityNumber, typeOfJson, type UplinkRecord } from '../../../modules/telemetry/index.ts'
import { isObject, isScalar, type JsonObject, type Scalar } from './json-payload.ts'
import type { LocalClock } from './local-time.ts'
import { readTime } from './read-time.ts'
import { refusedUplink, type Uplink } from './uplink.ts'

const shownMax = 3
const shownCharactersMax = 40
/** The names that `arrayTag` makes. */
const arrayTagPattern = /\[\d+\]$/

/** Whether JSON is Weintek's beyond doubt: nothing but `d`, whose members are arrays, and `ts`. */
export function isWeintekJson(json: object): json is { d: JsonObject; ts?: unknown } {
  if (!('d' in json) || !isObject(json.d)) return false
  for (const key in json) if (key !== 'd' && key !== 'ts') return false
  return Object.values(json.d).every(Array.isArray)
}

/**
 * A Weintek HMI's JSON (rules/wire.md: weintek json): `{"d":{"Tag":[5]},"ts":"2017-04-18T17:36:52.501856"}`. Arrays of
 * several elements become `Tag[0]`, `Tag[1]` …. The time has no zone and clocks are off by hours: samples count from
 * their arrival, and `ts` only shows the clock's drift.
 */
export function readWeintek(
  json: object,
  { group, clock }: { readonly group: string; readonly clock: LocalClock },
  now: number,
): Uplink {
  if (!isObject(json) || !isObject(json.d)) {
    return refusedUplink('unknownShape', 'no object "d", where Weintek JSON has its tags')
  }
  const records: UplinkRecord[] = []
  const strangers: string[] = []
  for (const key in json) if (key !== 'd' && key !== 'ts') strangers.push(key)
  for (const name in json.d) {
    const given = json.d[name]
    const elements: unknown[] = Array.isArray(given) ? given : [given]
    for (let index = 0; index < Math.max(1, elements.length); index++) {
      const tag = elements.length > 1 ? arrayTag(name, index) : name
      const value = elements.length === 0 ? null : elements[index]
      if (!isScalar(value)) strangers.push(tag)
      else {
        records.push({
          kind: 'sample',
          group,
          tag,
          type: typeOfJson(value),
          value,
          quality: qualityNumber.good,
          time: undefined,
          late: false,
          isTypeGuess: true,
        })
      }
    }
  }
  const uplink =
    json.ts === undefined
      ? { records }
      : {
          records,
          clockAt: readTime(json.ts, clock, now),
          notes: ['"ts" only shows the clock: stored at arrival'],
        }
  if (strangers.length === 0) return uplink
  const shown = strangers.slice(0, shownMax).map((name) => `"${name.slice(0, shownCharactersMax)}"`)
  return { ...uplink, verdict: 'partlyRefused', detail: `not Weintek JSON: ${shown.join(', ')}` }
}

/**
 * The message that writes a tag, in the shape it came; undefined for an element of an array, which cannot be written
 * alone.
 */
export function weintekWrite(tag: string, value: Scalar): string | undefined {
  return arrayTagPattern.test(tag) ? undefined : JSON.stringify({ d: { [tag]: [value] } })
}

const arrayTag = (name: string, index: number): string => `${name}[${index}]`
