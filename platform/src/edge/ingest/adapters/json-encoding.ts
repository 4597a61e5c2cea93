import type { TextEncoding } from '@busbar/link'
import { decodeTextStrictly, encodeText, LinkError } from '@busbar/link'

/**
 * JSON of a machine that does not send UTF-8, as UTF-8 (rules/wire.md: text encoding). Null if the payload is not a text of
 * that encoding. Decoded as a whole: in GBK the second byte of a character may be a backslash or a brace.
 */
export function toUtf8(payload: Buffer, encoding: TextEncoding): Buffer | null {
  // The reader checks UTF-8 itself.
  if (encoding === 'utf8') return payload
  const text = decodeTextStrictly(payload, encoding)
  return text === null ? null : Buffer.from(text)
}

/** JSON in the encoding of a machine; where this lacks a character, all beyond ASCII are escapes (RFC 8259, 7). */
export function encodeJson(json: string, encoding: TextEncoding): Buffer {
  try {
    return Buffer.from(encodeText(json, encoding))
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    return Buffer.from(json.replaceAll(/[^\0-\x7f]/g, escaped))
  }
}
