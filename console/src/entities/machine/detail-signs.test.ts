import type { machines } from '@busbar/contract'
import { expect, it } from 'vitest'
import { signsOf } from './detail-signs.ts'
import { displayState } from './machine-state.ts'

const alarm = (
  level: machines.AlarmLevel,
  more: Partial<machines.HeldDetail['openAlarms'][number]> = {},
) => ({
  ...{ alarmId: 1, key: 'A', ruleId: null, level, text: '', raisedAt: 0, count: 1, confirmedAt: null },
  ...{ shelvedUntil: null, outOfService: false },
  ...more,
})

it('a shelved critical alarm put the head of a device into alarm, while its row was online', () => {
  const openAlarms = [
    alarm('minor'),
    alarm('critical', { shelvedUntil: 1 }),
    alarm('major', { outOfService: true }),
  ]
  const signs = signsOf({ online: true, openAlarms })
  expect(signs).toEqual({ online: true, openAlarms: 1, worstAlarm: 'minor' })
  expect(displayState(signs)).toBe('warning')
  expect(displayState(signsOf({ online: true, openAlarms: openAlarms.slice(1) }))).toBe('online')
})
