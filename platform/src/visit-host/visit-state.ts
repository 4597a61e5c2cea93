import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readCookie } from '../kernel/http/cookies.ts'
import { stateCookieName } from './visit-cookies.ts'

/** Time limit of a person's sign-in on the way to a machine, in s (rules/visits.md: visit host). */
export const stateLifeS = 5 * 60
const statePattern = /^[A-Za-z0-9_-]{43}$/

/** The data that a browser keeps while the console is asked whether it may enter. */
export interface EntryState {
  /** 256 random bits: a code is bound to them. */
  readonly state: string
  /** Proof that the last visitor's data was cleared; empty before. */
  readonly cleared: string
  /** The wished path on this host: to be checked before anybody is sent there. */
  readonly path: string
  /** The origin of the first request, which decides whether the path counts. */
  readonly site: EntrySite
}

/**
 * `Sec-Fetch-Site` of the first request; empty if the browser sent none. `proven`: the path came with a proof of
 * clearing. `offered`: it came with a proof that another target of the machine gave it.
 */
export type EntrySite = 'none' | 'same-origin' | 'same-site' | 'cross-site' | 'proven' | 'offered' | ''
const entrySites: readonly string[] = ['none', 'same-origin', 'same-site', 'cross-site']

/** A proof that another target of the machine gave a path of this host is signed for these. */
export type Offered = Omit<Cleared, 'visitId'>

/** A proof of clearing is signed for these. */
export interface Cleared {
  readonly host: string
  readonly visitId: number
  /** The target path of the visit. */
  readonly path: string
}

export const createState = (): string => randomBytes(32).toString('base64url')
/** A state as addresses carry it: who reads one in a history or a log cannot make the cookie of it. */
export const hashState = (state: string): string => createHash('sha256').update(state).digest('base64url')
export const isState = (value: unknown): value is string =>
  typeof value === 'string' && statePattern.test(value)

/** The browser's own report of the origin of a request. */
export function readSite({ 'sec-fetch-site': site }: IncomingHttpHeaders): EntrySite {
  return typeof site === 'string' && entrySites.includes(site) ? (site as EntrySite) : ''
}

export function formatState({ state, cleared, path, site }: EntryState): string {
  return `${state}.${cleared}.${site}.${Buffer.from(path).toString('base64url')}`
}

/** The state of a browser, with its path unchanged; undefined without one, with two, or with an invalid one. */
export function readState(cookieHeader: string | undefined, https: boolean): EntryState | undefined {
  const values = readCookie(cookieHeader, stateCookieName(https))
  const parts = values.length === 1 ? (values[0]?.split('.') ?? []) : []
  const [state, cleared, site, path] = parts
  if (parts.length !== 4 || !isState(state) || cleared === undefined || path === undefined) return undefined
  return {
    state,
    cleared,
    path: Buffer.from(path, 'base64url').toString('latin1'),
    site: site === 'proven' || site === 'offered' ? site : readSite({ 'sec-fetch-site': site }),
  }
}

/** Whether the answer from the console is for this browser: its state must equal the one that the browser holds. */
export function matchState(held: string | undefined, told: string | undefined): boolean {
  if (!isState(held) || !isState(told)) return false
  return timingSafeEqual(Buffer.from(hashState(held)), Buffer.from(told))
}

/**
 * The value of `Clear-Site-Data`. Clearing cookies reaches the whole registrable domain: other
 * visits, or a console that shares it.
 */
export function clearing(hasOtherVisits: boolean, sharesConsoleSite: boolean): string {
  const own = '"storage","cache"'
  return hasOtherVisits || sharesConsoleSite ? own : `"cookies",${own}`
}

/**
 * Signs that a host was cleared for a visit to a path: so a visitor finds no data of another visitor, and one person's
 * proof is useless to another. Or, without a visit, that another target of the machine gave the path. A proof counts in the
 * process that made it.
 */
export class PathProofs {
  readonly #key = randomBytes(32)

  create(what: Cleared | Offered, now: number): string {
    const until = (now + stateLifeS * 1000).toString(36)
    return `${until}-${this.#sign(what, until)}`
  }

  check(proof: string | undefined, what: Cleared | Offered, now: number): boolean {
    const [, until, signature] = /^([0-9a-z]{1,12})-([A-Za-z0-9_-]{43})$/.exec(proof ?? '') ?? []
    if (!until || !signature || Number.parseInt(until, 36) < now) return false
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(what, until)))
  }

  #sign(what: Cleared | Offered, until: string): string {
    const of = 'visitId' in what ? what.visitId : 'offered'
    const text = `${what.host} ${of} ${until} ${what.path}`
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}
