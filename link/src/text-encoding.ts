import { LinkError } from './link-error.ts'

/** The encodings of texts in controllers and in the messages of panels. */
export const textEncodings = ['utf8', 'gbk', 'latin1'] as const
export type TextEncoding = (typeof textEncodings)[number]

/** As a person knows them. Latin-1 is Windows-1252, as in every browser. */
export const encodingNames: Record<TextEncoding, string> = {
  utf8: 'UTF-8',
  gbk: 'GBK',
  latin1: 'Windows-1252',
}
const labels: Record<TextEncoding, string> = { utf8: 'utf-8', gbk: 'gbk', latin1: 'windows-1252' }

const lenient = decodersOf({ ignoreBOM: true })
const strict = decodersOf({ ignoreBOM: true, fatal: true })

function decodersOf(options: { ignoreBOM: boolean; fatal?: boolean }): Record<TextEncoding, TextDecoder> {
  const of = (encoding: TextEncoding) => new TextDecoder(labels[encoding], options)
  return { utf8: of('utf8'), gbk: of('gbk'), latin1: of('latin1') }
}

/** Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  return lenient[encoding].decode(bytes)
}

/** Null if the bytes are not a text of the encoding. */
export function decodeTextStrictly(bytes: Uint8Array, encoding: TextEncoding): string | null {
  try {
    return strict[encoding].decode(bytes)
  } catch {
    return null
  }
}

/** Throws `LinkError` `unsupported` for a character that the encoding does not have. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding === 'utf8') {
    if (!text.isWellFormed()) throw new LinkError('unsupported', 'the text has half a character in it')
    return new TextEncoder().encode(text)
  }
  const table = tableOf(encoding)
  const bytes: number[] = []
  for (const character of text) {
    const code = table.get(character)
    if (code === undefined)
      throw new LinkError(
        'unsupported',
        `the text encoding ${encodingNames[encoding]} does not have “${character}”`,
      )
    if (code > 0xff) bytes.push(code >> 8)
    bytes.push(code & 0xff)
  }
  return Uint8Array.from(bytes)
}

const tables = new Map<TextEncoding, ReadonlyMap<string, number>>()

/** The codes of all characters. The runtime decodes these encodings but does not encode them, so every code is decoded once. */
function tableOf(encoding: 'gbk' | 'latin1'): ReadonlyMap<string, number> {
  const known = tables.get(encoding)
  if (known !== undefined) return known
  const table = new Map<string, number>()
  const add = (...code: number[]): void => {
    const character = decodeTextStrictly(Uint8Array.from(code), encoding)
    // Some codes of GBK are for the same character; the first is its usual one.
    if (character === null || [...character].length !== 1 || table.has(character)) return
    table.set(
      character,
      code.reduce((high, low) => (high << 8) | low),
    )
  }
  for (let byte = 0; byte < (encoding === 'gbk' ? 0x80 : 0x100); byte++) add(byte)
  if (encoding === 'gbk')
    for (let lead = 0x81; lead <= 0xfe; lead++)
      for (let trail = 0x40; trail <= 0xfe; trail++) add(lead, trail)
  tables.set(encoding, table)
  return table
}
