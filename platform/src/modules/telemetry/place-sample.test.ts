import { expect, it } from 'vitest'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { placeSample } from './place-sample.ts'

const second = Date.UTC(2026, 10, 20)

const newest = (time: number, more: Partial<TagValueEvent> = {}): TagValueEvent => ({
  ...{ tagId: 1, value: 1, quality: 'good', time, receivedAt: second, ...more },
})

it('stores the first value, and newer ones, at their own stamps', () => {
  expect(placeSample(second, 1, 'good', undefined, 0)).toBe('own')
  expect(placeSample(second + 1, 1, 'good', newest(second), second)).toBe('own')
})

it('takes an equal stamp with the same value for a repeat', () => {
  expect(placeSample(second, 1, 'good', newest(second), second)).toBe('repeat')
  const moved = newest(second + 5_000, { quality: 'uncertain' })
  expect(placeSample(second, 1, 'good', moved, second)).toBe('repeat')
})

it('does not treat another quality as a repeat', () => {
  expect(placeSample(second, 1, 'uncertain', newest(second), second)).toBe('next')
  expect(placeSample(second, 1, 'good', newest(second, { quality: 'uncertain' }), second)).toBe('next')
})

it('keeps another value of a whole second within it, and at arrival once it is full', () => {
  expect(placeSample(second, 2, 'good', newest(second), second)).toBe('next')
  expect(placeSample(second, 2, 'good', newest(second + 998), second)).toBe('next')
  expect(placeSample(second, 2, 'good', newest(second + 999), second)).toBe('arrival')
  expect(placeSample(second, 2, 'good', newest(second + 60_000), second)).toBe('arrival')
})

it('stores another value of one millisecond at its arrival', () => {
  expect(placeSample(second + 1, 2, 'good', newest(second + 1), second + 1)).toBe('arrival')
})

it('puts an older stamp into history', () => {
  expect(placeSample(second - 1, 2, 'good', newest(second), second)).toBe('history')
  expect(placeSample(second - 1, 2, 'good', newest(second + 5), second)).toBe('history')
})

it('puts a newer stamp after the newest value if that is ahead', () => {
  expect(placeSample(second + 1, 2, 'good', newest(second + 1), second)).toBe('after')
  expect(placeSample(second + 1_000, 2, 'good', newest(second + 5_000), second)).toBe('after')
})

it('does not order samples by an implausible stamp, far ahead', () => {
  const corrected = newest(second, { quality: 'uncertain' })
  expect(placeSample(second + 1, 2, 'good', corrected, second + 3_600_000)).toBe('own')
  expect(placeSample(second - 1, 2, 'good', corrected, second + 3_600_000)).toBe('history')
})
