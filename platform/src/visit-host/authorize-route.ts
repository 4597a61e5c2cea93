import { errors, type Lang, type Text, type visits } from '@busbar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { langOf } from '../kernel/http/api.ts'
import type { SignedIn } from '../kernel/http/bind.ts'
import type { CallLimits } from '../kernel/http/call-limits.ts'
import { formatCookie } from '../kernel/http/cookies.ts'
import { Failure } from '../kernel/http/failure.ts'
import { isSameOrigin, readCredential } from '../kernel/http/session-reader.ts'
import type { VisitAddress, VisitCaller, VisitName, VisitPort } from '../modules/visits/index.ts'
import { addFrom, returnPath } from '../modules/visits/index.ts'
import { authorizePath, ownPathPrefix } from './handshake.ts'
import {
  actionTexts,
  enterMeaning,
  enterQuestion,
  factsOf,
  inControl,
  notEnteredTitle,
} from './page-texts.ts'
import { formHeaders, ownHeaders, type PageAction, renderPage } from './pages.ts'
import type { VisitRules } from './rules.ts'
import { isState } from './visit-state.ts'

/** Enough for the press of the button, which sends no fields. */
const bodyBytesMax = 1

export interface AuthorizeDeps {
  readonly address: VisitAddress
  readonly visitPort: Pick<VisitPort, 'open' | 'createCode' | 'findAsked' | 'findWayIn'>
  readonly rules: VisitRules
  readonly limits: Pick<CallLimits, 'takeByAddress'>
  readonly https: boolean
  /** The name of the brand of a console's Host header. */
  brandNameOf(host: string | undefined): Text
  /** The console's own origin as a request reached it. */
  ownOriginOf(request: FastifyRequest): string | undefined
  /** The session of a token on the console's host that was asked. */
  findSession(token: string, now: number, host: string): Promise<SignedIn | undefined>
  machineOfCode(code: string): Promise<number | undefined>
  now(): number
}

/** The fields of the address of a way in. */
interface EntryRequest {
  readonly name: VisitName
  readonly state: string
  /** The path at which the page would open; shown here, and decided by the visit host. */
  readonly path: string
}

interface Reader {
  readonly lang: Lang
  readonly brandName: string
}

/**
 * `/visit/authorize` on the console’s host: a browser comes here from a visit host and goes back with a one-use code, or
 * reads why it cannot enter (docs/decisions/0024-entering-by-a-link.md). Any website may lead here: GET joins a visit
 * that the person pressed for a short while ago, and otherwise asks them; only the press, a POST of this page, opens one.
 */
export function registerAuthorize(app: FastifyInstance, deps: AuthorizeDeps): void {
  app.route({
    method: ['GET', 'POST'],
    url: authorizePath,
    bodyLimit: bodyBytesMax,
    handler: async (request, reply) => {
      const lang = langOf(request)
      const reader: Reader = { lang, brandName: deps.brandNameOf(request.host)[lang] }
      const from = deps.address.fromOf(request.host)
      const show = (error: Failure, again?: VisitName) =>
        sendDenial(deps, reply, error, { ...reader, again, from })
      if (!isNavigation(request)) return show(new Failure('403'))
      const refusal = await limitRefusal(deps.limits, request.ip)
      if (refusal) return show(refusal)
      const { host, state, path, session } = request.query as Record<string, unknown>
      const name = typeof host === 'string' ? deps.address.parseHost(host) : undefined
      if (deps.address.isOff || !deps.address.offersVisits(request.host))
        return show(new Failure('VISITS_OFF'))
      if (!name || name.host !== host || !isState(state)) return show(new Failure('400', { field: 'host' }))
      const entry: EntryRequest = {
        name,
        state,
        path: returnPath(typeof path === 'string' ? path : undefined),
      }
      const user = await findUser(deps, request)
      if (!user) {
        // The console must see that the person is signed out: otherwise it would send them straight back here.
        const signedOut = formatCookie('loggedIn', '', { secure: deps.https, httpOnly: false, maxAgeS: 0 })
        reply.headers(ownHeaders).header('set-cookie', signedOut)
        return reply.redirect(`/login?${new URLSearchParams({ to: addressOf(entry) })}`, 303)
      }
      const caller: VisitCaller = { ...user, address: request.ip, now: deps.now() }
      const isOwn = isSameOrigin(request, deps.ownOriginOf(request))
      try {
        const isPress = deps.rules.isPress(request.method, isOwn)
        const isKnown = request.method === 'GET' || deps.rules.isSameReader(session, user.sessionId)
        const found = await findCode(deps, caller, entry, { isPress, isKnown })
        if ('machineId' in found) {
          const way = await deps.visitPort.findWayIn(caller, found.machineId)
          return sendQuestion(deps, reply, reader, { entry, way, sessionId: user.sessionId })
        }
        const query = new URLSearchParams({ code: found.code, state })
        const visitUrl = `${deps.address.originOf(name.host)}${ownPathPrefix}enter?${query}`
        return reply.headers(ownHeaders).redirect(addFrom(visitUrl, from), 303)
      } catch (error) {
        if (error instanceof Failure) return show(error, name)
        throw error
      }
    },
  })
}

