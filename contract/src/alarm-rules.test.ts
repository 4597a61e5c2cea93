import { expect, test } from 'vitest'
import { conditionOf, tagIdsOf } from './alarm-rule-fields.ts'
import { alarmLimits, alarmRules } from './index.ts'

const said = { level: 'major', text: { cn: '过热', en: 'Too hot' } }
const threshold = { kind: 'threshold', tagId: 1, op: '>', limit: 80 }
const parse = (rule: object) => alarmRules.alarmRule.safeParse({ ...said, ...rule })
const wrong = (rule: object) => parse(rule).error?.issues.map(({ path }) => path.join('.'))

test('a rule without a field that its kind needs is refused by the name of the field', () => {
  expect(wrong({ kind: 'threshold', tagId: 1, op: '>' })).toEqual(['limit'])
  expect(wrong({ kind: 'threshold', op: '>', limit: 1 })).toEqual(['tagId'])
  expect(wrong({ kind: 'state', tagId: 1 })).toEqual(['equals'])
  expect(wrong({ kind: 'state', tagId: 1, equals: 1, bit: 2 })).toEqual(['equals'])
  expect(wrong({ kind: 'rate', tagId: 1, perSecond: 0, overSeconds: 5 })).toEqual(['perSecond'])
  const falling = { kind: 'rate', tagId: 1, perSecond: -1, overSeconds: 5 }
  expect(wrong(falling)).toBeUndefined()
  expect(wrong({ ...falling, isCounter: true })).toEqual(['perSecond'])
  expect(wrong({ kind: 'noData', tagId: 1 })).toEqual(['seconds'])
  expect(wrong({ kind: 'away' })).toEqual(['minutes'])
  expect(wrong({ kind: 'all', rules: [threshold, { kind: 'away', minutes: 5 }] })).toEqual(['rules.1.kind'])
  expect(wrong({ kind: 'all', rules: [threshold, { kind: 'state', tagId: 2 }] })).toEqual(['rules.1.equals'])
})

test('a combination has 2 to 10 parts and another within it, and no third', () => {
  const inner = { kind: 'any', rules: [threshold, threshold] }
  expect(parse({ kind: 'all', rules: [threshold, inner] }).success).toBe(true)
  expect(wrong({ kind: 'all', rules: [threshold] })).toEqual(['rules'])
  const many = Array.from({ length: alarmLimits.alarmRuleParts + 1 }, () => threshold)
  expect(wrong({ kind: 'all', rules: many })).toEqual(['rules'])
  const third = { kind: 'all', rules: [threshold, { kind: 'any', rules: [threshold, inner] }] }
  expect(parse(third).success).toBe(false)
})

test('the condition of a rule has the fields of its kind and no others', () => {
  const { data } = parse({ ...threshold, seconds: 9, bit: 3 })
  expect(data && conditionOf(data)).toEqual({ ...threshold, deadband: 0 })
  const both = parse({ kind: 'any', rules: [threshold, { kind: 'state', tagId: 2, bit: 0 }] }).data
  expect(both && tagIdsOf(conditionOf(both))).toEqual([1, 2])
})

test('a rule has its text in one language at least', () => {
  expect(parse({ ...threshold, text: { cn: '过热', en: '' } }).success).toBe(true)
  expect(parse({ ...threshold, text: { cn: '', en: 'Too hot' } }).success).toBe(true)
  expect(wrong({ ...threshold, text: { cn: ' ', en: '' } })).toEqual(['text.cn', 'text.en'])
})
