/** dBm at which each of the four bars begins to show; like phones. */
const dbmSteps = [-110, -100, -90, -80] as const
/** The unit an agent did not say: dBm is negative, a share of 100 is not. */
const percentSteps = [1, 25, 50, 75] as const

/** Bars out of four for a signal strength as machines report it: dBm, or percent. Null: not a number. */
export function signalBars(signal: string): number | null {
  const value = Number.parseFloat(signal)
  if (!Number.isFinite(value)) return null
  const steps = value < 0 ? dbmSteps : percentSteps
  return steps.filter((step) => value >= step).length
}
