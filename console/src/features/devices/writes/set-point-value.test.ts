import type { telemetry } from '@busbar/contract'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { cn } from '../../../shared/i18n/cn/index.ts'
import { en } from '../../../shared/i18n/en/index.ts'
import { loadLanguage } from '../../../shared/i18n/language.ts'
import {
  formatRange,
  isLargeStep,
  isUnchanged,
  listChoices,
  parseSetPoint,
  stepSetPoint,
  typedValue,
  writtenText,
} from './set-point-value.ts'

const words = en.visits.setPoint

const tag = (change: Partial<telemetry.Tag> = {}): telemetry.Tag => ({
  tagId: 1,
  group: '',
  wireGroup: '',
  tag: 'sp',
  name: 'Set-point',
  type: 'float64',
  unit: '°C',
  scale: 1,
  readOnly: false,
  min: 65,
  max: 90,
  lastAt: null,
  ...change,
})

const free = { min: null, max: null }
const parse = (typed: string, change: Partial<telemetry.Tag> = {}) => parseSetPoint(typed, tag(change), words)

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('en', 'inside')
})

describe('a typed set-point', () => {
  it('is the number typed', () => {
    expect(parse(' 76.5 ')).toEqual({ value: 76.5 })
    expect(parse('+80')).toEqual({ value: 80 })
    expect(parse('\u22125', free)).toEqual({ value: -5 })
    expect(parse('.5', free)).toEqual({ value: 0.5 })
  })

  it('is refused where it could be read two ways', () => {
    for (const typed of ['1e2', '0x10', '80 °C', '7.5.1', 'NaN', 'Infinity'])
      expect(parse(typed, free), typed).toEqual({ problem: words.problems.number })
    expect(parse('  ')).toEqual({ problem: words.problems.empty })
  })

  it('with a comma is refused with the reason, whatever comma the keyboard writes', () => {
    for (const typed of ['7,5', '1,234', '7，5', '7、5']) {
      const problem = words.problems.comma(typed.replace('，', ','))
      expect(parse(typed, free), typed).toEqual({ problem })
    }
  })

  it('typed with the digits, signs and full stops of a Chinese keyboard is the same number', () => {
    for (const typed of ['７．５', '7。5', '７｡５', '＋7.5'])
      expect(parse(typed, free), typed).toEqual({ value: 7.5 })
    expect(parse('－７', free)).toEqual({ value: -7 })
    for (const typed of ['7。5。1', '7²', '½', '①'])
      expect(parse(typed, free), typed).toEqual({ problem: words.problems.number })
  })

  it('stays within the tag’s limits, both ends included', () => {
    expect(parse('65')).toEqual({ value: 65 })
    expect(parse('90')).toEqual({ value: 90 })
    for (const typed of ['64.9', '90.1']) expect(parse(typed)).toHaveProperty('problem')
  })

  it('is whole where the tag is, and keeps digits that fit no double', () => {
    const whole = { type: 'int64' as const, ...free }
    expect(parse('12', whole)).toEqual({ value: 12 })
    expect(parse('12.5', whole)).toEqual({ problem: words.problems.digits('Set-point', 0, '12.5') })
    expect(parse('9007199254740993', whole)).toEqual({ value: '9007199254740993' })
    expect(parse('-9223372036854775808', whole)).toEqual({ value: '-9223372036854775808' })
    expect(parse('9223372036854775808', whole)).toHaveProperty('problem')
  })

  it('is any text, up to the tag’s length in bytes', () => {
    const text = { type: 'string' as const, ...free }
    expect(parse('', text)).toEqual({ value: '' })
    expect(parse(' 7,5 ', text)).toEqual({ value: ' 7,5 ' })
    expect(parse('水'.repeat(342), text)).toEqual({ problem: words.problems.tooLong })
  })
})

