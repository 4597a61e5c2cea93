import { z } from 'zod'
import { alarmLimits } from './alarm-limits.ts'
import { id, linesText, shortText } from './fields.ts'
import { alarmLevels } from './machines.ts'

/** The kinds of rules: of one variable, of the device’s connection, and combinations of others (rules/alarms.md: rules). */
export const ruleKinds = ['threshold', 'state', 'rate', 'noData', 'away', 'all', 'any'] as const
export type RuleKind = (typeof ruleKinds)[number]

/** The comparison of a value with the limit of a threshold. */
export const ruleOps = ['>', '>=', '<', '<='] as const
export type RuleOp = (typeof ruleOps)[number]

const amount = z.number().min(-1e15).max(1e15)
const delay = z.int().min(0).max(alarmLimits.alarmRuleDelayMaxS).default(0)

/** The fields of a condition; which of them it has is a question of its kind. */
const conditionFields = {
  kind: z.enum(ruleKinds),
  tagId: id.optional().describe('The variable; a combination has none of its own, and `away` none at all'),
  op: z.enum(ruleOps).optional().describe('threshold: how the value is compared with `limit`'),
  limit: amount.optional().describe('threshold: the limit'),
  deadband: amount
    .min(0)
    .optional()
    .describe('threshold: how far the value has to come back behind the limit'),
  equals: z
    .union([amount, z.boolean(), z.string().max(100)])
    .optional()
    .describe('state: the value that is meant'),
  bit: z.int().min(0).max(63).optional().describe('state: the bit of a whole number that is meant'),
  isSet: z.boolean().optional().describe('state: whether that bit is set; true by default'),
  perSecond: amount.optional().describe('rate: by how much a second it rises at least; less than 0: falls'),
  overSeconds: z
    .int()
    .min(1)
    .max(alarmLimits.alarmRuleRateMaxS)
    .optional()
    .describe('rate: the time over which it is measured'),
  isCounter: z
    .boolean()
    .optional()
    .describe('rate: the variable is a counter, whose rise is measured: one that starts again goes on'),
  seconds: z
    .int()
    .min(alarmLimits.alarmRuleSilenceMinS)
    .max(alarmLimits.alarmRuleSilenceMaxS)
    .optional()
    .describe('noData: how long no value came'),
  minutes: z
    .int()
    .min(1)
    .max(alarmLimits.alarmRuleAwayMaxMinutes)
    .optional()
    .describe('away: how long the device has been offline; only a rule as a whole, no part of a combination'),
}

type Fields = z.output<z.ZodObject<typeof conditionFields>> & {
  readonly rules?: readonly Fields[] | undefined
}

/** The condition of a rule, by its kind. */
export type RuleCondition =
  | {
      readonly kind: 'threshold'
      readonly tagId: number
      readonly op: RuleOp
      readonly limit: number
      readonly deadband: number
    }
  | { readonly kind: 'state'; readonly tagId: number; readonly equals: boolean | number | string }
  | { readonly kind: 'state'; readonly tagId: number; readonly bit: number; readonly isSet: boolean }
  | {
      readonly kind: 'rate'
      readonly tagId: number
      readonly perSecond: number
      readonly overSeconds: number
      readonly isCounter?: true
    }
  | { readonly kind: 'noData'; readonly tagId: number; readonly seconds: number }
  | { readonly kind: 'away'; readonly minutes: number }
  | { readonly kind: 'all' | 'any'; readonly rules: readonly RuleCondition[] }

/** The field of a condition that is missing, or invalid for its kind. */
export interface WrongField {
  readonly path: readonly (string | number)[]
}

