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

/** With all rows shown, or without them if all are selected already; rows that are not shown stay as they are. */
export function toggleAll<Key>(selected: ReadonlySet<Key>, order: readonly Key[]): ReadonlySet<Key> {
  const shown = new Set(order)
  return shown.isSubsetOf(selected) ? selected.difference(shown) : selected.union(shown)
}

export type SelectedPart = 'none' | 'some' | 'all'

export function selectedPart<Key>(selected: ReadonlySet<Key>, order: readonly Key[]): SelectedPart {
  const count = order.filter((key) => selected.has(key)).length
  return count === 0 ? 'none' : count === order.length ? 'all' : 'some'
}
