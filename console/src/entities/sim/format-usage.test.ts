import { expect, it } from 'vitest'
import { formatMb, shareOf } from './format-usage.ts'

it.each([
  [0, '0\u202fMB'],
  [0.42, '0.42\u202fMB'],
  [512, '512\u202fMB'],
  [999.6, '1\u202fGB'],
  [1_250, '1.25\u202fGB'],
  [30_000, '30\u202fGB'],
  [2_500_000, '2.5\u202fTB'],
])('%d MB is written as %s', (mb, text) => {
  expect(formatMb(mb)).toBe(text)
})

it('is near its end from 80 % and full from 100 %', () => {
  expect(shareOf(799, 1_000)?.level).toBe('calm')
  expect(shareOf(800, 1_000)?.level).toBe('near')
  expect(shareOf(1_000, 1_000)?.level).toBe('full')
  expect(shareOf(null, 1_000)).toBeUndefined()
  expect(shareOf(5, null)).toBeUndefined()
})
