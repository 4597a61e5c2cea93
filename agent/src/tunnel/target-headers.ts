import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { tunnelHeaderPrefix } from '@busbar/link'

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
  return URL.canParse(referer) ? origin + pathOf(new URL(referer)) : `${origin}/`
}

/** A target's headers as HTTP/2 can carry them; an address in its own network becomes a path. */
export function toVisitorHeaders(headers: IncomingHttpHeaders, origin: string): OutgoingHttpHeaders {
  const out: OutgoingHttpHeaders = {}
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || named.has(name)) continue
    if (name.startsWith(tunnelHeaderPrefix)) continue
    out[name] = typeof value === 'string' ? clean(value) : value.map(clean)
  }
  for (const name of ['location', 'content-location']) {
    if (typeof out[name] === 'string') out[name] = withoutOrigin(out[name], origin)
  }
  return out
}

/** `http://192.168.0.5/a?b#c` of that target is `/a?b#c`; another address, or a path, stays unchanged. */
export function withoutOrigin(location: string, origin: string): string {
  if (!/^(?:https?:)?\/\//i.test(location) || !URL.canParse(location, origin)) return location
  const url = new URL(location, origin)
  // Two slashes at the front would name another host again.
  return url.origin === origin ? pathOf(url).replace(/^\/+/, '/') : location
}

function pathOf(url: URL): string {
  return `${url.pathname}${url.search}${url.hash}`
}

/** The lenient parser accepts characters for which HTTP/2 ends the whole stream. */
function clean(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  return value.replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '').trim()
}
