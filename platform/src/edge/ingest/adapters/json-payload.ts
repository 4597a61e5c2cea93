import { isUtf8 } from 'node:buffer'
import { refusedUplink, type Uplink } from './uplink.ts'

/** JSON longer than this is not read. */
export const jsonBytesMax = 256 * 1024

export type JsonObject = Record<string, unknown>

/** Parses a payload and hands it on when it is an object or an array. */
export function readJson(payload: Buffer, read: (json: object) => Uplink): Uplink {
  if (payload.length > jsonBytesMax)
    return refusedUplink('tooLarge', `${payload.length} bytes of JSON, at most ${jsonBytesMax}`)
  if (!isUtf8(payload)) return refusedUplink('notJson', 'not UTF-8')
  let json: unknown
  try {
    json = JSON.parse(payload.toString())
  } catch {
    return refusedUplink('notJson', 'not JSON')
  }
  if (typeof json !== 'object' || json === null) {
    return refusedUplink('unknownShape', 'JSON that is no object or array')
  }
  return read(json)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
