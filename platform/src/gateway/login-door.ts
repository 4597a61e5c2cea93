import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineLogin, MachineLogins } from './login.ts'
import { LoginThrottle } from './login-throttle.ts'

/** A wrong secret or an unknown code. */
export interface WrongLogin {
  readonly wrong: true
}

/** Where machines prove who they are, by MQTT or HTTP: failures are counted and slowed per address. */
export class LoginDoor {
  readonly #logins: MachineLogins
  readonly #throttle = new LoginThrottle()
  readonly #now: () => number
  /** Refused logins since the start. */
  refused = 0

  constructor(logins: MachineLogins, now: () => number) {
    this.#logins = logins
    this.#now = now
  }

  async check(asked: {
    readonly code: string
    readonly secret: Buffer
    readonly address: string
  }): Promise<MachineLogin | WrongLogin | { readonly retryIn: number }> {
    const retryIn = this.#throttle.blockedForS(asked.address, this.#now())
    if (retryIn > 0) {
      this.refused++
      return { retryIn }
    }
    const login = await this.#logins.check(asked.code, asked.secret)
    if (login) return login
    this.refused++
    await sleep(this.#throttle.fail(asked.address, this.#now()))
    return { wrong: true }
  }
}
