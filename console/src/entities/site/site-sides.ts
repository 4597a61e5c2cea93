import type { Place } from '../place/map-point.ts'
import type { Pixel, PlaceMap } from '../place/place-map.ts'

/** Of a site's mark with a state. */
const size = { width: 50, height: 30 }
/** From the place to the middle of the mark: beside a mark or a small cluster that stands there, or beside a large one. */
const offsets = [
  [0, -41],
  [0, 41],
  [53, 0],
  [-53, 0],
  [0, -49],
  [0, 49],
  [61, 0],
  [-61, 0],
] as const satisfies readonly Pixel[]

/** Where the mark stands where each side is taken. */
export const usualOffset: Pixel = offsets[0]

type Box = [Pixel, Pixel]

const overlap = ([[left, top], [right, bottom]]: Box, [[x1, y1], [x2, y2]]: Box): boolean =>
  left < x2 && right > x1 && top < y2 && bottom > y1

/**
 * The side of its place on which each site's mark covers neither a mark or cluster of machines nor another site; one
 * that is free stays.
 */
export function chooseSides(
  map: PlaceMap,
  sites: readonly (Place & { readonly id: number })[],
  before: ReadonlyMap<number, Pixel>,
): ReadonlyMap<number, Pixel> {
  const taken: Box[] = []
  const chosen = new Map<number, Pixel>()
  for (const site of sites) {
    const { x, y } = map.map.project(map.drawn(site))
    const boxAt = ([right, down]: Pixel): Box => [
      [x + right - size.width / 2, y + down - size.height / 2],
      [x + right + size.width / 2, y + down + size.height / 2],
    ]
    const isFree = (box: Box) => !taken.some((other) => overlap(box, other)) && map.isFree(box)
    const kept = before.get(site.id)
    const side = [...(kept ? [kept] : []), ...offsets].find((offset) => isFree(boxAt(offset))) ?? usualOffset
    taken.push(boxAt(side))
    chosen.set(site.id, side)
  }
  return chosen
}
