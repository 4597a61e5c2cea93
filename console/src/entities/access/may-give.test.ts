import { describe, expect, test } from 'vitest'
import { findTimeLack, limitsOf, noLimits } from './may-give.ts'

const key = { level: 2, readOnly: false, alarm: true }
const watches = limitsOf({ ...key, readOnly: true })
const deaf = limitsOf({ ...key, alarm: false })

describe('rights that a key may not give are not offered', () => {
  test('an Akey is not limited, whatever their own bits', () => {
    expect(limitsOf({ level: 3, readOnly: true, alarm: false })).toEqual(noLimits)
    expect(limitsOf(key)).toEqual(noLimits)
  })

  test('a key that may only watch gives neither the mode nor alarms; one without alarms only no alarms', () => {
    expect(watches).toEqual({ mode: 'watches', alarms: 'watches' })
    expect(deaf).toEqual({ mode: undefined, alarms: 'deaf' })
  })

  test('a longer time counts as giving the visitor’s rights again, a shorter one does not', () => {
    const visitor = { limitRead: 0, limitAlarm: 1, visitTime: 1_000 } as const
    expect(findTimeLack(watches, visitor, -1)).toBe('mode')
    expect(findTimeLack(deaf, visitor, 2_000)).toBe('alarms')
    expect(findTimeLack(watches, { ...visitor, visitTime: 0 }, 2_000)).toBe('mode')
    expect(findTimeLack(watches, { ...visitor, limitRead: 1 }, -1)).toBeUndefined()
    expect(findTimeLack(watches, visitor, 900)).toBeUndefined()
    expect(findTimeLack(deaf, { ...visitor, visitTime: -1 }, 2_000)).toBeUndefined()
    expect(findTimeLack(noLimits, visitor, -1)).toBeUndefined()
  })
})
