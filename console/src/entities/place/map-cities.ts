import file from './cities.gen.txt?url'
import type { Place } from './map-point.ts'

/** A city that the map names. */
export interface MapCity extends Place {
  readonly en: string
  readonly cn: string
  /** Two letters of ISO 3166-1, or for China its province in both languages. */
  readonly region: string | { readonly cn: string; readonly en: string }
}

let reading: Promise<readonly MapCity[]> | undefined

/** The cities of the build, the most important first; they are read once, and again after a failure. */
export function readCities(): Promise<readonly MapCity[]> {
  reading ??= fetch(file)
    .then((answer) => {
      if (!answer.ok) throw new Error(`the cities of the map were answered with ${answer.status}`)
      return answer.text()
    })
    .then((text) => text.trimEnd().split('\n').map(parseCity))
    .catch((error) => {
      reading = undefined
      throw error
    })
  return reading
}

function parseCity(line: string): MapCity {
  const [lng, lat, en = '', cn = '', region = ''] = line.split('\t')
  const [inChinese = '', inEnglish] = region.split('/')
  const place = { lng: Number(lng), lat: Number(lat) }
  // A gateway that answers with a page of its own says 200 too.
  if (!(Number.isFinite(place.lng) && Number.isFinite(place.lat) && en))
    throw new Error('the answer is no list of cities')
  return {
    ...place,
    en,
    cn,
    region: inEnglish === undefined ? region : { cn: inChinese, en: inEnglish },
  }
}

/** How many of the most important cities are named from a zoom on. */
const shownFrom = [
  { zoom: 1, count: 24 },
  { zoom: 2, count: 60 },
  { zoom: 3, count: 150 },
  { zoom: 4, count: 350 },
  { zoom: 5, count: 700 },
]
const lastZoom = 6

export const cityFeatures = (cities: readonly MapCity[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: cities.map(({ lng, lat, en, cn }, rank) => ({
    type: 'Feature',
    properties: { en, cn, rank, zoom: shownFrom.find(({ count }) => rank < count)?.zoom ?? lastZoom },
    geometry: { type: 'Point', coordinates: [lng, lat] },
  })),
})
