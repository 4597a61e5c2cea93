/** Limits of sites and their plans (rules/places.md: sites). */
export const siteLimits = {
  /** Sites of a person, and of an enterprise. */
  sitesPerSpace: 500,
  siteNameMax: 30,
  addressMax: 200,
  /** Metres. */
  radiusMin: 10,
  radiusMax: 50_000,
  plansPerSite: 10,
  planNameMax: 30,
  /** Devices that one call places and takes off, together. */
  machinesPerCall: 500,
  /** Devices near a site that are suggested: the nearest ones. */
  nearbyMax: 500,
} as const
