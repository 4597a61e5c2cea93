import { expect, test } from 'vitest'
import { tunnelLimits } from './tunnel.ts'
import { WindowPolicy } from './window-policy.ts'

const { windowBytesMin: small, windowBytesMax: large, streamsMax } = tunnelLimits
const bulk = 1024 * 1024

/** A policy after a quarter of a second in which `bytes` came. */
function after(bytes: number, leftBytes: number[]): { policy: WindowPolicy; windowBytes: number } {
  const policy = new WindowPolicy(0)
  policy.received(bytes, 250)
  return { policy, windowBytes: policy.decide(leftBytes, 250) }
}

test('the window is large only while bytes come in bulk', () => {
  expect(after(bulk, [small]).windowBytes).toBe(large)
  expect(after(20_000, [small]).windowBytes).toBe(small)
  const { policy } = after(bulk, [small])
  // Silence, then a page of a few kilobytes.
  expect(policy.received(20_000, 60_000)).toBe(true)
  expect(policy.decide([large], 60_000)).toBe(small)
})

test('one stream that is not read puts the window back for all, and its going lets it grow again', () => {
  const { policy } = after(bulk, [small, 0])
  policy.received(bulk, 500)
  expect(policy.decide([large, 0], 500)).toBe(small)
  policy.received(bulk, 750)
  expect(policy.decide([small, small / 2], 750)).toBe(large)
})

test('all streams of a tunnel together never have more than 128 small windows', () => {
  const streams = (count: number) => Array.from({ length: count }, () => small)
  expect(after(bulk, streams(32)).windowBytes).toBe(large)
  expect(after(bulk, streams(33)).windowBytes).toBe(small)
  const { policy } = after(bulk, streams(32))
  expect([policy.opened(32), policy.opened(33)]).toEqual([false, true])
  expect(32 * large).toBe(streamsMax * small)
})

test('decisions come at most four times a second, and none without bytes', () => {
  const policy = new WindowPolicy(0)
  expect(policy.received(bulk, 249)).toBe(false)
  expect(policy.received(bulk, 250)).toBe(true)
  policy.decide([small], 250)
  expect(policy.received(bulk, 499)).toBe(false)
})
