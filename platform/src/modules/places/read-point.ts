import type { CoordinateSystem } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { convertPoint, type Point } from './coordinates.ts'

/** A point as a person gave it. Throws PLACE_SWAPPED, PLACE_ZERO, 400. */
export function readPoint({ lat, lng, coord }: Point & { readonly coord: CoordinateSystem }): Point {
  if (Math.abs(lat) > 90 && Math.abs(lng) <= 90)
    throw new Failure('PLACE_SWAPPED', {
      field: 'lat',
      text: {
        cn: `纬度超过 90，您要填的是纬度 ${lng}、经度 ${lat} 吗？`,
        en: `The latitude is over 90. Did you mean latitude ${lng}, longitude ${lat}?`,
      },
      data: { lat: lng, lng: lat },
    })
  if (Math.abs(lat) > 90) throw new Failure('400', { field: 'lat' })
  if (lat === 0 && lng === 0) throw new Failure('PLACE_ZERO', { field: 'lat' })
  return convertPoint({ lat, lng }, coord, 'wgs84')
}
