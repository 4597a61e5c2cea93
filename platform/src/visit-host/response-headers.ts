import type { IncomingHttpHeaders } from 'node:http2'
import { targetAddressPattern, tunnelHeaderPrefix } from '@busbar/link'
import { hopByHop } from './request-headers.ts'

const setCookiesMax = 64

/** Headers that would reach beyond the machine's own host, or outlive its visit. */
const strippedNames = new Set([
  'alt-svc',
  'clear-site-data',
  'expect-ct',
  'nel',
  'origin-agent-cluster',
  'public-key-pins',
  'public-key-pins-report-only',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie2',
  'strict-transport-security',
])

/** Machines are separated: each has its own process and gets no handle of its opener. */
const openerPolicy = 'same-origin-allow-popups'

export type ResponseHeaders = Record<string, string | string[]>

/** The headers that may hold the address of another target of the machine. */
const addressHeaders: ReadonlySet<string> = new Set(['location', 'content-location', 'refresh', 'link'])

export interface ResponseRules {
  narrow(setCookie: string): string | undefined
  /** The address of a path of another target of the machine. */
  addressOf(target: string, path: string): string
  /** The pages that can frame it, beside its own. */
  readonly framedBy: readonly string[]
}

/** A machine's headers as the browser gets them. */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  { narrow, addressOf, framedBy }: ResponseRules,
): ResponseHeaders {
  const kept: ResponseHeaders = Object.create(null)
  const named = new Set(
    textOf(headers.connection)
      .toLowerCase()
      .split(/[\s,]+/),
  )
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':') || isStripped(name) || named.has(name)) continue
    if (name === 'set-cookie') {
      const cookies = listOf(value)
        .slice(0, setCookiesMax)
        .flatMap((cookie) => narrow(cookie) ?? [])
      if (cookies.length) kept[name] = cookies
    } else if (addressHeaders.has(name))
      kept[name] = textOf(value).replace(targetAddressPattern, (_, target, path) => addressOf(target, path))
    else kept[name] = value
  }
  // A further policy, never instead of the machine's own: a browser keeps to all of them.
  kept['content-security-policy'] = [
    ...listOf(kept['content-security-policy']),
    ['frame-ancestors', "'self'", ...framedBy].join(' '),
  ]
  kept['origin-agent-cluster'] = '?1'
  const opener = textOf(kept['cross-origin-opener-policy']).trim().toLowerCase()
  kept['cross-origin-opener-policy'] = opener === 'same-origin' ? opener : openerPolicy
  kept['cross-origin-resource-policy'] = 'same-origin'
  return kept
}

function isStripped(name: string): boolean {
  return hopByHop.has(name) || strippedNames.has(name) || name.startsWith(tunnelHeaderPrefix)
}

const listOf = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]
const textOf = (value: string | string[] | undefined): string => listOf(value).join(',')
