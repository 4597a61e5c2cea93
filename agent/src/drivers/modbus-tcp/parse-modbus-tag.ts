import { textEncodings } from '@busbar/link'
import { configDefaults, configLimits } from '../../config/config.ts'
import type { Fields } from '../../config/fields.ts'
import { parseCommonTag, parseTagType } from '../../config/tag-fields.ts'
import { parseLineOptions } from '../polled/line-options.ts'
import type { ModbusAddress } from './address.ts'
import { isBitArea, parseModbusAddress } from './address.ts'
import type { FactorPlace } from './factor-register.ts'
import { factorDistanceMax, factorForms } from './factor-register.ts'
import type { ModbusTag, ReadingOptions } from './modbus-connection.ts'
import { bcdTypes, registerCount, tagTypeOf, wordOrders } from './registers.ts'

/** The fields of a Modbus connection that are about reading. */
export function parseReading(fields: Fields): ReadingOptions {
  const { blockRegistersMax, blockBitsMax } = configDefaults
  const textEncoding = fields.oneOf('textEncoding', textEncodings)
  return {
    ...parseLineOptions(fields),
    wordOrder: fields.oneOf('wordOrder', wordOrders) ?? 'ABCD',
    ...(textEncoding === undefined ? {} : { textEncoding }),
    gapRegistersMax:
      fields.integer('gapRegistersMax', 0, blockRegistersMax) ?? configDefaults.gapRegistersMax,
    gapBitsMax: fields.integer('gapBitsMax', 0, blockBitsMax) ?? configDefaults.gapBitsMax,
    blockRegistersMax: fields.integer('blockRegistersMax', 1, blockRegistersMax) ?? blockRegistersMax,
    blockBitsMax: fields.integer('blockBitsMax', 1, blockBitsMax) ?? blockBitsMax,
  }
}

/** A tag of a Modbus connection, whose `wordOrder` and `textEncoding` it has where it sets none. */
export function parseModbusTag(
  fields: Fields,
  { wordOrder, textEncoding }: Pick<ReadingOptions, 'wordOrder' | 'textEncoding'>,
): ModbusTag {
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
  const { type: registerType, stringBytes } = parseTagType(fields, isBit ? 'bool' : 'uint16', bcdTypes)
  const factorFrom = parseFactor(fields, place)
  const type = factorFrom === undefined ? tagTypeOf(registerType) : 'float64'
  if (factorFrom !== undefined && (registerType === 'bool' || registerType === 'string'))
    fields.problem('factorAddress', `does not apply to ${registerType}`)
  if (address !== null && isBit && registerType !== 'bool')
    fields.problem('type', 'has to be bool for a single bit')
  if (address !== null && !isBit && registerType === 'bool') {
    fields.problem('type', 'is bool, but the address is a whole register; name the bit, as in holding:10.3')
  }
  const registers = isBit ? 1 : registerCount({ type, registerType, stringBytes })
  if (place.address + registers > 65536)
    fields.problem('address', 'begins too late: the value ends after 65535')

  const isWide = type === 'string' || registers > 1
  const readable = place.area === 'input' || place.area === 'discrete'
  const tag: ModbusTag = {
    ...parseCommonTag(fields, type),
    address: place,
    stringBytes,
    wordOrder: fields.oneOf('wordOrder', wordOrders) ?? (isWide ? wordOrder : 'ABCD'),
  }
  if (registerType !== type) tag.registerType = registerType
  if (factorFrom !== undefined) tag.factorFrom = factorFrom
  const own = fields.oneOf('textEncoding', textEncodings)
  if (own !== undefined && type !== 'string')
    fields.problem('textEncoding', `is for strings, not for ${registerType}`)
  const encoding = own ?? textEncoding
  if (type === 'string' && encoding !== undefined) tag.textEncoding = encoding
  if (readable && !tag.readOnly)
    fields.problem('readOnly', `cannot be false: nobody can write to ${place.area}`)
  return tag
}

/** The register of the value's factor, near enough to be read with it. */
function parseFactor(fields: Fields, { area, address }: ModbusAddress): FactorPlace | undefined {
  const text = fields.text('factorAddress', configLimits.textCharactersMax)
  const form = fields.oneOf('factorForm', factorForms)
  if (text === undefined) {
    if (form !== undefined) fields.problem('factorForm', 'is for a factorAddress')
    return undefined
  }
  const place = parseModbusAddress(text)
  const isNear =
    place !== null && place.area === area && Math.abs(place.address - address) <= factorDistanceMax
  if (!isNear || place.bit !== null || isBitArea(area))
    fields.problem(
      'factorAddress',
      `is "${text}"; it has to be a register of the same area, at most ${factorDistanceMax} registers away`,
    )
  return { address: place?.address ?? address, form: form ?? 'exponent' }
}
