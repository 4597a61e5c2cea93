import { alarmLimits } from '@busbar/contract'
import { expect, test } from 'vitest'
import { draftOf, emptyStep, problemOf, stepOf, totalsOf } from './step-draft.ts'

const max = alarmLimits.escalationMinutesMax

test('a step keeps only the people of its kind, and contacts get e-mail only', () => {
  const step = { ...emptyStep(), userIds: [4], contactIds: [9] }
  expect(stepOf(step)).toMatchObject({ userIds: [], contactIds: [], how: ['message', 'sms'] })
  expect(stepOf({ ...step, who: 'userIds' })).toMatchObject({ userIds: [4], contactIds: [] })
  expect(stepOf({ ...step, who: 'contactIds' })).toMatchObject({ contactIds: [9], how: ['email'] })
})

test('a step that cannot be sent names the problem', () => {
  const step = emptyStep()
  expect(problemOf(step, max)).toBeUndefined()
  expect(problemOf({ ...step, minutes: '0' }, max)).toBe('minutes')
  expect(problemOf({ ...step, minutes: String(max + 1) }, max)).toBe('minutes')
  expect(problemOf({ ...step, who: 'userIds' }, max)).toBe('people')
  expect(problemOf({ ...step, how: [] }, max)).toBe('how')
})

test('the time of a step counts from the alarm on', () => {
  const steps = ['5', '10', ''].map((minutes) => ({ ...emptyStep(), minutes }))
  expect(totalsOf(steps)).toEqual([5, 15, 15])
  const sent = stepOf({ ...emptyStep(), minutes: '5' })
  expect(stepOf(draftOf(sent))).toEqual(sent)
})
