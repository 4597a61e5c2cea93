import { describe, expect, it } from 'vitest'
import { plainNumber, refusal, stepNumber } from './number-text.ts'

describe('a number typed into a field', () => {
  it('has no more decimals than its tag', () => {
    expect(refusal('62.3', { decimals: 1 })).toBeUndefined()
    expect(refusal('62.3999', { decimals: 1 })).toBe('decimals')
    expect(refusal('62.', { decimals: 0 })).toBe('decimals')
  })

  it('has no letters, and no sign unless it can be negative', () => {
    expect(refusal('6a', { decimals: 1 })).toBe('letters')
    expect(refusal('-', { decimals: 1, min: -5 })).toBeUndefined()
    expect(refusal('-', { decimals: 1, min: 0 })).toBe('letters')
  })

  it('may come from an input method', () => {
    expect(plainNumber('６２。５')).toBe('62.5')
    expect(plainNumber('\u22121,5')).toBe('-1.5')
  })
})

describe('a step', () => {
  it('is exact in the last decimal', () => {
    expect(stepNumber('0.1', 0.2, { decimals: 1 })).toBe('0.3')
    expect(stepNumber('62.2', 0.1, { decimals: 1 })).toBe('62.3')
  })

  it('stays within the limits', () => {
    expect(stepNumber('99.5', 1, { decimals: 1, max: 100 })).toBe('100.0')
    expect(stepNumber('0', -1, { decimals: 0, min: 0 })).toBe('0')
  })

  it('begins at the limit nearest to nothing where the field is empty', () => {
    expect(stepNumber('', 1, { decimals: 0, min: 20, max: 80 })).toBe('21')
  })
})
