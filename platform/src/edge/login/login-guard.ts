import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineLogin, MachineLogins } from './login.ts'
import { LoginThrottle } from './login-throttle.ts'

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

  /** Checks a secret, after a wait where its address tries too many codes; `retryIn`: seconds until it may try again. */
  async check(asked: {
    readonly code: string
    readonly secret: Buffer
    readonly address: string
  }): Promise<MachineLogin | WrongLogin | { readonly retryIn: number }> {
    const { code, secret, address } = asked
    const turn = this.#throttle.ask(address, code)
    if ('retryIn' in turn) {
      this.refused++
      return turn
    }
    if (turn.waitMs > 0) await sleep(turn.waitMs)
    const login = await this.#logins.check(code, secret)
    if (login) {
      this.#throttle.succeed(address, code)
      return login
    }
    this.refused++
    this.#throttle.fail(address, code)
    return { wrong: true }
  }
}
