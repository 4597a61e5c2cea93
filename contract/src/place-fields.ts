/** WGS-84 is what satellites give; maps of China are drawn in GCJ-02, those of Baidu in BD-09. */
export const coordinateSystems = ['wgs84', 'gcj02', 'bd09'] as const
export type CoordinateSystem = (typeof coordinateSystems)[number]

/** How a machine's place is chosen, and who or which way found it. */
export const placeTypes = { auto: 1, manual: 2, search: 3 } as const
export const placeWays = { gps: 1, wifi: 2, baseStation: 3, ip: 4 } as const
export const placeSources = ['manual', 'search', 'gps', 'wifi', 'cells', 'ip'] as const
export type PlaceSource = (typeof placeSources)[number]

export const placeLimits = { searchedTextMax: 100, foundMax: 40 } as const
