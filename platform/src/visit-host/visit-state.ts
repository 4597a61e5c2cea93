import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readCookie } from '../http/cookies.ts'
import { stateCookieName } from './visit-cookies.ts'

/** How long one has to sign in on the way to a machine. */
export const stateLifeS = 5 * 60
const wishedPathMax = 2_048
const statePattern = /^[A-Za-z0-9_-]{43}$/

/** What a browser remembers while the console is asked whether it may enter. */
export interface EntryState {
  /** 256 random bits: a code is bound to them. */
  readonly state: string
  /** Proof that what the last visitor left was cleared; empty before. */
  readonly cleared: string
  /** Where one wanted to go on this host: to be checked before anybody is sent there. */
  readonly path: string
}

export const createState = (): string => randomBytes(32).toString('base64url')
/** A state as addresses carry it: who reads one in a history or a log cannot make the cookie of it. */
export const tellState = (state: string): string => createHash('sha256').update(state).digest('base64url')
export const isState = (value: unknown): value is string =>
  typeof value === 'string' && statePattern.test(value)

/** A path of the same host, or `/`: `//evil`, `/\evil` and what a browser makes such of would lead elsewhere. */
export function returnPath(wished: string | undefined): string {
  if (!wished || wished.length > wishedPathMax) return '/'
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(wished) || wished.includes('\\')) return '/'
  const url = URL.parse(wished, 'http://visit.invalid')
  if (url?.host !== 'visit.invalid' || url.pathname.startsWith('//')) return '/'
  return url.pathname.startsWith('/.busbar/') ? '/' : `${url.pathname}${url.search}`
}

export function formatState({ state, cleared, path }: EntryState): string {
  return `${state}.${cleared}.${Buffer.from(path).toString('base64url')}`
}

/** The state a browser brought, its path as it was said; undefined without one, with two, or with one that is none. */
export function readState(cookieHeader: string | undefined, https: boolean): EntryState | undefined {
  const values = readCookie(cookieHeader, stateCookieName(https))
  const parts = values.length === 1 ? (values[0]?.split('.') ?? []) : []
  const [state, cleared, path] = parts
  if (parts.length !== 3 || !isState(state) || cleared === undefined || path === undefined) return undefined
  return { state, cleared, path: Buffer.from(path, 'base64url').toString('latin1') }
}

/** Whether the answer from the console is for this browser: the state it was asked with is the one it holds, told. */
export function matchState(held: string | undefined, told: string | undefined): boolean {
  if (!isState(held) || !isState(told)) return false
  return timingSafeEqual(Buffer.from(tellState(held)), Buffer.from(told))
}

/**
 * What a browser must forget, as `Clear-Site-Data` says it. Clearing cookies reaches the whole registrable domain: other
 * visits, or a console that shares it.
 */
export function clearing(hasOtherVisits: boolean, sharesConsoleSite: boolean): string {
  const own = '"storage","cache"'
  return hasOtherVisits || sharesConsoleSite ? own : `"cookies",${own}`
}

/** Signs that a host was cleared, so that nobody enters into what another visitor left. */
export class ClearedProof {
  readonly #key = randomBytes(32)

  create(host: string, now: number): string {
    const until = (now + stateLifeS * 1000).toString(36)
    return `${until}-${this.#sign(host, until)}`
  }

  check(proof: string | undefined, host: string, now: number): boolean {
    const [, until, signature] = /^([0-9a-z]{1,12})-([A-Za-z0-9_-]{43})$/.exec(proof ?? '') ?? []
    if (!until || !signature || Number.parseInt(until, 36) < now) return false
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(host, until)))
  }

  #sign(host: string, until: string): string {
    return createHmac('sha256', this.#key).update(`${host} ${until}`).digest('base64url')
  }
}