/** Reads the condition from the flat fields of a request. */
function readCondition(fields: Fields, depth = 0): RuleCondition | WrongField {
  const { kind, tagId, rules } = fields
  if (kind === 'all' || kind === 'any') {
    if (!rules || rules.length < 2 || depth >= alarmLimits.alarmRuleNesting) return { path: ['rules'] }
    const parts: RuleCondition[] = []
    for (const [place, rule] of rules.entries()) {
      const part = readCondition(rule, depth + 1)
      if ('path' in part) return { path: ['rules', place, ...part.path] }
      parts.push(part)
    }
    return { kind, rules: parts }
  }
  if (kind === 'away') {
    const { minutes } = fields
    // The values of a device that is away are not known: nothing can be combined with it.
    if (depth > 0) return { path: ['kind'] }
    return minutes === undefined ? { path: ['minutes'] } : { kind, minutes }
  }
  if (tagId === undefined) return { path: ['tagId'] }
  switch (kind) {
    case 'threshold': {
      const { op, limit, deadband = 0 } = fields
      if (op === undefined) return { path: ['op'] }
      return limit === undefined ? { path: ['limit'] } : { kind, tagId, op, limit, deadband }
    }
    case 'state': {
      const { equals, bit, isSet = true } = fields
      if (bit !== undefined) return equals === undefined ? { kind, tagId, bit, isSet } : { path: ['equals'] }
      return equals === undefined ? { path: ['equals'] } : { kind, tagId, equals }
    }
    case 'rate': {
      const { perSecond, overSeconds, isCounter } = fields
      // A counter never falls.
      if (!perSecond || (isCounter && perSecond < 0)) return { path: ['perSecond'] }
      if (overSeconds === undefined) return { path: ['overSeconds'] }
      return { kind, tagId, perSecond, overSeconds, ...(isCounter && { isCounter }) }
    }
    case 'noData': {
      const { seconds } = fields
      return seconds === undefined ? { path: ['seconds'] } : { kind, tagId, seconds }
    }
  }
}

const listOf = (part: z.ZodType<Fields>) => z.array(part).max(alarmLimits.alarmRuleParts).optional()
const leaf: z.ZodType<Fields> = z.object(conditionFields)
const group: z.ZodType<Fields> = z.object({
  ...conditionFields,
  rules: listOf(leaf).describe('all, any: the parts'),
})

const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { message: 'clock' })

/** When a rule may raise an alarm. */
export const activeHours = z.object({
  days: z
    .array(z.int().min(1).max(7))
    .min(1)
    .max(7)
    .describe('1 Monday to 7 Sunday: the days on which the time begins'),
  from: clock.describe('HH:MM in the time zone of the device'),
  to: clock.describe('HH:MM; not after `from`: on the next day'),
})
export type ActiveHours = z.output<typeof activeHours>

const ruleText = shortText(0, alarmLimits.alarmRuleTextMax)

/** The texts of a rule; an empty one is that of the other language. */
const ruleTexts = z.object({ cn: ruleText, en: ruleText }).superRefine(({ cn, en }, context) => {
  if ((cn + en).trim() !== '') return
  for (const lang of ['cn', 'en']) context.addIssue({ code: 'custom', path: [lang], message: 'required' })
})

/** The fields of a rule, beside the machine. */
export const ruleFields = {
  ...conditionFields,
  rules: listOf(group).describe('all, any: the parts'),
  level: z.enum(alarmLevels),
  onDelay: delay.describe('Seconds that the condition has to last until the alarm is raised'),
  offDelay: delay.describe('Seconds that the condition has to be over until the alarm is cleared'),
  text: ruleTexts.describe('May name {value}, {limit}, {unit} and {tag}; one language is enough'),
  instruction: linesText(alarmLimits.alarmRuleInstructionMax)
    .optional()
    .describe('Instructions for the people who get the alarm'),
  activeHours: activeHours.optional().describe('Without it the rule is always active'),
}

/** Adds the rule that a condition has the fields of its kind. */
export function withCondition<Request extends z.ZodObject>(request: Request): Request {
  return request.superRefine((fields, context) => {
    const condition = readCondition(fields as unknown as Fields)
    if ('path' in condition)
      context.addIssue({ code: 'custom', path: [...condition.path], message: 'required' })
  })
}

/** A rule as requests and answers have it, without the machine. */
export const alarmRule = withCondition(z.object(ruleFields))
export type AlarmRuleFields = z.output<typeof alarmRule>

/** The condition of fields that were checked. */
export function conditionOf(fields: AlarmRuleFields): RuleCondition {
  const condition = readCondition(fields)
  if ('path' in condition) throw new Error(`The rule lacks ${condition.path.join('.')}.`)
  return condition
}

/** The variables of a condition, in the order in which it names them. */
export function tagIdsOf(condition: RuleCondition): number[] {
  if ('rules' in condition) return condition.rules.flatMap(tagIdsOf)
  return 'tagId' in condition ? [condition.tagId] : []
}
