import type { OutgoingHttpHeaders } from 'node:http2'
import { tunnelHeader, tunnelHeaderPrefix } from '@busbar/link'
import type { OpenVisit } from '../modules/visits/index.ts'
import { removeFrom } from '../modules/visits/index.ts'
import { stripCookies } from './visit-cookies.ts'
import { removeOffer } from './visit-offer.ts'

/** Between one hop and the next; HTTP/2 has its own. */
export const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'trailers',
  'transfer-encoding',
  'upgrade',
])

/** Headers that only a proxy sets: a machine behind one might trust them. */
const proxySaid = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-host',
  'x-http-host-override',
  'x-original-host',
  'x-original-url',
  'x-rewrite-url',
  'true-client-ip',
  'cf-connecting-ip',
  'host',
])

/**
 * Headers that would make the machine's server another machine's, or the request another request (rules/visits.md:
 * bodies pass untouched).
 */
function isStrippedRequestHeader(name: string): boolean {
  // Old servers take `_` for `-`.
  const plain = name.toLowerCase().replaceAll('_', '-')
  return (
    hopByHop.has(plain) ||
    proxySaid.has(plain) ||
    plain.startsWith(tunnelHeaderPrefix) ||
    plain.startsWith('x-forwarded-') ||
    plain === 'x-forwarded'
  )
}

/** Headers that let a GET be taken for something else: removed where a person may only watch. */
const methodOverrides = new Set(['x-http-method', 'x-http-method-override', 'x-method-override'])

/** A visitor's headers as the machine gets them: end to end ones, without those that only the platform sets. */
export function stripRequestHeaders(
  rawHeaders: readonly string[],
  { mode, https }: { mode: OpenVisit['mode']; https: boolean },
): Record<string, string> {
  const pairs = pairsOf(rawHeaders)
  const named = namedInConnection(pairs)
  const kept: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) {
    if (isStrippedRequestHeader(name) || named.has(name)) continue
    if (mode === 'ro' && methodOverrides.has(name.replaceAll('_', '-'))) continue
    const before = kept[name]
    // A Referer has it, and scripts may send the address of their page.
    const own = removeOffer(removeFrom(value))
    kept[name] = before === undefined ? own : `${before}${name === 'cookie' ? '; ' : ', '}${own}`
  }
  const cookie = kept.cookie === undefined ? undefined : stripCookies(kept.cookie, https)
  if (cookie === undefined) delete kept.cookie
  else kept.cookie = cookie
  return kept
}

/** The headers that describe the visit to the agent (rules/wire.md: tunnel). */
export function visitHeaders(
  visit: Pick<OpenVisit, 'visitId' | 'userName' | 'mode' | 'until'>,
): Record<string, string> {
  return {
    [tunnelHeader.visit]: String(visit.visitId),
    [tunnelHeader.user]: encodeURIComponent(visit.userName.toWellFormed()),
    [tunnelHeader.mode]: visit.mode,
    [tunnelHeader.until]: String(visit.until),
  }
}

/** A request's HTTP/2 headers on the tunnel. */
export function requestHeaders(
  request: { method: string; url: string },
  stripped: Record<string, string>,
  visit: OpenVisit,
): OutgoingHttpHeaders {
  return {
    ':method': request.method,
    ':scheme': 'http',
    ':authority': visit.target,
    ':path': request.url,
    ...stripped,
    ...visitHeaders(visit),
  }
}

/** A WebSocket's: extended CONNECT, without the key that HTTP/1.1 needs (RFC 8441, section 5). */
export function socketHeaders(
  url: string,
  stripped: Record<string, string>,
  visit: OpenVisit,
): OutgoingHttpHeaders {
  const { 'sec-websocket-key': _, 'content-length': __, ...rest } = stripped
  return { ...requestHeaders({ method: 'CONNECT', url }, rest, visit), ':protocol': 'websocket' }
}

function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < rawHeaders.length; at += 2)
    pairs.push([(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? ''])
  return pairs
}

/** A sender may name further headers that are for the next hop only. */
function namedInConnection(pairs: readonly [string, string][]): Set<string> {
  return new Set(
    pairs
      .filter(([name]) => name === 'connection')
      .flatMap(([, value]) => value.split(',').map((part) => part.trim().toLowerCase()))
      // These must stay even if they are named there: without them the request would have another meaning.
      .filter((name) => !['cookie', 'content-length', 'authorization', 'content-type'].includes(name)),
  )
}
