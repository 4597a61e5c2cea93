import type { visits as contract } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { RateLimiter } from '../../kernel/http/rate-limiter.ts'
import type { RightsWatch } from '../../kernel/rights/rights-watch.ts'
import { LiveVisit } from './live-visit.ts'
import type { LiveVisits } from './live-visits.ts'
import { createToken, hash, isToken } from './visit-cookies.ts'
import type { NoVisit, OpenVisit, PortVisits } from './visit-port.ts'
import { createVisitTicket, takeVisitTicket } from './visit-tickets-store.ts'

const ticketMs = 60_000
/** Tickets are looked up at most so often a second, so that guesses do not use up the database. */
const looksPerSecondMax = 200

/** One-use tickets for the lines of streams to ports (rules/visits.md: ports). */
export class VisitTickets implements PortVisits {
  readonly #db: Kysely<DB>
  readonly #live: LiveVisits
  readonly #rights: Pick<RightsWatch, 'whenFresh' | 'catchUp'>
  readonly #looks = new RateLimiter({ max: looksPerSecondMax, windowMs: 1_000 })

  constructor(deps: {
    db: Kysely<DB>
    live: LiveVisits
    rights: Pick<RightsWatch, 'whenFresh' | 'catchUp'>
  }) {
    this.#db = deps.db
    this.#live = deps.live
    this.#rights = deps.rights
  }

  async createTicket(visitId: number, mode: contract.VisitMode, now: number): Promise<string> {
    const ticket = createToken()
    await createVisitTicket(this.#db, hash(ticket), { visitId, mode }, new Date(now + ticketMs))
    return ticket
  }

  async enter(
    ticket: string,
    now: number,
  ): Promise<{ visit: OpenVisit; mode: contract.VisitMode } | NoVisit> {
    if (!isToken(ticket)) return 'unknown'
    if (!(await this.#rights.whenFresh()) || !(await this.#rights.catchUp())) return 'blind'
    if (!this.#looks.take('', now)) return 'blind'
    const taken = await takeVisitTicket(this.#db, hash(ticket), new Date(now))
    const visit = taken && (await this.#live.load(taken.visitId))
    if (!taken || !visit) return 'unknown'
    if (!(visit instanceof LiveVisit)) return visit
    await this.#live.settle(visit, now)
    if (visit.ended) return { ended: visit.ended, lang: visit.lang }
    const isSeen = visit.isDecided && (await this.#rights.whenFresh()) && !visit.ended
    return isSeen ? { visit, mode: taken.mode } : 'blind'
  }
}
