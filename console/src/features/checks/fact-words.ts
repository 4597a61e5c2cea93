import { checks } from '@busbar/contract'
import { joinUnit } from '../../shared/i18n/format-number.ts'
import { formatBytes, formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { formatLasts } from '../../shared/i18n/time-span.ts'
import type { ChecksText } from './checks-text.ts'

const shortMsMax = 10_000
const clocks: readonly checks.CheckFact[] = ['browserClockMs', 'clockOffsetMs']

/** The value of a fact for a person. */
export function sayFact({ fact, value }: checks.CheckFactValue, t: ChecksText): string {
  const form: checks.CheckFactForm = checks.checkFacts[fact]
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (form === 'code') return t.codes[value] ?? String(value)
  if (typeof value === 'string') return value
  switch (form) {
    case 'instant':
      return formatExact(value)
    case 's':
      return formatLasts(value * 1_000)
    case 'bytes':
      return formatBytes(value)
    case 'ms':
      if (clocks.includes(fact)) return value < 0 ? t.behind(sayMs(-value, t)) : t.ahead(sayMs(value, t))
      return sayMs(value, t)
    default:
      return formatNumber(value)
  }
}

const sayMs = (ms: number, t: ChecksText) =>
  ms < shortMsMax ? joinUnit(formatNumber(ms, 0), t.ms) : formatLasts(ms)

/** Facts by the connection that they are about, those of the part itself first. */
export function groupFacts(
  facts: readonly checks.CheckFactValue[],
): [of: string, facts: checks.CheckFactValue[]][] {
  return [...Map.groupBy(facts, ({ of }) => of)]
}
