import type { IncomingHttpHeaders } from 'node:http'
import type { OpenVisit } from '../modules/visits/visit-door.ts'
import { checkFetchOrigin, checkSocketOrigin, isPageNavigation } from './fetch-origin.ts'
import { stripRequestHeaders } from './request-headers.ts'
import { checkRequestLine } from './request-line.ts'
import { responseHeaders } from './response-headers.ts'
import type { VisitAddress, VisitName } from './visit-address.ts'
import { narrowSetCookie, readVisitCookie } from './visit-cookies.ts'
import { clearing, matchState, returnPath } from './visit-state.ts'

const readOnlyMethods = ['GET', 'HEAD', 'OPTIONS']

/** A read-only visit is kept to reading here, and by the agent once more (decision 37). */
function checkMode(method: string | undefined, mode: OpenVisit['mode']): boolean {
  return mode === 'rw' || readOnlyMethods.includes(method ?? '')
}

/** Who may only watch sees only what can be kept to watching; unknown is no (decision 37). */
function checkWatch(visit: Pick<OpenVisit, 'mode' | 'canWatch'>): boolean {
  return visit.mode === 'rw' || visit.canWatch === true
}

/** A service worker would stay in the browser after the visit. */
function isServiceWorker(headers: IncomingHttpHeaders): boolean {
  return headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker'
}

/** A visit of one page opens no other page of the same machine. */
function checkTarget(visit: Pick<OpenVisit, 'target'>, name: VisitName): boolean {
  return visit.target === name.target
}

function parseHost(address: VisitAddress, hostHeader: string | undefined): VisitName | undefined {
  return address.parseHost(hostHeader)
}

/**
 * Every defence of the visit host by its name. A test can replace one to see that something fails without it; the
 * platform never does.
 */
export const visitRules = {
  parseHost,
  checkRequestLine,
  isPageNavigation,
  checkFetchOrigin,
  checkSocketOrigin,
  isServiceWorker,
  readVisitCookie,
  matchState,
  returnPath,
  clearing,
  checkTarget,
  checkMode,
  checkWatch,
  stripRequestHeaders,
  responseHeaders,
  narrowSetCookie,
} as const

export type VisitRules = typeof visitRules
