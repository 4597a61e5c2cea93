import {
  alarmPrefix,
  alarmPropertyKey,
  formatMetricName,
  lostMetric,
  lostPropertyKey,
  propertyKey,
  rawValue,
  SparkplugDatatype,
  type SparkplugMetric,
  type SparkplugProperty,
  type SparkplugValue,
} from '@busbar/link'
import type { AlarmChange } from './dialect.ts'
import type { MachineProfile, TagSpec, TagType, TagValue } from './profiles/profile.ts'

/** The datatype of each kind of tag. */
export const datatypes: Record<TagType, number> = {
  float64: SparkplugDatatype.double,
  int64: SparkplugDatatype.int64,
  bool: SparkplugDatatype.boolean,
  string: SparkplugDatatype.string,
}

/**
 * A span that was dropped, as the agent reports it; a sample of each tag in ten seconds. a sample of each tag
 * in ten seconds.
 */
export function lostMetricOf(fromAt: number, toAt: number, profile: MachineProfile): SparkplugMetric {
  const samples = Math.floor((toAt - fromAt) / 10_000) * profile.tags.length
  return {
    ...named(lostMetric, SparkplugDatatype.boolean, true),
    timestamp: fromAt,
    isTransient: true,
    properties: {
      [lostPropertyKey.from]: property(SparkplugDatatype.int64, fromAt),
      [lostPropertyKey.to]: property(SparkplugDatatype.int64, toAt),
      [lostPropertyKey.samples]: property(SparkplugDatatype.int64, samples),
    },
  }
}

/** A tag's address on the wire. */
export function metricName(tag: TagSpec): string {
  return formatMetricName({ group: tag.group, name: tag.name })
}

/** A metric identified by its name. */
export function named(name: string, datatype: number, value: SparkplugValue): SparkplugMetric {
  return { name, datatype, raw: rawValue(value, datatype) }
}

/** A tag as its birth describes it. */
export function birthMetric(
  tag: TagSpec,
  index: number,
  value: TagValue | null,
  at: number,
): SparkplugMetric {
  const datatype = datatypes[tag.type]
  const properties: Record<string, SparkplugProperty> = {
    [propertyKey.displayNameCn]: property(SparkplugDatatype.string, tag.displayName.cn),
    [propertyKey.displayNameEn]: property(SparkplugDatatype.string, tag.displayName.en),
    [propertyKey.groupCn]: property(SparkplugDatatype.string, tag.groupName.cn),
    [propertyKey.groupEn]: property(SparkplugDatatype.string, tag.groupName.en),
    [propertyKey.readOnly]: property(SparkplugDatatype.boolean, tag.writable !== true),
  }
  if (tag.words !== undefined) {
    const meanings = Object.entries(tag.words)
    const inLang = (lang: 'cn' | 'en') =>
      JSON.stringify(Object.fromEntries(meanings.map(([word, texts]) => [word, texts[lang]])))
    properties[propertyKey.wordsCn] = property(SparkplugDatatype.string, inLang('cn'))
    properties[propertyKey.wordsEn] = property(SparkplugDatatype.string, inLang('en'))
  }
  if (tag.unit !== undefined) properties[propertyKey.engUnit] = property(SparkplugDatatype.string, tag.unit)
  if (tag.scale !== undefined) properties[propertyKey.scale] = property(SparkplugDatatype.int32, tag.scale)
  if (tag.min !== undefined) properties[propertyKey.min] = property(SparkplugDatatype.double, tag.min)
  if (tag.max !== undefined) properties[propertyKey.max] = property(SparkplugDatatype.double, tag.max)
  if (tag.keyTag) properties[propertyKey.keyTag] = property(SparkplugDatatype.boolean, true)
  return {
    name: metricName(tag),
    alias: index + 1,
    timestamp: at,
    datatype,
    properties,
    raw: rawValue(value, datatype),
  }
}

/** An alarm, raised or not. */
export function alarmMetric({ alarm, raised, at, past }: AlarmChange): SparkplugMetric {
  return {
    ...named(alarmPrefix + alarm.id, SparkplugDatatype.boolean, raised),
    timestamp: at,
    ...(past ? { isHistorical: true } : {}),
    properties: {
      [alarmPropertyKey.textCn]: property(SparkplugDatatype.string, alarm.text.cn),
      [alarmPropertyKey.textEn]: property(SparkplugDatatype.string, alarm.text.en),
      [alarmPropertyKey.level]: property(SparkplugDatatype.string, alarm.level),
    },
  }
}

/** A property of a metric. */
export function property(type: number, value: SparkplugValue): SparkplugProperty {
  return { type, raw: rawValue(value, type) }
}
