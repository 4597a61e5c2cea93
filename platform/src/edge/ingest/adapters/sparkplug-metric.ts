import { isFloat32 } from '@busbar/contract'
import {
  alarmPrefix,
  alarmPropertyKey,
  attributePrefix,
  LinkError,
  lostMetric,
  lostPropertyKey,
  parseMetricName,
  propertyKey,
  propertyValue,
  protocolMetric,
  rawValue,
  type SparkplugAlias,
  SparkplugDatatype,
  type SparkplugMetric,
  type SparkplugProperty,
  type SparkplugValue,
} from '@busbar/link'
import { cleanDeep, cleanText, showName } from '../../../kernel/storable-text.ts'
import type {
  AlarmLevel,
  AlarmRecord,
  LostRecord,
  TagDefinitionRecord,
  TagType,
} from '../../../modules/telemetry/index.ts'
import type { TagWrite } from '../tag-write.ts'
import { faultOfAlarmKey } from './alarm-key.ts'
import type { Notes } from './notes.ts'
import { isAlarmLevel, shorten } from './plain-json.ts'

const unitCharactersMax = 32
const labelCharactersMax = 128
const wordsCharactersMax = 1_024
const scaleMax = 12
const deviceControlPrefix = 'Device Control/'

/** For births that leave the data type out. */
const defaultDatatypes: Record<TagType, number> = {
  bool: SparkplugDatatype.boolean,
  int64: SparkplugDatatype.int64,
  float64: SparkplugDatatype.double,
  string: SparkplugDatatype.string,
}

/** The meaning of a metric by its birth. */
export interface KnownMetric {
  readonly kind: 'tag' | 'alarm' | 'attribute' | 'protocol' | 'lost'
  readonly group: string
  /** The tag's name, the alarm's key or the attribute's name. */
  readonly name: string
  readonly datatype: number | undefined
  readonly alias: SparkplugAlias | undefined
  /** Undefined for kinds that are not stored: data sets, templates, files. */
  readonly type: TagType | undefined
  /** Its birth leaves the data type out: `type` is that of its first value. */
  readonly isTypeGuess: boolean
  readonly properties: Readonly<Record<string, SparkplugProperty>> | undefined
}

/** A device's tags are in its own group, its alarms and attributes under its name. */
export function knownMetricOf(metricName: string, device: string, metric: SparkplugMetric): KnownMetric {
  const { datatype, alias, properties } = metric
  const under = (name: string) => (device === '' ? name : `${device}/${name}`)
  const more = { datatype, alias, properties, type: undefined, isTypeGuess: false, group: '' }
  if (metricName.startsWith(alarmPrefix)) {
    return { ...more, kind: 'alarm', name: under(metricName.slice(alarmPrefix.length)) }
  }
  if (metricName.startsWith(attributePrefix)) {
    return { ...more, kind: 'attribute', name: cleanText(under(metricName.slice(attributePrefix.length))) }
  }
  if (metricName === lostMetric) return { ...more, kind: 'lost', name: metricName }
  if (
    metricName === protocolMetric.bdSeq ||
    metricName.startsWith(protocolMetric.nodeControlPrefix) ||
    metricName.startsWith(deviceControlPrefix)
  ) {
    return { ...more, kind: 'protocol', name: metricName }
  }
  const { group, name } = parseMetricName(metricName)
  const fullGroup = device === '' ? group : group === '' ? device : `${device}/${group}`
  const isTypeGuess = datatype === undefined || datatype === SparkplugDatatype.unknown
  return { ...more, kind: 'tag', group: fullGroup, name, type: tagTypeOf(metric), isTypeGuess }
}

/** The type of a metric's values; a guess if it has no data type. */
export function tagTypeOf({ datatype, raw }: SparkplugMetric): TagType | undefined {
  switch (datatype) {
    case SparkplugDatatype.int8:
    case SparkplugDatatype.int16:
    case SparkplugDatatype.int32:
    case SparkplugDatatype.int64:
    case SparkplugDatatype.uint8:
    case SparkplugDatatype.uint16:
    case SparkplugDatatype.uint32:
    case SparkplugDatatype.uint64:
    case SparkplugDatatype.dateTime:
      return 'int64'
    case SparkplugDatatype.float:
    case SparkplugDatatype.double:
      return 'float64'
    case SparkplugDatatype.boolean:
      return 'bool'
    case SparkplugDatatype.string:
    case SparkplugDatatype.text:
    case SparkplugDatatype.uuid:
      return 'string'
    case undefined:
    case SparkplugDatatype.unknown:
      return {
        int: 'int64',
        long: 'int64',
        float: 'float64',
        double: 'float64',
        boolean: 'bool',
        string: 'string',
      }[raw.kind as string] as TagType | undefined
    default:
      return undefined
  }
}

/** A birth's definition of a tag; undefined for other metrics. */
export function definitionOf(
  known: KnownMetric,
  metric: SparkplugMetric,
  notes: Notes,
): TagDefinitionRecord | undefined {
  if (known.kind !== 'tag' || known.type === undefined) return undefined
  const { properties } = metric
  const keep = (stored: (text: string) => string) => keepText(known.name, notes, stored)
  const scale = numberOf(properties, propertyKey.scale)
  if (scale !== scaleOf(scale)) notes.addOf(known.name, ` has a scale that is not stored: ${scale}`)
  return {
    kind: 'tagDefinition',
    group: known.group,
    tag: known.name,
    type: known.type,
    ...(known.isTypeGuess ? { isTypeGuess: true } : {}),
    label: {
      ...textsOf(
        properties,
        [
          ['', propertyKey.displayName],
          ['cn', propertyKey.displayNameCn],
          ['en', propertyKey.displayNameEn],
          [propertyKey.groupCn, propertyKey.groupCn],
          [propertyKey.groupEn, propertyKey.groupEn],
        ],
        keep((text) => cleanText(text).slice(0, labelCharactersMax)),
      ),
      ...textsOf(
        properties,
        [
          [propertyKey.wordsCn, propertyKey.wordsCn],
          [propertyKey.wordsEn, propertyKey.wordsEn],
        ],
        keep((text) => (text.length > wordsCharactersMax ? '' : cleanWords(text))),
      ),
    },
    unit: keep((text) => cleanText(text).slice(0, unitCharactersMax))(
      textOf(properties, propertyKey.engUnit) ?? '',
    ),
    scale: scaleOf(scale),
    min: numberOf(properties, propertyKey.min),
    max: numberOf(properties, propertyKey.max),
    readOnly: flagOf(properties, propertyKey.readOnly) ?? true,
    isKey: flagOf(properties, propertyKey.keyTag) ?? false,
  }
}

