import coarseLand from 'virtual:land-110m'
import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { MapColours } from './map-colours.ts'
import { worstFirst } from './map-features.ts'
import { clusterImagePrefix, ringParts } from './map-marks.ts'

/** The bundled land is too coarse to be enlarged further. */
export const bundledZoomMax = 8
/** From here on the finer land is drawn. */
export const fineLandZoom = 3

/** The names of sources and of layers; children of the map place their own layers before one of these. */
export const sources = {
  points: 'points',
  rings: 'rings',
  cities: 'cities',
  fineLand: 'fineLand',
  tiles: 'tiles',
}
export const layers = {
  sea: 'sea',
  coarseLand: 'coarseLand',
  coarseCoast: 'coarseCoast',
  fineLand: 'fineLand',
  fineCoast: 'fineCoast',
  tiles: 'tiles',
  cities: 'cities',
  rings: 'rings',
  clusters: 'clusters',
  marks: 'marks',
}

const clusterRadius = 46
const namesZoom = 6
const empty = { type: 'FeatureCollection', features: [] } as const
/** Without an address of glyphs the map draws every letter itself, with the fonts of the page. */
const font = ['Inter Variable', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans SC', 'Noto Sans CJK SC']

const countOf = (state: string): ExpressionSpecification => [
  '+',
  ['case', ['==', ['get', 'state'], state], 1, 0],
]

/** The parts of a state in a cluster's ring: at least one where it is there at all. */
const partOf = (state: string): ExpressionSpecification => [
  'to-string',
  [
    'case',
    ['>', ['get', state], 0],
    ['max', 1, ['round', ['*', ringParts, ['/', ['get', state], ['get', 'point_count']]]]],
    0,
  ],
]

const clusterImage: ExpressionSpecification = [
  'concat',
  clusterImagePrefix,
  ...worstFirst.flatMap((state, place) => (place === 0 ? [partOf(state)] : ['/', partOf(state)])),
] as ExpressionSpecification

/** The paints that follow the theme. */
export function paintsOf(colours: MapColours) {
  const fill = { 'fill-color': colours.land }
  const line = { 'line-color': colours.coast }
  return {
    [layers.sea]: { 'background-color': colours.sea },
    [layers.coarseLand]: fill,
    [layers.coarseCoast]: line,
    [layers.fineLand]: fill,
    [layers.fineCoast]: line,
    [layers.cities]: { 'text-color': colours.quiet, 'text-halo-color': colours.land },
    [layers.rings]: {
      'circle-stroke-color': ['match', ['get', 'kind'], 'chosen', colours.accent, colours.text],
    },
    [layers.clusters]: { 'text-color': colours.text },
    [layers.marks]: { 'text-color': colours.text, 'text-halo-color': colours.land },
  }
}

/** The fill and the coast of one fineness of land. */
export function landLayers(
  names: readonly [fill: string, coast: string],
  source: string,
  colours: MapColours,
): LayerSpecification[] {
  const [fill, coast] = names
  const paints = paintsOf(colours)
  return [
    {
      id: fill,
      type: 'fill',
      source,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { ...paints[fill], 'fill-antialias': false },
    },
    {
      id: coast,
      type: 'line',
      source,
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { ...paints[coast], 'line-width': 0.8 },
    },
  ] as LayerSpecification[]
}

/** Land and sea without borders, the names of cities, and the marks. */
export function styleOf(colours: MapColours, lang: 'cn' | 'en', zoomMax: number): StyleSpecification {
  const paints = paintsOf(colours)
  return {
    version: 8,
    sources: {
      coarseLand: {
        type: 'geojson',
        data: new URL(coarseLand, location.href).href,
        maxzoom: fineLandZoom + 2,
      },
      [sources.cities]: { type: 'geojson', data: empty, maxzoom: 6 },
      [sources.rings]: { type: 'geojson', data: empty },
      [sources.points]: {
        type: 'geojson',
        data: empty,
        cluster: true,
        clusterRadius,
        clusterMaxZoom: zoomMax,
        maxzoom: zoomMax + 1,
        clusterProperties: Object.fromEntries(worstFirst.map((state) => [state, countOf(state)])) as Record<
          string,
          ExpressionSpecification
        >,
      },
    },
    layers: [
      { id: layers.sea, type: 'background', paint: paints[layers.sea] },
      ...landLayers([layers.coarseLand, layers.coarseCoast], 'coarseLand', colours),
      {
        id: layers.cities,
        type: 'symbol',
        source: sources.cities,
        filter: ['>=', ['zoom'], ['get', 'zoom']],
        layout: {
          'text-field': ['get', lang],
          'text-font': font,
          'text-size': 11,
          'text-padding': 6,
          'symbol-sort-key': ['get', 'rank'],
        },
        paint: { ...paints[layers.cities], 'text-halo-width': 1.2 },
      },
      {
        id: layers.rings,
        type: 'circle',
        source: sources.rings,
        paint: {
          ...paints[layers.rings],
          'circle-radius': 12,
          'circle-color': 'rgba(0,0,0,0)',
          'circle-stroke-width': 2,
        },
      },
      {
        id: layers.clusters,
        type: 'symbol',
        source: sources.points,
        filter: ['has', 'point_count'],
        layout: {
          'icon-image': clusterImage,
          'icon-size': ['step', ['get', 'point_count'], 0.86, 100, 1, 1000, 1.16],
          'icon-allow-overlap': true,
          'text-field': ['get', 'point_count_abbreviated'],
          'text-font': font,
          'text-size': ['step', ['get', 'point_count'], 12, 1000, 13],
          'text-offset': [0, 0.45],
          'text-allow-overlap': true,
        },
        paint: paints[layers.clusters],
      },
      {
        id: layers.marks,
        type: 'symbol',
        source: sources.points,
        filter: ['!', ['has', 'point_count']],
        layout: {
          'icon-image': ['concat', 'mark/', ['get', 'state']],
          'icon-allow-overlap': true,
          'text-field': ['step', ['zoom'], '', namesZoom, ['get', 'name']],
          'text-font': font,
          'text-size': 11,
          'text-anchor': 'top',
          'text-offset': [0, 0.9],
          'text-max-width': 12,
          'text-optional': true,
        },
        paint: { ...paints[layers.marks], 'text-halo-width': 1.4 },
      },
    ],
  } as StyleSpecification
}
