/** A part of the earth in degrees; `west` is beyond `east` over the date line. */
export interface MapArea {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

const halfTurn = 180
const turn = 360

/** A longitude as the database has it. */
function wrap(lng: number): number {
  const within = ((((lng + halfTurn) % turn) + turn) % turn) - halfTurn
  // The date line itself is an edge of both sides.
  return within === -halfTurn && lng > 0 ? halfTurn : within
}

/**
 * Reads a bbox that the contract allows. A map that was turned around the earth names degrees beyond 180, and one that
 * shows the earth twice all of it; south and north may be in either order.
 */
export function parseArea(bbox: string): MapArea {
  const [west = 0, first = 0, east = 0, second = 0] = bbox.split(',').map(Number)
  const [south, north] = [Math.min(first, second), Math.max(first, second)]
  if (east - west >= turn) return { west: -halfTurn, south, east: halfTurn, north }
  return { west: wrap(west), south, east: wrap(east), north }
}

export function isInArea(
  { west, south, east, north }: MapArea,
  { lat, lng }: { lat: number; lng: number },
): boolean {
  if (lat < south || lat > north) return false
  return west <= east ? lng >= west && lng <= east : lng >= west || lng <= east
}
