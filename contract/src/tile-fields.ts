/** `pmtiles`: a file in the platform’s own folder. */
export const tileKinds = ['xyz', 'wmts', 'pmtiles'] as const
export type TileKind = (typeof tileKinds)[number]

/** The coordinate systems that maps are drawn in. */
export const tileSystems = ['wgs84', 'gcj02'] as const
export type TileSystem = (typeof tileSystems)[number]

/** Why a tile could not be had; each has a sentence on screens. */
export const tileFaults = [
  'addressRefused',
  'nameUnknown',
  'refused',
  'timeout',
  'tls',
  'reset',
  'answerTooLarge',
  'redirect',
  'protocol',
  'status',
  'notPicture',
  'key',
  'file',
] as const
export type TileFault = (typeof tileFaults)[number]

export const tileLimits = {
  sourcesPerBrand: 5,
  nameMax: 20,
  urlMax: 500,
  keyMax: 200,
  attributionMax: 100,
  reviewNumberMax: 40,
  zoomMax: 22,
  tileBytesMax: 524_288,
} as const
