import { isUtf8 } from 'node:buffer'
import { noteLost } from './lost-in-json.ts'
import { refusedUplink, type Uplink } from './uplink.ts'

/** JSON longer than this is not read. */
const jsonBytesMax = 256 * 1024

export type JsonObject = Record<string, unknown>
export type Scalar = string | number | boolean | null

/** Parses a payload and hands it on when it is an object or an array. */
export function readJson(payload: Buffer, read: (json: object) => Uplink): Uplink {
  if (payload.length > jsonBytesMax)
    return refusedUplink('tooLarge', `${payload.length} bytes of JSON, at most ${jsonBytesMax}`)
  if (!isUtf8(payload))
    return refusedUplink('notJson', 'not UTF-8; if the machine sends GBK, set its text encoding')
  const json = parse(payload.toString())
  if (json === undefined) return refusedUplink('notJson', 'not JSON')
  if (typeof json !== 'object' || json === null) {
    return refusedUplink('unknownShape', 'JSON that is no object or array')
  }
  return noteLost(payload, json, read(json))
}

/** Undefined if it cannot be parsed. A byte order mark is passed over (RFC 8259, 8.1). */
function parse(given: string): unknown {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given
  try {
    return JSON.parse(text)
  } catch {
    if (!/nan|inf/i.test(text)) return undefined
  }
  try {
    return JSON.parse(quoteNoNumbers(text))
  } catch {
    return undefined
  }
}

const noNumberPattern = /[-+]?(?:nan|inf(?:inity)?)(?!\w)/iy

/** Writes bare words that stand for no number, as many languages print them, as texts: they are bad values then. */
function quoteNoNumbers(text: string): string {
  const parts: string[] = []
  let from = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (isText && letter === '\\') at++
    else if (letter === '"') isText = !isText
    if (isText) continue
    noNumberPattern.lastIndex = at
    const [word] = noNumberPattern.exec(text) ?? []
    if (word === undefined) continue
    parts.push(text.slice(from, at), `"${word}"`)
    from = at + word.length
    at = from - 1
  }
  return parts.join('') + text.slice(from)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null
