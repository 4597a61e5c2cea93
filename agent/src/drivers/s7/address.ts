import type { S7Format, S7Type } from './formats.ts'
import { bytesOf, charactersMax, hasLength, namedTypes } from './formats.ts'

/** Data blocks, bit memory, inputs, outputs, timers, counters. */
export type S7Area = 'DB' | 'M' | 'I' | 'Q' | 'T' | 'C'

/** The location of a value. */
export interface S7Address {
  area: S7Area
  /** The number of the data block; 0 in the other areas. */
  db: number
  /** Its first byte; of a timer or counter, which takes two, twice its number. */
  start: number
  /** 0 to 7 of a BOOL; null for anything else. */
  bit: number | null
  format: S7Format
}

/** Bytes of an area or a data block. */
const areaBytesMax = 65_536

/** The words of German controllers: Eingang, Ausgang, Zähler. */
const areaWords: Record<string, S7Area> = { M: 'M', I: 'I', E: 'I', Q: 'Q', A: 'Q', T: 'T', C: 'C', Z: 'C' }

const typeWords: Record<string, S7Type> = {
  ...Object.fromEntries(namedTypes.map((type) => [type, type])),
  ...{ X: 'BOOL', B: 'BYTE', W: 'WORD', DW: 'DWORD', I: 'INT', DI: 'DINT', R: 'REAL', LR: 'LREAL' },
  ...{ C: 'CHAR', S: 'STRING', TOD: 'TIME_OF_DAY', DT: 'DATE_AND_TIME' },
}

/** The types for an address that names only the width, the usual one first. */
export const typesOfWidth = {
  X: ['BOOL'],
  B: ['BYTE', 'USINT', 'SINT', 'CHAR'],
  W: ['WORD', 'UINT', 'INT', 'S5TIME', 'DATE'],
  D: ['DWORD', 'UDINT', 'DINT', 'REAL', 'TIME', 'TIME_OF_DAY'],
} as const satisfies Record<string, readonly [S7Type, ...S7Type[]]>
export type S7Width = keyof typeof typesOfWidth

/** An address as written. `width`: the type is one of `typesOfWidth`, the usual one by default. */
export interface WrittenAddress extends S7Address {
  width: S7Width | null
}

const words = Object.keys(typeWords).sort((left, right) => right.length - left.length)
const widthForm = /^(?:DB(\d{1,5})\.DB|([MIEQA]))([XBWD])?(\d{1,5})(?:\.(\d{1,3}))?$/
const typeForm = new RegExp(`^(?:DB(\\d{1,5})|([MIEQA])),(${words.join('|')})(\\d{1,5})(?:\\.(\\d{1,3}))?$`)
const countedForm = /^([TCZ])(\d{1,5})$/

/**
 * Reads `DB10.DBD4`, `DB10.DBX4.3`, `MW10`, `M10.3`, `DB10,REAL4`, `DB10,STRING20.30` (its length behind the point), `T5`
 * and `C7`; null for any other text. `%` in front and German areas (E, A, Z) are understood.
 */
export function parseS7Address(text: string): WrittenAddress | null {
  const plain = text.replace(/^%/, '').replaceAll(' ', '').toUpperCase()
  const address = parseCounted(plain) ?? parseWidth(plain) ?? parseTyped(plain)
  if (address === null || (address.area === 'DB' && address.db === 0)) return null
  if (address.db > 65_535 || address.start + bytesOf(address.format) > areaBytesMax) return null
  return address
}

function parseCounted(text: string): WrittenAddress | null {
  const [, letter = '', number] = countedForm.exec(text) ?? []
  const area = areaWords[letter]
  if (number === undefined || area === undefined) return null
  const type = area === 'T' ? 'TIMER' : 'COUNTER'
  return { area, db: 0, start: 2 * Number(number), bit: null, format: { type, length: 0 }, width: null }
}

function parseWidth(text: string): WrittenAddress | null {
  const [, db, letter = '', word, start, bit] = widthForm.exec(text) ?? []
  if (start === undefined) return null
  const width = (word ?? 'X') as S7Width
  // Bits of a data block need their letter: DB10.DB4.3 is DBX4.3 or a mistake.
  if (db !== undefined && word === undefined) return null
  if ((width === 'X') !== (bit !== undefined) || Number(bit ?? 0) > 7) return null
  const type: S7Type = typesOfWidth[width][0]
  return {
    ...placeOf(db, letter),
    start: Number(start),
    bit: bit === undefined ? null : Number(bit),
    format: { type, length: 0 },
    width,
  }
}

function parseTyped(text: string): WrittenAddress | null {
  const [, db, letter = '', word = '', start, rest] = typeForm.exec(text) ?? []
  const type = typeWords[word]
  if (start === undefined || type === undefined) return null
  const number = rest === undefined ? undefined : Number(rest)
  const place = { ...placeOf(db, letter), start: Number(start), width: null }
  if (type === 'BOOL') {
    if (number === undefined || number > 7) return null
    return { ...place, bit: number, format: { type, length: 0 } }
  }
  if (!hasLength(type))
    return number === undefined ? { ...place, bit: null, format: { type, length: 0 } } : null
  const length = number ?? (type === 'CHAR' ? 1 : charactersMax)
  if (length < 1 || length > charactersMax) return null
  return { ...place, bit: null, format: { type, length } }
}

function placeOf(db: string | undefined, letter: string): { area: S7Area; db: number } {
  return db === undefined ? { area: areaWords[letter] ?? 'M', db: 0 } : { area: 'DB', db: Number(db) }
}
