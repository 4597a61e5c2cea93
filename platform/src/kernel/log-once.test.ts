import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogOnce, type LogOnce } from './log-once.ts'

let lines: object[]
let once: LogOnce
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  const keep = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, ...fields, message })
  once = createLogOnce({ warn: keep('warn'), error: keep('error') })
})
afterEach(() => {
  once.stop()
  vi.useRealTimers()
})

test('a line that repeats is written once a second, with its number', () => {
  for (let n = 1; n <= 50; n++) once.warn({ n }, 'a watch was refused')
  expect(lines).toEqual([{ level: 'warn', n: 1, message: 'a watch was refused' }])
  vi.advanceTimersByTime(1_000)
  expect(lines.slice(1)).toEqual([{ level: 'warn', n: 50, repeated: 49, message: 'a watch was refused' }])
  once.warn({ n: 51 }, 'a watch was refused')
  expect(lines).toHaveLength(2)
  vi.advanceTimersByTime(1_000)
  expect(lines[2]).toMatchObject({ n: 51, repeated: 1 })
})

test('after a second of quiet the next line is written at once', () => {
  once.warn({ n: 1 }, 'a watch was refused')
  vi.advanceTimersByTime(1_000)
  expect(vi.getTimerCount()).toBe(0)
  once.warn({ n: 2 }, 'a watch was refused')
  expect(lines).toHaveLength(2)
})

test('kinds and levels are counted apart', () => {
  once.error({ n: 1 }, 'a request failed', 'TypeError at a')
  once.error({ n: 2 }, 'a request failed', 'TypeError at b')
  once.warn({ n: 3 }, 'a request failed', 'TypeError at b')
  expect(lines).toHaveLength(3)
})

test('kinds without number share one count', () => {
  for (let n = 0; n < 5_000; n++) once.error({ n }, 'a request failed', `kind ${n}`)
  expect(lines.length).toBeLessThanOrEqual(201)
  lines.length = 0
  vi.advanceTimersByTime(1_000)
  expect(lines).toEqual([{ level: 'error', n: 4_999, repeated: 4_799, message: 'log.merged' }])
})

test('lines counted until the stop are written', () => {
  for (let n = 1; n <= 3; n++) once.warn({ n }, 'a watch was refused')
  once.stop()
  expect(lines.slice(1)).toEqual([{ level: 'warn', n: 3, repeated: 2, message: 'a watch was refused' }])
  expect(vi.getTimerCount()).toBe(0)
})