describe('a set-point is never rounded silently', () => {
  it('with more digits than its tag is refused with the tag’s name', () => {
    expect(parse('76.25')).toEqual({
      problem: 'Set-point has 1 decimal place; 76.25 has more and won’t be rounded',
    })
    expect(cn.visits.setPoint.problems.digits('设定', 1, '76.25')).toBe(
      '设定 最多 1 位小数，76.25 位数过多，系统不会自动舍入',
    )
    expect(parse('76.50')).toEqual({ value: 76.5 })
    expect(parse('76.2500001', { scale: null })).toEqual({ value: 76.2500001 })
  })

  it('with more digits than a number can represent is refused', () => {
    const open = { scale: null, ...free }
    expect(parse('9007199254740993', open)).toHaveProperty('problem')
    expect(parse('0.12345678901234567', open)).toHaveProperty('problem')
    expect(parse('21.299999237060547', open)).toEqual({ value: 21.299999237060547 })
    expect(parse('1200.0', open)).toEqual({ value: 1200 })
  })

  it('outside of the limits is refused with the tag’s name', () => {
    expect(parse('999')).toEqual({ problem: 'Set-point accepts 65.0 to 90.0\u202f°C' })
  })

  it('that is not a step of the tag stays as typed until it is refused', () => {
    expect(stepSetPoint('62.3999', tag(), 1)).toBe('62.3999')
    expect(stepSetPoint('9007199254740993', tag({ type: 'int64', ...free }), 1)).toBe('9007199254740994')
  })

  it('shows every digit on the button', () => {
    const bool = { on: 'On', off: 'Off' }
    expect(writtenText('76.50', 76.5, tag(), bool)).toBe('76.5\u202f°C')
    expect(writtenText('-76.12345678', -76.12345678, tag({ scale: null }), bool)).toBe(
      '\u221276.12345678\u202f°C',
    )
  })
})

it('has no effect if the machine certainly has the value', () => {
  const live = (value: telemetry.TagValue, quality = 'good') => ({ value, quality })
  expect(isUnchanged(76.5, live(76.5), tag())).toBe(true)
  expect(isUnchanged(76.5, live(76.4), tag())).toBe(false)
  expect(isUnchanged(76.5, live(76.5, 'stale'), tag())).toBe(false)
  expect(isUnchanged(0, live(null), tag())).toBe(false)
  const whole = tag({ type: 'int64' })
  expect(isUnchanged('9007199254740993', live('9007199254740993'), whole)).toBe(true)
  expect(isUnchanged('9007199254740993', live('9007199254740992'), whole)).toBe(false)
})

it('moves by the last decimal place and stays within the limits', () => {
  expect(stepSetPoint('76.5', tag(), 1)).toBe('76.6')
  expect(stepSetPoint('90', tag(), 1)).toBe('90.0')
  expect(stepSetPoint('0.3', tag({ scale: null, ...free }), -1)).toBe('0.2')
  expect(stepSetPoint('0.0', tag(free), -1)).toBe('-0.1')
  expect(stepSetPoint('999', tag(), -1)).toBe('90.0')
  expect(stepSetPoint('abc', tag(), 1)).toBe('abc')
})

it('names the limits', () => {
  expect(formatRange(tag(), words)).toBe('65.0 to 90.0\u202f°C')
  expect(formatRange(tag({ max: null }), words)).toBe('65.0\u202f°C or more')
  expect(formatRange(tag(free), words)).toBe('')
})

it('begins with the machine’s value as one types it: no grouping', () => {
  expect(typedValue(5000, tag({ scale: 0 }))).toBe('5000')
  expect(typedValue(76.5, tag())).toBe('76.5')
  expect(typedValue(null, tag())).toBe('')
})

it('offers a tag’s names with values of its type', () => {
  expect(listChoices(tag({ type: 'int64', enum: { '0': 'Off', '2': 'Auto' } }))).toEqual([
    { value: 0, name: 'Off' },
    { value: 2, name: 'Auto' },
  ])
  expect(listChoices(tag({ type: 'int64', enum: { '9007199254740993': 'Wide' } }))[0]?.value).toBe(
    '9007199254740993',
  )
  expect(listChoices(tag({ type: 'string', enum: { a: 'A' } }))).toEqual([{ value: 'a', name: 'A' }])
})

describe('a large step is asked about', () => {
  const live = (value: telemetry.TagValue) => ({ value })

  it('if it is more than a tenth of the range of the tag', () => {
    const wide = tag({ min: 0, max: 100 })
    expect(isLargeStep(72.1, live(62), wide)).toBe(true)
    expect(isLargeStep(51.9, live(62), wide)).toBe(true)
    expect(isLargeStep(72, live(62), wide)).toBe(false)
    expect(isLargeStep(62.2, live(62), wide)).toBe(false)
  })

  it('not for a tenth exactly, whatever the arithmetic of decimals makes of it', () => {
    expect(isLargeStep(0.3, live(0.2), tag({ min: 0, max: 1 }))).toBe(false)
  })

  it('not where the range or the value of the machine is unknown, nor for a choice', () => {
    expect(isLargeStep(900, live(1), tag(free))).toBe(false)
    expect(isLargeStep(900, live(null), tag())).toBe(false)
    expect(isLargeStep(900, undefined, tag())).toBe(false)
    expect(isLargeStep(3, live(1), tag({ type: 'int64', min: 1, max: 3, enum: { 1: 'a', 3: 'b' } }))).toBe(
      false,
    )
  })
})
