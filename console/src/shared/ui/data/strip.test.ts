import { describe, expect, it } from 'vitest'
import { countStrip, fineShare, stripWord } from './strip.ts'

describe('a 24-hour strip', () => {
  it('counts its hours by state', () => {
    expect(countStrip([0, 1, 1, 2, 3])).toEqual({ unknown: 1, fine: 2, gap: 1, fault: 1 })
  })

  it('reads a number it does not know as unknown', () => {
    expect(stripWord(9)).toBe('unknown')
  })

  it('counts the good share over recorded hours only', () => {
    expect(fineShare([[0, 0, 1, 1, 2, 3]])).toBe(2 / 4)
  })

  it('weighs several machines by their known hours', () => {
    expect(fineShare([[1, 1, 1], [3], [0, 0, 0]])).toBe(0.75)
  })

  it('shows no share if nothing is recorded', () => {
    expect(fineShare([[0, 0], []])).toBeNull()
  })
})
