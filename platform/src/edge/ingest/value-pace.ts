import { parseSparkplugTopic } from '@busbar/link'
import type { UplinkRecord } from '../../modules/telemetry/index.ts'

/** Interval of the raw log's reports that a machine sends too fast. */
const tellMs = 1_000

/** Counts the values in a message; definitions of tags do not count, so that a birth of 5,000 tags costs 5,000. */
export function countValues(records: readonly UplinkRecord[]): number {
  let count = 0
  for (const { kind } of records) if (kind === 'sample') count++
  return count
}

/**
 * Whether a message that comes too fast may be dropped. Messages with an acknowledgement wait instead, and so do births
 * and deaths, because without them later messages would be read by invalid aliases.
 */
export function isDroppable(topic: string, qos: number): boolean {
  if (qos > 0) return false
  const type = parseSparkplugTopic(topic)?.type
  return type === undefined || type === 'NDATA' || type === 'DDATA'
}

/**
 * The rate at which one machine may send values, over MQTT and HTTP together. In the long run it accepts at most `perS`
 * a second, and at most two seconds' worth at once. A message is taken whole; the messages after it wait
 * (rules/wire.md: pace of a machine).
 */
export class ValuePace {
  readonly #perS: number
  readonly #ticks: () => number
  #left: number
  #countedAt: number
  #unreported = 0
  #toldAt = Number.NEGATIVE_INFINITY
  /** Sessions of the machine that hold it. */
  holders = 0

  /** `ticks` are milliseconds of a monotonic clock. */
  constructor(perS: number, ticks: () => number) {
    this.#perS = perS
    this.#ticks = ticks
    this.#left = perS
    this.#countedAt = ticks()
  }

  /** Values a second at most. */
  get perS(): number {
    return this.#perS
  }

  /** Counts values that are taken; a message without any counts as one. */
  take(values: number): void {
    this.#left -= Math.max(1, values)
  }

  /** Milliseconds until more is taken; 0: at once. */
  waitMs(): number {
    // The clock is read once a bucket is empty, not with every message.
    if (this.#left > 0) return 0
    this.#refill()
    return this.#left > 0 ? 0 : Math.ceil(((1 - this.#left) * 1000) / this.#perS)
  }

  /** Counts a message that is dropped. Answers the number since the last report, or 0 shortly after one. */
  drop(): number {
    this.#unreported++
    const now = this.#ticks()
    if (now - this.#toldAt < tellMs) return 0
    const dropped = this.#unreported
    this.#unreported = 0
    this.#toldAt = now
    return dropped
  }

  /** Whether it equals a new one, and no session holds it. */
  get isIdle(): boolean {
    if (this.holders > 0 || this.#ticks() - this.#toldAt < tellMs) return false
    this.#refill()
    return this.#left >= this.#perS
  }

  #refill(): void {
    const now = this.#ticks()
    this.#left = Math.min(this.#perS, this.#left + ((now - this.#countedAt) * this.#perS) / 1000)
    this.#countedAt = now
  }
}

/** The paces of all machines that sent lately. */
export class ValuePaces {
  readonly #perS: number
  readonly #ticks: () => number
  readonly #byMachine = new Map<number, ValuePace>()
  /** Messages of QoS 0 dropped since the start because their machine sent too fast. */
  dropped = 0

  /** `perS` values a second of each machine. */
  constructor(perS: number, ticks: () => number) {
    this.#perS = perS
    this.#ticks = ticks
  }

  of(machineId: number): ValuePace {
    let pace = this.#byMachine.get(machineId)
    if (!pace) {
      pace = new ValuePace(this.#perS, this.#ticks)
      this.#byMachine.set(machineId, pace)
    }
    return pace
  }

  /** Removes those that equal a new one. */
  sweep(): void {
    for (const [machineId, pace] of this.#byMachine) if (pace.isIdle) this.#byMachine.delete(machineId)
  }
}
