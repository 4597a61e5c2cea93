import { map } from '@busbar/contract'
import type { MapMachine } from './map-marks.ts'

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

/** The column and the row of a place in the squares of a level, as one number. */
function cellOf({ lng, lat }: MapMachine, level: number): number {
  const count = 2 ** level
  const clamped = Math.max(-latMax, Math.min(latMax, lat)) * (Math.PI / 180)
  const column = Math.floor(((lng + 180) / 360) * count)
  const row = Math.floor(((1 - Math.asinh(Math.tan(clamped)) / Math.PI) / 2) * count)
  const inside = (place: number) => Math.max(0, Math.min(count - 1, place))
  return inside(column) * count + inside(row)
}

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
