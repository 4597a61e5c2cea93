import type { BoardTag, MachineRef, Tile, TileType } from '@busbar/contract'
import { placeFor } from './place-tiles.ts'

/** The kinds of tiles that begin with variables. */
export const tagKinds = ['value', 'state', 'gauge', 'bar', 'trend', 'strip', 'table'] as const
export type TagKind = (typeof tagKinds)[number]
/** Tiles that show one variable: several picked variables become as many tiles. */
const singles = ['value', 'state', 'gauge'] as const
type Single = (typeof singles)[number]

export const isTagKind = (type: TileType): type is TagKind => tagKinds.some((kind) => kind === type)
export const isSingle = (type: TileType): type is Single => singles.some((kind) => kind === type)

/** Names a tile: letters and digits, other than those of every other tile. */
export const newTileId = () => crypto.randomUUID().replaceAll('-', '').slice(0, 12)

/** Tiles of a kind for variables, each in the first free place. */
export function tilesFor(type: TagKind, tags: readonly BoardTag[], tiles: readonly Tile[]): Tile[] {
  if (!isSingle(type)) return [manyTile(type, tags, tiles)]
  const made: Tile[] = []
  for (const tag of tags) made.push(singleTile(type, tag, [...tiles, ...made]))
  return made
}

const begin = (type: TileType, tiles: readonly Tile[]) => ({
  id: newTileId(),
  title: '',
  ...placeFor(tiles, type),
})

function singleTile(type: Single, tag: BoardTag, tiles: readonly Tile[]): Tile {
  const base = { ...begin(type, tiles), tag }
  return type === 'gauge' ? { ...base, type, min: null, max: null } : { ...base, type }
}

function manyTile(type: Exclude<TagKind, Single>, tags: readonly BoardTag[], tiles: readonly Tile[]): Tile {
  const base = { ...begin(type, tiles), tags: [...tags] }
  if (type === 'bar') return { ...base, type, min: null, max: null }
  return type === 'trend' ? { ...base, type, axes: 'several' } : { ...base, type }
}

/** A tile of a kind that begins without variables. */
export function plainTile(
  type: Exclude<TileType, TagKind>,
  { machine, text, tiles }: { machine: MachineRef; text: string; tiles: readonly Tile[] },
): Tile {
  const base = begin(type, tiles)
  switch (type) {
    case 'alarms':
      return { ...base, type, machines: [], level: 'info' }
    case 'picture':
      return { ...base, type, machine, tags: [] }
    case 'page':
      return { ...base, type, machine }
    case 'text':
      return { ...base, type, text }
  }
}

/** A tile of another kind with the same variables, title and place; undefined if that is not possible. */
export function changeKind(tile: Tile, type: TagKind, tags: readonly BoardTag[]): Tile | undefined {
  const [tag] = tags
  if (!tag) return undefined
  const { id, title, x, y, w, h } = tile
  const [made] = tilesFor(type, isSingle(type) ? [tag] : tags, [])
  return made && ({ ...made, id, title, x, y, w, h } as Tile)
}
