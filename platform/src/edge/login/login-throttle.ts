import { createHash } from 'node:crypto'

const windowMs = 60_000
/**
 * Wrong secrets of one code from one address in a window; further logins of this pair are refused until it ends
 * (rules/wire.md: wrong secrets).
 */
const pairFailuresMax = 10
/** Pairs that are remembered; above it the oldest is dropped. */
const pairsMax = 100_000
/** Codes of machines are shorter; of a longer one a hash is kept. */
const codeCharactersMax = 32

interface Failures {
  count: number
  endsAt: number
}

/**
 * Failed logins of machines, by pairs of address and code: one misconfigured device pauses only itself, not others
 * behind its address. A secret has 256 random bits: this protects the platform's time, not the secrets.
 */
export class LoginThrottle {
  readonly #ticks: () => number
  readonly #failures = new Map<string, Failures>()

  /** `ticks` are milliseconds of a monotonic clock. */
  constructor(ticks: () => number) {
    this.#ticks = ticks
  }

  /** The seconds until a pair may try again; 0: at once. */
  pauseOf(address: string, code: string): number {
    const failures = this.#failures.get(pairOf(address, code))
    if (!failures || failures.count < pairFailuresMax) return 0
    return Math.max(0, Math.ceil((failures.endsAt - this.#ticks()) / 1_000))
  }

  /** Counts a wrong login. The newest pair is the last to be dropped. */
  fail(address: string, code: string): void {
    const now = this.#ticks()
    const pair = pairOf(address, code)
    const failures = this.#failures.get(pair)
    if (failures && failures.endsAt > now) {
      failures.count++
      return
    }
    this.#failures.delete(pair)
    const [oldest] = this.#failures.keys()
    if (this.#failures.size >= pairsMax && oldest !== undefined) this.#failures.delete(oldest)
    this.#failures.set(pair, { count: 1, endsAt: now + windowMs })
  }
}

function pairOf(address: string, code: string): string {
  const key = code.length <= codeCharactersMax ? code : createHash('sha256').update(code).digest('base64')
  return `${address} ${key}`
}
