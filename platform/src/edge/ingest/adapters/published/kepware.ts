import { qualityNumber } from '../../../../modules/telemetry/index.ts'
import { isObject, type JsonObject } from '../json-payload.ts'
import { readTime } from '../read-time.ts'
import { SampleList } from '../sample-list.ts'
import { type Format, isBacklog } from './format.ts'

/** Kepware's IoT Gateway, standard template: each value with its quality and its own time. */
export const kepware: Format = {
  name: 'Kepware',
  claims: (json) =>
    isObject(json) &&
    'timestamp' in json &&
    Array.isArray(json.values) &&
    json.values.length > 0 &&
    json.values.every(isValue),
  read(json, { group, clock, now }) {
    const { timestamp, values } = json as { timestamp: unknown; values: JsonObject[] }
    const list = new SampleList()
    for (const { id, v, q, t } of values) {
      const time = readTime(t, clock, now)
      const quality = q === false ? qualityNumber.bad : qualityNumber.good
      list.add(id as string, v, { group, time, late: values.length > 1 && isBacklog(time, now), quality })
    }
    return list.toUplink(readTime(timestamp, clock, now))
  },
}

const isValue = (value: unknown): boolean =>
  isObject(value) && typeof value.id === 'string' && 'v' in value && 't' in value
