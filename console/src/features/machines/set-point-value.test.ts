import type { telemetry } from '@busbar/contract'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { en } from '../../i18n/en/index.ts'
import { loadLanguage } from '../../i18n/language.ts'
import { formatRange, listChoices, parseSetPoint, stepSetPoint, typedValue } from './set-point-value.ts'

const words = en.visits.setPoint

const tag = (change: Partial<telemetry.Tag> = {}): telemetry.Tag => ({
  tagId: 1,
  group: '',
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
  await loadLanguage('en')
})

describe('what is typed as a set-point', () => {
  it('is the number typed', () => {
    expect(parse(' 76.5 ')).toEqual({ value: 76.5 })
    expect(parse('+80')).toEqual({ value: 80 })
    expect(parse('\u22125', free)).toEqual({ value: -5 })
    expect(parse('.5', free)).toEqual({ value: 0.5 })
  })

  it('is refused where it could be read two ways', () => {
    for (const typed of ['7,5', '1,234', '1e2', '0x10', '80 °C', '7.5.1', 'NaN', 'Infinity'])
      expect(parse(typed, free), typed).toEqual({ problem: words.problems.number })
    expect(parse('  ')).toEqual({ problem: words.problems.empty })
  })

  it('stays within what the tag allows, both ends included', () => {
    expect(parse('65')).toEqual({ value: 65 })
    expect(parse('90')).toEqual({ value: 90 })
    for (const typed of ['64.9', '90.1']) expect(parse(typed)).toHaveProperty('problem')
  })

  it('is whole where the tag is, and keeps digits that fit no double', () => {
    const whole = { type: 'int64' as const, ...free }
    expect(parse('12', whole)).toEqual({ value: 12 })
    expect(parse('12.5', whole)).toEqual({ problem: words.problems.integer })
    expect(parse('9007199254740993', whole)).toEqual({ value: '9007199254740993' })
  })

  it('is a text as it is, up to what a tag holds in bytes', () => {
    const text = { type: 'string' as const, ...free }
    expect(parse('', text)).toEqual({ value: '' })
    expect(parse(' 7,5 ', text)).toEqual({ value: ' 7,5 ' })
    expect(parse('水'.repeat(342), text)).toEqual({ problem: words.problems.tooLong })
  })
})

it('moves by the last decimal place and stays within what is allowed', () => {
  expect(stepSetPoint('76.5', tag(), 1)).toBe('76.6')
  expect(stepSetPoint('90', tag(), 1)).toBe('90.0')
  expect(stepSetPoint('0.3', tag({ scale: null, ...free }), -1)).toBe('-1')
  expect(stepSetPoint('abc', tag(), 1)).toBe('abc')
})

it('says what is allowed', () => {
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
  expect(listChoices(tag({ type: 'string', enum: { a: 'A' } }))).toEqual([{ value: 'a', name: 'A' }])
})
