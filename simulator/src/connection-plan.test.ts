import { expect, test } from 'vitest'
import { isReachable, plannedOutages } from './connection-plan.ts'

const hourMs = 3_600_000
const code = '1729154364880872672'
const fromAt = Date.UTC(2026, 4, 11)

function share(presence: Parameters<typeof plannedOutages>[1], days: number): number {
  const untilAt = fromAt + days * 24 * hourMs
  const away = plannedOutages(code, presence, fromAt, untilAt).reduce(
    (sum, [from, until]) => sum + until - from,
    0,
  )
  return away / (untilAt - fromAt)
}

test('each habit is away as much as it should be', () => {
  expect(share('steady', 30)).toBeLessThan(0.005)
  expect(share('steady', 30)).toBeGreaterThan(0)
  expect(share('rough', 30)).toBeLessThan(0.04)
  expect(share('flapping', 30)).toBeLessThan(0.02)
  expect(share('away', 30)).toBeGreaterThan(0.85)
})

test('outages are in order, apart, and what isReachable says', () => {
  for (const presence of ['steady', 'rough', 'flapping', 'away'] as const) {
    const outages = plannedOutages(code, presence, fromAt, fromAt + 96 * hourMs)
    for (const [index, [from, until]] of outages.entries()) {
      expect(from).toBeLessThan(until)
      expect(from).toBeGreaterThan(outages[index - 1]?.[1] ?? 0)
      expect(isReachable(code, presence, [], from)).toBe(false)
      expect(isReachable(code, presence, [], until - 1)).toBe(false)
      expect(isReachable(code, presence, [], until)).toBe(true)
    }
  }
})

test('machines differ, and a reported outage counts', () => {
  const other = '1721968049116620521'
  const until = fromAt + 96 * hourMs
  expect(plannedOutages(code, 'rough', fromAt, until)).not.toEqual(
    plannedOutages(other, 'rough', fromAt, until),
  )
  const calm = plannedOutages(code, 'steady', fromAt, until)[0]?.[1] ?? 0
  expect(isReachable(code, 'steady', [[calm, calm + 10]], calm + 9)).toBe(false)
  expect(isReachable(code, 'steady', [[calm, calm + 10]], calm + 10)).toBe(true)
})
