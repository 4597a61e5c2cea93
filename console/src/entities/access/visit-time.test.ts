import { access, limits } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import {
  canRestore,
  findTimeProblem,
  formatLocalTime,
  isOver,
  type TimePreset,
  timeLeft,
  timePresets,
  toEnd,
  toMinutes,
} from './visit-time.ts'

const now = new Date(2026, 10, 21, 12, 0, 0).getTime()
const minute = 60_000
const hour = 60 * minute
const { forever } = access.visitTimes
const preset = (name: TimePreset) => ({ preset: name, customAt: '' })
const custom = (customAt: string) => ({ preset: 'custom' as const, customAt })

describe('the choices of a visit time', () => {
  it.each([
    ['10m', 10],
    ['1h', 60],
    ['8h', 480],
    ['1d', 1_440],
    ['1w', 10_080],
    ['forever', forever],
  ] as const)('%s is sent as %i', (name, minutes) => {
    expect(toMinutes(preset(name), now)).toBe(minutes)
  })

  it('offers only choices that the platform accepts', () => {
    for (const name of timePresets.filter((each) => each !== 'custom')) {
      expect(findTimeProblem(preset(name), now)).toBeUndefined()
    }
  })

  it('an end that is sent a moment later is still ten minutes ahead', () => {
    const aMomentLater = now + 5_000
    expect(toEnd(preset('10m'), now) - aMomentLater).toBeGreaterThan(limits.visitMinutesMin * minute)
  })

  it('takes a custom instant in the browser’s zone, to the minute', () => {
    const choice = custom('2026-11-21T15:30')
    expect(toEnd(choice, now)).toBe(now + 3.5 * hour)
    expect(toMinutes(choice, now)).toBe(210)
    expect(formatLocalTime(toEnd(choice, now))).toBe('2026-11-21T15:30')
  })

  it.each([
    ['', 'timeMissing'],
    ['2026-13-45T99:99', 'timeMissing'],
    ['2026-11-21T11:00', 'timeTooSoon'],
    ['2026-11-21T12:09', 'timeTooSoon'],
    ['2026-11-21T12:10', undefined],
    ['2037-01-01T00:00', 'timeTooFar'],
  ] as const)('an end at %s: %s', (text, problem) => {
    expect(findTimeProblem(custom(text), now)).toBe(problem)
  })
})

describe('the remaining visit time', () => {
  it('counts seconds only where they matter', () => {
    expect(timeLeft(now + 125_000, now)).toEqual({ kind: 'seconds', minutes: 2, seconds: 5 })
    expect(timeLeft(now + 1, now)).toEqual({ kind: 'seconds', minutes: 0, seconds: 1 })
    expect(timeLeft(now + 42 * minute, now)).toEqual({ kind: 'minutes', minutes: 42 })
    expect(timeLeft(now + 26 * hour + 12 * minute, now)).toEqual({ kind: 'hours', hours: 26, minutes: 12 })
    expect(timeLeft(now + 49 * hour, now)).toEqual({ kind: 'days', days: 2 })
  })

  it('never shows an expired time as valid', () => {
    for (const visitTime of [access.visitTimes.over, now - 1, now]) {
      expect(timeLeft(visitTime, now)).toEqual({ kind: 'over' })
      expect(isOver(visitTime, now)).toBe(true)
    }
    expect(isOver(now + 1, now)).toBe(false)
    expect(isOver(forever, now)).toBe(false)
    expect(timeLeft(forever, now)).toEqual({ kind: 'forever' })
  })

  it('offers to undo only changes that the platform would accept', () => {
    expect(canRestore(forever, now)).toBe(true)
    expect(canRestore(now + hour, now)).toBe(true)
    expect(canRestore(now + 10 * minute, now)).toBe(false)
    expect(canRestore(access.visitTimes.over, now)).toBe(false)
  })
})
