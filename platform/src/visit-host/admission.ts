import type { IncomingMessage } from 'node:http'
import type { Lang } from '@busbar/contract'
import type { EdgeLink, TunnelLine } from '../edge-link/edge-link.ts'
import type { Logger } from '../kernel/logger.ts'
import type { OpenVisit, VisitAddress, VisitName, VisitPort } from '../modules/visits/index.ts'
import type { Refusal } from './refusal.ts'
import type { EndedVisit } from './responses.ts'
import type { VisitRules } from './rules.ts'

/** Simultaneous look-ups for one known cookie or one address, and for all. */
const lookupsPerCallerMax = 64
const lookupsMax = 1_024

export interface AdmissionDeps {
  readonly address: VisitAddress
  readonly visitPort: Pick<VisitPort, 'find' | 'isKnown'>
  readonly link: Pick<EdgeLink, 'tunnel'>
  readonly rules: VisitRules
  readonly https: boolean
  readonly logger: Logger
  now(): number
}

/** Why a request does not get in. */
export type Turned =
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly lang?: Lang }
  /** The request does not have a visit yet. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'ended'; readonly visit: EndedVisit }
/** The result of the check of a request. */
export type Admission =
  | { readonly kind: 'admitted'; readonly visit: OpenVisit; readonly tunnel: TunnelLine }
  | Turned
type Found = { readonly kind: 'open'; readonly visit: OpenVisit } | Turned

/** Decides whether a request may pass, anew for every request and every WebSocket. */
export class Admissions {
  readonly #deps: AdmissionDeps
  readonly #lookups = new Map<string, number>()
  #lookupCount = 0

  constructor(deps: AdmissionDeps) {
    this.#deps = deps
  }

  async admit(
    request: IncomingMessage,
    name: VisitName,
    client: { addressKey: string; isSocket: boolean },
  ): Promise<Admission> {
    const { rules, address } = this.#deps
    const origin = address.originOf(name.host)
    const isOwn = client.isSocket
      ? rules.checkSocketOrigin(request.headers, origin)
      : rules.checkFetchOrigin(request.method, request.headers, origin)
    if (!isOwn) return refused(403, 'foreign')
    if (rules.isServiceWorker(request.headers)) return refused(403, 'serviceWorker')
    const found = await this.find(request, name, client.addressKey)
    if (found.kind !== 'open') return found
    const { visit } = found
    // Before the rules: no time passes between them and the admission.
    const tunnel = await this.#findTunnel(visit.machineId)
    if (!rules.checkTarget(visit, name)) return refused(404, 'unknownPage', visit.lang)
    // A WebSocket may carry a change, and its frames are not read.
    const method = client.isSocket ? 'CONNECT' : request.method
    if (!rules.checkMode(method, visit.mode)) return refused(403, 'readOnly', visit.lang)
    if (!tunnel) return refused(503, 'offline', visit.lang)
    if (tunnel === 'unreachable') return refused(503, 'unreachable', visit.lang)
    if (!rules.checkWatch(visit)) return refused(403, 'notWatchable', visit.lang)
    return { kind: 'admitted', visit, tunnel }
  }

  async #findTunnel(machineId: number): Promise<TunnelLine | 'unreachable' | undefined> {
    try {
      return await this.#deps.link.tunnel(machineId)
    } catch (error) {
      this.#deps.logger.warn({ err: error, machineId }, 'tunnel.unreachable')
      return 'unreachable'
    }
  }

  /** The visit behind a request's cookie. */
  async find(request: IncomingMessage, name: VisitName, addressKey: string): Promise<Found> {
    const { rules, https } = this.#deps
    const own = rules.readVisitCookie(request.headers.cookie, https)
    const cookie = own ?? rules.readFrameCookie(request.headers.cookie, https)
    if (cookie === undefined) return { kind: 'outside' }
    if (typeof cookie === 'object') return { kind: 'refused', refusal: cookie }
    const found = await this.findByCookie(cookie, name, addressKey)
    const isForeign = found.kind === 'open' && !rules.isOwnJar(found.visit, own === undefined)
    return isForeign ? { kind: 'outside' } : found
  }

  async findByCookie(cookie: string, name: VisitName, addressKey: string): Promise<Found> {
    const { visitPort, now, logger } = this.#deps
    // Everybody behind one address waits here while rights are read, and must not turn each other away.
    const caller = visitPort.isKnown(cookie) ? cookie : addressKey
    if (!this.#begin(caller)) return refused(429, 'tooMany')
    try {
      const found = await visitPort.find(cookie, name.host, now())
      if (found === 'unknown') return { kind: 'outside' }
      if (found === 'blind') return refused(503, 'blind')
      return 'hold' in found ? { kind: 'open', visit: found } : { kind: 'ended', visit: found }
    } catch (error) {
      // A right that cannot be read counts as missing.
      logger.warn({ err: error }, 'visit.readFailed')
      return refused(503, 'blind')
    } finally {
      this.#end(caller)
    }
  }

  #begin(caller: string): boolean {
    const count = this.#lookups.get(caller) ?? 0
    if (count >= lookupsPerCallerMax || this.#lookupCount >= lookupsMax) return false
    this.#lookups.set(caller, count + 1)
    this.#lookupCount++
    return true
  }

  #end(caller: string): void {
    this.#lookupCount--
    const count = (this.#lookups.get(caller) ?? 1) - 1
    if (count === 0) this.#lookups.delete(caller)
    else this.#lookups.set(caller, count)
  }
}

function refused(status: number, reason: Refusal['reason'], lang?: Lang): Turned {
  return { kind: 'refused', refusal: { status, reason }, ...(lang ? { lang } : {}) }
}
