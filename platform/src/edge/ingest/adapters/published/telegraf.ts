import { isObject, type JsonObject } from '../json-payload.ts'
import { noteNoTime, readTime } from '../read-time.ts'
import { SampleList } from '../sample-list.ts'
import { type Format, groupWithin, type Source } from './format.ts'

/**
 * Telegraf's serializer `json`: one metric, or several under `metrics`. Its tags tell series of one name apart, so they
 * are part of the group: `cpu/cpu=cpu0,host=raynor`.
 */
export const telegraf: Format = {
  name: 'Telegraf',
  claims: (json) =>
    isMetric(json) ||
    (isObject(json) &&
      Array.isArray(json.metrics) &&
      json.metrics.length > 0 &&
      json.metrics.every(isMetric)),
  read(json, source) {
    const list = new SampleList()
    const metrics = isMetric(json) ? [json] : (json as { metrics: JsonObject[] }).metrics
    for (const metric of metrics) readMetric(list, metric, source)
    return list.toUplink()
  },
}

function isMetric(json: unknown): json is JsonObject {
  return (
    isObject(json) &&
    typeof json.name === 'string' &&
    isObject(json.fields) &&
    isObject(json.tags) &&
    'timestamp' in json
  )
}

function readMetric(list: SampleList, { name, fields, tags, timestamp }: JsonObject, source: Source): void {
  const time = readTime(timestamp, source.clock, source.now)
  if (Number.isNaN(time)) list.note(noteNoTime('"timestamp"', timestamp))
  const series = Object.entries(tags as JsonObject)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',')
  const group = groupWithin(source, [name, series].filter(Boolean).join('/'))
  list.addMembers(fields as JsonObject, { group, time, late: false })
}
