import { isObject, type JsonObject } from '../json-payload.ts'
import { readTime } from '../read-time.ts'
import { SampleList } from '../sample-list.ts'
import type { Format } from './format.ts'

/** Zigbee2MQTT's states of devices: flat beside a few objects, each with the quality of its radio link. */
export const zigbee2mqtt: Format = {
  name: 'Zigbee2MQTT',
  claims: (json) => isObject(json) && typeof json.linkquality === 'number',
  read(json, { group, clock, now }) {
    const { last_seen: seen } = json as JsonObject
    const at = seen === undefined ? Number.NaN : readTime(seen, clock, now)
    const time = Number.isNaN(at) ? undefined : at
    const list = new SampleList()
    // A relative one ("5 minutes ago") stays a text.
    list.addMembers(json, { group, time, late: false }, (name) => name === 'last_seen' && time !== undefined)
    return list.toUplink()
  },
}
