import type { TagType } from '../../../../modules/telemetry/index.ts'
import { isObject, type JsonObject } from '../json-payload.ts'
import { noteNoTime, readTime } from '../read-time.ts'
import { SampleList, type Taken } from '../sample-list.ts'
import { type Format, groupWithin } from './format.ts'

/** Of the ECP format. */
const types: Readonly<Record<number, TagType>> = { 1: 'bool', 2: 'int64', 3: 'float64', 4: 'string' }

/**
 * EMQX Neuron: the values of one group of a driver, with the codes of those that could not be read. Values-format has
 * `values` and `errors`, tags-format and ECP-format an array `tags`, the latter with the type of each.
 */
export const neuron: Format = {
  name: 'Neuron',
  claims: (json) =>
    isObject(json) &&
    typeof json.node === 'string' &&
    typeof json.group === 'string' &&
    'timestamp' in json &&
    (isObject(json.values) || Array.isArray(json.tags)),
  read(json, source) {
    const { timestamp, node, group, values, errors, tags } = json as JsonObject
    const time = readTime(timestamp, source.clock, source.now)
    const list = new SampleList()
    if (Number.isNaN(time)) list.note(noteNoTime('"timestamp"', timestamp))
    const taken = { group: groupWithin(source, `${node}/${group}`), time, late: false }
    if (isObject(values)) list.addMembers(values, taken)
    if (isObject(errors)) for (const [tag, error] of Object.entries(errors)) list.addError(tag, error, taken)
    for (const tag of Array.isArray(tags) ? (tags as unknown[]) : []) readTag(list, tag, taken)
    return list.toUplink(time)
  },
}

function readTag(list: SampleList, tag: unknown, taken: Taken): void {
  if (!isObject(tag) || typeof tag.name !== 'string') list.note('an element of "tags" has no name')
  else if (tag.error !== undefined && tag.error !== 0) list.addError(tag.name, tag.error, taken)
  else list.add(tag.name, tag.value ?? null, taken, types[Number(tag.type)])
}
