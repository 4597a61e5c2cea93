import type { machines } from '@busbar/contract'
import { formatNumber } from '../../shared/i18n/index.ts'
import type { RuleLimit } from '../../shared/ui/data/trend-line.ts'
import { isUpper } from './rule-input.ts'
import type { AlarmRule } from './rule-queries.ts'
import { type ConditionFields, opSigns } from './rule-words.ts'

const tones = { critical: 'crit', major: 'crit', minor: 'warn', info: 'off' } as const

/** The limits that a condition sets for its variables, also in its parts. */
export function conditionLimits(
  fields: ConditionFields,
  level: machines.AlarmLevel,
): { readonly tagId: number; readonly limit: RuleLimit }[] {
  const { kind, tagId, op, limit, deadband = 0, rules = [] } = fields
  if (kind === 'all' || kind === 'any')
    return rules.flatMap((part) => conditionLimits(part as ConditionFields, level))
  if (kind !== 'threshold' || tagId === undefined || op === undefined || limit === undefined) return []
  const back = isUpper(op) ? limit - deadband : limit + deadband
  const label = `${opSigns[op]} ${formatNumber(limit)}`
  return [{ tagId, limit: { at: limit, back, tone: tones[level], label } }]
}

export type LimitsByTag = ReadonlyMap<number, readonly RuleLimit[]>

/** The limits of a machine's rules, by variable. */
export function limitsByTag(rules: readonly AlarmRule[]): LimitsByTag {
  const all = rules.flatMap((rule) => conditionLimits(rule, rule.level))
  const byTag = Map.groupBy(all, ({ tagId }) => tagId)
  return new Map([...byTag].map(([tagId, limits]) => [tagId, limits.map(({ limit }) => limit)]))
}
