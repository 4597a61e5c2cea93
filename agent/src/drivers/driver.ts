import { Quality } from '@busbar/link'
import type { Reading } from '../tag.ts'

/** One connection to one controller. */
export interface Driver {
  /**
   * Reads every tag once. Never rejects and never hangs: what could not be read comes back bad. A controller that
   * is away is tried again by the driver itself, at its own pace.
   */
  poll(): Promise<Reading[]>
  close(): Promise<void>
}

/** The answer of a driver whose controller is away. */
export function allBad(tagCount: number): Reading[] {
  return Array.from({ length: tagCount }, (_, index) => badReading(index))
}

export function badReading(index: number): Reading {
  return { index, value: null, quality: Quality.bad }
}