/** A text as it is stored, with a note where that is another one. */
function keepText(name: string, notes: Notes, stored: (text: string) => string): (text: string) => string {
  return (text) => {
    const kept = stored(text)
    if (kept !== text) notes.addOf(name, `: the text "${showName(text)}" was cut, or lost characters`)
    return kept
  }
}

/** The texts of a tag's values are JSON, in which an escape can hide any character. */
function cleanWords(text: string): string {
  const clean = cleanText(text)
  if (!clean.includes('\\')) return clean
  try {
    return JSON.stringify(cleanDeep(JSON.parse(clean)))
  } catch {
    return clean
  }
}

/**
 * A metric with a value for it, under the type its birth announced, or why the type cannot hold the value. `by`
 * is the alias its birth gave, and then nothing else names it (Sparkplug 3.0, tck-id-payloads-alias-data-cmd-requirement),
 * or the name. A name goes with its type, which libraries look for before they read the value.
 */
export function commandMetric(
  by: { readonly alias: SparkplugAlias } | { readonly name: string },
  known: KnownMetric,
  value: TagWrite['value'],
): SparkplugMetric | 'range' | 'digits' {
  const datatype = known.datatype || defaultDatatypes[known.type ?? 'string']
  if (datatype === SparkplugDatatype.float) {
    if (!Number.isFinite(Math.fround(Number(value)))) return 'range'
    if (!isFloat32(Number(value))) return 'digits'
  }
  try {
    // Keys may have a declared text read as a number (rules/data-centre.md: settings of variables).
    const raw = rawValue(known.type === 'string' ? String(value) : value, datatype)
    return 'alias' in by ? { alias: by.alias, raw } : { name: by.name, datatype, raw }
  } catch (error) {
    if (error instanceof LinkError) return 'range'
    throw error
  }
}

/** The alarm of a metric: true while raised. A birth reports the present state, so it repeats. */
export function alarmOf(
  known: KnownMetric,
  metric: SparkplugMetric,
  value: SparkplugValue,
  { time, isBirth }: { readonly time: number | undefined; readonly isBirth: boolean },
  notes: Notes,
): AlarmRecord | undefined {
  if (typeof value !== 'boolean') {
    notes.addOf(known.name, ' is named as an alarm, but its value is no boolean: not stored')
    return undefined
  }
  const fault = faultOfAlarmKey(cleanText(known.name))
  if (fault !== undefined) {
    notes.addOf(known.name, ` is not stored: ${fault}`)
    return undefined
  }
  const properties = { ...known.properties, ...metric.properties }
  const level = textOf(properties, alarmPropertyKey.level)
  if (level !== undefined && !isAlarmLevel(level))
    notes.addOf(known.name, ' has a level that is not known: stored as major')
  const keep = (stored: (text: string) => string) => keepText(known.name, notes, stored)
  return {
    kind: 'alarm',
    key: keep(cleanText)(known.name),
    level: isAlarmLevel(level) ? level : ('major' satisfies AlarmLevel),
    text: textsOf(
      properties,
      [
        ['', alarmPropertyKey.text],
        ['cn', alarmPropertyKey.textCn],
        ['en', alarmPropertyKey.textEn],
      ],
      keep(shorten),
    ),
    state: value ? 'raised' : 'cleared',
    isRepeat: isBirth,
    time,
    late: metric.isHistorical === true,
  }
}

/** The data that the agent reports as dropped; undefined for an unusable report. */
export function lostOf({ properties }: SparkplugMetric, notes: Notes): LostRecord | undefined {
  const from = numberOf(properties, lostPropertyKey.from)
  const to = numberOf(properties, lostPropertyKey.to)
  if (from === null || to === null) {
    notes.addOf(lostMetric, ' names no span: not stored')
    return undefined
  }
  return { kind: 'lost', from, to, samples: numberOf(properties, lostPropertyKey.samples) ?? 1 }
}

type Properties = Readonly<Record<string, SparkplugProperty>> | undefined

function textsOf(
  properties: Properties,
  keys: readonly (readonly [lang: string, key: string])[],
  clean: (text: string) => string,
): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [lang, key] of keys) {
    const text = textOf(properties, key)
    if (text) texts[lang] = clean(text)
  }
  return texts
}

function textOf(properties: Properties, key: string): string | undefined {
  const value = propertyValue(properties?.[key])
  return typeof value === 'string' ? value : undefined
}

function numberOf(properties: Properties, key: string): number | null {
  const value = propertyValue(properties?.[key])
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function flagOf(properties: Properties, key: string): boolean | undefined {
  const value = propertyValue(properties?.[key])
  return typeof value === 'boolean' ? value : undefined
}

function scaleOf(number: number | null): number | null {
  return number !== null && Number.isInteger(number) && number >= 0 && number <= scaleMax ? number : null
}
