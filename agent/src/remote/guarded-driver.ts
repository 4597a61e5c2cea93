import { isIP } from 'node:net'
import type { Clock } from '../clock.ts'
import type { Driver, TagTrouble } from '../drivers/driver.ts'
import { allBad, badReading, ControllerAway } from '../drivers/driver.ts'
import type { Log } from '../log.ts'
import { errorReason } from '../log.ts'
import type { Reading } from '../tag.ts'
import type { Networks } from './networks.ts'

/** A name without a reachable address is looked up again after this time. */
const lookUpAgainMs = 60_000

export interface GuardOptions {
  readonly host: string
  readonly name: string
  readonly tagCount: number
  readonly networks: Networks
  readonly clock: Clock
  readonly log: Log
  /** A driver that connects to this address. */
  open(address: string): Driver
}

/**
 * A driver that connects to addresses inside the networks only. Its host's name is looked up here and not by
 * the connection, which gets the address that was checked; when no tag can be read any more, the name is
 * looked up again.
 */
export function guardDriver(options: GuardOptions): Driver {
  if (isIP(options.host) !== 0) return options.open(options.host)
  return new GuardedDriver(options)
}

class GuardedDriver implements Driver {
  readonly #options: GuardOptions
  #driver: Driver | null = null
  #onReadings: ((readings: readonly Reading[]) => void) | undefined
  #lookedUpAtMs = Number.NEGATIVE_INFINITY
  #readAtMs = 0
  #isClosed = false

  constructor(options: GuardOptions) {
    this.#options = options
  }

  async poll(): Promise<Reading[]> {
    const { clock, tagCount } = this.#options
    const driver = await this.#find()
    if (driver === null) return allBad(tagCount)
    const readings = await driver.poll()
    const nowMs = clock.monotonic()
    if (readings.some(({ value }) => value !== null)) this.#readAtMs = nowMs
    else if (nowMs - Math.max(this.#readAtMs, this.#lookedUpAtMs) > lookUpAgainMs) await this.#forget()
    return readings
  }

  async read(index: number): Promise<Reading> {
    return (await this.#driver?.read(index)) ?? badReading(index)
  }

  async write(...write: Parameters<Driver['write']>): Promise<void> {
    if (this.#driver === null) throw new ControllerAway()
    await this.#driver.write(...write)
  }

  troubles(): readonly TagTrouble[] {
    return this.#driver?.troubles?.() ?? []
  }

  subscribe(onReadings: (readings: readonly Reading[]) => void): void {
    this.#onReadings = onReadings
    this.#driver?.subscribe?.(onReadings)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#forget()
  }

  async #find(): Promise<Driver | null> {
    const { clock, host, log, name, networks, open } = this.#options
    const nowMs = clock.monotonic()
    if (this.#driver !== null || nowMs - this.#lookedUpAtMs < lookUpAgainMs) return this.#driver
    this.#lookedUpAtMs = nowMs
    try {
      const address = await networks.find(host)
      if (this.#isClosed) return null
      this.#driver = open(address)
      if (this.#onReadings) this.#driver.subscribe?.(this.#onReadings)
    } catch (error) {
      log('warn', 'remote.hostRefused', { connection: name, reason: errorReason(error) })
    }
    return this.#driver
  }

  async #forget(): Promise<void> {
    const driver = this.#driver
    this.#driver = null
    await driver?.close()
  }
}
