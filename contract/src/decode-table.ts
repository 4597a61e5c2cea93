import { placeIn, TableFault } from './table-fault.ts'
import type { Lang } from './text.ts'

/** The encodings that a file of people may have. */
export const tableEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030', 'windows-1252'] as const
export type TableEncoding = (typeof tableEncodings)[number]

/** The person who brings a file: where the bytes do not tell an encoding, language and zone do. */
export interface TableReader {
  readonly lang: Lang
  /** By IANA. */
  readonly zone: string
}

const marks: readonly [TableEncoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** The archives of `.xlsx` and the containers of `.xls`. */
const workbooks: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
/** Bytes without a character in Windows-1252; a browser would make control characters of them. */
const unknown1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

const chineseZones = /^(?:PRC|Asia\/(?:Shanghai|Chongqing|Chungking|Harbin|Urumqi|Kashgar))$/
const westernZones = /^(?:Europe|America|Africa|Atlantic|Australia|Pacific)\//

/**
 * The encoding in which a spreadsheet of that place writes what is not Unicode. The zone says where a computer stands; the
 * language decides where the zone does not (rules/calls.md: tables).
 */
export function legacyEncodingOf({ lang, zone }: TableReader): TableEncoding {
  if (chineseZones.test(zone)) return 'gb18030'
  return lang === 'cn' && !westernZones.test(zone) ? 'gb18030' : 'windows-1252'
}

/**
 * The text of a file: by its byte order mark, else UTF-8, else the encoding of its reader; `chosen` by a person goes first.
 * A file that is UTF-8 but for a few bytes is a damaged one, and is not read as something else.
 * @throws TableFault for bytes without a character, with their place
 */
export function decodeTable(
  bytes: Uint8Array,
  reader: TableReader,
  chosen?: TableEncoding,
): { text: string; encoding: TableEncoding } {
  if (workbooks.some((start) => startsWith(bytes, start)))
    throw new TableFault('workbook', { line: 1, column: 1 })
  const marked = marks.find(([, mark]) => startsWith(bytes, mark))?.[0]
  const encoding = chosen ?? marked ?? (isMeantAsUtf8(bytes) ? 'utf-8' : legacyEncodingOf(reader))
  return { text: decode(bytes, encoding), encoding }
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, place) => bytes[place] === byte)

function decode(bytes: Uint8Array, encoding: TableEncoding): string {
  const hole = encoding === 'windows-1252' ? bytes.findIndex((byte) => unknown1252.includes(byte)) : -1
  const text = hole < 0 ? tryDecode(bytes, encoding) : undefined
  if (text !== undefined) return text
  // The longest beginning that can be read ends at the fault.
  let [good, bad] = [0, hole < 0 ? bytes.length : hole]
  if (hole < 0)
    while (bad - good > 1) {
      const middle = (good + bad) >> 1
      if (tryDecode(bytes.subarray(0, middle), encoding, true) === undefined) bad = middle
      else good = middle
    }
  else good = hole
  const before = tryDecode(bytes.subarray(0, good), encoding, true) ?? ''
  throw new TableFault('text', placeIn(before, before.length))
}

/** Undefined for bytes without a character; `isBeginning`: the last character may lack some of its bytes. */
function tryDecode(bytes: Uint8Array, encoding: TableEncoding, isBeginning = false): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isBeginning })
  } catch {
    return undefined
  }
}

/** Whether more bytes beyond ASCII belong to characters of UTF-8 than do not. */
function isMeantAsUtf8(bytes: Uint8Array): boolean {
  if (tryDecode(bytes, 'utf-8') !== undefined) return true
  let [fitting, others] = [0, 0]
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] as number
    const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1
    let end = at + 1
    while (end < at + length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++
    if (length > 1 && end === at + length) {
      fitting += length
      at = end
    } else {
      if (first >= 0x80) others++
      at++
    }
  }
  return fitting > others
}
