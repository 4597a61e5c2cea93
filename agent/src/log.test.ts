import { expect, it } from 'vitest'
import { errorReason } from './log.ts'

it('a time-out of the Modbus library, which is not an Error, is logged by its message', () => {
  expect(errorReason({ name: 'TransactionTimedOutError', message: 'Timed out', errno: 'ETIMEDOUT' })).toBe(
    'Timed out',
  )
})

it('an error is logged by its code, its message or its name', () => {
  expect(errorReason(Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' }))).toBe(
    'ECONNREFUSED',
  )
  expect(errorReason(new Error('no answer'))).toBe('no answer')
  expect(errorReason(new TypeError(''))).toBe('TypeError')
  expect(errorReason('away')).toBe('away')
})
