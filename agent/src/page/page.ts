import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { errorReason } from '../log.ts'
import type { Machine } from '../machine.ts'
import type { PageAnswer, PageHandler, PageRequest } from '../tunnel/page-handler.ts'
import { pageAssets } from './assets.ts'
import { EventHub } from './event-hub.ts'
import type { ErrorView, PageView, WriteView } from './page-api.ts'
import { pageLimits } from './page-limits.ts'
import type { PageConnection } from './page-views.ts'
import { snapshotView, tagView } from './page-views.ts'
import { isCrossSite, isEnded, isOwnOrigin, modeOf } from './permissions.ts'
import { TrendStore } from './trend-store.ts'
import { WriteRate } from './write-rate.ts'
import { PageRefusal, parseWrite, readBody, writeTag } from './write-route.ts'

export interface PageParts {
  machine: Machine
  /** The machine's model; empty if not configured. */
  model: string
  /** Those of now. */
  connections(): readonly PageConnection[]
  /** Whether people at the local port may write. */
  localWrite: boolean
  clock: Clock
  log: Log
}

/** The agent's own page: values, trends, alarms and set-points, for the tunnel and for the local port. */
export interface Page {
  handler: PageHandler
  /** The machine has other tags and connections: open pages ask for them. */
  retag(): void
  close(): void
}

const csp =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"

export function startPage(parts: PageParts): Page {
  const { machine, connections, localWrite, clock, log } = parts
  const trends = new TrendStore(machine, clock)
  const hub = new EventHub(machine, connections, clock)
  const rate = new WriteRate(clock)

  async function answerRequest(request: PageRequest, answer: PageAnswer): Promise<void> {
    const { visitor, method } = request
    const [path = '', query = ''] = request.path.replace(/^\//, '').split('?')
    if (isEnded(visitor, clock.now())) throw new PageRefusal(403, 'ended')
    if (path === 'api/write') {
      if (method !== 'POST') throw new PageRefusal(405, 'method')
      return sendJson(request, answer, 200, await write(request))
    }
    if (method !== 'GET' && method !== 'HEAD') throw new PageRefusal(405, 'method')
    if (!path.startsWith('api/')) return sendAsset(request, answer, path)
    if (isCrossSite(request)) throw new PageRefusal(403, 'crossSite')
    switch (path) {
      case 'api/page':
        return sendJson(request, answer, 200, pageView(request))
      case 'api/mode':
        return sendJson(request, answer, 200, modeOf(visitor, localWrite))
      case 'api/values':
        return sendJson(request, answer, 200, snapshotView(machine, connections(), clock.now()))
      case 'api/trend':
        return sendJson(request, answer, 200, trendView(query))
      case 'api/events':
        return openEvents(request, answer)
      default:
        throw new PageRefusal(404, 'notFound')
    }
  }

  async function write(request: PageRequest): Promise<WriteView> {
    const { visitor } = request
    // In this order: who only watches learns that, whatever else is wrong.
    const allow = (): void => {
      if (isEnded(visitor, clock.now())) throw new PageRefusal(403, 'ended')
      if (modeOf(visitor, localWrite).mode !== 'rw') throw new PageRefusal(403, 'watching')
    }
    allow()
    if (!isOwnOrigin(request)) throw new PageRefusal(403, 'crossSite')
    if (!rate.take(visitor === null ? 'local' : `visit ${visitor.visit}`))
      throw new PageRefusal(429, 'tooOften')
    const asked = parseWrite(await readBody(request), machine.tags)
    // The body may have taken its time.
    allow()
    const result = await writeTag(machine, asked, {
      kind: 'page',
      visit: visitor?.visit ?? null,
      user: visitor?.user ?? null,
    })
    hub.publishWrite(result)
    return result
  }

  function pageView({ visitor }: PageRequest): PageView {
    const alarms = new Set(machine.alarms().map((alarm) => alarm.tag))
    return {
      ...modeOf(visitor, localWrite),
      code: machine.code,
      model: parts.model,
      visit: visitor !== null,
      connections: connections().map(({ name }) => name),
      tags: machine.tags.map((tag, index) => ({
        ...tagView(tag, alarms.has(index)),
        removed: machine.isRemoved?.(index) ?? false,
      })),
    }
  }

  function trendView(query: string) {
    const texts = (new URLSearchParams(query).get('tags') ?? '').split(',')
    if (texts.length > pageLimits.trendTagsMax || !texts.every((text) => /^\d{1,5}$/.test(text))) {
      throw new PageRefusal(400, 'badRequest')
    }
    const view = trends.get(texts.map(Number))
    if (view === null) throw new PageRefusal(404, 'unknownTag')
    return view
  }

  function openEvents(request: PageRequest, answer: PageAnswer): void {
    if (!hub.hasRoom(request.visitor)) throw new PageRefusal(503, 'tooMany')
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' }
    const stream = answer.begin(200, { ...safetyHeaders(request), ...headers })
    if (request.method === 'HEAD') stream.end()
    else hub.open(stream, request.visitor)
  }

  return {
    handler(request, answer) {
      answerRequest(request, answer).catch((error: unknown) => {
        // The unread rest of a body must not block the connection.
        request.body.resume()
        if (error instanceof PageRefusal) {
          sendJson(request, answer, error.status, { error: error.code } satisfies ErrorView)
        } else {
          log('error', 'page.failed', { reason: errorReason(error) })
          sendJson(request, answer, 400, { error: 'badRequest' } satisfies ErrorView)
        }
      })
    },
    retag() {
      trends.retag()
      hub.restart()
    },
    close() {
      trends.close()
      hub.close()
    },
  }
}

/** A visit may be shown in a frame, as the platform decides; the local page may not. */
function safetyHeaders({ visitor }: PageRequest): Record<string, string> {
  return {
    'content-security-policy': visitor === null ? `${csp}; frame-ancestors 'none'` : csp,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
}

function sendJson(request: PageRequest, answer: PageAnswer, status: number, body: unknown): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  const stream = answer.begin(status, { ...safetyHeaders(request), ...headers })
  stream.end(request.method === 'HEAD' ? '' : JSON.stringify(body))
}

function sendAsset(request: PageRequest, answer: PageAnswer, path: string): void {
  const asset = pageAssets.get(path === '' ? 'index.html' : path)
  if (asset === undefined) throw new PageRefusal(404, 'notFound')
  const headers = {
    ...safetyHeaders(request),
    'content-type': asset.type,
    'cache-control': 'no-cache',
    etag: asset.etag,
  }
  const isKnown = request.headers['if-none-match'] === asset.etag
  const stream = answer.begin(isKnown ? 304 : 200, headers)
  stream.end(isKnown || request.method === 'HEAD' ? '' : asset.text)
}
