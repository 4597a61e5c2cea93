import type { alarmRules, telemetry } from '@busbar/contract'
import { formatNumber, joinUnit } from '../../shared/i18n/index.ts'
import type { Text } from '../../shared/i18n/text.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'

type Words = Pick<Text, 'alarmRules' | 'history' | 'machines'>
export type TagsById = ReadonlyMap<number, telemetry.Tag>

/** A condition with the fields of its kind, as rules and their parts have them. */
export type ConditionFields = Pick<
  alarmRules.AlarmRuleFields,
  | 'kind'
  | 'tagId'
  | 'op'
  | 'limit'
  | 'deadband'
  | 'equals'
  | 'bit'
  | 'isSet'
  | 'perSecond'
  | 'overSeconds'
  | 'isCounter'
  | 'seconds'
  | 'minutes'
  | 'rules'
>

export const spanUnits = ['s', 'min', 'h'] as const
export type SpanUnit = (typeof spanUnits)[number]
export const secondsOf: Readonly<Record<SpanUnit, number>> = { s: 1, min: 60, h: 3_600 }

/** The largest unit that gives a whole number. */
export function unitOf(seconds: number): SpanUnit {
  if (seconds > 0 && seconds % secondsOf.h === 0) return 'h'
  return seconds > 0 && seconds % secondsOf.min === 0 ? 'min' : 's'
}

/** A time in seconds, in words. */
export function sayTime(seconds: number, { history }: Pick<Text, 'history'>): string {
  const unit = unitOf(seconds)
  return history.duration[unit](formatNumber(seconds / secondsOf[unit]))
}

export const opSigns: Readonly<Record<alarmRules.RuleOp, string>> = {
  '>': '>',
  '>=': '≥',
  '<': '<',
  '<=': '≤',
}

/** A rate with the unit of time that gives a readable number. */
export function readableRate(perSecond: number): { readonly amount: number; readonly per: SpanUnit } {
  const size = Math.abs(perSecond)
  // Without the last digits, which dividing by 60 leaves behind.
  const plain = (factor: number) => Number((size * factor).toPrecision(12))
  for (const per of spanUnits) {
    const amount = plain(secondsOf[per])
    if (amount >= 0.1 && Number(amount.toFixed(3)) === amount) return { amount, per }
  }
  return { amount: plain(1), per: 's' }
}

/** A condition in one plain sentence: "Temperature > 80 °C". */
export function sayCondition(fields: ConditionFields, tags: TagsById, words: Words): string {
  const t = words.alarmRules.sentence
  const tag = fields.tagId === undefined ? undefined : tags.get(fields.tagId)
  const name = tag?.name || tag?.tag || t.unknown
  const unit = tag?.unit ?? ''
  switch (fields.kind) {
    case 'threshold':
      return t.compare(name, opSigns[fields.op ?? '>'], joinUnit(formatNumber(fields.limit ?? 0), unit))
    case 'state': {
      if (fields.bit !== undefined) return t.bit(name, String(fields.bit), fields.isSet ?? true)
      const shape = tag ?? { unit: '', scale: null }
      const { text, unit: after } = formatTagValue(fields.equals, shape, words.machines.bool)
      return t.equals(name, joinUnit(text, after))
    }
    case 'rate': {
      const { perSecond = 0, overSeconds = 0 } = fields
      const { amount, per } = readableRate(perSecond)
      const rate = `${joinUnit(formatNumber(amount), unit)}${words.alarmRules.per[per]}`
      const time = sayTime(overSeconds, words)
      if (fields.isCounter) return t.counts(name, rate, time)
      return perSecond < 0 ? t.falls(name, rate, time) : t.rises(name, rate, time)
    }
    case 'noData':
      return t.noData(name, sayTime(fields.seconds ?? 0, words))
    case 'away':
      return t.away(sayTime((fields.minutes ?? 0) * secondsOf.min, words))
    case 'all':
    case 'any': {
      const parts = (fields.rules ?? []).map((part) => {
        const said = sayCondition(part as ConditionFields, tags, words)
        return part.kind === 'all' || part.kind === 'any' ? `(${said})` : said
      })
      return parts.join(fields.kind === 'all' ? t.and : t.or)
    }
  }
}

/** A rule in one plain sentence: "Temperature > 80 °C for 30 s". */
export function sayRule(
  rule: ConditionFields & { readonly onDelay: number },
  tags: TagsById,
  words: Words,
): string {
  const said = sayCondition(rule, tags, words)
  return rule.onDelay > 0 ? words.alarmRules.sentence.lasting(said, sayTime(rule.onDelay, words)) : said
}

/** The variables that a condition names, each once. */
export function tagIdsIn({ tagId, rules }: ConditionFields): number[] {
  const own = tagId === undefined ? [] : [tagId]
  return [...new Set([...own, ...(rules ?? []).flatMap((part) => tagIdsIn(part as ConditionFields))])]
}
