import type { QualityNumber, SparkplugMetric, SparkplugProperty } from '@busbar/link'
import {
  alarmPrefix,
  alarmPropertyKey,
  formatMetricName,
  propertyKey,
  Quality,
  rawValue,
  SparkplugDatatype,
} from '@busbar/link'
import type { Alarm } from '../machine.ts'
import type { Sample, Tag, TagValue, Written } from '../tag.ts'
import { publishedDatatype } from '../tag.ts'

export function birthMetric(
  tag: Tag,
  index: number,
  at: number,
  sample: Sample | undefined,
): SparkplugMetric {
  const datatype = publishedDatatype(tag)
  return {
    name: formatMetricName(tag),
    alias: index + 1,
    timestamp: sample?.at ?? at,
    datatype,
    raw: rawValue(sample?.value ?? null, datatype),
    properties: birthProperties(tag, sample?.quality ?? Quality.bad),
  }
}

export function alarmMetric(
  { id, level, text, raised, since }: Alarm,
  alias: number | undefined,
  at: number,
): SparkplugMetric {
  const properties: Record<string, SparkplugProperty> = {
    [alarmPropertyKey.level]: property(SparkplugDatatype.string, level),
  }
  if (text.any !== undefined) {
    properties[alarmPropertyKey.text] = property(SparkplugDatatype.string, text.any)
  }
  if (text.cn !== undefined) {
    properties[alarmPropertyKey.textCn] = property(SparkplugDatatype.string, text.cn)
  }
  if (text.en !== undefined) {
    properties[alarmPropertyKey.textEn] = property(SparkplugDatatype.string, text.en)
  }
  return {
    name: `${alarmPrefix}${id}`,
    alias: alias ?? 0,
    // When it came, not when the birth tells it: the cloud knows by it an alarm it has.
    timestamp: since ?? at,
    datatype: SparkplugDatatype.boolean,
    // The alarms of a controller that never answered are unknown.
    raw: since === null ? { kind: 'null' } : { kind: 'boolean', value: raised },
    properties,
  }
}

/** The properties of a value that was read back after a write. */
export function writtenProperties(written: Written, datatype: number): Record<string, SparkplugProperty> {
  const { visit, from, to, error } = written
  return {
    [propertyKey.readBack]: property(SparkplugDatatype.boolean, true),
    [propertyKey.writtenTo]: property(datatype, to),
    ...(from === null ? {} : { [propertyKey.writtenFrom]: property(datatype, from) }),
    ...(visit === null ? {} : { [propertyKey.visit]: property(SparkplugDatatype.string, visit) }),
    ...(error === '' ? {} : { [propertyKey.writeError]: property(SparkplugDatatype.string, error) }),
  }
}

/** A value under the type that its own kind suggests. */
export function ownProperty(value: TagValue): SparkplugProperty {
  switch (typeof value) {
    case 'boolean':
      return property(SparkplugDatatype.boolean, value)
    case 'string':
      return property(SparkplugDatatype.string, value)
    case 'number':
      return property(SparkplugDatatype.double, value)
    case 'bigint':
      return property(value < 0n ? SparkplugDatatype.int64 : SparkplugDatatype.uint64, value)
  }
}

export function property(type: number, value: TagValue): SparkplugProperty {
  return { type, raw: rawValue(value, type) }
}

function birthProperties(tag: Tag, quality: QualityNumber): Record<string, SparkplugProperty> {
  const properties: Record<string, SparkplugProperty> = { [propertyKey.quality]: qualityProperty(quality) }
  const add = (key: string, type: number, value: string | number | boolean | undefined): void => {
    if (value !== undefined) properties[key] = { type, raw: rawValue(value, type) }
  }
  add(propertyKey.engUnit, SparkplugDatatype.string, tag.unit)
  add(propertyKey.displayName, SparkplugDatatype.string, tag.displayName.any)
  add(propertyKey.displayNameCn, SparkplugDatatype.string, tag.displayName.cn)
  add(propertyKey.displayNameEn, SparkplugDatatype.string, tag.displayName.en)
  add(propertyKey.groupCn, SparkplugDatatype.string, tag.groupName?.cn)
  add(propertyKey.groupEn, SparkplugDatatype.string, tag.groupName?.en)
  const words = tag.words === undefined ? undefined : JSON.stringify(tag.words)
  add(propertyKey.wordsCn, SparkplugDatatype.string, words)
  add(propertyKey.wordsEn, SparkplugDatatype.string, words)
  add(propertyKey.readOnly, SparkplugDatatype.boolean, tag.readOnly)
  add(propertyKey.min, SparkplugDatatype.double, tag.min)
  add(propertyKey.max, SparkplugDatatype.double, tag.max)
  add(propertyKey.scale, SparkplugDatatype.int32, tag.scale)
  if (tag.keyTag) add(propertyKey.keyTag, SparkplugDatatype.boolean, true)
  return properties
}

export function qualityProperty(quality: QualityNumber): SparkplugProperty {
  return { type: SparkplugDatatype.int32, raw: { kind: 'int', value: quality } }
}
