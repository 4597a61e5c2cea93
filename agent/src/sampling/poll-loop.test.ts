import { expect, test } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { startPollLoop } from './poll-loop.ts'

/** Runs everything that is ready. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A driver whose polls a test ends. */
function manualDriver() {
  const ends: (() => void)[] = []
  const driver: Pick<Driver, 'poll'> = {
    poll: () => new Promise((resolve) => ends.push(() => resolve([]))),
  }
  return { driver, ends }
}

test('polls at fixed beats, whatever a poll takes', async () => {
  const clock = new ManualClock()
  const { driver, ends } = manualDriver()
  const startedAt: number[] = []
  const watched: Pick<Driver, 'poll'> = {
    poll() {
      startedAt.push(clock.monotonic())
      return driver.poll()
    },
  }
  const loop = startPollLoop(watched, 1_000, clock, () => undefined)
  for (let round = 0; round < 3; round++) {
    clock.advance(300)
    ends.shift()?.()
    await settled()
    clock.advance(700)
  }
  expect(startedAt).toEqual([0, 1_000, 2_000, 3_000])
  loop.stop()
})

test('a slow poll skips beats and never overlaps another one', async () => {
  const clock = new ManualClock()
  const { driver, ends } = manualDriver()
  let readings = 0
  const loop = startPollLoop(driver, 1_000, clock, () => {
    readings++
  })
  clock.advance(3_500)
  expect(ends).toHaveLength(1)
  ends.shift()?.()
  await settled()
  expect(ends).toHaveLength(0)
  clock.advance(500)
  expect(ends).toHaveLength(1)
  expect(readings).toBe(1)
  loop.stop()
})

test('no reading follows after stop, not even from the running poll', async () => {
  const clock = new ManualClock()
  const { driver, ends } = manualDriver()
  let readings = 0
  const loop = startPollLoop(driver, 1_000, clock, () => {
    readings++
  })
  loop.stop()
  ends.shift()?.()
  await loop.firstPoll
  clock.advance(5_000)
  expect(readings).toBe(0)
  expect(ends).toHaveLength(0)
})
