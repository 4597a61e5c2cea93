import { alarmLimits, type alarmRules, type machines, type telemetry, textWidth } from '@busbar/contract'
import { formatNumber } from '../../shared/i18n/index.ts'
import { firstRuleTexts, type RuleOccasion } from '../../shared/i18n/rule-texts.ts'
import type { Text } from '../../shared/i18n/text.ts'
import { parseNumber } from '../../shared/ui/number-field/number-text.ts'
import {
  type ConditionFields,
  readableRate,
  type SpanUnit,
  secondsOf,
  type TagsById,
  unitOf,
} from './rule-words.ts'

/** A typed time. */
export type SpanInput = { readonly amount: string; readonly unit: SpanUnit }

/** A condition as typed: fields of other kinds stay, so that trying another kind loses no input. */
export type ConditionInput = {
  readonly kind: alarmRules.RuleKind
  readonly tagId: number | null
  readonly op: alarmRules.RuleOp
  readonly limit: string
  readonly deadband: string
  readonly test: 'value' | 'bit'
  readonly equals: string
  readonly bit: string
  readonly isSet: boolean
  /** `count`: the rise of a counter. */
  readonly direction: 'up' | 'down' | 'count'
  readonly perSecond: string
  readonly per: SpanUnit
  readonly overSeconds: SpanInput
  readonly seconds: SpanInput
  readonly minutes: SpanInput
  readonly rules: readonly PartInput[]
}

/** One of several conditions; `key` tells it from the others while it is edited. */
export type PartInput = ConditionInput & { readonly key: number }

export type RuleInput = ConditionInput & {
  readonly level: machines.AlarmLevel
  readonly onDelay: SpanInput
  readonly offDelay: SpanInput
  readonly cn: string
  readonly en: string
  readonly instruction: string
  readonly isLimited: boolean
  readonly days: readonly number[]
  readonly from: string
  readonly to: string
}

const spanOf = (seconds: number): SpanInput => {
  const unit = unitOf(seconds)
  return { amount: String(seconds / secondsOf[unit]), unit }
}
const inSeconds = ({ amount, unit }: SpanInput) => (parseNumber(amount) ?? Number.NaN) * secondsOf[unit]

let keys = 0

/** An empty condition. */
export function emptyPart(tagId: number | null = null): PartInput {
  return { ...conditionInput({ kind: 'threshold' }), tagId, key: ++keys }
}

function conditionInput(fields: ConditionFields): ConditionInput {
  const { kind, tagId, op, limit, deadband, equals, bit, isSet, perSecond = 0, overSeconds = 60 } = fields
  const { amount, per } = perSecond ? readableRate(perSecond) : { amount: '', per: 'min' as const }
  const text = (value: number | undefined) => (value === undefined ? '' : String(value))
  return {
    kind,
    tagId: tagId ?? null,
    op: op ?? '>',
    limit: text(limit),
    deadband: deadband === 0 ? '' : text(deadband),
    test: bit === undefined ? 'value' : 'bit',
    equals: equals === undefined ? '' : String(equals),
    bit: text(bit),
    isSet: isSet ?? true,
    direction: fields.isCounter ? 'count' : perSecond < 0 ? 'down' : 'up',
    perSecond: String(amount),
    per,
    overSeconds: spanOf(overSeconds),
    seconds: spanOf(fields.seconds ?? 300),
    minutes: spanOf((fields.minutes ?? 10) * secondsOf.min),
    rules: (fields.rules ?? []).map((part) => ({ ...conditionInput(part as ConditionFields), key: ++keys })),
  }
}

/** A rule as the editor's input; without a rule, the input of a new one. */
export function ruleInput(rule: alarmRules.AlarmRule | undefined, tagId: number | null = null): RuleInput {
  if (!rule) {
    const condition = { ...conditionInput({ kind: 'threshold' }), tagId }
    return {
      ...condition,
      ...firstRuleTexts[occasionOf(condition)],
      level: 'major',
      onDelay: spanOf(0),
      offDelay: spanOf(0),
      instruction: '',
      isLimited: false,
      days: [1, 2, 3, 4, 5],
      from: '08:00',
      to: '18:00',
    }
  }
  const { level, onDelay, offDelay, text, instruction = '', activeHours } = rule
  return {
    ...conditionInput(rule),
    level,
    onDelay: spanOf(onDelay),
    offDelay: spanOf(offDelay),
    cn: text.cn,
    en: text.en,
    instruction,
    isLimited: activeHours !== undefined,
    days: activeHours?.days ?? [1, 2, 3, 4, 5],
    from: activeHours?.from ?? '08:00',
    to: activeHours?.to ?? '18:00',
  }
}

