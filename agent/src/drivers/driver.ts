import { Quality } from '@busbar/link'
import type { Reading, TagValue } from '../tag.ts'

/** One connection to one controller; callers make one request at a time. */
export interface Driver {
  /**
   * Reads every tag once. Never rejects and never hangs: what could not be read comes back bad. A controller that
   * is away is tried again by the driver itself, at its own pace.
   */
  poll(): Promise<Reading[]>
  /** Reads one tag, as `poll` does. */
  read(index: number): Promise<Reading>
  /**
   * Writes a published value, in a kind and range its tag allows. Rejects with `ControllerAway` if the
   * controller could not be reached, otherwise with the controller's refusal in words for a person.
   */
  write(index: number, value: TagValue): Promise<void>
  /**
   * Passes on readings as the controller sends them, besides `poll`, which then returns the newest ones.
   * Called once, before the first poll; `onReadings` is not called after `close`.
   */
  subscribe?(onReadings: (readings: readonly Reading[]) => void): void
  /** The tags that the controller refuses or never answers, and why; they are bad beside good ones. */
  troubles?(): readonly TagTrouble[]
  close(): Promise<void>
}

export interface TagTrouble {
  index: number
  reason: string
}

/** A write that was not tried: the controller is away. */
export class ControllerAway extends Error {
  constructor() {
    super('the controller is away')
    this.name = 'ControllerAway'
  }
}

/** A request that the controller, or the driver for it, refused. The message is for a person. */
export class Refused extends Error {}

/** Compares the name, because a driver in a separate file has another copy of the class. */
export function isControllerAway(error: unknown): boolean {
  return error instanceof Error && error.name === 'ControllerAway'
}

/** The readings of a driver whose controller is unreachable. */
export function allBad(tagCount: number): Reading[] {
  return Array.from({ length: tagCount }, (_, index) => badReading(index))
}

export function badReading(index: number): Reading {
  return { index, value: null, quality: Quality.bad }
}
