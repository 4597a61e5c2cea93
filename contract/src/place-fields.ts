/** WGS-84 is what satellites give; maps of China are drawn in GCJ-02, those of Baidu in BD-09. */
export const coordinateSystems = ['wgs84', 'gcj02', 'bd09'] as const
export type CoordinateSystem = (typeof coordinateSystems)[number]

/** How a machine's place is chosen, and who or which way found it. */
export const placeTypes = { auto: 1, manual: 2, search: 3 } as const
/** Of a machine that nobody placed: the first fix puts it on the map. */
export const firstPlaceType = placeTypes.auto
export const placeWays = { gps: 1, wifi: 2, baseStation: 3, ip: 4 } as const
export const placeSources = ['manual', 'search', 'gps', 'wifi', 'cells', 'ip'] as const
export type PlaceSource = (typeof placeSources)[number]

/** Why a place that a machine told is not believed. */
export const implausibleReasons = ['range', 'zero', 'future', 'jump'] as const
export type ImplausibleReason = (typeof implausibleReasons)[number]

/** Why a place that was found is known no better. */
export const coarseReasons = [
  /** The satellites are weak where the machine stands. */
  'weakSatellites',
  /** It is that of access points. */
  'accessPoints',
  /** It is that of a base station, though the machine hears access points. */
  'accessPointsUnknown',
  /** It is that of a base station: the machine tells no access points. */
  'baseStations',
  /** It is that of the network address: the machine tells nothing else. */
  'networkAddress',
  /** It is that of the network address: no provider takes what the machine tells. */
  'noProvider',
  /** It is that of the network address: the providers do not know what the machine tells. */
  'signalsUnknown',
] as const
export type CoarseReason = (typeof coarseReasons)[number]

export const placeLimits = {
  searchedTextMax: 100,
  foundMax: 40,
  refreshesPerDay: 5,
  historyRowsMax: 2_000,
  movedAfterMMin: 100,
  movedAfterMMax: 100_000,
  movedAfterMDefault: 500,
} as const
