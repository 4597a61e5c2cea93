import type { IncomingMessage, ServerResponse } from 'node:http'
import { every } from '../kernel/every.ts'
import { addressKey } from '../kernel/http/client-address.ts'
import { Failure } from '../kernel/http/failure.ts'
import type { Logger } from '../kernel/logger.ts'
import type { OpenVisit, VisitAddress, VisitPort } from '../modules/visits/index.ts'
import type { Admissions } from './admission.ts'
import type { Asked } from './asked.ts'
import { framePageHeaders, framePaths, frameScript, renderFramePage } from './frame-page.ts'
import { endTexts } from './page-texts.ts'
import { ownHeaders } from './pages.ts'
import type { Refusal } from './refusal.ts'
import { langOf, type Responses } from './responses.ts'
import type { VisitRules } from './rules.ts'
import { formatFrameCookie } from './visit-cookies.ts'

/** A line without words would be taken for a broken one by what is between. */
const beatMs = 15_000

export interface FramesDeps {
  readonly address: Pick<VisitAddress, 'originOf'>
  readonly visitPort: Pick<VisitPort, 'enterEmbedded'>
  readonly admissions: Admissions
  readonly responses: Responses
  readonly rules: VisitRules
  readonly https: boolean
  readonly logger: Logger
  countRefusal(rate: 'visitCodes' | 'visitPages', address: string): Promise<Refusal | undefined>
  now(): number
}

/** Visits in the pages of projects' portals (rules/projects.md: embedding). */
export class Frames {
  readonly #deps: FramesDeps

  constructor(deps: FramesDeps) {
    this.#deps = deps
  }

  /** Answers a path of frames; false for another one. */
  async answer(asked: Asked, url: URL): Promise<boolean> {
    const { rules } = this.#deps
    const { request, response } = asked
    if (url.pathname === framePaths.page && rules.mayEnterFramed(request))
      await this.#enter(asked, url.searchParams.get('code') ?? '')
    else if (url.pathname === framePaths.script && request.method === 'GET') sendScript(response)
    else if (url.pathname === framePaths.state && request.method === 'GET') await this.#follow(asked)
    else return false
    return true
  }

  /** Takes the code of an address; a frame that is loaded again goes on with its cookie. */
  async #enter({ request, response, name, address }: Asked, code: string): Promise<void> {
    const { visitPort, admissions, responses, rules, https, now, countRefusal } = this.#deps
    const refuse = (refusal: Refusal) => responses.refuse(request, response, refusal)
    if (!https) return refuse({ status: 404, reason: 'unknownPage' })
    const refusal = await countRefusal('visitCodes', address)
    if (refusal) return refuse(refusal)
    let entered: Awaited<ReturnType<VisitPort['enterEmbedded']>>
    try {
      entered = await visitPort.enterEmbedded(code, name.host, { address, now: now() })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return responses.notEntered(request, response, error)
    }
    if (!entered) {
      const found = await admissions.find(request, name, addressKey(address))
      if (found.kind === 'open' && found.visit.embedding)
        return this.#show(request, response, found.visit, '')
      return refuse({ status: 400, reason: 'frameUsed' })
    }
    const visit = await admissions.findByCookie(entered.cookie, name, addressKey(address))
    if (visit.kind !== 'open' || !rules.isOwnJar(visit.visit, true))
      return refuse({ status: 400, reason: 'frameUsed' })
    const cookie = formatFrameCookie(entered.cookie)
    this.#show(request, response, visit.visit, entered.again, cookie)
  }

  #show(
    request: IncomingMessage,
    response: ServerResponse,
    visit: OpenVisit,
    again: string,
    cookie?: string,
  ): void {
    const tabUrl = `${framePaths.page}?code=${again}`
    const page = { lang: langOf(request), tabUrl, framedBy: this.#deps.rules.framedBy(visit) }
    const body = renderFramePage(page)
    response.writeHead(200, {
      ...framePageHeaders(page),
      ...(cookie ? { 'set-cookie': cookie } : {}),
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    })
    response.end(body)
  }

  /** Tells the page the state of its visit: a line now, and the end of the answer when something has changed. */
  async #follow({ request, response, name, address }: Asked): Promise<void> {
    const { address: hosts, admissions, responses, rules, logger, countRefusal } = this.#deps
    const refuse = (refusal: Refusal) => responses.refuse(request, response, refusal)
    if (!rules.checkFetchOrigin(request.method, request.headers, hosts.originOf(name.host)))
      return refuse({ status: 403, reason: 'foreign' })
    const refusal = await countRefusal('visitPages', address)
    if (refusal) return refuse(refusal)
    const found = await admissions.find(request, name, addressKey(address))
    if (found.kind === 'refused') return refuse(found.refusal)
    if (found.kind === 'outside') return refuse({ status: 401, reason: 'noVisit' })
    response.writeHead(200, { ...ownHeaders, 'content-type': 'application/x-ndjson; charset=utf-8' })
    if (found.kind === 'ended') {
      const { ended } = found.visit
      response.end(`${JSON.stringify({ ended, ...endTexts[ended][langOf(request)] })}\n`)
      return
    }
    const { visit } = found
    const hold = visit.hold({ cut: () => response.end() }, visit.mode)
    if (!hold) return void response.end()
    const beat = every(beatMs, () => void response.write('\n'), logger)
    response.once('close', () => {
      clearInterval(beat)
      hold.release()
    })
    response.write(`${JSON.stringify({ mode: visit.mode, until: visit.until })}\n`)
  }
}

function sendScript(response: ServerResponse): void {
  response.writeHead(200, {
    ...ownHeaders,
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(Buffer.byteLength(frameScript)),
  })
  response.end(frameScript)
}
