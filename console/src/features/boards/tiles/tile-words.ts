import { listTileTags, type Tile } from '@busbar/contract'
import type { BoardData } from '../board-data.ts'
import type { BoardsText } from '../boards-text.ts'

/** The title of a tile, and its device if it has one. */
export function namesOf(
  tile: Tile,
  data: BoardData,
  t: BoardsText,
): { readonly title: string; readonly device: string } {
  const machines = new Set<string>()
  const names: string[] = []
  for (const ref of listTileTags(tile)) {
    const found = data.tag(ref)
    if (typeof found === 'string') continue
    names.push(found.tag.name)
    machines.add(found.machine.name)
  }
  if ('machine' in tile) {
    const machine = data.machine(tile.machine)
    if (typeof machine !== 'string') machines.add(machine.name)
  }
  const device = machines.size === 1 ? ([...machines][0] ?? '') : ''
  const [first = ''] = names
  const figure = tile.type === 'value' && tile.figure === 'rise' ? t.tile.rise(first) : first
  const own = tile.type === 'text' ? '' : tile.type === 'picture' || tile.type === 'page' ? device : figure
  const named = names.length === 1 || tile.type === 'picture' || tile.type === 'page' ? own : ''
  const title = tile.title || named || (tile.type === 'text' ? '' : t.kinds[tile.type])
  return { title, device: device === title ? '' : device }
}
