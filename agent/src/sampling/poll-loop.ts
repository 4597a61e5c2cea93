import type { Clock } from '../clock.ts'
import type { Driver } from '../drivers/driver.ts'
import type { Reading } from '../tag.ts'

export interface PollLoop {
  /** Fulfilled after the first poll. */
  firstPoll: Promise<void>
  /** No reading comes after this; a running poll ends in the background. */
  stop(): void
}

/**
 * Polls at fixed beats of `intervalMs`. After a poll that took longer than its interval, beats are skipped instead of
 * piling up; polls never overlap.
 */
export function startPollLoop(
  driver: Pick<Driver, 'poll'>,
  intervalMs: number,
  clock: Clock,
  onReadings: (readings: Reading[]) => void,
): PollLoop {
  let stopped = false
  let cancel = (): void => undefined
  let nextAtMs = clock.monotonic()

  async function beat(): Promise<void> {
    const readings = await driver.poll()
    if (stopped) return
    onReadings(readings)
    const nowMs = clock.monotonic()
    nextAtMs += intervalMs * Math.max(1, Math.ceil((nowMs - nextAtMs) / intervalMs))
    cancel = clock.after(nextAtMs - nowMs, () => void beat())
  }

  return {
    firstPoll: beat(),
    stop() {
      stopped = true
      cancel()
    },
  }
}
