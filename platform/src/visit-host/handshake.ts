import { tunnelTarget } from '@busbar/link'
import type { CallLimits } from '../kernel/http/call-limits.ts'
import { addressKey } from '../kernel/http/client-address.ts'
import { readCookie } from '../kernel/http/cookies.ts'
import { Failure } from '../kernel/http/failure.ts'
import type { Logger } from '../kernel/logger.ts'
import type { OpenVisit, VisitAddress, VisitPort } from '../modules/visits/index.ts'
import { addFrom } from '../modules/visits/index.ts'
import type { Admissions } from './admission.ts'
import type { Asked } from './asked.ts'
import { Frames } from './frames.ts'
import type { Refusal } from './refusal.ts'
import type { EndedVisit, Responses } from './responses.ts'
import { langOf } from './responses.ts'
import type { VisitRules } from './rules.ts'
import {
  expireCookies,
  formatOwnCookie,
  fromCookieName,
  stateCookieName,
  visitCookieName,
} from './visit-cookies.ts'
import { fromLifeS, toldFrom } from './visit-from.ts'
import {
  type Cleared,
  createState,
  type EntryState,
  formatState,
  hashState,
  type PathProofs,
  readState,
  stateLifeS,
} from './visit-state.ts'

/** Paths the visit host keeps for itself; no machine ever sees them. */
export const ownPathPrefix = '/.busbar/'
const enterPath = `${ownPathPrefix}enter`
const leftPath = `${ownPathPrefix}left`
const leavePath = `${ownPathPrefix}leave`
/** Paths of the agent's own page for its visit, and for requests for control. */
const visitPath = `${ownPathPrefix}visit`
const controlPath = `${ownPathPrefix}control`

/** The path at which the console checks whether a person may enter. */
export const authorizePath = '/visit/authorize'

const codeLengthMax = 128

export interface HandshakeDeps {
  readonly address: VisitAddress
  readonly visitPort: Pick<
    VisitPort,
    | 'peekCode'
    | 'swapCode'
    | 'findAskedPath'
    | 'markPath'
    | 'hasOtherVisits'
    | 'leave'
    | 'describe'
    | 'takeControl'
    | 'enterEmbedded'
  >
  readonly admissions: Admissions
  readonly responses: Responses
  readonly rules: VisitRules
  readonly limits: Pick<CallLimits, 'takeByAddress'>
  readonly https: boolean
  readonly logger: Logger
  readonly proofs: PathProofs
  now(): number
}

/** The way into a visit host and out of it (docs/decisions/0009-visit-host.md). */
export class Handshake {
  readonly #deps: HandshakeDeps
  readonly #proofs: PathProofs
  readonly #frames: Frames

