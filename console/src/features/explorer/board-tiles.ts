import { type BoardLayout, boardLimits, type Tile } from '@busbar/contract'
import { isState } from '../../entities/history/history-series.ts'
import type { Variable } from '../../entities/history/variables.ts'

const size = { w: boardLimits.columns, trend: 9, strip: 4 } as const

/** A layout with tiles for variables under those that it has. */
export function addTiles(layout: BoardLayout, tags: readonly Variable[]): BoardLayout {
  const refs = (some: readonly Variable[]) =>
    some.map(({ machineId, wireGroup, tag }) => ({ machine: machineId, group: wireGroup, tag }))
  const states = tags.filter(isState)
  const curves = tags.filter((tag) => !isState(tag))
  const tiles: Tile[] = [...layout.tiles]
  const bottom = () => Math.max(0, ...tiles.map(({ y, h }) => y + h))
  const id = () => crypto.randomUUID().replaceAll('-', '').slice(0, 12)
  const base = (h: number) => ({ id: id(), title: '', x: 0, y: bottom(), w: size.w, h })
  if (curves.length > 0)
    tiles.push({ ...base(size.trend), type: 'trend', tags: refs(curves), axes: 'several' })
  for (let from = 0; from < states.length; from += boardLimits.tagsPerStrip)
    tiles.push({
      ...base(size.strip),
      type: 'strip',
      tags: refs(states.slice(from, from + boardLimits.tagsPerStrip)),
    })
  return { ...layout, tiles }
}
