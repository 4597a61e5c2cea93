import type { BoardLayout, Tile } from '@busbar/contract'

/** The editable part of a board. */
export interface Draft {
  readonly name: string
  readonly layout: BoardLayout
}

/** A tile that two people changed to different ends; undefined: that person deleted it. */
export interface Conflict {
  readonly id: string
  readonly mine: Tile | undefined
  readonly theirs: Tile | undefined
}

export type Side = 'mine' | 'theirs'

export interface Merged {
  readonly draft: Draft
  readonly conflicts: readonly Conflict[]
}

type Place = Pick<Tile, 'x' | 'y' | 'w' | 'h'>

const placeOf = ({ x, y, w, h }: Tile): Place => ({ x, y, w, h })
const contentOf = ({ x: _x, y: _y, w: _w, h: _h, ...content }: Tile) => content

/** Whether two values are equal, whatever the order of their fields. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}

/** The value of the side that changed it; `undefined` if both sides changed it differently. */
function pick<T>(base: T, mine: T, theirs: T): { readonly value: T } | undefined {
  if (isSame(mine, theirs) || isSame(base, theirs)) return { value: mine }
  return isSame(base, mine) ? { value: theirs } : undefined
}

/**
 * Merges two changes of one state, tile by tile. Content and place of a tile are merged separately, so that
 * moving a tile, and thereby its neighbours, does not conflict with a change of a neighbour's content. A tile
 * that both changed is a conflict, which `chosen` decides; until then the person's own version is kept. For
 * name, variable and range the person's own change has priority.
 */
export function mergeDrafts(
  base: Draft,
  mine: Draft,
  theirs: Draft,
  chosen: ReadonlyMap<string, Side> = new Map(),
): Merged {
  const [was, own, other] = [base, mine, theirs].map(
    ({ layout }) => new Map(layout.tiles.map((tile) => [tile.id, tile])),
  ) as [Map<string, Tile>, Map<string, Tile>, Map<string, Tile>]
  const conflicts: Conflict[] = []
  const tiles: Tile[] = []
  for (const id of new Set([...other.keys(), ...own.keys(), ...was.keys()])) {
    const merged = mergeTile(was.get(id), own.get(id), other.get(id))
    if (merged) {
      if (merged.tile) tiles.push(merged.tile)
      continue
    }
    const conflict: Conflict = { id, mine: own.get(id), theirs: other.get(id) }
    const side = chosen.get(id)
    if (side === undefined) conflicts.push(conflict)
    const kept = side === 'theirs' ? conflict.theirs : conflict.mine
    if (kept) tiles.push(kept)
  }
  const orMine = <T>(part: (draft: Draft) => T): T =>
    (pick(part(base), part(mine), part(theirs)) ?? { value: part(mine) }).value
  return {
    draft: {
      name: orMine(({ name }) => name),
      layout: {
        variable: orMine(({ layout }) => layout.variable),
        range: orMine(({ layout }) => layout.range),
        tiles,
      },
    },
    conflicts,
  }
}

function mergeTile(
  base: Tile | undefined,
  mine: Tile | undefined,
  theirs: Tile | undefined,
): { readonly tile: Tile | undefined } | undefined {
  if (!base || !mine || !theirs) {
    const picked = pick(base, mine, theirs)
    return picked && { tile: picked.value }
  }
  const content = pick(contentOf(base), contentOf(mine), contentOf(theirs))
  const place = pick(placeOf(base), placeOf(mine), placeOf(theirs))
  return content && place && { tile: { ...content.value, ...place.value } as Tile }
}
