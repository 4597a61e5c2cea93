import { describe, expect, test } from 'vitest'
import { smsSegments, splitSms } from './sms-segments.ts'

describe('the segments of an SMS', () => {
  test.each([
    [70, [70]],
    [71, [67, 4]],
    [134, [67, 67]],
    [135, [67, 67, 1]],
  ])('%d units are sent in %j', (units, lengths) => {
    expect(splitSms('报'.repeat(units)).map((part) => part.length)).toEqual(lengths)
  })

  test('that would divide an emoji are three, in the price as on their way', () => {
    const text = `${'a'.repeat(66)}🔥${'b'.repeat(66)}`
    expect(splitSms(text).map((part) => part.length)).toEqual([66, 67, 1])
    expect(smsSegments(text)).toBe(3)
    expect(splitSms(text).join('')).toBe(text)
  })

  test('of any text have at most 67 units, begin and end with whole characters, and are the text', () => {
    for (let length = 1; length < 300; length += 7) {
      const text = Array.from({ length }, (_, place) => ((place * length) % 3 === 0 ? '🔥' : 'x')).join('')
      const parts = splitSms(text)
      expect(parts.join('')).toBe(text)
      expect(parts.every((part) => part.isWellFormed())).toBe(true)
      if (parts.length > 1) expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(67)
    }
  })
})
