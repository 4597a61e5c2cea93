import { addressKey } from '../http/client-address.ts'

const windowMs = 60_000
const freeFailures = 5
const delayMsPerFailure = 200
const delayMsMax = 5_000
/** From here on an address is refused unheard until its window ends. */
const failuresMax = 100
const addressesMax = 50_000

interface Failures {
  count: number
  endsAt: number
}

/**
 * Failed logins by address. A few cost nothing; then every refusal is held back longer, and past `failuresMax` in a
 * minute the address is not even heard. Good logins are never slowed: many machines may share one address.
 */
export class LoginThrottle {
  readonly #byAddress = new Map<string, Failures>()

  /** Seconds an address must wait before it is heard again; 0 when it is heard. */
  blockedForS(address: string, now: number): number {
    const failures = this.#current(address, now)
    return failures && failures.count >= failuresMax
      ? Math.max(1, Math.ceil((failures.endsAt - now) / 1000))
      : 0
  }

  /** Counts a failure; answers the milliseconds its refusal is held back. */
  fail(address: string, now: number): number {
    const failures = this.#current(address, now) ?? { count: 0, endsAt: now + windowMs }
    failures.count++
    if (this.#byAddress.size < addressesMax || this.#byAddress.has(addressKey(address))) {
      this.#byAddress.set(addressKey(address), failures)
    } else {
      this.#sweep(now)
    }
    return Math.min(Math.max(0, failures.count - freeFailures) * delayMsPerFailure, delayMsMax)
  }

  #current(address: string, now: number): Failures | undefined {
    const key = addressKey(address)
    const failures = this.#byAddress.get(key)
    if (failures && failures.endsAt <= now) {
      this.#byAddress.delete(key)
      return undefined
    }
    return failures
  }

  #sweep(now: number): void {
    for (const [key, failures] of this.#byAddress) if (failures.endsAt <= now) this.#byAddress.delete(key)
  }
}
