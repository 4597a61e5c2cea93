import { describe, expect, it } from 'vitest'
import { endOfShelve } from './alarm.ts'

const hourMs = 3_600_000
describe('the end of a shelving', () => {
  it('is counted from now for a span', () => {
    expect(endOfShelve({ span: 'shift', at: null }, 1_000, 30)).toBe(1_000 + 8 * hourMs)
  })

  it('is refused in the past, after the longest span, and while none is chosen', () => {
    expect(endOfShelve({ span: 'other', at: 999 }, 1_000, 30)).toBeUndefined()
    expect(endOfShelve({ span: 'other', at: 1_001 + 30 * 24 * hourMs }, 1_000, 30)).toBeUndefined()
    expect(endOfShelve({ span: 'other', at: null }, 1_000, 30)).toBeUndefined()
    expect(endOfShelve({ span: 'other', at: 2_000 }, 1_000, 30)).toBe(2_000)
  })
})
