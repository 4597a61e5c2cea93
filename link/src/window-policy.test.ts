import { expect, test } from 'vitest'
import { tunnelLimits } from './tunnel.ts'
import { WindowPolicy } from './window-policy.ts'

const { windowBytesMin: small, windowBytesMax: large, streamsMax } = tunnelLimits
const bulk = 1024 * 1024
const roundTripMs = 100

/** A policy after a quarter of a second in which `bytes` came. */
function after(bytes: number, leftBytes: number[]): { policy: WindowPolicy; windowBytes: number } {
  const policy = new WindowPolicy(0)
  policy.received(bytes, 250)
  return { policy, windowBytes: policy.decide(leftBytes, 250, roundTripMs) }
}

test('the window is large only while bytes come in bulk', () => {
  expect(after(bulk, [small]).windowBytes).toBe(2 * 1024 * 1024)
  expect(after(20_000, [small]).windowBytes).toBe(small)
  const { policy } = after(bulk, [small])
  // Silence, then a page of a few kilobytes.
  expect(policy.received(20_000, 60_000)).toBe(true)
  expect(policy.decide([large], 60_000, roundTripMs)).toBe(small)
})

test('the window follows rate and round trip: a short line keeps the small one, a long fast one gets the largest', () => {
  const windowAt = (bytesPerS: number, ms: number | undefined) => {
    const policy = new WindowPolicy(0)
    policy.received(bytesPerS / 4, 250)
    return policy.decide([small], 250, ms)
  }
  expect(windowAt(100e6, 0.2)).toBe(small)
  expect(windowAt(2.5e6, 100)).toBe(1024 * 1024)
  expect(windowAt(2.5e6, 50)).toBe(512 * 1024)
  expect(windowAt(100e6, 100)).toBe(large)
  expect(windowAt(100e6, undefined)).toBe(small)
})

test('a transfer limited by its window speeds up within seconds', () => {
  const policy = new WindowPolicy(0)
  let windowBytes: number = small
  for (let at = 250; at <= 2_000; at += 250) {
    // One window a round trip.
    policy.received((windowBytes * 250) / 300, at)
    windowBytes = policy.decide([windowBytes], at, 300)
  }
  expect(windowBytes).toBe(large)
})

test('one stream that is not read puts the window back for all, and its going lets it grow again', () => {
  const { policy } = after(bulk, [small, 0])
  policy.received(bulk, 500)
  expect(policy.decide([large, 0], 500, roundTripMs)).toBe(small)
  policy.received(bulk, 750)
  expect(policy.decide([small, small / 2], 750, roundTripMs)).toBeGreaterThan(small)
})

test('all streams of a tunnel together never have more than 128 small windows', () => {
  for (const count of [1, 2, 8, 9, 16, 17, 32, 33, 100, streamsMax]) {
    const { policy, windowBytes } = after(
      100 * bulk,
      Array.from({ length: count }, () => small),
    )
    expect(windowBytes * count).toBeLessThanOrEqual(streamsMax * small)
    expect(policy.opened(count)).toBe(false)
    expect(policy.opened(streamsMax)).toBe(windowBytes > small)
  }
})

test('decisions come at most four times a second, and none without bytes', () => {
  const policy = new WindowPolicy(0)
  expect(policy.received(bulk, 249)).toBe(false)
  expect(policy.received(bulk, 250)).toBe(true)
  policy.decide([small], 250, roundTripMs)
  expect(policy.received(bulk, 499)).toBe(false)
  expect(policy.received(0, 9_999)).toBe(false)
})
