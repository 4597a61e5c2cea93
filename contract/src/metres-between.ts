/** A place on the earth, in degrees. */
interface Point {
  readonly lat: number
  readonly lng: number
}

/** The mean radius of the earth. */
export const earthRadiusM = 6_371_008.8

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The way along the earth between two places, in metres (haversine, on a sphere). */
export function metresBetween(one: Point, other: Point): number {
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const share =
    half(other.lat - one.lat) +
    Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * half(other.lng - one.lng)
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(share)))
}
