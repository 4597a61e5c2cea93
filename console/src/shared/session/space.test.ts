import { expect, test } from 'vitest'
import { eidOf } from './space.ts'

test('consent to maintenance of personal devices is a page of the personal space', () => {
  expect(eidOf('/maintenance', undefined, 7)).toBe(0)
  expect(eidOf('/index/', undefined, 7)).toBe(0)
  expect(eidOf('/device/', 3, 7)).toBe(3)
  expect(eidOf('/msgCenter', 3, 7)).toBe(7)
})

test('the alarm centre is of the space that its address names, also of the personal one', () => {
  expect(eidOf('/alarmCenter', 0, 7)).toBe(0)
  expect(eidOf('/dataCenter', 3, 7)).toBe(3)
  expect(eidOf('/alarmCenter/quality', 3, 7)).toBe(3)
  expect(eidOf('/alarmCenter', undefined, 7)).toBe(7)
  // It used to show the space used last, whatever its address contained.
  expect(eidOf('/dataCenter/retention', 3, 7)).toBe(3)
  expect(eidOf('/dataCenter', 0, 7)).toBe(0)
})

test('projects are of the space that their address names, also of the personal one', () => {
  expect(eidOf('/project/', 0, 7)).toBe(0)
  expect(eidOf('/project/', 3, 7)).toBe(3)
  expect(eidOf('/project/12/machines', undefined, 7)).toBe(7)
})
