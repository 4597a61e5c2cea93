import { describe, expect, it } from 'vitest'
import { chartNumber, formatTagValue } from './tag-value.ts'

const words = { on: 'On', off: 'Off' }
const plain = { unit: '', scale: null }

describe('a value in words', () => {
  it('has the decimal places of its tag, and its unit', () => {
    expect(formatTagValue(59.482, { unit: '°C', scale: 1 }, words)).toEqual({ text: '59.5', unit: '°C' })
    expect(formatTagValue(60, { unit: '°C', scale: 1 }, words).text).toBe('60.0')
  })

  it('does not show the noise of a 32-bit float', () => {
    expect(formatTagValue(21.600000381469727, plain, words).text).toBe('21.6')
  })

  it('keeps every digit of an int64 beyond a double', () => {
    const tag = { type: 'int64' as const, unit: 'pcs', scale: null }
    expect(formatTagValue('-9223372036854775808', tag, words)).toEqual({
      text: '\u22129,223,372,036,854,775,808',
      unit: 'pcs',
    })
  })

  it('leaves digits in a string tag as they are', () => {
    expect(formatTagValue('00420', { type: 'string', unit: '', scale: null }, words).text).toBe('00420')
  })

  it('says a bool in the words of its enum, keyed either way, else on or off', () => {
    expect(formatTagValue(true, plain, words).text).toBe('On')
    expect(formatTagValue(false, { ...plain, enum: { 0: 'Closed', 1: 'Open' } }, words).text).toBe('Closed')
    expect(formatTagValue(true, { ...plain, enum: { true: 'Open' } }, words).text).toBe('Open')
  })

  it('replaces a number by its word without a unit', () => {
    expect(formatTagValue(2, { unit: 'n', scale: 0, enum: { 2: 'Auto' } }, words)).toEqual({
      text: 'Auto',
      unit: '',
    })
    expect(formatTagValue(3, { unit: 'n', scale: 0, enum: { 2: 'Auto' } }, words).text).toBe('3')
  })

  it('marks a missing value, without a unit', () => {
    for (const value of [null, undefined, ''])
      expect(formatTagValue(value, { unit: '', scale: null }, words)).toEqual({ text: '—', unit: '' })
  })
})

describe('a value on a curve', () => {
  it.each([
    [1.5, 1.5],
    [true, 1],
    [false, 0],
    ['9007199254740993', 9007199254740992],
    ['idle', null],
    [null, null],
    [Number.NaN, null],
  ])('%s is %s', (value, expected) => expect(chartNumber(value)).toBe(expected))
})
