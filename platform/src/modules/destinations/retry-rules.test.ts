import { expect, test } from 'vitest'
import {
  distanceMs,
  judge,
  meaningOf,
  readRetryAfter,
  slowDown,
  speedUp,
  type TryEnd,
} from './retry-rules.ts'

const now = Date.parse('2026-11-29T00:00:00Z')
const hourMs = 3_600_000

const answered = (status: number, retryAfter?: string): TryEnd => ({
  status,
  fault: 'status',
  means: meaningOf(status),
  retryAfter,
})
const first = { tries: 1, refusals: 0, failingSince: undefined }

test.each([
  [1, 5_000],
  [2, 30_000],
  [3, 120_000],
  [4, 600_000],
  [5, 1_800_000],
  [6, hourMs],
  [60, hourMs],
])('after try %i the wait is %i ms, a fifth longer or shorter', (tries, ms) => {
  const waits = [0, 0.5, 1].map((random) =>
    judge({ status: 500, fault: 'status' }, { ...first, tries }, now, random),
  )
  expect(waits).toMatchObject([{ waitMs: ms * 0.8 }, { waitMs: ms }, { waitMs: Math.round(ms * 1.2) }])
})

test.each([
  ['120', 120_000],
  ['0', 0],
  ['86400', hourMs],
  ['Sun, 29 Nov 2026 00:10:00 GMT', 600_000],
  ['Sun, 29 Nov 2020 00:10:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s asks to wait %s ms', (text, ms) => {
  expect(readRetryAfter(text, now)).toBe(ms)
})

test.each([429, 503])('%i waits as long as the receiver asks, and slows the lane', (status) => {
  const verdict = { kind: 'retry', waitMs: 90_000, isSlower: true, isRefusal: false }
  expect(judge(answered(status, '90'), first, now, 0.5)).toMatchObject(verdict)
})

test('Retry-After of another status is not obeyed', () => {
  expect(judge(answered(500, '90'), first, now, 0.5)).toMatchObject({ waitMs: 5_000, isSlower: false })
})

test('410 switches off at once', () => {
  expect(judge(answered(410), first, now, 0.5)).toEqual({ kind: 'switchOff', reason: 'gone' })
})

test.each([400, 401, 404, 413, 422])('the fifth %i to a request makes it a dead letter', (status) => {
  expect(judge(answered(status), { ...first, refusals: 3 }, now, 0.5)).toMatchObject({ isRefusal: true })
  expect(judge(answered(status), { ...first, refusals: 4 }, now, 0.5)).toEqual({ kind: 'dead' })
})

test.each([408, 425, 429, 500, 302])('%i says nothing about the request', (status) => {
  expect(judge(answered(status), { ...first, refusals: 4 }, now, 0.5)).toMatchObject({
    kind: 'retry',
    isRefusal: false,
  })
})

test('members are told after ten minutes, and after 72 hours the destination is off', () => {
  const after = (ms: number) =>
    judge({ status: null, fault: 'refused' }, { ...first, failingSince: now - ms }, now, 0.5)
  expect(after(9 * 60_000)).toMatchObject({ kind: 'retry', isTold: false })
  expect(after(10 * 60_000)).toMatchObject({ kind: 'retry', isTold: true })
  expect(after(72 * hourMs - 1)).toMatchObject({ kind: 'retry' })
  expect(after(72 * hourMs)).toEqual({ kind: 'switchOff', reason: 'failedTooLong' })
})

test('a lane slows down to a request a minute, and speeds up by each success', () => {
  let paceMs = 0
  for (let times = 0; times < 20; times++) paceMs = slowDown(paceMs)
  expect(paceMs).toBe(60_000)
  for (let times = 0; times < 8; times++) paceMs = speedUp(paceMs)
  expect(paceMs).toBeLessThanOrEqual(250)
  expect(speedUp(paceMs)).toBe(0)
})

test('a request follows a full one at once, unless its receiver asked for fewer', () => {
  expect(distanceMs({ wasFull: true, paceMs: 0 })).toBe(0)
  expect(distanceMs({ wasFull: false, paceMs: 0 })).toBe(50)
  for (const wasFull of [true, false]) expect(distanceMs({ wasFull, paceMs: 500 })).toBe(500)
})
