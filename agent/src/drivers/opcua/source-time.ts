import type { DataValue } from 'node-opcua-client'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'

/** As the platform: a live time that is further off is not believed. */
const clockSkewMsMax = 5 * 60_000

/** When a value was taken. */
export interface JudgedTime {
  /** Absent: the agent's own clock counts. */
  at?: number
  /** The controller's time cannot be true, so the time of the value is unknown. */
  isUncertain: boolean
}

export interface SourceTimesOptions {
  times: 'source' | 'agent'
  clock: Clock
  log: Log
  connection: string
}

/**
 * Judges the times that a server sends. If the server's clock is off, its times are not used. A value
 * unchanged for hours carries the time of its last change: as the first value, it gets the current time.
 */
export class SourceTimes {
  readonly #options: SourceTimesOptions
  #isClockOff = false

  constructor(options: SourceTimesOptions) {
    this.#options = options
  }

  /** Notes the server's clock; called with every message that contains it. */
  noteServerTime(serverTime: Date | null | undefined): void {
    const { times, clock, log, connection } = this.#options
    if (times === 'agent' || !serverTime) return
    const offsetMs = serverTime.getTime() - clock.now()
    const isOff = Math.abs(offsetMs) > clockSkewMsMax
    if (isOff === this.#isClockOff) return
    this.#isClockOff = isOff
    if (isOff) log('warn', 'opcua.clockOff', { connection, offsetMs })
    else log('info', 'opcua.clockRight', { connection })
  }

  /** `isFirst`: the first value after a subscription was made. */
  judge(
    { sourceTimestamp, serverTimestamp }: Pick<DataValue, 'sourceTimestamp' | 'serverTimestamp'>,
    isFirst: boolean,
  ): JudgedTime {
    if (this.#options.times === 'agent') return { isUncertain: false }
    if (this.#isClockOff) return { isUncertain: true }
    const told = sourceTimestamp ?? serverTimestamp
    if (!told) return { isUncertain: false }
    const at = told.getTime()
    const isNear = Math.abs(at - this.#options.clock.now()) <= clockSkewMsMax
    return isNear ? { at, isUncertain: false } : { isUncertain: !isFirst }
  }
}
