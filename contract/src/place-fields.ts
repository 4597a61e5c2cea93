/** WGS-84 is what satellites give; maps of China are drawn in GCJ-02, those of Baidu in BD-09. */
export const coordinateSystems = ['wgs84', 'gcj02', 'bd09'] as const
export type CoordinateSystem = (typeof coordinateSystems)[number]

export const placeLimits = { searchedTextMax: 100, foundMax: 40 } as const
