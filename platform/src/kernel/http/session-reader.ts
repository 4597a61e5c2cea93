import type { FastifyRequest } from 'fastify'
import { readCookie } from './cookies.ts'
import { Failure } from './failure.ts'

/** Where a request's session token came from. */
export interface Credential {
  readonly token: string
  readonly from: 'cookie' | 'header'
}

/** The session cookie's name: on https bound to the host by its prefix. */
export const sessionCookieName = (https: boolean): string => (https ? '__Host-token' : 'token')

/**
 * The token of a request, if any. Throws 400 for two session cookies: one of them was planted (rules/accounts.md:
 * sessions).
 */
export function readCredential(request: FastifyRequest, https: boolean): Credential | undefined {
  const header = request.headers.token
  if (typeof header === 'string' && header) return { token: header, from: 'header' }
  const authorization = request.headers.authorization
  if (authorization?.startsWith('Bearer ')) return { token: authorization.slice(7).trim(), from: 'header' }
  const cookies = readCookie(request.headers.cookie, sessionCookieName(https))
  if (cookies.length > 1) throw new Failure('400', { field: 'cookie' })
  const token = cookies[0]
  return token ? { token, from: 'cookie' } : undefined
}

/**
 * A request that changes something with a cookie must come from our own page: every current browser sends
 * `Sec-Fetch-Site`, others `Origin`.
 */
export function isSameOrigin(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const origin = request.headers.origin
  if (origin === undefined) return false
  return origin === (publicOrigin ?? `${request.protocol}://${request.host}`)
}
