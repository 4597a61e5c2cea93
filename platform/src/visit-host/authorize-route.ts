import { errors, type Lang, type Text } from '@busbar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { langOf } from '../http/api.ts'
import type { SignedIn } from '../http/bind.ts'
import { addressKey } from '../http/client-address.ts'
import { formatCookie } from '../http/cookies.ts'
import { Failure } from '../http/failure.ts'
import { RateLimiter } from '../http/rate-limiter.ts'
import { readCredential } from '../http/session-reader.ts'
import type { VisitDoor } from '../modules/visits/visit-door.ts'
import { authorizePath, ownPathPrefix } from './entrance.ts'
import { actionTexts, inControl, notEnteredTitle } from './page-texts.ts'
import { ownHeaders, type PageAction, renderPage } from './pages.ts'
import type { VisitAddress, VisitName } from './visit-address.ts'
import { isState } from './visit-state.ts'

const asksPerMinuteMax = 120

export interface AuthorizeDeps {
  readonly address: VisitAddress
  readonly door: Pick<VisitDoor, 'open' | 'createCode'>
  readonly https: boolean
  /** The name of the brand of a console's Host header. */
  brandNameOf(host: string | undefined): Text
  /** The session of a token on the console's host that was asked. */
  findSession(token: string, now: number, host: string): Promise<SignedIn | undefined>
  machineOfCode(code: string): Promise<number | undefined>
  now(): number
}

/**
 * `GET /visit/authorize` on the console’s host: a browser comes here from a visit host and goes back with a one-use
 * code, or reads why it cannot enter (decision 33). It may come from another site; what it gets is worth something
 * only to the browser that holds the state.
 */
export function registerAuthorize(app: FastifyInstance, deps: AuthorizeDeps): void {
  const asks = new RateLimiter({ max: asksPerMinuteMax, windowMs: 60_000 })
  app.get(authorizePath, async (request, reply) => {
    const lang = langOf(request)
    const brandName = deps.brandNameOf(request.host)[lang]
    const show = (error: Failure, again?: VisitName) =>
      sendWhyNot(deps, reply, error, { lang, brandName, again })
    if (!isNavigation(request)) return show(new Failure('403'))
    if (!asks.take(addressKey(request.ip), deps.now())) return show(new Failure('429'))
    const { host, state } = request.query as Record<string, unknown>
    const name = typeof host === 'string' ? deps.address.parseHost(host) : undefined
    if (deps.address.isOff || !deps.address.offersVisits(request.host)) return show(new Failure('VISITS_OFF'))
    if (!name || name.host !== host || !isState(state)) return show(new Failure('400', { field: 'host' }))
    const user = await findUser(deps, request)
    if (!user) {
      // Who is not signed in any more must not look so to the console: it would send them straight back here.
      const signedOut = formatCookie('loggedIn', '', { secure: deps.https, httpOnly: false, maxAgeS: 0 })
      reply.headers(ownHeaders).header('set-cookie', signedOut)
      return reply.redirect(signInPath(name, state), 303)
    }
    try {
      const code = await createCode(deps, { user, address: request.ip }, name, state)
      const query = new URLSearchParams({ code, state })
      const visitUrl = deps.address.urlOf(name.host)
      return reply.headers(ownHeaders).redirect(`${visitUrl.slice(0, -1)}${ownPathPrefix}enter?${query}`, 303)
    } catch (error) {
      if (error instanceof Failure) return show(error, name)
      throw error
    }
  })
}

/** A frame could show the refusal, and nothing that fetches or prefetches should open a visit. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-dest': dest = 'document', 'sec-fetch-mode': mode = 'navigate' } = headers
  return dest === 'document' && mode === 'navigate' && headers['sec-purpose'] === undefined
}

async function findUser(deps: AuthorizeDeps, request: FastifyRequest): Promise<SignedIn | undefined> {
  const credential = readCredential(request, deps.https)
  return credential && deps.findSession(credential.token, deps.now(), request.host)
}

async function createCode(
  deps: AuthorizeDeps,
  caller: { user: SignedIn; address: string },
  name: VisitName,
  state: string,
): Promise<string> {
  const now = deps.now()
  const machineId = await deps.machineOfCode(name.code)
  // A machine that does not exist answers like one the caller has nothing to do with (decision 9).
  if (machineId === undefined) throw new Failure('GENERAL_USER')
  const visit = await deps.door.open({ ...caller.user, address: caller.address, now }, machineId, name.target)
  return deps.door.createCode(visit.visitId, name.host, state, now)
}

/** The console’s sign-in, coming back here. */
function signInPath(name: VisitName, state: string): string {
  const to = `${authorizePath}?${new URLSearchParams({ host: name.host, state })}`
  return `/login?${new URLSearchParams({ to })}`
}

function sendWhyNot(
  deps: AuthorizeDeps,
  reply: FastifyReply,
  error: Failure,
  page: { lang: Lang; brandName: string; again: VisitName | undefined },
): FastifyReply {
  const { lang, again } = page
  const kind = errors[error.code]
  const who = error.code === 'CONTROL_TAKEN' ? error.data?.who : undefined
  // Back over the visit host: the state this came with is used up or too old by then.
  const actions: PageAction[] = again
    ? [{ label: actionTexts.again[lang], href: deps.address.urlOf(again.host) }]
    : []
  const html = renderPage({
    lang,
    brand: page.brandName,
    title: notEnteredTitle[lang],
    text: typeof who === 'string' && who ? inControl(who)[lang] : kind.text[lang],
    detail: again?.code,
    actions: [...actions, { label: actionTexts.console[lang], href: '/' }],
  })
  return reply
    .code(kind.http === 200 ? 403 : kind.http)
    .headers(ownHeaders)
    .type('text/html; charset=utf-8')
    .send(html)
}
