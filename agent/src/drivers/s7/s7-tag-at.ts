import type { ToolPlace } from '../driver-kind.ts'
import { findTagAt, type Span } from '../tag-at-span.ts'
import { parseS7Address, type S7Address } from './address.ts'
import { bytesOf } from './formats.ts'
import type { S7Connection, S7Tag } from './s7-connection.ts'

/** The tag of bits or bytes that a tool names. */
export function s7TagAt({ host, port, tags }: S7Connection, at: ToolPlace): S7Tag | null {
  if (host !== at.host || port !== at.port) return null
  const place = parseS7Address(at.place)
  if (place === null) return null
  return findTagAt(tags, spanOf(place), ({ address }) =>
    address.area === place.area && address.db === place.db ? spanOf(address) : null,
  )
}

function spanOf({ start, bit, format }: S7Address): Span {
  if (bit !== null) return { start: 8 * start + bit, end: 8 * start + bit + 1 }
  return { start: 8 * start, end: 8 * (start + bytesOf(format)) }
}
