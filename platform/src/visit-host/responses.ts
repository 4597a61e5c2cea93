import type { IncomingMessage, ServerResponse } from 'node:http'
import { chooseLang, errorText, type Lang, type Text, type visits } from '@busbar/contract'
import type { Failure } from '../kernel/http/failure.ts'
import type { VisitName } from '../modules/visits/index.ts'
import { addFrom, returnPath } from '../modules/visits/index.ts'
import { isFrameNavigation, isPageNavigation } from './fetch-origin.ts'
import { framePaths } from './frame-page.ts'
import {
  actionTexts,
  continueTexts,
  elsewhereFacts,
  endTexts,
  factsOf,
  notEnteredTitle,
  type PageText,
  refusalTexts,
} from './page-texts.ts'
import { ownHeaders, type PageAction, type PageFact, renderPage, wordHeaders } from './pages.ts'
import type { Refusal } from './refusal.ts'
import { mayChoosePath } from './rules.ts'
import { readSite } from './visit-state.ts'

/** A visit that is over, with the reason for later requests. */
export interface EndedVisit {
  readonly ended: visits.VisitEndReason
  readonly lang: Lang
}

/** Reasons that a further try may get past. */
const passing = new Set([
  'offline',
  'unreachable',
  'badGateway',
  'busy',
  'blind',
  'tooMany',
  'stateLost',
  'notWatchable',
])

/** The visit host's own responses: a page to a person, a line of text to a program. */
export class Responses {
  readonly #brandNameOf: (host: string | undefined) => Text
  readonly #consoleOriginOf: (request: IncomingMessage) => string
  readonly #fromOf: (request: IncomingMessage) => string | undefined

  constructor(options: {
    brandNameOf: (consoleHost: string | undefined) => Text
    /** The console that a request came through. */
    consoleOriginOf: (request: IncomingMessage) => string
    /** Its id. */
    fromOf: (request: IncomingMessage) => string | undefined
  }) {
    this.#brandNameOf = options.brandNameOf
    this.#consoleOriginOf = options.consoleOriginOf
    this.#fromOf = options.fromOf
  }

  refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal, lang?: Lang): void {
    const spoken = lang ?? langOf(request)
    const actions = passing.has(refusal.reason) ? [this.#retry(request, spoken, 'again')] : []
    const headers = refusal.status === 503 || refusal.status === 429 ? { 'retry-after': '5' } : {}
    this.#send(request, response, {
      status: refusal.status,
      lang: spoken,
      text: refusalTexts[refusal.reason][spoken],
      ...(refusal.address === undefined ? {} : { facts: elsewhereFacts(refusal.address, spoken) }),
      actions,
      headers,
    })
  }

  /** `headers` clear the visit's data in the browser. */
  end(
    request: IncomingMessage,
    response: ServerResponse,
    visit: EndedVisit,
    headers: Record<string, string | string[]>,
  ): void {
    this.#send(request, response, {
      status: 403,
      lang: visit.lang,
      text: endTexts[visit.ended][visit.lang],
      actions: [this.#retry(request, visit.lang, 'enterAgain')],
      headers,
    })
  }

  /** A page of a portal did not get in: the reason is the error's own text. */
  notEntered(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
    const lang = langOf(request)
    const text = errorText(failure.code, lang) ?? ''
    this.#send(request, response, {
      status: 403,
      lang,
      text: { title: notEnteredTitle[lang], text },
      actions: [],
      headers: {},
    })
  }

  /** The page that asks whether a navigation from another site is wanted. */
  askToContinue(request: IncomingMessage, response: ServerResponse, name: VisitName, lang: Lang): void {
    const path = returnPath(request.url)
    this.#send(request, response, {
      status: 200,
      lang,
      text: continueTexts[lang],
      facts: factsOf({ code: name.code, path }, lang),
      actions: [{ label: actionTexts.continue[lang], href: addFrom(path, this.#fromOf(request)) }],
      // A browser without Sec-Fetch-Site reports this page as the origin only by the Referer.
      headers: { 'referrer-policy': 'same-origin' },
    })
  }

  /** Answers a script of the visit host's own page. */
  json(request: IncomingMessage, response: ServerResponse, answer: object): void {
    if (response.headersSent || response.destroyed) return void response.destroy()
    const body = JSON.stringify(answer)
    response.writeHead(200, {
      ...ownHeaders,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      ...(hasBody(request) ? { connection: 'close' } : {}),
    })
    response.end(body)
  }

  redirect(
    response: ServerResponse,
    location: string,
    headers: Record<string, string | string[]> = {},
  ): void {
    response.writeHead(303, { ...ownHeaders, ...headers, location, 'content-length': '0' }).end()
  }

  #retry(request: IncomingMessage, lang: Lang, label: 'again' | 'enterAgain'): PageAction {
    // This page shows no path, so a path that another site chose is replaced by the first page.
    const path = mayChoosePath(readSite(request.headers)) ? returnPath(request.url) : '/'
    return { label: actionTexts[label][lang], href: addFrom(path, this.#fromOf(request)) }
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: {
      status: number
      lang: Lang
      text: PageText
      facts?: readonly PageFact[]
      actions: readonly PageAction[]
      headers: Record<string, string | string[]>
    },
  ): void {
    if (response.headersSent || response.destroyed) return void response.destroy()
    const isFramed = isWordInFrame(request)
    const isPage = isFramed || isPageNavigation(request.method, request.headers)
    const { lang, text } = answer
    const consoleOrigin = this.#consoleOriginOf(request)
    const body = isPage
      ? renderPage({
          lang,
          brand: this.#brandNameOf(new URL(consoleOrigin).host)[lang],
          ...text,
          facts: answer.facts,
          // A page that is framed by another site could be drawn over: it has nothing to press.
          actions: isFramed
            ? []
            : [...answer.actions, { label: actionTexts.console[lang], href: `${consoleOrigin}/` }],
        })
      : `${text.title}: ${text.text}\n${(answer.facts ?? []).map(({ label, value }) => `${label}: ${value}\n`).join('')}`
    response.writeHead(answer.status, {
      ...(isFramed ? wordHeaders : ownHeaders),
      ...answer.headers,
      'content-type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
      'content-length': String(Buffer.byteLength(body)),
      // The request's body stays unread, so the connection cannot carry another request.
      ...(hasBody(request) ? { connection: 'close' } : {}),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

/**
 * Whether a page may show this answer in a frame: the page of a portal that asks by an address of its project, and the
 * machine's own host within it. The pages of other sites frame nothing of the visit host.
 */
function isWordInFrame({ method, headers, url }: IncomingMessage): boolean {
  const isOwn = headers['sec-fetch-site'] === 'same-origin' || url?.split('?', 1)[0] === framePaths.page
  return isOwn && isFrameNavigation(method, headers)
}

/** Whether a request brings a body. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  return length.trim() !== '0' || coding !== undefined
}

export function langOf(request: IncomingMessage): Lang {
  return chooseLang(undefined, request.headers['accept-language'])
}
