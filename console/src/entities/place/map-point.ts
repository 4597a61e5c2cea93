import type { DisplayState } from '../../shared/ui/data/display-state.ts'

/** A position, WGS-84. */
export interface Place {
  readonly lat: number
  readonly lng: number
}

/** A mark of the map. */
export interface MapPoint extends Place {
  readonly id: number
  readonly name: string
  readonly state: DisplayState
}

/** The part of the earth on screen; `west` is larger than `east` across the date line. */
export interface MapBounds {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Centre and zoom. */
export interface MapView extends Place {
  readonly zoom: number
}

export function isWithin({ west, south, east, north }: MapBounds, { lat, lng }: Place): boolean {
  if (lat < south || lat > north) return false
  return west <= east ? lng >= west && lng <= east : lng >= west || lng <= east
}

const decimals = { lat: 4, lng: 4, zoom: 2 }

/** `lat,lng,zoom`, as addresses have it. */
export const formatView = ({ lat, lng, zoom }: MapView): string =>
  [lat.toFixed(decimals.lat), lng.toFixed(decimals.lng), zoom.toFixed(decimals.zoom)].map(Number).join()

export function parseView(text: unknown): MapView | undefined {
  if (typeof text !== 'string' || !/^-?[\d.]+,-?[\d.]+,[\d.]+$/.test(text)) return undefined
  const [lat = Number.NaN, lng = Number.NaN, zoom = Number.NaN] = text.split(',').map(Number)
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && zoom >= 0 && zoom <= 22
  return isPlace ? { lat, lng, zoom } : undefined
}
