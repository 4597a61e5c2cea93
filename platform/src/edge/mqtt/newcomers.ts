import { addressKey } from '../../kernel/http/client-address.ts'
import type { Logger } from '../../kernel/logger.ts'

/** Interval at which refusals are logged, however many there are. */
const tellMs = 1_000

/** A connection that has not signed in. */
export interface Newcomer {
  /** Called when it signed in or is gone. May be called again. */
  leave(): void
}

export interface NewcomerLimits {
  /** Connections that have not signed in. */
  readonly max: number
  /** The part of them from one address. */
  readonly perAddressMax: number
}

/** Counts connections of strangers, which cost memory and time before they sign in. */
export class Newcomers {
  readonly #limits: NewcomerLimits
  readonly #logger: Logger
  readonly #ticks: () => number
  readonly #byAddress = new Map<string, number>()
  #count = 0
  #unreported = 0
  #toldAt = Number.NEGATIVE_INFINITY
  #lastAddress = ''
  /** Connections refused since the start. */
  refused = 0

  /** `ticks` are milliseconds of a monotonic clock. */
  constructor(limits: NewcomerLimits, logger: Logger, ticks: () => number) {
    this.#limits = limits
    this.#logger = logger
    this.#ticks = ticks
  }

  /** Connections that have not signed in. */
  get count(): number {
    return this.#count
  }

  /** Lets a connection in; undefined when there are too many. */
  enter(address: string): Newcomer | undefined {
    const key = addressKey(address)
    const ofAddress = this.#byAddress.get(key) ?? 0
    if (this.#count >= this.#limits.max || ofAddress >= this.#limits.perAddressMax) {
      this.#refuse(address)
      return undefined
    }
    this.#count++
    this.#byAddress.set(key, ofAddress + 1)
    let isIn = true
    return {
      leave: () => {
        if (isIn) this.#leave(key)
        isIn = false
      },
    }
  }

  /** Logs the refusals that were not logged yet. */
  sweep(): void {
    if (this.#unreported === 0 || this.#ticks() - this.#toldAt < tellMs) return
    const fields = { connections: this.#unreported, address: this.#lastAddress }
    this.#logger.warn(fields, 'connections.refused')
    this.#unreported = 0
    this.#toldAt = this.#ticks()
  }

  #refuse(address: string): void {
    this.refused++
    this.#unreported++
    this.#lastAddress = address
    this.sweep()
  }

  #leave(key: string): void {
    this.#count--
    const left = (this.#byAddress.get(key) ?? 0) - 1
    if (left > 0) this.#byAddress.set(key, left)
    else this.#byAddress.delete(key)
  }
}
