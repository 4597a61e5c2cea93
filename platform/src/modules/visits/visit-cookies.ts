import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { RateLimiter } from '../../kernel/http/rate-limiter.ts'
import type { RightsWatch } from '../../kernel/rights/rights-watch.ts'
import { BoundedMap } from './bounded-map.ts'
import { LiveVisit } from './live-visit.ts'
import type { LiveVisits } from './live-visits.ts'
import {
  type Bound,
  createVisitCode,
  createVisitCookie,
  findVisitCode,
  findVisitCookie,
  takeVisitCode,
} from './visit-cookies-store.ts'
import type { NoVisit, OpenVisit } from './visit-port.ts'
import { hasOtherVisits } from './visits-store.ts'

/** Lifetime of a code, in ms (rules/visits.md: visit host). */
const codeMs = 60_000
const tokenBytes = 32
const tokenPattern = /^[\w-]{43}$/
const stateCharactersMax = 256
const cookiesMax = 50_000
const unknownMax = 10_000
/** Look-ups of unknown cookies: guessing must not keep the database busy. */
const looksPerSecond = { host: 20, all: 200 }

/** The one-use codes and cookies that open a visit, each of one host and kept as a hash. */
export class VisitCookies {
  readonly #db: Kysely<DB>
  readonly #live: LiveVisits
  readonly #rights: Pick<RightsWatch, 'whenFresh' | 'catchUp'>
  readonly #known = new BoundedMap<string, Bound>(cookiesMax)
  readonly #unknown = new BoundedMap<string, true>(unknownMax)
  readonly #looks = new Map<string, Promise<Bound | undefined>>()
  readonly #looksOfHost = new RateLimiter({ max: looksPerSecond.host, windowMs: 1_000 })
  readonly #looksOfAll = new RateLimiter({ max: looksPerSecond.all, windowMs: 1_000 })

  constructor(deps: {
    db: Kysely<DB>
    live: LiveVisits
    rights: Pick<RightsWatch, 'whenFresh' | 'catchUp'>
  }) {
    this.#db = deps.db
    this.#live = deps.live
    this.#rights = deps.rights
  }

  /** As `VisitPort.find`. */
  async find(cookie: string, host: string, now: number): Promise<OpenVisit | NoVisit> {
    if (!(await this.#rights.whenFresh()) || !(await this.#rights.catchUp())) return 'blind'
    const known = this.findKnown(cookie, host, now)
    if (known) return known
    const bound = await this.#look(cookie, host, now)
    if (bound === 'blind') return 'blind'
    if (!bound || bound.host !== host) return 'unknown'
    const visit = await this.#live.load(bound.visitId)
    if (!visit) return 'unknown'
    if (!(visit instanceof LiveVisit)) return visit
    await this.#live.settle(visit, now)
    if (visit.ended) return { ended: visit.ended, lang: visit.lang }
    return visit.isDecided && (await this.#rights.whenFresh()) && !visit.ended ? visit : 'blind'
  }

  /** As `VisitPort.isKnown`. */
  isKnown(cookie: string): boolean {
    return this.#known.get(keyOf(cookie)) !== undefined
  }

  /** The visit of a cookie from memory alone, which serves nearly every request. Undefined if it is not in memory. */
  findKnown(cookie: string, host: string, now: number): OpenVisit | NoVisit | undefined {
    const bound = this.#known.get(keyOf(cookie))
    if (!bound) return undefined
    if (bound.host !== host) return 'unknown'
    const visit = this.#live.find(bound.visitId)
    if (!visit) return undefined
    if (!(visit instanceof LiveVisit)) return visit
    return this.#live.isSettled(visit, now) ? visit : undefined
  }

  /** As `VisitPort.createCode`. */
  async createCode(visitId: number, host: string, state: string, now: number): Promise<string> {
    const code = createToken()
    await createVisitCode(this.#db, {
      codeHash: hash(code),
      visitId,
      host,
      stateHash: hash(state),
      expiresAt: new Date(now + codeMs),
    })
    return code
  }

  /** As `VisitPort.peekCode`. */
  async peekCode(code: string, host: string, state: string, now: number) {
    if (!isCode(code, state)) return undefined
    const found = await findVisitCode(this.#db, hash(code), new Date(now))
    if (!found || !isBoundTo(found, host, state)) return undefined
    return { visitId: found.visit_id, hasOtherVisits: await hasOtherVisits(this.#db, found.visit_id) }
  }

  /** As `VisitPort.swapCode`; a code shown at the wrong place is used up all the same. */
  async swapCode(code: string, host: string, state: string, now: number) {
    if (!isCode(code, state)) return undefined
    const cookie = createToken()
    const bound = await this.#db.transaction().execute(async (trx) => {
      const taken = await takeVisitCode(trx, hash(code), new Date(now))
      if (!taken || !isBoundTo(taken, host, state)) return undefined
      const own = { visitId: taken.visit_id, host }
      await createVisitCookie(trx, hash(cookie), own)
      return own
    })
    if (!bound) return undefined
    this.#known.set(keyOf(cookie), bound)
    const { visitId } = bound
    return { cookie, visitId, hasOtherVisits: await hasOtherVisits(this.#db, visitId) }
  }

  /** A cookie of a visit, where no code was swapped for it. */
  async create(visitId: number, host: string): Promise<string> {
    const cookie = createToken()
    await createVisitCookie(this.#db, hash(cookie), { visitId, host })
    this.#known.set(keyOf(cookie), { visitId, host })
    return cookie
  }

  /** As `VisitPort.hasOtherVisits`. */
  async hasOtherVisits(cookie: string, host: string): Promise<boolean> {
    const bound = this.#known.get(keyOf(cookie)) ?? (await findVisitCookie(this.#db, hash(cookie)))
    return bound?.host === host && hasOtherVisits(this.#db, bound.visitId)
  }

  /** The visit of a cookie, from the database the first time; several requests at once share one look. */
  async #look(cookie: string, host: string, now: number): Promise<Bound | undefined | 'blind'> {
    const key = keyOf(cookie)
    const known = this.#known.get(key)
    if (known) return known
    if (!tokenPattern.test(cookie) || this.#unknown.get(key)) return undefined
    const underway = this.#looks.get(key)
    if (underway) return underway
    if (!this.#looksOfHost.take(host, now) || !this.#looksOfAll.take('', now)) return 'blind'
    const look = findVisitCookie(this.#db, hash(cookie)).finally(() => this.#looks.delete(key))
    this.#looks.set(key, look)
    const bound = await look
    if (bound) this.#known.set(key, bound)
    else this.#unknown.set(key, true)
    return bound
  }
}

export const isToken = (text: string): boolean => tokenPattern.test(text)
const isCode = (code: string, state: string): boolean => isToken(code) && state.length <= stateCharactersMax
const isBoundTo = (bound: { host: string; state_hash: Buffer }, host: string, state: string): boolean =>
  bound.host === host && timingSafeEqual(bound.state_hash, hash(state))
/** A code or a cookie: 256 random bits. */
export const createToken = (): string => randomBytes(tokenBytes).toString('base64url')
/** Codes and cookies are stored as this. */
export const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
const keyOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64')
