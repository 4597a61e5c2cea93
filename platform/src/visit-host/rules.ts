import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { timing } from '@busbar/contract'
import { tunnelTarget } from '@busbar/link'
import type { OpenVisit, VisitAddress, VisitName } from '../modules/visits/index.ts'
import { returnPath } from '../modules/visits/index.ts'
import {
  checkFetchOrigin,
  checkSocketOrigin,
  comesFromElsewhere,
  isFrameNavigation,
  isPageNavigation,
} from './fetch-origin.ts'
import { stripRequestHeaders } from './request-headers.ts'
import { checkRequestLine } from './request-line.ts'
import { responseHeaders } from './response-headers.ts'
import { narrowSetCookie, partitionCookie, readFrameCookie, readVisitCookie } from './visit-cookies.ts'
import {
  type Cleared,
  clearing,
  type EntrySite,
  type EntryState,
  matchState,
  type PathProofs,
} from './visit-state.ts'

const readOnlyMethods = ['GET', 'HEAD', 'OPTIONS']

/** A read-only visit is kept to reading here, and by the agent once more (rules/visits.md: read-only visits). */
function checkMode(method: string | undefined, mode: OpenVisit['mode']): boolean {
  return mode === 'rw' || readOnlyMethods.includes(method ?? '')
}

/** A person with read-only access sees only pages that can be made read-only; an unknown page cannot. */
function checkWatch(visit: Pick<OpenVisit, 'mode' | 'canWatch'>): boolean {
  return visit.mode === 'rw' || visit.canWatch === true
}

/** A service worker would stay in the browser after the visit (rules/visits.md: a machine's page is a stranger). */
function isServiceWorker(headers: IncomingHttpHeaders): boolean {
  return headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker'
}

/** A visit of one page opens no other page of the same machine. */
function checkTarget(visit: Pick<OpenVisit, 'target'>, name: VisitName): boolean {
  return visit.target === name.target
}

/** Only a press on the console's own page opens a visit and takes control. */
function isPress(method: string, isOwn: boolean): boolean {
  return method === 'POST' && isOwn
}

/** The page with the button was shown to the session that presses it now. */
function isSameReader(told: unknown, sessionId: number): boolean {
  return told === String(sessionId)
}

/** A link may lead into a visit that its person pressed for a short while ago (rules/visits.md: entering by a link). */
function mayJoin(askedAt: number, now: number): boolean {
  return now - askedAt < timing.visitJoinMs
}

/** A path counts if the person typed it or the host's own page led to it, by the browser's headers. */
export function mayChoosePath(site: EntrySite): boolean {
  return site === 'none' || site === 'same-origin' || site === 'offered'
}

/** A path that came with a proof of clearing counts only in the visit that the proof was signed for. */
function keepPath(proofs: PathProofs, held: EntryState, visit: Omit<Cleared, 'path'>, now: number): boolean {
  return proofs.check(held.cleared, { ...visit, path: held.path }, now)
}

/**
 * In a visit that may change something a navigation caused elsewhere waits for the person. The agent's own page changes
 * nothing by GET, and a page that is kept to reading does not either.
 */
function needsContinue(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  ownOrigin: string,
  visit: Pick<OpenVisit, 'mode' | 'target' | 'canWatch'>,
): boolean {
  if (visit.mode !== 'rw' || visit.target === tunnelTarget.page || visit.canWatch === true) return false
  return isPageNavigation(method, headers) && comesFromElsewhere(headers, ownOrigin)
}

/** An exception for frames: the pages that a project lists may frame its visits. Other visits are framed by nobody. */
function framedBy({ embedding }: Pick<OpenVisit, 'embedding'>): readonly string[] {
  return (embedding?.origins ?? []).filter((origin) => /^https:\/\/[a-z0-9.-]+(?::\d+)?$/.test(origin))
}

/**
 * An exception for frames: a cookie that other sites' pages send counts for visits of their projects alone, and the
 * cookie of a session's visit for nothing else.
 */
function isOwnJar({ embedding }: Pick<OpenVisit, 'embedding'>, isFrameCookie: boolean): boolean {
  return (embedding !== undefined) === isFrameCookie
}

/** An exception for frames: another site's page opens one address of the visit host in a frame, and it takes a code. */
function mayEnterFramed({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return isPageNavigation(method, headers) || isFrameNavigation(method, headers)
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
  readFrameCookie,
  isOwnJar,
  mayEnterFramed,
  framedBy,
  partitionCookie,
  matchState,
  returnPath,
  clearing,
  isPress,
  isSameReader,
  mayJoin,
  mayChoosePath,
  keepPath,
  needsContinue,
  checkTarget,
  checkMode,
  checkWatch,
  stripRequestHeaders,
  responseHeaders,
  narrowSetCookie,
} as const

export type VisitRules = typeof visitRules
