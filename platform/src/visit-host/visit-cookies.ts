import { readCookie } from '../kernel/http/cookies.ts'
import type { Refusal } from './refusal.ts'

const cookieLengthMax = 8 * 1024
const ownNames = ['visit', 'visit-state', 'visit-from', 'visit-frame'] as const
/** The console's session. Devices have a cookie of this name too: on http the value tells whose it is. */
const sessionName = 'token'
const sessionPattern = /^[\w-]{43}$/
const prefixPattern = /^__(?:host-http|host|secure|http)-/

/** Names of the visit host's own cookies; on https bound to the host by their prefix. */
export const visitCookieName = (https: boolean): string => (https ? '__Host-visit' : 'visit')
export const stateCookieName = (https: boolean): string => (https ? '__Host-visit-state' : 'visit-state')
export const fromCookieName = (https: boolean): string => (https ? '__Host-visit-from' : 'visit-from')

/** Of a visit in another site's page: there is one on https only. */
export const frameCookieName = '__Host-visit-frame'

/**
 * Whether a cookie is the platform's by its name, in any spelling: a machine can neither read nor set those. On https
 * ours have a prefix. A machine may call its own `token`, as many do.
 */
function isOwnCookie(name: string, value: string, https: boolean): boolean {
  const told = name.replace(/[\s"]/g, '').toLowerCase()
  const bare = told.replace(prefixPattern, '')
  if (https && bare === told) return false
  if (bare === sessionName) return bare !== told || sessionPattern.test(value.replace(/[\s"]/g, ''))
  return ownNames.some((own) => own === bare)
}

/** The visit cookie, or undefined without one. Of two, one came from elsewhere, and neither counts. */
export function readVisitCookie(header: string | undefined, https: boolean): string | Refusal | undefined {
  return readOne(header, visitCookieName(https))
}

/** The cookie of a visit in another site's page, likewise. */
export function readFrameCookie(header: string | undefined, https: boolean): string | Refusal | undefined {
  return https ? readOne(header, frameCookieName) : undefined
}

function readOne(header: string | undefined, name: string): string | Refusal | undefined {
  const values = readCookie(header, name)
  if (values.length > 1) return { status: 400, reason: 'planted' }
  return values[0] || undefined
}

/** The Cookie header as the machine sees it; undefined when nothing is left. */
export function stripCookies(header: string, https: boolean): string | undefined {
  const kept = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => {
      const equals = pair.indexOf('=')
      // A cookie without a name is sent as its value only, which may look like one of ours.
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
      return pair !== '' && !isOwnCookie(name, value, https)
    })
  return kept.length ? kept.join('; ') : undefined
}

/**
 * A machine's Set-Cookie as the browser gets it: for this host only. Undefined for one that would count as the
 * platform's, one without a name, or an invalid one.
 */
export function narrowSetCookie(header: string, https: boolean): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
  if (header.length > cookieLengthMax || /[\x00-\x08\x0a-\x1f\x7f]/.test(header)) return undefined
  const [pair = '', ...attributes] = header.split(';')
  const equals = pair.indexOf('=')
  const name = equals === -1 ? '' : pair.slice(0, equals).trim()
  if (name === '' || isOwnCookie(name, pair.slice(equals + 1), https)) return undefined
  const kept = attributes.filter((attribute) => !/^\s*domain\s*(?:=|$)/i.test(attribute))
  return [pair.trim(), ...kept.map((attribute) => attribute.trim()).filter(Boolean)].join('; ')
}

/** A cookie of the visit host's own: host-only, unseen by scripts, until the browser closes or for `maxAgeS` seconds. */
export function formatOwnCookie(name: string, value: string, https: boolean, maxAgeS?: number): string {
  const life = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${life}${https ? '; Secure' : ''}`
}

/** Sent within the pages of one site only (CHIPS): the same host in another site's page has another jar. */
const framedAttributes = '; SameSite=None; Secure; Partitioned'

/** The cookie of a visit in another site's page. */
export const formatFrameCookie = (value: string): string =>
  `${frameCookieName}=${value}; Path=/; HttpOnly${framedAttributes}`

/** A machine's cookie in another site's page, where a browser keeps none that is not partitioned. */
export function partitionCookie(setCookie: string): string {
  const kept = setCookie
    .split(';')
    .filter((part, at) => at === 0 || !/^\s*(?:samesite|secure|partitioned)\s*(?:=|$)/i.test(part))
  return `${kept.join(';')}${framedAttributes}`
}

/** Set-Cookie values that remove every cookie a request brought, but those named in `except`. */
export function expireCookies(
  header: string | undefined,
  https: boolean,
  except: readonly string[],
): string[] {
  const names = new Set((header ?? '').split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? ''))
  return [...names]
    .filter((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !except.includes(name))
    .map((name) => `${name}=; Path=/; Max-Age=0${https ? '; Secure' : ''}`)
}