  constructor(deps: HandshakeDeps) {
    this.#deps = deps
    this.#frames = new Frames({
      ...deps,
      now: () => deps.now(),
      countRefusal: (rate, address) => this.#countRefusal(rate, address),
    })
    this.#proofs = deps.proofs
  }

  /** A request without a visit: a person is sent to the console to sign in; a program only gets an error. */
  async begin(asked: Asked, entry: Omit<EntryState, 'state'>): Promise<void> {
    const { address, responses, rules, https } = this.#deps
    const { request, response, name, from } = asked
    const refuse = (refusal: Refusal) => responses.refuse(request, response, refusal)
    const isPage = rules.isPageNavigation(request.method, request.headers)
    if (!isPage) return refuse({ status: 401, reason: 'noVisit' })
    const refusal = await this.#countRefusal('visitStarts', asked.address)
    if (refusal) return refuse(refusal)
    const state = createState()
    const query = new URLSearchParams({ host: name.host, state: hashState(state) })
    // The person reads it before they press.
    if (entry.path !== '/' && (entry.site === 'proven' || rules.mayChoosePath(entry.site)))
      query.set('path', entry.path)
    responses.redirect(response, `${address.consoleOrigin(name.host, from)}${authorizePath}?${query}`, {
      'set-cookie': formatOwnCookie(
        stateCookieName(https),
        formatState({ state, ...entry }),
        https,
        stateLifeS,
      ),
    })
  }

  /** Counts a question; the refusal where there were too many, or they could not be counted. */
  async #countRefusal(
    rate: 'visitStarts' | 'visitCodes' | 'visitPages',
    address: string,
  ): Promise<Refusal | undefined> {
    try {
      await this.#deps.limits.takeByAddress(rate, address)
      return undefined
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return error.code === '429' ? { status: 429, reason: 'tooMany' } : { status: 503, reason: 'blind' }
    }
  }

  /** Answers a path of the visit host's own. */
  async answer(asked: Asked): Promise<void> {
    const { responses, rules } = this.#deps
    const { request, response } = asked
    const url = new URL(request.url ?? '/', 'http://visit.invalid')
    const isPage = rules.isPageNavigation(request.method, request.headers)
    if (url.pathname === enterPath && isPage) return this.#enter(asked, url.searchParams)
    if (url.pathname === leftPath && isPage) return this.#left(asked)
    if (url.pathname === leavePath && request.method === 'POST') return this.#leave(asked)
    if (url.pathname === visitPath && request.method === 'GET') return this.#describeToPage(asked)
    if (url.pathname === controlPath && request.method === 'POST') return this.#takeControl(asked)
    if (await this.#frames.answer(asked, url)) return
    responses.refuse(request, response, { status: 404, reason: 'unknownPage' })
  }

  /** Clears the data that an ended visit left in the browser. */
  async end(asked: Asked, visit: EndedVisit): Promise<void> {
    const { address, visitPort, responses, rules, https } = this.#deps
    const { request, response, name, from } = asked
    const own = visitCookieName(https)
    // A program gets an error; a person gets the page with the next navigation.
    if (!rules.isPageNavigation(request.method, request.headers))
      return responses.end(request, response, visit, {})
    // The cookie with the console's id may be cleared below, so the address keeps it for a reload.
    if (from !== undefined && toldFrom(request) === undefined) {
      const path = request.url === leftPath ? leftPath : rules.returnPath(request.url)
      return responses.redirect(response, addFrom(path, from))
    }
    const [cookie = ''] = readCookie(request.headers.cookie, own)
    responses.end(request, response, visit, {
      'clear-site-data': rules.clearing(
        await visitPort.hasOtherVisits(cookie, name.host),
        address.sharesConsoleSite,
      ),
      'set-cookie': [
        ...expireCookies(request.headers.cookie, https, [own, fromCookieName(https)]),
        formatOwnCookie(own, '', https, 0),
      ],
    })
  }

  /**
   * Two steps: the last visitor's data is cleared, then the code is swapped. In one step, a browser would also clear
   * the cookie of the same answer.
   */
  async #enter(asked: Asked, query: URLSearchParams): Promise<void> {
    const { address, visitPort, responses, rules, https, now } = this.#deps
    const { request, response, name, from } = asked
    const lost = () => responses.refuse(request, response, { status: 400, reason: 'stateLost' })
    const refusal = await this.#countRefusal('visitCodes', asked.address)
    if (refusal) return responses.refuse(request, response, refusal)
    const held = readState(request.headers.cookie, https)
    const told = { code: query.get('code') ?? '', state: query.get('state') ?? '' }
    const { host } = name
    const proof = query.get('cleared') ?? held?.cleared ?? ''
    if (!held) {
      // Cleared with everything else: the way in begins again, and its new state shows that nothing is left to clear.
      const path = query.get('to') ?? '/'
      if (!this.#proofs.check(proof, { host, visitId: Number(query.get('visit')), path }, now()))
        return lost()
      return this.begin(asked, { path: rules.returnPath(path), cleared: proof, site: 'proven' })
    }
    if (told.code === '' || told.code.length > codeLengthMax) return lost()
    if (!rules.matchState(held.state, told.state)) return lost()
    const peeked = await visitPort.peekCode(told.code, host, told.state, now())
    if (!peeked) return lost()
    const { visitId } = peeked
    const path = await this.#pathOf(held, { host, visitId })
    if (!this.#proofs.check(proof, { host, visitId, path }, now())) {
      const cleared = this.#proofs.create({ host, visitId, path }, now())
      const next = new URLSearchParams({ ...told, cleared, to: path, visit: String(visitId) })
      return responses.redirect(response, addFrom(`${enterPath}?${next}`, from), {
        'clear-site-data': rules.clearing(peeked.hasOtherVisits, address.sharesConsoleSite),
        'set-cookie': expireCookies(request.headers.cookie, https, [stateCookieName(https)]),
      })
    }
    const swapped = await visitPort.swapCode(told.code, host, told.state, now())
    if (!swapped) return lost()
    await visitPort.markPath(visitId, path, now())
    responses.redirect(response, addFrom(path, from), {
      'set-cookie': [
        formatOwnCookie(visitCookieName(https), swapped.cookie, https),
        formatOwnCookie(stateCookieName(https), '', https, 0),
        ...(from === undefined ? [] : [formatOwnCookie(fromCookieName(https), from, https, fromLifeS)]),
      ],
    })
  }

  /** The path a visit opens at: the requested one if it counts, else the path of the press that opened the visit. */
  async #pathOf(held: EntryState, visit: Omit<Cleared, 'path'>): Promise<string> {
    const { visitPort, rules, now } = this.#deps
    const counts =
      held.site === 'proven'
        ? rules.keepPath(this.#proofs, held, visit, now())
        : rules.mayChoosePath(held.site)
    return rules.returnPath(counts ? held.path : await visitPort.findAskedPath(visit.visitId))
  }

  /** Only the page itself ends its visit: a link from elsewhere must not. */
  async #leave(asked: Asked): Promise<void> {
    const { address, visitPort, responses, rules, admissions, now } = this.#deps
    const { request, response, name } = asked
    if (!rules.checkFetchOrigin(request.method, request.headers, address.originOf(name.host)))
      return responses.refuse(request, response, { status: 403, reason: 'foreign' })
    const found = await admissions.find(request, name, addressKey(asked.address))
    if (found.kind === 'open') await visitPort.leave(found.visit.visitId, now())
    request.resume()
    responses.redirect(response, leftPath)
  }

  /** Answers the agent's own page about its visit. Pages of other targets are other programs, and get no data. */
  async #describeToPage(asked: Asked): Promise<void> {
    const { responses, visitPort, now } = this.#deps
    const visit = await this.#findPageVisit(asked)
    if (visit) responses.json(asked.request, asked.response, await visitPort.describe(visit, now()))
  }

  /** Takes control for the agent's own page, or asks its holder for it; answers the resulting state. */
  async #takeControl(asked: Asked): Promise<void> {
    const { responses, visitPort, now } = this.#deps
    const { request, response } = asked
    const visit = await this.#findPageVisit(asked)
    if (!visit) return
    try {
      await visitPort.takeControl(visit, now())
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return responses.refuse(request, response, { status: 404, reason: 'unknownPage' })
    }
    const moved = await this.#findPageVisit(asked)
    if (moved) responses.json(request, response, await visitPort.describe(moved, now()))
  }

  /** The visit of the agent's own page that asks, as it is now; undefined: it was answered why not. */
  async #findPageVisit({ request, response, name, address }: Asked): Promise<OpenVisit | undefined> {
    const { address: hosts, responses, rules, admissions } = this.#deps
    const refuse = (refusal: Refusal) => void responses.refuse(request, response, refusal)
    if (name.target !== tunnelTarget.page) return refuse({ status: 404, reason: 'unknownPage' })
    if (
      !rules.checkFetchOrigin(request.method, request.headers, hosts.originOf(name.host)) ||
      rules.isPageNavigation(request.method, request.headers)
    )
      return refuse({ status: 403, reason: 'foreign' })
    const refusal = await this.#countRefusal('visitPages', address)
    if (refusal) return refuse(refusal)
    const found = await admissions.find(request, name, addressKey(address))
    if (found.kind === 'refused') return refuse(found.refusal)
    if (found.kind === 'outside') return refuse({ status: 401, reason: 'noVisit' })
    if (found.kind === 'ended') return void responses.end(request, response, found.visit, {})
    if (!rules.checkTarget(found.visit, name)) return refuse({ status: 404, reason: 'unknownPage' })
    return found.visit
  }

  async #left(asked: Asked): Promise<void> {
    const { responses, admissions } = this.#deps
    const { request, response, name } = asked
    const found = await admissions.find(request, name, addressKey(asked.address))
    if (found.kind === 'ended') return this.end(asked, found.visit)
    if (found.kind === 'open') return responses.redirect(response, '/')
    responses.end(request, response, { ended: 'left', lang: langOf(request) }, {})
  }
}
