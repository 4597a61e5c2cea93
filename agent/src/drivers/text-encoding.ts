import { ValueMisfit } from './driver.ts'

/** The encodings of texts in controllers. */
export const textEncodings = ['latin1', 'gbk', 'utf8'] as const
export type TextEncoding = (typeof textEncodings)[number]

const decoders: Record<TextEncoding, TextDecoder> = {
  latin1: new TextDecoder('latin1'),
  gbk: new TextDecoder('gbk'),
  utf8: new TextDecoder('utf-8'),
}

/** Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  return decoders[encoding].decode(bytes)
}

/** As a person knows them. */
const encodingNames: Record<TextEncoding, string> = {
  latin1: 'latin1 (Windows-1252)',
  gbk: 'GBK',
  utf8: 'UTF-8',
}

/** Throws `ValueMisfit` for a character that the encoding does not have. */
export function encodeText(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'utf8') return Buffer.from(text, 'utf8')
  const table = encoding === 'gbk' ? gbkBytes() : latin1Bytes()
  const bytes: number[] = []
  for (const character of text) {
    const code = table.get(character)
    if (code === undefined)
      throw new ValueMisfit(`the text encoding ${encodingNames[encoding]} does not have “${character}”`)
    if (code > 0xff) bytes.push(code >> 8)
    bytes.push(code & 0xff)
  }
  return Buffer.from(bytes)
}

let latin1Table: Map<string, number> | null = null
let gbkTable: Map<string, number> | null = null

// The runtime decodes these encodings but does not encode them, so the tables are made by decoding every
// code.

function latin1Bytes(): Map<string, number> {
  if (latin1Table !== null) return latin1Table
  latin1Table = new Map()
  for (let byte = 0; byte <= 0xff; byte++) latin1Table.set(decodeText(Uint8Array.of(byte), 'latin1'), byte)
  return latin1Table
}

function gbkBytes(): Map<string, number> {
  if (gbkTable !== null) return gbkTable
  gbkTable = new Map()
  for (let byte = 0; byte < 0x80; byte++) gbkTable.set(String.fromCharCode(byte), byte)
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const character = decodeText(Uint8Array.of(lead, trail), 'gbk')
      if ([...character].length !== 1 || character === '\ufffd' || gbkTable.has(character)) continue
      gbkTable.set(character, (lead << 8) | trail)
    }
  }
  return gbkTable
}
