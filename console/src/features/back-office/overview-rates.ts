import type { AnswerOf, operator } from '@busbar/contract'

type Overview = AnswerOf<typeof operator.getOverview>

/** Rates per second, from counters that begin at the platform's start. */
export interface OverviewRates {
  readonly messages: number
  readonly samples: number
}

export type MeasuredOverview = Overview & { readonly rates?: OverviewRates }

/**
 * The overview with its rates since the previous answer; undefined rates until there were two answers of one
 * run.
 */
export function withRates(data: Overview, before: MeasuredOverview | undefined): MeasuredOverview {
  if (!before || before.startedAt !== data.startedAt) return data
  const seconds = (data.at - before.at) / 1_000
  // Two answers at the same instant give no rate.
  if (seconds <= 0) return { ...data, ...(before.rates && { rates: before.rates }) }
  const rateOf = (name: keyof OverviewRates) => Math.max(0, data.load[name] - before.load[name]) / seconds
  return { ...data, rates: { messages: rateOf('messages'), samples: rateOf('samples') } }
}
