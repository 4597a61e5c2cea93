/** Limits on requests of strangers to the page. */
export const pageLimits = {
  bodyBytesMax: 4_096,
  textBytesMax: 1_024,
  /** Limit of one request for trends. */
  trendTagsMax: 8,
  /**
   * The most tags whose last hour is kept, numbers and switches, in the order of the configuration: 9.6 kB
   * each.
   */
  trendsKeptMax: 1_000,
  eventStreamsMax: 32,
  /** Limit of one visit, so that one visitor cannot lock out the people at the machine. */
  eventStreamsOfVisitMax: 8,
  /** Writes in a burst, and then per second, of one visit or of all local pages together. */
  writesBurstMax: 10,
  writesPerSecondMax: 2,
  /** Sockets of the local port. */
  connectionsMax: 128,
  headerBytesMax: 16 * 1_024,
  requestMsMax: 10_000,
} as const

export const pageTimes = {
  /** Values go out at most ten times a second. */
  gatherMs: 100,
  /**
   * With each beat a page that may only watch checks its mode, so that control given to it arrives within
   * this time.
   */
  beatMs: 5_000,
  trendStepMs: 6_000,
  /** The local address may be there only later: a cable, DHCP. */
  listenRetryMs: 10_000,
} as const

/** One hour. */
export const trendPoints = 600
