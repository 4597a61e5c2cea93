import { map } from '@busbar/contract'

/** A machine on the map: the place of its state in `mapStates`, and its worst alarm level. */
export interface MapMachine extends Square {
  readonly id: number
  readonly lng: number
  readonly lat: number
  readonly state: number
  readonly level: number
}

/** Longitude and latitude of the middle of its machines, and their number by state. */
export type MapCell = [
  lng: number,
  lat: number,
  offline: number,
  online: number,
  warning: number,
  alarm: number,
]

/** Cells are so many zooms finer than the map: a tile of the map has 64 of them. */
const finerZooms = 3
const levelMax = 22
/** Beyond it the projection of maps ends. */
const latMax = 85.051_128_779_806_6

/** A square of the finest level of the map's projection. */
export interface Square {
  readonly column: number
  readonly row: number
}

export function squareOf({ lng, lat }: { readonly lng: number; readonly lat: number }): Square {
  const count = 2 ** levelMax
  const clamped = Math.max(-latMax, Math.min(latMax, lat)) * (Math.PI / 180)
  const inside = (place: number) => Math.max(0, Math.min(count - 1, Math.floor(place)))
  return {
    column: inside(((lng + 180) / 360) * count),
    row: inside(((1 - Math.asinh(Math.tan(clamped)) / Math.PI) / 2) * count),
  }
}

/** The square of a level around a square, as one number. */
const cellOf = ({ column, row }: Square, level: number): number =>
  (column >> (levelMax - level)) * 2 ** level + (row >> (levelMax - level))

/** Counts machines by cell and state; the cells are larger where there would be more of them than points of an answer. */
export function countCells(machines: readonly MapMachine[], zoom: number): MapCell[] {
  for (let level = Math.min(Math.floor(zoom) + finerZooms, levelMax); ; level--) {
    const cells = countAt(machines, level)
    if (cells) return cells
  }
}

/** Undefined where there are too many. */
function countAt(machines: readonly MapMachine[], level: number): MapCell[] | undefined {
  const cells = new Map<number, MapCell>()
  for (const machine of machines) {
    const key = cellOf(machine, level)
    const cell = cells.get(key)
    const counted = cell ?? [0, 0, 0, 0, 0, 0]
    if (!cell) {
      if (cells.size >= map.mapPointsMax) return undefined
      cells.set(key, counted)
    }
    counted[0] += machine.lng
    counted[1] += machine.lat
    // The first state is behind the place.
    counted[2 + machine.state] = (counted[2 + machine.state] ?? 0) + 1
  }
  return [...cells.values()].map(([lng, lat, ...counts]) => {
    const count = counts.reduce((sum, each) => sum + each, 0)
    return [round(lng / count), round(lat / count), ...counts]
  })
}

/** A tenth of a metre. */
export const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6
