import { projectLimits } from '@busbar/contract'

const secondsOfMonth = 30 * 86_400

/** The intervals to choose from, in seconds; 0: each change. */
const offered = [0, 1, 5, 10, 30, 60, 300, 900, 1_800, projectLimits.everySMax]

/** The intervals to choose from, with one that was set otherwise. */
export function intervalsWith(everyS: number): readonly number[] {
  return [...new Set([...offered, everyS])].sort((a, b) => a - b)
}

/** The rows that a device makes for each destination in a month of 30 days. */
export const rowsOfMonth = (everyS: number): number => Math.floor(secondsOfMonth / everyS)
