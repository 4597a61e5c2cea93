import type { TagType } from '../../tag.ts'

/** The types of values, in the words of STEP 7. TIMER and COUNTER are those of the areas T and C. */
const s7Types = [
  'BOOL',
  'BYTE',
  'USINT',
  'SINT',
  'CHAR',
  'WORD',
  'UINT',
  'INT',
  'DWORD',
  'UDINT',
  'DINT',
  'REAL',
  'LWORD',
  'ULINT',
  'LINT',
  'LREAL',
  'S5TIME',
  'TIME',
  'LTIME',
  'DATE',
  'TIME_OF_DAY',
  'DATE_AND_TIME',
  'DTL',
  'STRING',
  'WSTRING',
  'TIMER',
  'COUNTER',
] as const
export type S7Type = (typeof s7Types)[number]

/** The representation of a value in the controller. */
export interface S7Format {
  type: S7Type
  /** The most characters of a CHAR, STRING or WSTRING; 0 for any other type. */
  length: number
}

interface TypeFacts {
  /** Of a tag with such a value. */
  tagType: TagType
  /** Without the characters of a text. */
  bytes: number
  characterBytes?: number
}

const facts: Record<S7Type, TypeFacts> = {
  BOOL: { tagType: 'bool', bytes: 1 },
  BYTE: { tagType: 'uint16', bytes: 1 },
  USINT: { tagType: 'uint16', bytes: 1 },
  SINT: { tagType: 'int16', bytes: 1 },
  CHAR: { tagType: 'string', bytes: 0, characterBytes: 1 },
  WORD: { tagType: 'uint16', bytes: 2 },
  UINT: { tagType: 'uint16', bytes: 2 },
  INT: { tagType: 'int16', bytes: 2 },
  DWORD: { tagType: 'uint32', bytes: 4 },
  UDINT: { tagType: 'uint32', bytes: 4 },
  DINT: { tagType: 'int32', bytes: 4 },
  REAL: { tagType: 'float32', bytes: 4 },
  LWORD: { tagType: 'uint64', bytes: 8 },
  ULINT: { tagType: 'uint64', bytes: 8 },
  LINT: { tagType: 'int64', bytes: 8 },
  LREAL: { tagType: 'float64', bytes: 8 },
  S5TIME: { tagType: 'uint32', bytes: 2 },
  TIME: { tagType: 'int32', bytes: 4 },
  LTIME: { tagType: 'int64', bytes: 8 },
  DATE: { tagType: 'string', bytes: 2 },
  TIME_OF_DAY: { tagType: 'uint32', bytes: 4 },
  DATE_AND_TIME: { tagType: 'string', bytes: 8 },
  DTL: { tagType: 'string', bytes: 12 },
  STRING: { tagType: 'string', bytes: 2, characterBytes: 1 },
  WSTRING: { tagType: 'string', bytes: 4, characterBytes: 2 },
  TIMER: { tagType: 'uint32', bytes: 2 },
  COUNTER: { tagType: 'uint16', bytes: 2 },
}

/** The types that a person may name; timers and counters are named by their area. */
export const namedTypes = s7Types.filter((type) => type !== 'TIMER' && type !== 'COUNTER')

/** The longest STRING that the controllers have; the longest CHAR and WSTRING here. */
export const charactersMax = 254

export function tagTypeOf(type: S7Type): TagType {
  return facts[type].tagType
}

/** Whether a value of the type has a number of characters. */
export function hasLength(type: S7Type): boolean {
  return facts[type].characterBytes !== undefined
}

/** Bytes that a value takes in the controller; a BOOL is read with its byte. */
export function bytesOf({ type, length }: S7Format): number {
  const { bytes, characterBytes = 0 } = facts[type]
  return bytes + length * characterBytes
}

/** As a person knows it: `STRING[30]`. */
export function formatName({ type, length }: S7Format): string {
  return hasLength(type) ? `${type}[${length}]` : type
}
