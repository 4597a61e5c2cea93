import {
  type AnswerOf,
  ApiError,
  createClient,
  productVersion,
  type RequestOf,
  type Route,
  timing,
} from '@busbar/contract'
import { getLang, getText } from '../i18n/language.ts'
import { showToast, toasts } from '../ui/toast/toast-store.ts'
import { fetchUnlessEarly } from './early-answer.ts'
import { judgeFailure } from './failures.ts'
import { LoadQueue } from './load-queue.ts'
import { noteCall, noteReachable, noteUnreachable } from './reachability.ts'

/** The console's session is the HttpOnly cookie, so no script can read its token and none is sent. */
const client = createClient({
  baseUrl: '',
  lang: getLang,
  fetch: fetchUnlessEarly,
  client: `pc/${productVersion}`,
})

const heavyCalls = new LoadQueue()

/** Of a call that the console gave up, and of one that it makes again later. */
const waitStatuses = [408, 429]

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** No global notice and no sign-out: the caller shows every failure itself (the sign-in form). */
  readonly silent?: boolean
  /**
   * Suppresses the global notice, because the caller reports failures itself; the end of the session is still
   * reported.
   */
  readonly noNotice?: boolean
}

let sessionOver: (() => void) | undefined
let sessionEnding = false

/** Registers what happens when the platform no longer knows the session; returns the function that removes it. */
export function onSessionOver(listener: () => void): () => void {
  sessionOver = listener
  return () => {
    if (sessionOver === listener) sessionOver = undefined
  }
}

/**
 * Calls a route; failures that concern every page are reported to the person here, once for the whole
 * console. Throws ApiError.
 */
export async function call<R extends Route>(
  route: R,
  request: RequestOf<R>,
  options: CallOptions = {},
): Promise<AnswerOf<R>> {
  const { signal } = options
  // The wait for a place in this queue does not count as a slow answer of the platform.
  const run = () => {
    const noteEnd = noteCall()
    return client.call(route, request, signal).finally(noteEnd)
  }
  try {
    const answer = await (route.load ? heavyCalls.run(run, signal) : run())
    noteReachable()
    return answer
  } catch (error) {
    if (error instanceof ApiError) tell(error, options)
    throw error
  }
}

function tell(error: ApiError, options: CallOptions): void {
  const { silent = false, noNotice = silent, signal } = options
  if (error.is('CLIENT_TOO_OLD')) tellTooOld(error)
  const verdict = judgeFailure(error, getText())
  const isUnreachable = verdict.kind === 'notice' && verdict.unreachable
  if (!isUnreachable) noteReachable()
  else if (!silent) noteUnreachable()
  if (silent || verdict.kind === 'callersOwn') return
  if (verdict.kind === 'sessionOver') {
    endSession(verdict.notice)
    return
  }
  // Of what nobody pressed for, the banner and the page itself say it: a notice for each query would only be noise.
  const isSaid = isQuery(signal) && (isUnreachable || waitStatuses.includes(error.http))
  if (!noNotice && !isSaid) showToast(verdict.notice, 'failure')
}

/** The platform was updated under an open page, and every call says so. */
function tellTooOld({ message }: ApiError): void {
  if (toasts.get().some(({ text }) => text === message)) return
  showToast(message, 'failure', { label: getText().app.part.reload, run: () => location.reload() })
}

/** Only the cache gives up its calls; a person's act runs to its end. */
const isQuery = (signal: AbortSignal | undefined) => signal !== undefined

function endSession(notice: string): void {
  if (sessionEnding) return
  sessionEnding = true
  showToast(notice, 'failure')
  setTimeout(() => {
    sessionEnding = false
    sessionOver?.()
  }, timing.signOutDelayMs)
}
