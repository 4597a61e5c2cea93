/** A row the virtualizer wants drawn. */
interface Drawable {
  readonly key: unknown
  readonly index: number
}

/** New rows a frame: as many as a slow machine draws well within 50 ms. A far jump fills the view in two or three frames. */
export const newRowsPerFrame = 10

/**
 * The rows to draw in this frame: all that stand already, and as many new ones as may be added, those that are seen
 * before those beyond the edges. They keep their order.
 */
export function rowsOfFrame<Item extends Drawable>(
  items: readonly Item[],
  standing: ReadonlySet<unknown>,
  seen: { readonly startIndex: number; readonly endIndex: number } | null,
): readonly Item[] {
  const fresh = items.filter((item) => !standing.has(item.key))
  if (fresh.length <= newRowsPerFrame) return items
  const isSeen = ({ index }: Item) => seen !== null && index >= seen.startIndex && index <= seen.endIndex
  const added = new Set(
    [...fresh.filter(isSeen), ...fresh.filter((item) => !isSeen(item))].slice(0, newRowsPerFrame),
  )
  return items.filter((item) => standing.has(item.key) || added.has(item))
}
