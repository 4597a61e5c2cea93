import { describe, expect, test } from 'vitest'
import { windowState } from './window-state.ts'

const now = 1_800_000_000_000
const span = (start: number, stop: number, isSuspended = false) =>
  windowState({ start: now + start, stop: now + stop, isSuspended }, now)

describe('a maintenance window', () => {
  test('is open from its first moment until before its last', () => {
    expect([span(1, 5), span(0, 5), span(-5, 1), span(-5, 0)]).toEqual(['later', 'open', 'open', 'over'])
  })

  test('is held back only while there is something to hold back', () => {
    expect([span(-1, 5, true), span(-5, -1, true)]).toEqual(['suspended', 'over'])
  })
})
