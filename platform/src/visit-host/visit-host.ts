import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Text } from '@busbar/contract'
import type { EdgeLink } from '../edge-link/edge-link.ts'
import type { CallLimits } from '../kernel/http/call-limits.ts'
import { addressKey } from '../kernel/http/client-address.ts'
import { type HostSite, refuse } from '../kernel/http/web-port.ts'
import type { Logger } from '../kernel/logger.ts'
import type { OpenVisit, VisitAddress, VisitName, VisitPort } from '../modules/visits/index.ts'
import { addFrom } from '../modules/visits/index.ts'
import { Admissions, type Turned } from './admission.ts'
import type { Asked } from './asked.ts'
import { Handshake, ownPathPrefix } from './handshake.ts'
import { proxyRequest } from './proxy-request.ts'
import { isWebSocket, proxyWebSocket } from './proxy-web-socket.ts'
import type { Refusal, RefusalReason } from './refusal.ts'
import { Responses } from './responses.ts'
import { type VisitRules, visitRules } from './rules.ts'
import { fromOf, takeFrom } from './visit-from.ts'
import { addOffer, takeOffer } from './visit-offer.ts'
import { PathProofs, readSite } from './visit-state.ts'

export interface VisitHostOptions {
  readonly address: VisitAddress
  readonly visitPort: Omit<VisitPort, 'open' | 'createCode' | 'findAsked' | 'findWayIn'>
  readonly link: Pick<EdgeLink, 'tunnel'>
  readonly https: boolean
  /** The name of the brand of a console's Host header. */
  brandNameOf(host: string | undefined): Text
  readonly limits: Pick<CallLimits, 'takeByAddress'>
  readonly logger: Logger
  /** The client's address, after TRUSTED_PROXIES. */
  addressOf(request: IncomingMessage): string
  now(): number
  /** For a test that shows that each rule is needed. */
  readonly rules?: Partial<VisitRules> | undefined
}

/**
 * The machines' pages: `{code}.{VISIT_HOST}`. Each request passes, in this order, the rules of its form, of its origin,
 * of its visit, and then goes through the machine's tunnel; nothing is kept of it.
 */
export function createVisitHost(options: VisitHostOptions): HostSite {
  const { address, https, logger } = options
  const rules: VisitRules = { ...visitRules, ...options.rules }
  const responses = new Responses({
    brandNameOf: options.brandNameOf,
    consoleOriginOf: (request) => address.consoleOrigin(request.headers.host, fromOf(request, https)),
    fromOf: (request) => fromOf(request, https),
  })
  const admissions = new Admissions({ ...options, rules, now: () => options.now() })
  const proofs = new PathProofs()
  const handshake = new Handshake({
    ...options,
    ...{ rules, responses, admissions, proofs },
    now: () => options.now(),
  })
  const refuseRequest = (request: IncomingMessage, response: ServerResponse, refusal: Refusal) =>
    responses.refuse(request, response, refusal)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    takeFrom(request)
    const offer = takeOffer(request)
    const refusal = rules.checkRequestLine(request)
    if (refusal) return responses.refuse(request, response, refusal)
    const name = rules.parseHost(address, request.headers.host)
    if (!name) return responses.refuse(request, response, { status: 421, reason: 'unknownHost' })
    const asked: Asked = {
      request,
      response,
      name,
      from: fromOf(request, https),
      address: options.addressOf(request),
    }
    if (request.url?.startsWith(ownPathPrefix)) return handshake.answer(asked)
    const admission = await admissions.admit(request, name, {
      addressKey: addressKey(asked.address),
      isSocket: false,
    })
    if (request.socket.destroyed) return
    if (admission.kind === 'admitted') {
      const { visit, tunnel } = admission
      if (await asksFirst(request, name, visit))
        return responses.askToContinue(request, response, name, visit.lang)
      if (request.socket.destroyed) return
      const addressOf = (target: string, path: string) => {
        const host = address.siblingOf(name, target)
        const proof = proofs.create({ host, path: rules.returnPath(path) }, options.now())
        const wished = path === '/' ? path : addOffer(path, proof)
        return addFrom(`${address.originOf(host)}${wished}`, asked.from)
      }
      await proxyRequest(request, response, visit, tunnel, {
        rules,
        https,
        addressOf,
        refuse: refuseRequest,
      })
    } else if (admission.kind === 'refused')
      responses.refuse(request, response, admission.refusal, admission.lang)
    else if (admission.kind === 'ended') await handshake.end(asked, admission.visit)
    else {
      const path = rules.returnPath(request.url)
      const told = readSite(request.headers)
      // The proof names no person: in a mail or on another website it is somebody else's.
      const isOffered = told === 'same-site' && proofs.check(offer, { host: name.host, path }, options.now())
      const site = isOffered ? 'offered' : told
      await handshake.begin(asked, { path, cleared: '', site })
    }
  }

  /** Whether the person must confirm a navigation that another site caused. */
  async function asksFirst(request: IncomingMessage, name: VisitName, visit: OpenVisit): Promise<boolean> {
    if (!rules.needsContinue(request, address.originOf(name.host), visit)) return false
    return !(await options.visitPort.takeMark(visit.visitId, request.url ?? '/', options.now()))
  }

  async function answerUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    takeFrom(request)
    const refusal = rules.checkRequestLine(request)
    if (refusal) return refuse(socket, statusLines[refusal.reason])
    const name = rules.parseHost(address, request.headers.host)
    if (!name) return refuse(socket, statusLines.unknownHost)
    if (!isWebSocket(request) || request.url?.startsWith(ownPathPrefix))
      return refuse(socket, statusLines.badRequest)
    const client = { addressKey: addressKey(options.addressOf(request)), isSocket: true }
    const admission = await admissions.admit(request, name, client)
    if (socket.destroyed) return
    if (admission.kind === 'admitted')
      await proxyWebSocket(request, socket, head, admission.visit, admission.tunnel, { rules, https })
    else refuse(socket, statusLineOf(admission))
  }

  return {
    owns: (hostHeader) => address.owns(hostHeader),
    request(request, response) {
      response.on('error', () => request.socket.destroy())
      request.on('error', () => request.socket.destroy())
      answer(request, response).catch((error) => {
        logger.error({ err: error }, 'visitRequest.failed')
        refuseRequest(request, response, { status: 503, reason: 'blind' })
      })
    },
    upgrade(request, socket: Duplex, head) {
      answerUpgrade(request, socket as Socket, head).catch((error) => {
        logger.error({ err: error }, 'visitSocket.failed')
        socket.destroy()
      })
    },
  }
}

const statusLines: Record<RefusalReason, string> = {
  badRequest: '400 Bad Request',
  method: '405 Method Not Allowed',
  unknownHost: '421 Misdirected Request',
  unknownPage: '404 Not Found',
  foreign: '403 Forbidden',
  serviceWorker: '403 Forbidden',
  planted: '400 Bad Request',
  stateLost: '400 Bad Request',
  frameUsed: '400 Bad Request',
  noVisit: '401 Unauthorized',
  readOnly: '403 Forbidden',
  notWatchable: '403 Forbidden',
  blind: '503 Service Unavailable',
  offline: '503 Service Unavailable',
  unreachable: '503 Service Unavailable',
  badGateway: '502 Bad Gateway',
  elsewhere: '404 Not Found',
  tooMany: '429 Too Many Requests',
  busy: '503 Service Unavailable',
}

function statusLineOf(admission: Turned): string {
  if (admission.kind === 'refused') return statusLines[admission.refusal.reason]
  return admission.kind === 'ended' ? statusLines.foreign : statusLines.noVisit
}