/** A frame could show the refusal, and nothing that fetches or prefetches should open a visit. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-dest': dest = 'document', 'sec-fetch-mode': mode = 'navigate' } = headers
  return dest === 'document' && mode === 'navigate' && headers['sec-purpose'] === undefined
}

/** The refusal of an address that asked too often; undefined if it may ask. */
async function limitRefusal(limits: AuthorizeDeps['limits'], address: string): Promise<Failure | undefined> {
  try {
    await limits.takeByAddress('visitAsks', address)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function findUser(deps: AuthorizeDeps, request: FastifyRequest): Promise<SignedIn | undefined> {
  const credential = readCredential(request, deps.https)
  return credential && deps.findSession(credential.token, deps.now(), request.host)
}

/** A code of a visit that a person pressed for, now or lately; or the machine, about which they are asked first. */
async function findCode(
  { visitPort, rules, machineOfCode }: AuthorizeDeps,
  caller: VisitCaller,
  { name, state }: EntryRequest,
  { isPress, isKnown }: { isPress: boolean; isKnown: boolean },
): Promise<{ code: string } | { machineId: number }> {
  const { now } = caller
  const machineId = await machineOfCode(name.code)
  // A machine that does not exist is answered like one unrelated to the caller.
  if (machineId === undefined) throw new Failure('GENERAL_USER')
  const createCode = async (visitId: number) => ({
    code: await visitPort.createCode(visitId, name.host, state, now),
  })
  // The page was shown to another session of this browser: this person reads it first.
  if (!isKnown) return { machineId }
  if (isPress) return createCode((await visitPort.open(caller, machineId, name.target)).visitId)
  const asked = await visitPort.findAsked(caller, machineId, name.target)
  return asked && rules.mayJoin(asked.askedAt, now) ? createCode(asked.visitId) : { machineId }
}

/** This page's own address, for the console’s sign-in to come back to and for the button. */
function addressOf({ name, state, path }: EntryRequest, more: Record<string, string> = {}): string {
  const query = { host: name.host, state, ...(path === '/' ? {} : { path }), ...more }
  return `${authorizePath}?${new URLSearchParams(query)}`
}

/** Explains the meaning of entering, and asks for consent. */
function sendQuestion(
  deps: AuthorizeDeps,
  reply: FastifyReply,
  { lang, brandName }: Reader,
  asked: { entry: EntryRequest; way: { name: string; mode: visits.VisitMode }; sessionId: number },
): FastifyReply {
  const { entry, way } = asked
  const html = renderPage({
    lang,
    brand: brandName,
    title: enterQuestion(way.name)[lang],
    text: enterMeaning[way.mode][lang],
    facts: factsOf({ ...entry.name, path: entry.path }, lang),
    actions: [
      {
        label: actionTexts.enter[lang],
        href: addressOf(entry, { session: String(asked.sessionId) }),
        posts: true,
      },
      { label: actionTexts.console[lang], href: '/' },
    ],
  })
  return reply
    .headers(formHeaders(deps.address.originOf(entry.name.host)))
    .type('text/html; charset=utf-8')
    .send(html)
}

function sendDenial(
  deps: AuthorizeDeps,
  reply: FastifyReply,
  error: Failure,
  page: Reader & { readonly again: VisitName | undefined; readonly from: string | undefined },
): FastifyReply {
  const { lang, again } = page
  const kind = errors[error.code]
  const who = error.code === 'CONTROL_TAKEN' ? error.data?.who : undefined
  // Back over the visit host: the state this came with is used up or too old by then.
  const actions: PageAction[] = again
    ? [{ label: actionTexts.again[lang], href: addFrom(deps.address.urlOf(again.host), page.from) }]
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
