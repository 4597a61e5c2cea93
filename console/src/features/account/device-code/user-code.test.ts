import { describe, expect, it } from 'vitest'
import { parseUserCode } from './user-code.ts'

describe('a code a program shows', () => {
  it.each(['7KMP-4TXW', '7kmp4txw', ' 7kmp 4txw '])('is understood as people type it: %s', (typed) => {
    expect(parseUserCode(typed)).toBe('7KMP-4TXW')
  })

  it.each(['', '7KMP-4TX', '7KMP-4TXWW', '7KMP-4TX0', '7KMP_4TXW'])('cannot be %s', (typed) => {
    expect(parseUserCode(typed)).toBeUndefined()
  })
})
