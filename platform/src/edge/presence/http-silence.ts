/**
 * A machine that only sends by HTTP counts as gone after this silence, in ms, because it has no connection that could
 * end (rules/telemetry.md: presence).
 */
export const httpSilenceMsMax = 5 * 60_000
