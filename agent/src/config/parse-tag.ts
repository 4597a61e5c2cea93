import { alarmLevels, alarmPrefix, attributePrefix, formatMetricName, protocolMetric } from '@busbar/link'
import { isBitArea, parseModbusAddress } from '../drivers/modbus-tcp/address.ts'
import type { ModbusTag } from '../drivers/modbus-tcp/modbus-connection.ts'
import type { WordOrder } from '../drivers/modbus-tcp/registers.ts'
import { registerCount, wordOrders } from '../drivers/modbus-tcp/registers.ts'
import type { Signal } from '../drivers/simulated/signal.ts'
import { signalKinds } from '../drivers/simulated/signal.ts'
import type { SimulatedTag } from '../drivers/simulated/simulated-driver.ts'
import type { DisplayName, Tag, TagAlarm, TagType } from '../tag.ts'
import { isScaled, tagTypes } from '../tag.ts'
import { configDefaults, configLimits } from './config.ts'
import type { Fields } from './fields.ts'

interface TypeAndSize {
  type: TagType
  stringBytes: number
}

/** A tag of a Modbus connection. `wordOrder` is the connection's own, for values wider than one register. */
export function parseModbusTag(fields: Fields, wordOrder: WordOrder): ModbusTag {
  const text = fields.requiredText('address', configLimits.textCharactersMax)
  const address = parseModbusAddress(text)
  if (address === null && text !== '') {
    fields.problem(
      'address',
      `is "${text}"; write area:number (holding, input, coil, discrete; 0 to 65535), or holding:10.3 for a bit`,
    )
  }
  const place = address ?? { area: 'holding' as const, address: 0, bit: null }
  const isBit = isBitArea(place.area) || place.bit !== null
  const { type, stringBytes } = parseType(fields, isBit ? 'bool' : 'uint16')
  if (address !== null && isBit && type !== 'bool') fields.problem('type', 'has to be bool for a single bit')
  if (address !== null && !isBit && type === 'bool') {
    fields.problem('type', 'is bool, but the address is a whole register; name the bit, as in holding:10.3')
  }
  const registers = isBit ? 1 : registerCount({ type, stringBytes })
  if (place.address + registers > 65536)
    fields.problem('address', 'begins too late: the value ends after 65535')

  const isWide = type === 'string' || registerCount({ type, stringBytes }) > 1
  const readable = place.area === 'input' || place.area === 'discrete'
  const tag: ModbusTag = {
    ...parseCommon(fields, type),
    address: place,
    stringBytes,
    wordOrder: fields.oneOf('wordOrder', wordOrders) ?? (isWide ? wordOrder : 'ABCD'),
  }
  if (readable && !tag.readOnly)
    fields.problem('readOnly', `cannot be false: nobody can write to ${place.area}`)
  fields.finish()
  return tag
}

export function parseSimulatedTag(fields: Fields): SimulatedTag {
  const { type } = parseType(fields, 'float64')
  if (type === 'string') fields.problem('type', 'cannot be a string here')
  const tag: SimulatedTag = { ...parseCommon(fields, type), signal: parseSignal(fields.mapping('signal')) }
  fields.finish()
  return tag
}

function parseType(fields: Fields, fallback: TagType): TypeAndSize {
  const text = fields.text('type', configLimits.textCharactersMax)
  if (text === undefined) return { type: fallback, stringBytes: 0 }
  const string = /^string:(\d{1,4})$/.exec(text)
  if (string !== null) {
    const stringBytes = Number(string[1])
    if (stringBytes >= 1 && stringBytes <= configLimits.stringBytesMax) return { type: 'string', stringBytes }
    fields.problem('type', `is ${text}; a string has 1 to ${configLimits.stringBytesMax} bytes`)
    return { type: fallback, stringBytes: 0 }
  }
  const type = tagTypes.find((candidate) => candidate === text && candidate !== 'string')
  if (type === undefined) {
    const words = tagTypes.map((word) => (word === 'string' ? 'string:N' : word))
    fields.problem('type', `is "${text}"; possible are ${words.join(', ')}`)
  }
  return { type: type ?? fallback, stringBytes: 0 }
}

function parseCommon(fields: Fields, type: TagType): Tag {
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

function parseSignal(fields: Fields): Signal {
  const kind = fields.requiredOneOf('kind', signalKinds)
  const signal = parseSignalOf(kind, fields)
  if ('min' in signal && signal.min > signal.max) fields.problem('min', 'is greater than max')
  fields.finish()
  return signal
}

function parseSignalOf(kind: Signal['kind'], fields: Fields): Signal {
  const periodMs = (): number => fields.integer('periodMs', 1, 86_400_000) ?? 60_000
  switch (kind) {
    case 'sine':
      return {
        kind,
        min: fields.requiredNumber('min'),
        max: fields.requiredNumber('max'),
        periodMs: periodMs(),
      }
    case 'randomWalk': {
      const min = fields.requiredNumber('min')
      const max = fields.requiredNumber('max')
      const start = fields.number('start') ?? (min + max) / 2
      return { kind, min, max, start, step: fields.number('step') ?? (max - min) / 100 }
    }
    case 'square':
      return { kind, low: fields.number('low') ?? 0, high: fields.number('high') ?? 1, periodMs: periodMs() }
    case 'counter':
      return {
        kind,
        start: fields.number('start') ?? 0,
        step: fields.number('step') ?? 1,
        periodMs: periodMs(),
      }
  }
}
