import { hash } from 'node:crypto'

/** Which machines a process holds, as a list was answered; `EdgeLink.peekHere` tells it as it is now. */
export function hereOf(
  ids: readonly number[],
  presence: ReadonlyMap<number, { readonly isHere: boolean }>,
): Uint8Array {
  return Uint8Array.from(ids, (id) => Number(presence.get(id)?.isHere === true))
}

/** Answers with the same digest show the same of what no row tells. */
export function digestOf(...parts: readonly (Uint8Array | Float64Array | string)[]): string {
  return parts.map((part) => hash('sha256', part)).join('')
}
