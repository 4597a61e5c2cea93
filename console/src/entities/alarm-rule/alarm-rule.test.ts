import { alarmRules, type telemetry } from '@busbar/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { getText } from '../../shared/i18n/index.ts'
import { loadLanguage } from '../../shared/i18n/language.ts'
import { changeRule, emptyPart, readRuleInput, ruleInput, ruleProblems } from './rule-input.ts'
import { limitsByTag } from './rule-limits.ts'
import type { AlarmRule } from './rule-queries.ts'
import { type ConditionFields, readableRate, sayRule } from './rule-words.ts'

const tag = (tagId: number, name: string, more: Partial<telemetry.Tag> = {}): telemetry.Tag => ({
  tagId,
  group: '',
  wireGroup: '',
  tag: name,
  name,
  type: 'float64',
  unit: '',
  scale: 1,
  readOnly: true,
  min: null,
  max: null,
  lastAt: null,
  ...more,
})
const tags = new Map(
  [
    tag(1, 'Temperature', { unit: '°C' }),
    tag(2, 'Door', { type: 'bool', enum: { true: 'open', false: 'closed' } }),
    tag(3, 'Status', { type: 'int64' }),
  ].map((one) => [one.tagId, one]),
)
const rule = (fields: ConditionFields, more: Partial<AlarmRule> = {}): AlarmRule => ({
  id: 7,
  machineId: 5,
  level: 'major',
  onDelay: 0,
  offDelay: 0,
  text: { cn: '过热', en: 'Too hot' },
  tag: 'temp',
  isActive: false,
  raisedAt: null,
  updatedAt: 0,
  ...fields,
  ...more,
})
const hot = { kind: 'threshold', tagId: 1, op: '>', limit: 80, deadband: 2 } as const

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('en', 'inside')
})
afterAll(() => vi.unstubAllGlobals())

describe('the sentence of a rule', () => {
  const say = (fields: ConditionFields, onDelay = 0) =>
    sayRule({ ...fields, onDelay }, tags, getText()).replaceAll('\u202f', ' ')

  it('says the variable with its unit, and how long', () => {
    expect(say(hot, 30)).toBe('Temperature > 80 °C for 30 s')
    expect(say({ kind: 'noData', tagId: 1, seconds: 300 })).toBe('Temperature has no data for 5 min')
    expect(say({ kind: 'rate', tagId: 1, perSecond: -0.05, overSeconds: 60 })).toBe(
      'Temperature falls by ≥ 3 °C/min over 1 min',
    )
  })

  it('says states by their words, and parts with their connection', () => {
    const open = { kind: 'state', tagId: 2, equals: true } as const
    expect(say(open)).toBe('Door = open')
    expect(say({ kind: 'state', tagId: 3, bit: 4, isSet: false })).toBe('Status bit 4 is 0')
    expect(say({ kind: 'all', rules: [hot, { kind: 'any', rules: [open, hot] }] })).toBe(
      'Temperature > 80 °C and (Door = open or Temperature > 80 °C)',
    )
  })
})

it('gives back the same rule from the editor, for every kind', () => {
  const kinds: ConditionFields[] = [
    hot,
    { kind: 'state', tagId: 2, equals: false },
    { kind: 'state', tagId: 3, bit: 4, isSet: false },
    { kind: 'rate', tagId: 1, perSecond: -0.05, overSeconds: 90 },
    { kind: 'rate', tagId: 1, perSecond: 0.05, overSeconds: 90, isCounter: true },
    { kind: 'noData', tagId: 3, seconds: 7_200 },
    { kind: 'any', rules: [hot, { kind: 'all', rules: [hot, { kind: 'state', tagId: 3, equals: 5 }] }] },
  ]
  for (const fields of kinds) {
    const hours = { days: [1, 3], from: '22:00', to: '06:00' }
    const saved = rule(fields, { onDelay: 30, offDelay: 120, activeHours: hours, instruction: 'Cool it' })
    const input = ruleInput(saved)
    expect(Object.values(ruleProblems(input, tags, getText())).filter(Boolean)).toEqual([])
    const sent = readRuleInput(input, tags)
    expect(sent).toMatchObject({ ...fields, onDelay: 30, offDelay: 120, activeHours: hours })
    expect(alarmRules.alarmRule.safeParse(sent).success).toBe(true)
  }
})

it('names the field that is missing or wrong', () => {
  const problems = (change: object) =>
    Object.entries(ruleProblems({ ...ruleInput(undefined, 1), ...change }, tags, getText()))
      .filter(([, problem]) => problem !== undefined)
      .map(([field]) => field)
  expect(problems({})).toEqual(['limit'])
  expect(problems({ limit: '80', deadband: '-1' })).toEqual(['deadband'])
  expect(problems({ limit: '80', tagId: 2 })).toEqual(['tagId'])
  expect(problems({ limit: '80', isLimited: true, days: [], to: '25:00' })).toEqual(['days', 'to'])
  expect(problems({ kind: 'noData', seconds: { amount: '1', unit: 's' } })).toEqual(['seconds'])
  expect(problems({ kind: 'all', rules: [emptyPart(1)] })).toEqual(['rules'])
  // A text in one language is enough.
  expect(problems({ limit: '80', en: ' ' })).toEqual([])
  expect(problems({ limit: '80', cn: '', en: ' ' })).toEqual(['cn', 'en'])
})

it('changes the first texts with the condition, and leaves a person’s own', () => {
  const above = ruleInput(undefined, 1)
  const below = changeRule({ ...above, cn: '太冷' }, { op: '<' })
  expect(below.cn).toBe('太冷')
  expect(below.en).toBe('{tag} is below {limit} {unit}')
})

it('draws the limits of thresholds, also of parts, with the end of the dead band', () => {
  const both = rule({ kind: 'all', rules: [hot, { kind: 'threshold', tagId: 1, op: '<', limit: 5 }] })
  const limits = limitsByTag([both, rule({ kind: 'noData', tagId: 3, seconds: 60 })])
  expect([...limits.keys()]).toEqual([1])
  expect(limits.get(1)).toMatchObject([
    { at: 80, back: 78, tone: 'crit' },
    { at: 5, back: 5 },
  ])
})

it('shows a rate in a unit of time in which it is easily read', () => {
  expect(readableRate(2)).toEqual({ amount: 2, per: 's' })
  expect(readableRate(0.05)).toEqual({ amount: 3, per: 'min' })
  expect(readableRate(-10 / 3_600)).toEqual({ amount: 10, per: 'h' })
})
