import { isObject, type JsonObject } from '../json-payload.ts'
import { readTime } from '../read-time.ts'
import { SampleList } from '../sample-list.ts'
import type { Format } from './format.ts'

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[+-]\d{2}:\d{2})?$/
/** Of its messages without a sensor, which are flat. */
const ownMember = /^(?:POWER|Switch|Button|Counter|Shutter)\d*$|^Uptime(?:Sec)?$/

/** Tasmota's `SENSOR` and `STATE`: its wall time, and an object for each sensor. */
export const tasmota: Format = {
  name: 'Tasmota',
  claims: (json) =>
    isObject(json) &&
    typeof json.Time === 'string' &&
    timePattern.test(json.Time) &&
    Object.entries(json).some(([name, value]) => isObject(value) || ownMember.test(name)),
  read(json, { group, clock, now }) {
    const time = readTime((json as JsonObject).Time, clock, now)
    const list = new SampleList()
    list.addMembers(json, { group, time, late: false }, (name) => name === 'Time')
    return list.toUplink(time)
  },
}
