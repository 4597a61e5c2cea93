import type { GeoJSONSourceDiff } from 'maplibre-gl'
import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import type { MapPoint, Place } from './map-point.ts'

/** The states by how much they ask for somebody: the first that a cluster holds gives it its shape and colour. */
export const worstFirst: readonly DisplayState[] = ['alarm', 'warning', 'offline', 'service', 'online']

/** Where a place is drawn: in the coordinate system of the map below. */
export type Drawn = (place: Place) => [lng: number, lat: number]

const propertiesOf = ({ id, name, state }: MapPoint) => ({ id, name, state })

export function featureOf(point: MapPoint, drawn: Drawn): GeoJSON.Feature<GeoJSON.Point> {
  return {
    type: 'Feature',
    id: point.id,
    properties: propertiesOf(point),
    geometry: { type: 'Point', coordinates: drawn(point) },
  }
}

export const featuresOf = (points: Iterable<MapPoint>, drawn: Drawn): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: [...points].map((point) => featureOf(point, drawn)),
})

/** The changes of the map; undefined if nothing changed. */
export function diffPoints(
  before: ReadonlyMap<number, MapPoint>,
  after: ReadonlyMap<number, MapPoint>,
  drawn: Drawn,
): GeoJSONSourceDiff | undefined {
  const add: GeoJSON.Feature[] = []
  const update: NonNullable<GeoJSONSourceDiff['update']> = []
  const remove = [...before.keys()].filter((id) => !after.has(id))
  for (const [id, point] of after) {
    const known = before.get(id)
    if (known === point) continue
    if (!known) {
      add.push(featureOf(point, drawn))
      continue
    }
    const hasMoved = known.lat !== point.lat || known.lng !== point.lng
    const properties = Object.entries(propertiesOf(point)).filter(
      ([key, value]) => known[key as keyof MapPoint] !== value,
    )
    if (!hasMoved && properties.length === 0) continue
    update.push({
      id,
      ...(hasMoved && { newGeometry: { type: 'Point', coordinates: drawn(point) } }),
      addOrUpdateProperties: properties.map(([key, value]) => ({ key, value })),
    })
  }
  return add.length + update.length + remove.length > 0 ? { add, update, remove } : undefined
}