function occasionOf({ kind, op, direction }: ConditionInput): RuleOccasion {
  if (kind === 'threshold') return op.startsWith('>') ? 'above' : 'below'
  if (kind === 'rate') return direction === 'down' ? 'falls' : 'rises'
  return kind
}

/** Applies a change; texts that the person has not edited follow the condition. */
export function changeRule(before: RuleInput, change: Partial<RuleInput>): RuleInput {
  const next = { ...before, ...change }
  const [said, says] = [firstRuleTexts[occasionOf(before)], firstRuleTexts[occasionOf(next)]]
  return {
    ...next,
    cn: next.cn === said.cn ? says.cn : next.cn,
    en: next.en === said.en ? says.en : next.en,
  }
}

/** Whether a kind can refer to a variable. */
export function fitsKind(kind: alarmRules.RuleKind, { type }: Pick<telemetry.Tag, 'type'>): boolean {
  if (kind === 'threshold' || kind === 'rate') return type === 'int64' || type === 'float64'
  return true
}

/** The condition as the platform takes it. Only of an input without problems. */
export function readConditionInput(input: ConditionInput, tags: TagsById): ConditionFields {
  const { kind } = input
  if (kind === 'all' || kind === 'any')
    return { kind, rules: input.rules.map((part) => readConditionInput(part, tags)) }
  if (kind === 'away') return { kind, minutes: inSeconds(input.minutes) / secondsOf.min }
  const tagId = input.tagId ?? 0
  switch (kind) {
    case 'threshold':
      return {
        kind,
        tagId,
        op: input.op,
        limit: parseNumber(input.limit) ?? 0,
        deadband: parseNumber(input.deadband) ?? 0,
      }
    case 'state':
      return input.test === 'bit' && tags.get(tagId)?.type === 'int64'
        ? { kind, tagId, bit: Number(input.bit), isSet: input.isSet }
        : { kind, tagId, equals: readEquals(input.equals, tags.get(tagId)?.type) }
    case 'rate': {
      const perSecond = (parseNumber(input.perSecond) ?? 0) / secondsOf[input.per]
      return {
        kind,
        tagId,
        perSecond: input.direction === 'down' ? -perSecond : perSecond,
        overSeconds: inSeconds(input.overSeconds),
        ...(input.direction === 'count' && { isCounter: true }),
      }
    }
    case 'noData':
      return { kind, tagId, seconds: inSeconds(input.seconds) }
  }
}

function readEquals(text: string, type: telemetry.TagType | undefined): boolean | number | string {
  if (type === 'bool') return text === 'true'
  return type === 'string' ? text : (parseNumber(text) ?? 0)
}

/** The rule as the platform takes it. Only of an input without problems. */
export function readRuleInput(input: RuleInput, tags: TagsById): alarmRules.AlarmRuleFields {
  const { level, instruction, isLimited, days, from, to } = input
  return {
    ...readConditionInput(input, tags),
    level,
    onDelay: inSeconds(input.onDelay),
    offDelay: inSeconds(input.offDelay),
    text: { cn: input.cn.trim(), en: input.en.trim() },
    ...(instruction.trim() ? { instruction: instruction.trim() } : {}),
    ...(isLimited ? { activeHours: { days: [...days].sort(), from: clockOf(from), to: clockOf(to) } } : {}),
  }
}

/** "8:00" is meant as "08:00". */
const clockOf = (text: string) => text.trim().replace(/^\d:/, '0$&').replace('：', ':')
const isClock = (text: string) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(clockOf(text))

type Words = Pick<Text, 'alarmRules' | 'app'>
export type InputProblems<Input> = { readonly [Field in keyof Input]?: string | undefined }

