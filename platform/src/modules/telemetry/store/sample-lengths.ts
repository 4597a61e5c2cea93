import { limits } from '@busbar/contract'

/** Retention of samples and their averages, in days. */
export interface Kept {
  readonly rawDays: number
  readonly minuteDays: number
  readonly hourDays: number
}

/**
 * The retention of machines whose space has no other, and of those without an owner (rules/telemetry.md: retention).
 */
export const keptDays: Kept = { rawDays: limits.retentionRawDaysUsual, minuteDays: 365, hourDays: 1_825 }

/** The lengths that hold at an instant. */
export interface LengthsInEffect {
  /** The retentions of spaces that differ from `keptDays`; empty if there are none. */
  readonly own: readonly Kept[]
  /** Answers the lengths of each of these machines. */
  ofMachines(machineIds: readonly number[]): Promise<(machineId: number) => Kept>
}

/** The retention of the samples of machines. */
export interface SampleLengths {
  read(now: number): Promise<LengthsInEffect>
}

/** Every machine's samples are kept equally long. */
export const usualLengths: SampleLengths = {
  read: async () => ({ own: [], ofMachines: async () => () => keptDays }),
}

/** The longest of each. */
export function longestOf(all: readonly Kept[]): Kept {
  const longest = (days: (kept: Kept) => number) => Math.max(...all.map(days))
  return {
    rawDays: longest(({ rawDays }) => rawDays),
    minuteDays: longest(({ minuteDays }) => minuteDays),
    hourDays: longest(({ hourDays }) => hourDays),
  }
}
