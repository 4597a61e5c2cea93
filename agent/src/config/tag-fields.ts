import { alarmLevels, alarmPrefix, attributePrefix, formatMetricName, protocolMetric } from '@busbar/link'
import type { DisplayName, Tag, TagAlarm, TagType } from '../tag.ts'
import { isScaled, tagTypes } from '../tag.ts'
import { configDefaults, configLimits } from './config.ts'
import type { Fields } from './fields.ts'

export interface TypeAndSize<Type> {
  type: Type
  stringBytes: number
}

/** The type of a tag and the bytes of a string; `fallback` if none is named. `own`: further types of the driver. */
export function parseTagType<Own extends string = never>(
  fields: Fields,
  fallback: TagType,
  own: readonly Own[] = [],
): TypeAndSize<TagType | Own> {
  const text = fields.text('type', configLimits.textCharactersMax)
  if (text === undefined) return { type: fallback, stringBytes: 0 }
  const string = /^string:(\d{1,4})$/.exec(text)
  if (string !== null) {
    const stringBytes = Number(string[1])
    if (stringBytes >= 1 && stringBytes <= configLimits.stringBytesMax) return { type: 'string', stringBytes }
    fields.problem('type', `is ${text}; a string has 1 to ${configLimits.stringBytesMax} bytes`)
    return { type: fallback, stringBytes: 0 }
  }
  const type = [...tagTypes, ...own].find((candidate) => candidate === text && candidate !== 'string')
  if (type === undefined) {
    const words = [...tagTypes, ...own].map((word) => (word === 'string' ? 'string:N' : word))
    fields.problem('type', `is "${text}"; possible are ${words.join(', ')}`)
  }
  return { type: type ?? fallback, stringBytes: 0 }
}

/** The fields that every tag has, whatever its driver. */
export function parseCommonTag(fields: Fields, type: TagType): Tag {
  const tag: Tag = {
    name: fields.requiredText('name', configLimits.nameCharactersMax),
    group: fields.text('group', configLimits.groupCharactersMax) ?? '',
    type,
    displayName: parseTexts(fields, 'displayName'),
    groupName: parseTexts(fields, 'groupName'),
    readOnly: fields.boolean('readOnly') ?? true,
    keyTag: fields.boolean('keyTag') ?? false,
    factor: fields.number('factor') ?? 1,
    offset: fields.number('offset') ?? 0,
    deadband: fields.number('deadband') ?? 0,
    heartbeatMs:
      fields.integer('heartbeatMs', configLimits.heartbeatMsMin, configLimits.heartbeatMsMax) ??
      configDefaults.heartbeatMs,
  }
  const unit = fields.text('unit', configLimits.textCharactersMax)
  const scale = fields.integer('scale', 0, configLimits.scaleMax)
  const min = fields.number('min')
  const max = fields.number('max')
  if (unit !== undefined) tag.unit = unit
  if (scale !== undefined) tag.scale = scale
  if (fields.oneOf('outside', ['keep', 'bad']) === 'bad') tag.outside = 'bad'
  if (min !== undefined) tag.min = min
  if (max !== undefined) tag.max = max
  if (min !== undefined && max !== undefined && min > max) fields.problem('min', 'is greater than max')
  if (tag.deadband < 0) fields.problem('deadband', 'cannot be below 0')
  if (tag.factor === 0) fields.problem('factor', 'cannot be 0')
  if (isScaled(tag) && (type === 'bool' || type === 'string')) {
    fields.problem(tag.factor !== 1 ? 'factor' : 'offset', `does not apply to ${type}`)
  }
  if (fields.has('alarm')) tag.alarm = parseAlarm(fields, tag)
  checkName(fields, tag)
  return tag
}

function checkName(fields: Fields, tag: Tag): void {
  if (tag.name.includes('/')) fields.problem('name', 'cannot have a "/" in it; that is for the group')
  if (tag.group.startsWith('/') || tag.group.endsWith('/'))
    fields.problem('group', 'cannot begin or end with "/"')
  const metricName = formatMetricName(tag)
  const reserved = [alarmPrefix, attributePrefix, protocolMetric.nodeControlPrefix, protocolMetric.bdSeq]
  if (reserved.some((word) => metricName === word || (word.endsWith('/') && metricName.startsWith(word)))) {
    fields.problem('name', `makes "${metricName}", which is reserved`)
  }
}

/** A text, or texts by language. */
function parseTexts(fields: Fields, key: string): DisplayName {
  const texts: DisplayName = {}
  if (!fields.isMapping(key)) {
    const any = fields.text(key, configLimits.textCharactersMax)
    if (any !== undefined) texts.any = any
    return texts
  }
  const byLanguage = fields.mapping(key)
  const cn = byLanguage.text('cn', configLimits.textCharactersMax)
  const en = byLanguage.text('en', configLimits.textCharactersMax)
  if (cn !== undefined) texts.cn = cn
  if (en !== undefined) texts.en = en
  byLanguage.finish()
  return texts
}

/** `alarm: {id, level, text}` of a bool; without an id it is called like its tag, without a text too. */
function parseAlarm(fields: Fields, tag: Tag): TagAlarm {
  if (tag.type !== 'bool') fields.problem('alarm', `is for bool, not for ${tag.type}`)
  const alarm = fields.mapping('alarm')
  const text = parseTexts(alarm, 'text')
  const parsed: TagAlarm = {
    id: alarm.text('id', configLimits.nameCharactersMax) ?? tag.name,
    level: alarm.requiredOneOf('level', alarmLevels),
    text: Object.keys(text).length > 0 ? text : { any: tag.name, ...tag.displayName },
  }
  if (Buffer.byteLength(parsed.id) > configLimits.alarmIdBytesMax) {
    alarm.problem('id', `is longer than ${configLimits.alarmIdBytesMax} bytes`)
  }
  alarm.finish()
  return parsed
}
