/** The place of a tile on the grid. */
interface Placed {
  readonly x: number
  readonly y: number
}

/** Tiles as one reads them: rows from the top, each from the left. The keyboard and a phone follow it. */
export function readingOrder<T extends Placed>(tiles: readonly T[]): T[] {
  return [...tiles].sort((a, b) => a.y - b.y || a.x - b.x)
}
