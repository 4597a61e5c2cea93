import type { HeldDetail } from '../machine.ts'

type TextEncoding = HeldDetail['textEncoding']

/** The head of a payload in a readable form. */
export type PayloadView =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly lines: readonly HexLine[]; readonly readable: readonly string[] }

/** Up to 16 bytes: their offset, their values, and their characters. */
export interface HexLine {
  readonly offset: string
  readonly hex: string
  readonly text: string
}

const bytesPerLine = 16
/** Shorter runs of characters may be coincidence. */
const readableMin = 4

/** Text in UTF-8 or the machine's encoding, formatted if it is JSON; else the bytes, with their readable characters. */
export function viewPayload(base64: string, encoding: TextEncoding = 'utf8'): PayloadView {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  if (bytes.length === 0) return { kind: 'none' }
  const text = decodeText(bytes, 'utf8') ?? decodeText(bytes, encoding)
  if (text !== undefined) return { kind: 'text', text: showDirection(layOut(text)) }
  return { kind: 'binary', lines: hexLines(bytes), readable: readableParts(bytes) }
}

/** Characters that turn the direction, as JSON escapes them: unseen they could make a text look like another one. */
function showDirection(text: string): string {
  return text.replace(
    /\p{Bidi_Control}/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The text that is copied. */
export function payloadText(view: PayloadView): string {
  if (view.kind === 'none') return ''
  if (view.kind === 'text') return view.text
  return view.lines
    .map(({ offset, hex, text }) => `${offset}  ${hex.padEnd(bytesPerLine * 3 - 1)}  ${text}`)
    .join('\n')
}

/** A text without control characters; the last character may be cut off. */
function decodeText(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let text: string
  try {
    text = decoder.decode(bytes, { stream: true })
  } catch {
    return undefined
  }
  return text !== '' && !/[^\P{Cc}\t\n\r]/u.test(text) ? text : undefined
}

function layOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function hexLines(bytes: Uint8Array): HexLine[] {
  const lines: HexLine[] = []
  for (let from = 0; from < bytes.length; from += bytesPerLine) {
    const part = bytes.subarray(from, from + bytesPerLine)
    lines.push({
      offset: from.toString(16).padStart(4, '0'),
      hex: Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join(' '),
      text: Array.from(part, (byte) => (isLetter(byte) ? String.fromCharCode(byte) : '·')).join(''),
    })
  }
  return lines
}

const isLetter = (byte: number): boolean => byte >= 0x20 && byte < 0x7f

/** Names and words among bytes, as Sparkplug writes them. */
function readableParts(bytes: Uint8Array): string[] {
  const parts = String.fromCharCode(...bytes).match(/[\x20-\x7e]+/g) ?? []
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part.length >= readableMin))]
}
