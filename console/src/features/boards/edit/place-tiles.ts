import { boardLimits, type Tile, type TileType } from '@busbar/contract'

type Place = Pick<Tile, 'x' | 'y' | 'w' | 'h'>

const { columns, boardRowsMax } = boardLimits

/** The size with which a tile of a kind begins. */
const sizes: Readonly<Record<TileType, { readonly w: number; readonly h: number }>> = {
  value: { w: 4, h: 3 },
  state: { w: 4, h: 2 },
  gauge: { w: 5, h: 5 },
  bar: { w: 6, h: 4 },
  trend: { w: 12, h: 7 },
  strip: { w: 12, h: 3 },
  table: { w: 8, h: 6 },
  alarms: { w: 8, h: 6 },
  picture: { w: 7, h: 5 },
  text: { w: 6, h: 3 },
  page: { w: 6, h: 3 },
}

const overlap = (a: Place, b: Place) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/** The first free place for a tile of a size, from the top left. */
export function findPlace(tiles: readonly Place[], { w, h }: { w: number; h: number }): Place {
  const bottom = Math.max(0, ...tiles.map((tile) => tile.y + tile.h))
  for (let y = 0; y < bottom; y++)
    for (let x = 0; x + w <= columns; x++) {
      const place = { x, y, w, h }
      if (!tiles.some((tile) => overlap(tile, place))) return place
    }
  return { x: 0, y: Math.min(bottom, boardRowsMax - h), w, h }
}

export const placeFor = (tiles: readonly Place[], type: TileType): Place => findPlace(tiles, sizes[type])

/** A tile moved and resized by so many columns and rows, within the board. */
export function nudge(tile: Place, by: Partial<Place>): Place {
  const w = clamp(tile.w + (by.w ?? 0), 1, columns)
  const h = clamp(tile.h + (by.h ?? 0), 1, boardRowsMax)
  return {
    w: Math.min(w, columns - tile.x),
    h: Math.min(h, boardRowsMax - tile.y),
    x: clamp(tile.x + (by.x ?? 0), 0, columns - tile.w),
    y: clamp(tile.y + (by.y ?? 0), 0, boardRowsMax - tile.h),
  }
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** The tiles with one at another place: those in its way give way downwards, one after the other. */
export function putTile<T extends Place & { readonly id: string }>(
  tiles: readonly T[],
  id: string,
  place: Place,
): T[] {
  const moved = new Map(tiles.map((tile) => [tile.id, tile.id === id ? { ...tile, ...place } : tile]))
  const waiting = [id]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const here = moved.get(next)
    if (!here) continue
    for (const other of moved.values()) {
      if (other.id === next || other.id === id || !overlap(here, other)) continue
      moved.set(other.id, { ...other, y: Math.min(here.y + here.h, boardRowsMax - other.h) })
      // At the foot of the board tiles do not move down any further.
      if (here.y + here.h + other.h <= boardRowsMax) waiting.push(other.id)
    }
  }
  return tiles.map((tile) => moved.get(tile.id) ?? tile)
}
