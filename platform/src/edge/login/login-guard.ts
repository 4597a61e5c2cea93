import { addressKey } from '../../kernel/http/client-address.ts'
import type { MachineLogin, MachineLogins } from './login.ts'
import { LoginThrottle } from './login-throttle.ts'

/** Seconds until a login may be tried again that found too many waiting. */
const busyS = 1

/** A wrong secret or an unknown code. */
export interface WrongLogin {
  readonly wrong: true
}

/** Checks machines' credentials, by MQTT, HTTP or tunnel; failures of all three count together. */
export class LoginGuard {
  readonly #logins: MachineLogins
  readonly #throttle: LoginThrottle
  /** Refused logins since the start. */
  refused = 0

  /** `ticks` are milliseconds of a monotonic clock. */
  constructor(logins: MachineLogins, ticks: () => number) {
    this.#logins = logins
    this.#throttle = new LoginThrottle(ticks)
  }

  /**
   * Checks a secret; what other machines behind its address tried does not delay it. `retryIn`: seconds until it may try
   * again, when this code was wrong too often from there, or too many wait.
   */
  async check(asked: {
    readonly code: string
    readonly secret: Buffer
    readonly address: string
  }): Promise<MachineLogin | WrongLogin | { readonly retryIn: number }> {
    const { code, secret } = asked
    const from = addressKey(asked.address)
    const retryIn = this.#throttle.pauseOf(from, code)
    const login = retryIn === 0 ? await this.#logins.check(code, secret, from) : 'busy'
    if (typeof login === 'object') return login
    this.refused++
    if (login === 'busy') return { retryIn: retryIn || busyS }
    this.#throttle.fail(from, code)
    return { wrong: true }
  }
}
