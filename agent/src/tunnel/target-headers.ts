import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { elsewhereHeader, tunnelHeaderPrefix } from '@busbar/link'
import type { Target } from './target.ts'
import { toVisitorAddress } from './visitor-address.ts'

/** Belong to one connection, not to the message (RFC 9110, 7.6.1); HTTP/2 does not allow them. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

/** Set by the agent itself, or negotiated between visitor and platform. */
const ownRequestHeaders = new Set(['host', 'expect', 'sec-websocket-key', 'sec-websocket-version'])

/**
 * A visitor's headers as sent to the target: with the target's own address, and without headers of the
 * platform.
 */
export function toTargetHeaders(headers: IncomingHttpHeaders, origin: string): OutgoingHttpHeaders {
  const out: OutgoingHttpHeaders = { host: new URL(origin).host }
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':') || name.startsWith(tunnelHeaderPrefix)) continue
    if (hopByHop.has(name) || ownRequestHeaders.has(name)) continue
    out[name] = value
  }
  if (out.origin !== undefined) out.origin = origin
  if (typeof out.referer === 'string') out.referer = rebase(out.referer, origin)
  return out
}

function rebase(referer: string, origin: string): string {
  const url = URL.parse(referer)
  return url ? `${origin}${url.pathname}${url.search}` : `${origin}/`
}

/** Names that browsers do not spell word by word, `User-Agent`. */
const spellings: Readonly<Record<string, string>> = {
  dnt: 'DNT',
  'sec-gpc': 'Sec-GPC',
  soapaction: 'SOAPAction',
  'x-csrf-token': 'X-CSRF-Token',
  'x-xsrf-token': 'X-XSRF-TOKEN',
}

/**
 * The names of headers as a browser spells them on HTTP/1.1; HTTP/2 has small letters only. Small web servers find
 * `Content-Length` by its letters.
 */
export function spellAsBrowser(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [spellName(name), value]))
}

function spellName(name: string): string {
  // Chromium writes its hints in small letters.
  if (name.startsWith('sec-ch-')) return name
  const words = name.replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
  return spellings[name] ?? words.replace('Websocket', 'WebSocket')
}

/**
 * A target's headers as HTTP/2 can carry them. Addresses of its own network become those that reach the same for a visitor,
 * where there are any (rules/visits.md: addresses of the plant).
 */
export function toVisitorHeaders(
  { headers, statusCode = 0 }: Pick<IncomingMessage, 'headers' | 'statusCode'>,
  target: Pick<Target, 'origin' | 'names'>,
): OutgoingHttpHeaders {
  const out: OutgoingHttpHeaders = {}
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || named.has(name)) continue
    if (name.startsWith(tunnelHeaderPrefix)) continue
    out[name] = typeof value === 'string' ? clean(value) : value.map(clean)
  }
  let elsewhere: string | undefined
  const turn = (address: string, leads: boolean): string => {
    const turned = toVisitorAddress(address, target)
    if (leads) elsewhere ??= turned.elsewhere
    return turned.address
  }
  const rewrite = (name: string, write: (value: string) => string): void => {
    if (typeof out[name] === 'string') out[name] = write(out[name])
  }
  rewrite('location', (value) => turn(value, statusCode >= 300 && statusCode < 400))
  rewrite('content-location', (value) => turn(value, false))
  rewrite('refresh', (value) =>
    value.replace(refreshAddress, (_, before, quote, address) => before + quote + turn(address, true)),
  )
  rewrite('link', (value) => value.replace(/<([^<>]*)>/g, (_, address) => `<${turn(address, false)}>`))
  if (elsewhere !== undefined) out[elsewhereHeader] = elsewhere
  return out
}

/** The address in `5; url="http://…"` (HTML, shared declarative refresh steps). */
const refreshAddress = /^(\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?)(["']?)((?<=")[^"]*|(?<=')[^']*|.*)/is

/** The lenient parser accepts characters for which HTTP/2 ends the whole stream. */
function clean(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  return value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '').trim()
}
