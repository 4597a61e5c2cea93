import type { Route } from '@busbar/contract'
import type { FastifyRequest } from 'fastify'
import type { SignedIn } from './bind.ts'
import { Failure } from './failure.ts'
import type { Guards } from './guards.ts'
import { isSameOrigin, readCredential } from './session-reader.ts'

/**
 * The caller of a route by their session, which is refused for changes that another site's page requests.
 * @throws Failure 113 without a session, 403 from another site
 */
export async function authenticate(
  request: FastifyRequest,
  route: Route,
  guards: Guards,
  options: { now: number; https: boolean; publicOrigin: string | undefined },
): Promise<SignedIn | undefined> {
  const changes = route.method !== 'GET'
  const ownOrigin = ownOriginOf(request, guards, options.publicOrigin)
  if (route.who === 'public') {
    // Signing a person in from another site would put them into a stranger's account.
    const fromPage = request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined
    if (changes && fromPage && !isSameOrigin(request, ownOrigin)) throw new Failure('403')
    return undefined
  }
  // Its key is in the call, and no browser sends it by itself.
  if (route.who === 'projectKey') return undefined
  const credential = readCredential(request, options.https)
  if (!credential) throw new Failure('113')
  if (changes && credential.from === 'cookie' && !isSameOrigin(request, ownOrigin)) throw new Failure('403')
  const brandId = guards.brands.find(request.host).id
  const user = await guards.findSession(credential.token, options.now, brandId, route.programs)
  if (!user) throw new Failure('113')
  return user
}

/**
 * Each brand's host is a separate console, reached in the same way as the public address; other hosts only by that
 * address.
 */
export function ownOriginOf(
  request: FastifyRequest,
  guards: Pick<Guards, 'brands'>,
  publicOrigin: string | undefined,
): string | undefined {
  if (!publicOrigin || !guards.brands.hasHost(request.host)) return publicOrigin
  return `${new URL(publicOrigin).protocol}//${request.host}`
}
