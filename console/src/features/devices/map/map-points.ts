import type { Machine } from '../../../entities/machine/machine.ts'
import { displayState } from '../../../entities/machine/machine-state.ts'
import type { MapPoint, Place } from '../../../entities/place/map-point.ts'

/** The place of a machine; undefined if it has none, or none that the caller may know. */
export const placeOf = ({ lat, lng }: Machine): Place | undefined =>
  lat === null || lng === null ? undefined : { lat, lng }

const points = new WeakMap<Machine, MapPoint>()

/** The marks of machines; one that did not change is the same object. */
export function pointsOf(machines: readonly Machine[]): MapPoint[] {
  return machines.flatMap((machine) => {
    const place = placeOf(machine)
    if (!place) return []
    let point = points.get(machine)
    if (!point) {
      const { id, name } = machine
      point = { id, name, state: displayState(machine), ...place }
      points.set(machine, point)
    }
    return point
  })
}

const worryOf = { alarm: 0, warning: 1 } as const

/** The machines in alarm that the map can show, the worst first; then the order of the list. */
export const inAlarm = (machines: readonly Machine[]): Machine[] =>
  machines
    .flatMap((machine) => {
      const state = displayState(machine)
      return placeOf(machine) && (state === 'alarm' || state === 'warning')
        ? [{ machine, worry: worryOf[state] }]
        : []
    })
    .sort((a, b) => a.worry - b.worry)
    .map(({ machine }) => machine)