/** The problems of a condition, by field; those of its parts are shown at the parts. */
export function conditionProblems(
  input: ConditionInput,
  tags: TagsById,
  words: Words,
): InputProblems<ConditionInput> {
  const t = words.alarmRules.editor
  if (input.kind === 'all' || input.kind === 'any') {
    if (input.rules.length < 2) return { rules: t.partsMin }
    const place = input.rules.findIndex(
      (part) => Object.values(conditionProblems(part, tags, words)).length > 0,
    )
    if (place < 0) return {}
    const [problem] = Object.values(conditionProblems(input.rules[place] as PartInput, tags, words))
    return { rules: `${t.parts(String(place + 1))}: ${problem}` }
  }
  if (input.kind === 'away') {
    const minutes = awayProblem(input.minutes, t)
    return minutes === undefined ? {} : { minutes }
  }
  const tag = input.tagId === null ? undefined : tags.get(input.tagId)
  const problems: Record<string, string | undefined> = {}
  if (!tag || !fitsKind(input.kind, tag)) problems.tagId = t.tagChoose
  switch (input.kind) {
    case 'threshold':
      problems.limit = numberProblem(input.limit, t)
      if (input.deadband) problems.deadband = numberProblem(input.deadband, t, { min: 0 })
      break
    case 'state':
      if (input.test === 'bit' && tag?.type === 'int64')
        problems.bit = numberProblem(input.bit, t, { min: 0, max: 63, whole: true })
      else if (input.equals === '') problems.equals = t.required
      else if (tag?.type === 'int64' || tag?.type === 'float64')
        problems.equals = numberProblem(input.equals, t)
      break
    case 'rate':
      problems.perSecond =
        numberProblem(input.perSecond, t) ?? ((parseNumber(input.perSecond) ?? 0) > 0 ? undefined : t.notZero)
      problems.overSeconds = spanProblem(input.overSeconds, t, 1, alarmLimits.alarmRuleRateMaxS)
      break
    case 'noData':
      problems.seconds = spanProblem(
        input.seconds,
        t,
        alarmLimits.alarmRuleSilenceMinS,
        alarmLimits.alarmRuleSilenceMaxS,
      )
  }
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
}

/** The problems of a rule, by field. */
export function ruleProblems(input: RuleInput, tags: TagsById, words: Words): InputProblems<RuleInput> {
  const t = words.alarmRules.editor
  // One language is enough: readers of the other get that one.
  const isMute = input.cn.trim() === '' && input.en.trim() === ''
  const textProblem = (text: string) => {
    const width = textWidth(text.trim())
    if (isMute) return t.required
    return width > alarmLimits.alarmRuleTextMax
      ? words.app.tooLong(width, alarmLimits.alarmRuleTextMax)
      : undefined
  }
  const instructionWidth = textWidth(input.instruction.trim())
  return {
    ...conditionProblems(input, tags, words),
    onDelay: spanProblem(input.onDelay, t, 0, alarmLimits.alarmRuleDelayMaxS),
    offDelay: spanProblem(input.offDelay, t, 0, alarmLimits.alarmRuleDelayMaxS),
    cn: textProblem(input.cn),
    en: textProblem(input.en),
    instruction:
      instructionWidth > alarmLimits.alarmRuleInstructionMax
        ? words.app.tooLong(instructionWidth, alarmLimits.alarmRuleInstructionMax)
        : undefined,
    ...(input.isLimited && {
      days: input.days.length === 0 ? t.daysNone : undefined,
      from: isClock(input.from) ? undefined : t.clock,
      to: isClock(input.to) ? undefined : t.clock,
    }),
  }
}

type EditorWords = Text['alarmRules']['editor']

function numberProblem(
  text: string,
  t: EditorWords,
  { min, max, whole = false }: { min?: number; max?: number; whole?: boolean } = {},
): string | undefined {
  if (text.trim() === '') return t.required
  const value = parseNumber(text)
  if (value === undefined || !Number.isFinite(value)) return t.noNumber
  if (whole && !Number.isInteger(value)) return t.whole
  if (min !== undefined && value < min) return t.atLeast(formatNumber(min))
  return max !== undefined && value > max ? t.atMost(formatNumber(max)) : undefined
}

function spanProblem(span: SpanInput, t: EditorWords, min: number, max: number): string | undefined {
  const size = secondsOf[span.unit]
  const problem = numberProblem(span.amount, t, { min: min / size, max: max / size })
  return problem ?? (Number.isInteger(inSeconds(span)) ? undefined : t.whole)
}

function awayProblem(span: SpanInput, t: EditorWords): string | undefined {
  const problem = spanProblem(span, t, secondsOf.min, alarmLimits.alarmRuleAwayMaxMinutes * secondsOf.min)
  return problem ?? (inSeconds(span) % secondsOf.min === 0 ? undefined : t.wholeMinutes)
}

/** Whether the alarm comes from values that are too great: its dead band lies below the limit. */
export const isUpper = (op: alarmRules.RuleOp) => op.startsWith('>')
