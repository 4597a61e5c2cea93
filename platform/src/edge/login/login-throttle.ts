import { createHash } from 'node:crypto'
import { addressKey } from '../../kernel/http/client-address.ts'

const windowMs = 60_000
/**
 * Wrong secrets of one code from one address in a window; further logins of this pair are refused until it ends
 * (rules/wire.md: wrong secrets).
 */
const pairFailuresMax = 10
/** Different wrong codes from one address in a window; above it, codes that never signed in from it wait. */
const wrongCodesMax = 50
/** The interval at which waiting logins are checked. */
const slowMs = 1_000
/** Logins of one address that may wait. */
const waitingMax = 20
/** Memory of a code's sign-in from an address, in ms. */
const knownMs = 24 * 60 * 60_000
/** Entries of each kind; above it the oldest is dropped. */
const entriesMax = 100_000
/** Codes of machines are shorter; of a longer one a hash is kept. */
const codeCharactersMax = 32

interface Failures {
  count: number
  endsAt: number
}

interface Wrongs {
  readonly codes: Set<string>
  endsAt: number
  /** When the next waiting login is checked. */
  nextAt: number
}

/**
 * Failed logins of machines, by pairs of address and code: one misconfigured device pauses only itself, not others
 * behind its address. An address that tries many codes is slowed, except for codes that recently signed in from it. A
 * secret has 256 random bits: this protects the platform's time, not the secrets.
 */
export class LoginThrottle {
  readonly #ticks: () => number
  readonly #failures = new Map<string, Failures>()
  readonly #known = new Map<string, number>()
  readonly #wrongs = new Map<string, Wrongs>()

  /** `ticks` are milliseconds of a monotonic clock. */
  constructor(ticks: () => number) {
    this.#ticks = ticks
  }

  /** The wait of a login before its check, in ms, or the seconds until it may be tried again. */
  ask(address: string, code: string): { readonly waitMs: number } | { readonly retryIn: number } {
    const now = this.#ticks()
    const pair = pairOf(address, code)
    const failures = this.#failures.get(pair)
    if (failures && failures.endsAt > now && failures.count >= pairFailuresMax) {
      return { retryIn: secondsOf(failures.endsAt - now) }
    }
    const wrongs = this.#wrongs.get(addressKey(address))
    const isSlow = wrongs && wrongs.endsAt > now && wrongs.codes.size > wrongCodesMax
    if (!isSlow || (this.#known.get(pair) ?? Number.NEGATIVE_INFINITY) > now - knownMs) return { waitMs: 0 }
    const waitMs = Math.max(0, wrongs.nextAt - now)
    if (waitMs > slowMs * waitingMax) return { retryIn: secondsOf(waitMs) }
    wrongs.nextAt = now + waitMs + slowMs
    return { waitMs }
  }

  /** Counts a wrong login. */
  fail(address: string, code: string): void {
    const now = this.#ticks()
    const pair = pairOf(address, code)
    const failures = this.#failures.get(pair)
    if (failures && failures.endsAt > now) failures.count++
    else renew(this.#failures, pair, { count: 1, endsAt: now + windowMs })
    this.#failCode(addressKey(address), keyOf(code), now)
  }

  /** Remembers that a code signed in from an address. */
  succeed(address: string, code: string): void {
    renew(this.#known, pairOf(address, code), this.#ticks())
  }

  #failCode(address: string, code: string, now: number): void {
    let wrongs = this.#wrongs.get(address)
    if (!wrongs || wrongs.endsAt <= now) {
      wrongs = { codes: new Set(), endsAt: now + windowMs, nextAt: wrongs?.nextAt ?? now }
      renew(this.#wrongs, address, wrongs)
    }
    if (wrongs.codes.size <= wrongCodesMax) wrongs.codes.add(code)
  }
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

const pairOf = (address: string, code: string): string => `${addressKey(address)} ${keyOf(code)}`

function keyOf(code: string): string {
  return code.length <= codeCharactersMax ? code : createHash('sha256').update(code).digest('base64')
}

/** Sets an entry as the newest one; the oldest makes room. */
function renew<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key)
  if (entries.size >= entriesMax) {
    const [oldest] = entries.keys()
    if (oldest !== undefined) entries.delete(oldest)
  }
  entries.set(key, value)
}
