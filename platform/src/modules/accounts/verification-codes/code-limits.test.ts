import { expect, test } from 'vitest'
import { secondsToWait } from './code-limits.ts'

const now = 1_000_000_000
const ago = (...seconds: number[]) => seconds.map((each) => now - each * 1_000)

test.each([
  ['nothing asked yet', [], [], 0],
  ['59 seconds ago', ago(59), [], 1],
  ['60 seconds ago', ago(60), [], 0],
  ['four in the hour', ago(61, 200, 300, 400), [], 0],
  ['five in the hour', ago(61, 200, 300, 400, 3_599), [], 1],
  ['the fifth an hour old', ago(61, 200, 300, 400, 3_600), [], 0],
  ['ten in the day', ago(4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000, 11_000, 12_000, 86_000), [], 400],
  ['29 of an address in the hour', [], ago(...Array.from({ length: 29 }, (_, place) => place)), 0],
  ['30 of an address in the hour', [], ago(...Array.from({ length: 30 }, (_, place) => place * 100)), 700],
])('%s: wait', (_, account, address, seconds) => {
  expect(secondsToWait({ account, address }, now)).toBe(seconds)
})
