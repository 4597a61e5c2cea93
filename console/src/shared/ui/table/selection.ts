/** The selected keys after a press on one of them; with a range, also all between it and the press before. */
export function toggleKey<Key>(
  selected: ReadonlySet<Key>,
  order: readonly Key[],
  key: Key,
  anchor: Key | undefined,
  isRange: boolean,
): ReadonlySet<Key> {
  const next = new Set(selected)
  const isWanted = !selected.has(key)
  const from = isRange && anchor !== undefined ? order.indexOf(anchor) : -1
  const to = order.indexOf(key)
  const reached = from < 0 || to < 0 ? [key] : order.slice(Math.min(from, to), Math.max(from, to) + 1)
  for (const one of reached) {
    if (isWanted) next.add(one)
    else next.delete(one)
  }
  return next
}

/** All rows shown, or none if all are selected already. */
export function toggleAll<Key>(selected: ReadonlySet<Key>, order: readonly Key[]): ReadonlySet<Key> {
  return order.length > 0 && order.every((key) => selected.has(key)) ? new Set() : new Set(order)
}

export type SelectedPart = 'none' | 'some' | 'all'

export function selectedPart<Key>(selected: ReadonlySet<Key>, order: readonly Key[]): SelectedPart {
  const count = order.filter((key) => selected.has(key)).length
  return count === 0 ? 'none' : count === order.length ? 'all' : 'some'
}
