import { textEncodings } from '@busbar/link'
import { configLimits } from '../../config/config.ts'
import type { Fields } from '../../config/fields.ts'
import { parseCommonTag } from '../../config/tag-fields.ts'
import { parseLineOptions } from '../polled/line-options.ts'
import type { S7Address, WrittenAddress } from './address.ts'
import { parseS7Address, typesOfWidth } from './address.ts'
import { formatName, namedTypes, tagTypeOf } from './formats.ts'
import type { S7Options, S7Tag } from './s7-connection.ts'

const portDefault = 102
const gapBytesDefault = 16
const gapBytesMost = 64
/** The resource of the controller that a connection takes, in the first byte of its selector. */
const connectionTypes = { pg: 0x01, op: 0x02, basic: 0x03 } as const
const localTsapDefault = 0x0100

/** The fields of an S7 connection. */
export function parseS7(fields: Fields): S7Options {
  return {
    host: fields.requiredText('host', 255),
    port: fields.integer('port', 1, 65_535) ?? portDefault,
    ...parseLineOptions(fields),
    remoteTsap: parseRemote(fields),
    localTsap: parseTsap(fields, 'localTsap') ?? localTsapDefault,
    gapBytesMax: fields.integer('gapBytesMax', 0, gapBytesMost) ?? gapBytesDefault,
    textEncoding: fields.oneOf('textEncoding', textEncodings) ?? 'latin1',
  }
}

function parseRemote(fields: Fields): number {
  const tsap = parseTsap(fields, 'remoteTsap')
  const rack = fields.integer('rack', 0, 7)
  const slot = fields.integer('slot', 0, 31)
  const type = fields.oneOf('connection', ['pg', 'op', 'basic'])
  if (fields.has('remoteTsap')) {
    for (const key of ['rack', 'slot', 'connection'])
      if (fields.has(key)) fields.problem(key, 'and remoteTsap are both there; the TSAP says it already')
    return tsap ?? 0
  }
  if (!fields.has('slot'))
    fields.problem(
      'slot',
      'is missing: 2 for S7-300, 1 for S7-1200 and S7-1500, for S7-400 as in its hardware configuration',
    )
  return (connectionTypes[type ?? 'basic'] << 8) | ((rack ?? 0) << 5) | (slot ?? 0)
}

/** Two bytes as STEP 7 shows them: `03.02`. */
function parseTsap(fields: Fields, key: string): number | undefined {
  const text = fields.text(key, configLimits.textCharactersMax)
  if (text === undefined) return undefined
  const [, high = '', low = ''] = /^([0-9a-f]{2})\.([0-9a-f]{2})$/i.exec(text) ?? []
  if (high === '') fields.problem(key, `is "${text}"; write two hex bytes in quotes, as in "03.02"`)
  return Number.parseInt(`${high}${low}` || '0', 16)
}

/** A tag of an S7 connection. Without a type the address determines it, or its width. */
export function parseS7Tag(fields: Fields): S7Tag {
  const text = fields.requiredText('address', configLimits.textCharactersMax)
  const written = parseS7Address(text)
  if (written === null && text !== '') {
    const forms = 'DB10.DBD4, DB10.DBX4.3, DB10,REAL4, DB10,STRING20.30, MW10, M10.3, I0.1, Q0.1, T5 or C7'
    fields.problem('address', `is "${text}"; write it like ${forms}`)
  }
  const address = parseFormat(fields, written)
  const tag: S7Tag = { ...parseCommonTag(fields, tagTypeOf(address.format.type)), address }
  if (tag.readOnly) return tag
  if (address.area === 'T')
    fields.problem('readOnly', 'cannot be false: a timer is started by the program only')
  if (address.area === 'I')
    fields.problem('readOnly', 'cannot be false: the controller overwrites its inputs with each cycle')
  return tag
}

function parseFormat(fields: Fields, written: WrittenAddress | null): S7Address {
  const word = fields.text('type', configLimits.textCharactersMax)?.toUpperCase()
  if (written === null) return { area: 'M', db: 0, start: 0, bit: null, format: { type: 'BYTE', length: 0 } }
  const { width, ...address } = written
  if (word === undefined) return address
  if (width === null) {
    if (word !== address.format.type)
      fields.problem('type', `is ${word}, and the address says ${formatName(address.format)}; one is enough`)
    return address
  }
  const possible = typesOfWidth[width]
  const type = possible.find((candidate) => candidate === word)
  if (type !== undefined) return { ...address, format: { type, length: type === 'CHAR' ? 1 : 0 } }
  const isKnown = namedTypes.some((candidate) => candidate === word)
  const place = address.area === 'DB' ? `DB${address.db}` : address.area
  const other = isKnown ? `; for ${word} write the address as ${place},${word}${address.start}` : ''
  fields.problem('type', `is "${word}"; at this address possible are ${possible.join(', ')}${other}`)
  return address
}
