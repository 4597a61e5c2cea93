import type { PlaceAttribute, ToldCell, ToldWifi } from '@busbar/link'

/** Where a satellite receiver is. WGS-84. */
export interface Gps {
  readonly lat: number
  readonly lng: number
  /** Metres. */
  readonly accuracy: number
  /** Epoch milliseconds of the fix. */
  readonly at: number
}

export type Radio = ToldCell['radio']

/** News of a source. Parts that it does not know are absent: without any it only shows that the source answers. */
export interface Told {
  readonly gps?: Gps
  readonly cells?: readonly ToldCell[]
  readonly wifi?: readonly ToldWifi[]
}

/** Something that knows where the machine is. */
export interface PositionSource {
  /** As the configuration names it. */
  readonly name: string
  /** Tells what it knows until it fails, and rejects then; it ends when `signal` is aborted. */
  run(tell: (told: Told) => void, signal: AbortSignal): Promise<void>
}

/** The name of each part is that of the machine's attribute. */
export type ToldPart = keyof Told & PlaceAttribute

/** Whether a position can be one: receivers without a fix send 0/0. */
export function isPosition(lat: number, lng: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && !(lat === 0 && lng === 0)
}

/** A fix without an error estimate: that of a receiver with a bad view of the sky. */
export const vagueMetres = 50

/** A position to 11 cm, with an accuracy in whole metres. */
export function roundedGps({ lat, lng, accuracy, at }: Gps): Gps {
  return {
    lat: Math.round(lat * 1e6) / 1e6,
    lng: Math.round(lng * 1e6) / 1e6,
    accuracy: Math.max(1, Math.round(accuracy)),
    at: Math.round(at),
  }
}
