import { expect, test } from 'vitest'
import { isWritten } from './is-written.ts'

const float = (scale: number | null) => ({ type: 'float64' as const, scale })

test('a float32 in the machine equals the written value; the next value of its scale does not', () => {
  expect(isWritten(float(null), 21.3, Math.fround(21.3))).toBe(true)
  expect(isWritten(float(null), 1e9 + 0.3, Math.fround(1e9 + 0.3))).toBe(true)
  expect(isWritten(float(null), 21.3, 21.301)).toBe(false)
  expect(isWritten(float(1), 21.3, 21.4)).toBe(false)
  expect(isWritten(float(1), 21.3, 21.35)).toBe(true)
  expect(isWritten(float(0), 3500, 3500.4)).toBe(true)
  expect(isWritten(float(0), 0, -0.6)).toBe(false)
})

test('integers, switches and texts are exact, but for the blanks a controller pads with and the case of a GUID', () => {
  const int = { type: 'int64' as const, scale: null }
  expect(isWritten(int, 2n ** 53n, 2n ** 53n + 1n)).toBe(false)
  expect(isWritten(int, -7n, -7n)).toBe(true)
  expect(isWritten({ type: 'bool', scale: null }, true, false)).toBe(false)
  const text = { type: 'string' as const, scale: null }
  expect(isWritten(text, 'lot 7', 'lot 7   ')).toBe(true)
  expect(isWritten(text, 'lot 7', 'lot')).toBe(false)
  const guid = '72962b91-fa75-4ae6-8d28-b404dc7daf63'
  expect(isWritten(text, guid, guid.toUpperCase())).toBe(true)
  expect(isWritten(text, 'lot', 'LOT')).toBe(false)
})

test('a missing value does not confirm', () => {
  expect(isWritten(float(0), 0, null)).toBe(false)
})
