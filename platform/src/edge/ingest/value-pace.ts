import { parseSparkplugTopic } from '@busbar/link'
import type { UplinkRecord } from '../../modules/telemetry/index.ts'

/** Interval of the raw log's reports that a machine sends too fast. */
const tellMs = 1_000

/** Bytes that cost as much as one value: a number with its time. */
const bytesPerValue = 64

/** The values in a message. */
export function countValues(records: readonly UplinkRecord[]): number {
  let count = 0
  for (const { kind } of records) if (kind === 'sample') count++
  return count
}

/**
 * The cost of a message in values: each value counts as 1, and texts, alarms and attributes as 1 for each started 64
 * bytes. Definitions of tags cost nothing, so that a birth of 5,000 tags costs 5,000 (rules/wire.md: pace of a
 * machine).
 */
export function costOf(records: readonly UplinkRecord[]): number {
  let cost = 0
  for (const record of records)
    if (record.kind === 'sample') cost += typeof record.value === 'string' ? costOfText(record.value) : 1
    else if (record.kind === 'alarm') cost += costOfText(record.key + JSON.stringify(record.text))
    else if (record.kind === 'attributes') cost += costOfText(JSON.stringify(record.attributes))
  return cost
}

function costOfText(text: string): number {
  // At most three bytes for each unit of UTF-16, so short texts need no counting.
  if (text.length * 3 <= bytesPerValue) return 1
  return Math.ceil(Buffer.byteLength(text) / bytesPerValue)
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
 * The rate at which one machine may send values by their cost, over MQTT and HTTP together. In the long run it accepts at
 * most `perS` a second, and at most two seconds' worth at once. A message is taken whole; the messages after it wait
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

  /** Counts a message that is taken, by `costOf`; one that costs nothing counts as one value. */
  take(cost: number): void {
    this.#left -= Math.max(1, cost)
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
