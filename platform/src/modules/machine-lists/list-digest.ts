import { hash } from 'node:crypto'

/** The machines of a list that a process held when it answered; `EdgeLink.peekHere` gives the present state. */
export function hereOf(
  ids: readonly number[],
  presence: ReadonlyMap<number, { readonly isHere: boolean }>,
): Uint8Array {
  return Uint8Array.from(ids, (id) => Number(presence.get(id)?.isHere === true))
}

/** Answers with the same digest have the same parts that are in no row. */
export function digestOf(...parts: readonly (Uint8Array | Float64Array | string)[]): string {
  return parts.map((part) => hash('sha256', part)).join('')
}
