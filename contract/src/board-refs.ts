import type { BoardLayout, BoardTag, MachineRef, Tile, TileType } from './board-layout.ts'

/** The kinds of tiles, in the order in which they are offered. */
export const tileTypes = [
  'value',
  'state',
  'gauge',
  'bar',
  'trend',
  'strip',
  'table',
  'alarms',
  'picture',
  'text',
  'page',
] as const satisfies readonly TileType[]

/** The variables that a tile shows. */
export function listTileTags(one: Tile): readonly BoardTag[] {
  if ('tag' in one) return [one.tag]
  return 'tags' in one ? one.tags : []
}

/** The devices that a tile names, each once. */
export function listTileMachines(one: Tile): MachineRef[] {
  const named: MachineRef[] = listTileTags(one).map(({ machine }) => machine)
  if ('machine' in one) named.push(one.machine)
  if ('machines' in one) named.push(...one.machines)
  return [...new Set(named)]
}

/** The devices that a layout names, each once. */
export function listMachineRefs({ tiles }: { readonly tiles: readonly Tile[] }): MachineRef[] {
  return [...new Set(tiles.flatMap(listTileMachines))]
}

/** The same tile with other devices. */
export function mapTile(one: Tile, map: (machine: MachineRef) => MachineRef): Tile {
  const ofTag = (tag: BoardTag): BoardTag => ({ ...tag, machine: map(tag.machine) })
  switch (one.type) {
    case 'value':
    case 'state':
    case 'gauge':
      return { ...one, tag: ofTag(one.tag) }
    case 'bar':
    case 'trend':
    case 'strip':
    case 'table':
      return { ...one, tags: one.tags.map(ofTag) }
    case 'alarms':
      return { ...one, machines: one.machines.map(map) }
    case 'picture':
      return { ...one, machine: map(one.machine), tags: one.tags.map(ofTag) }
    case 'page':
      return { ...one, machine: map(one.machine) }
    case 'text':
      return one
  }
}

/** The same layout with other devices. */
export function mapMachines(layout: BoardLayout, map: (machine: MachineRef) => MachineRef): BoardLayout {
  return { ...layout, tiles: layout.tiles.map((one) => mapTile(one, map)) }
}
