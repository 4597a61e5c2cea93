import { guessType, qualityNumber, type UplinkRecord } from '../../../modules/telemetry/index.ts'
import { isObject, type JsonObject } from './json-payload.ts'
import type { LocalClock } from './local-time.ts'
import { noteNoTime, readTime } from './read-time.ts'
import { refusedUplink, type Uplink } from './uplink.ts'

const timeKey = '_terminalTime'
const groupKeys = ['_groupTag', '_groupName'] as const
const shownCharactersMax = 40

/** Whether JSON names itself as this shape, wherever it arrives. */
export function isVendorJson(json: object): json is JsonObject {
  return timeKey in json || groupKeys.some((key) => key in json)
}

/** The origin of a message in a vendor's shape. */
export interface VendorSource {
  /** The middle of its topic; empty if there is none. */
  readonly group: string
  readonly clock: LocalClock
}

/**
 * An HMI's flat JSON (rules/wire.md: hmi json): every member is a tag, its value mostly a text; `_terminalTime` is the
 * HMI's wall clock, `_groupTag` or `_groupName` the group where the topic names none. JSON that is not flat is another
 * shape, and refused whole.
 */
export function readVendor(json: object, { group: topicGroup, clock }: VendorSource, now: number): Uplink {
  if (!isObject(json)) return refusedUplink('unknownShape', 'an array, where a flat object is expected')
  const time = json[timeKey] === undefined ? undefined : readTime(json[timeKey], clock, now)
  const group = topicGroup || groupOf(json)
  const records: UplinkRecord[] = []
  for (const tag in json) {
    if (tag === timeKey || tag === groupKeys[0] || tag === groupKeys[1]) continue
    const value = json[tag]
    if (typeof value === 'object' && value !== null) {
      return refusedUplink('unknownShape', `"${tag.slice(0, shownCharactersMax)}" is no plain value`)
    }
    records.push({
      kind: 'sample',
      group,
      tag,
      type: guessType(value as string | number | boolean | null),
      value: value as string | number | boolean | null,
      quality: qualityNumber.good,
      time,
      late: false,
      isTypeGuess: true,
    })
  }
  if (time === undefined) return { records }
  if (!Number.isNaN(time)) return { records, clockAt: time }
  return { records, notes: [noteNoTime(timeKey, json[timeKey])] }
}

function groupOf(json: JsonObject): string {
  for (const key of groupKeys) {
    const value = json[key]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return ''
}

/** The message that writes a tag; texts, as the HMI itself sends them. */
export function vendorWrite(tag: string, value: string): string {
  return JSON.stringify({ type: 'set_var', payload: { [tag]: value } })
}
