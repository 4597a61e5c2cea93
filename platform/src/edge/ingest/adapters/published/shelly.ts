import { isObject, type JsonObject } from '../json-payload.ts'
import { readTime } from '../read-time.ts'
import { SampleList } from '../sample-list.ts'
import { type Format, groupWithin } from './format.ts'

/** Shelly's first generation: `shellies/…/info`, the status of the whole device with its time in seconds. */
export const shelly1: Format = {
  name: 'Shelly Gen1',
  claims: (json) => isObject(json) && isObject(json.wifi_sta) && typeof json.unixtime === 'number',
  read(json, { group, clock, now }) {
    const { unixtime } = json as JsonObject
    // 0 until it has the time.
    const time = unixtime === 0 ? undefined : readTime(unixtime, clock, now)
    const list = new SampleList()
    list.addMembers(json, { group, time, late: false }, (name) => name === 'unixtime' || name === 'time')
    return list.toUplink(time)
  },
}

const notices: readonly unknown[] = ['NotifyStatus', 'NotifyFullStatus', 'NotifyEvent']

/** Later generations: `…/events/rpc`, what changed in its components, or what happened to one. */
export const shelly2: Format = {
  name: 'Shelly Gen2',
  claims: (json) =>
    isObject(json) && typeof json.src === 'string' && notices.includes(json.method) && isObject(json.params),
  read(json, source) {
    const { src, params } = json as { src: string; params: JsonObject }
    const { ts, events, ...components } = params
    const time = typeof ts === 'number' ? readTime(ts, source.clock, source.now) : undefined
    const list = new SampleList()
    const taken = { group: groupWithin(source, src), time, late: false }
    list.addMembers(components, taken)
    for (const event of Array.isArray(events) ? (events as unknown[]) : [])
      if (isObject(event)) list.add(`${event.component}.event`, event.event ?? null, taken)
    return list.toUplink(time)
  },
}
