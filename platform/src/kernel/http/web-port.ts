import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Certificates } from './certificates.ts'

const headersTimeoutMs = 60_000
/** Limit of the time that a request to the console takes to arrive; a machine's upload has no limit. */
const consoleBodyMsMax = 60_000
const idleMs = 120_000
const keepAliveMs = 75_000
const drainPollMs = 20
/** Time for which a browser must use TLS after it did once. Subdomains are left out, because they may belong to others. */
const strictTransport = `max-age=${365 * 24 * 60 * 60}`

/** A server of the requests of some hosts in place of the console. */
export interface HostSite {
  owns(hostHeader: string | undefined): boolean
  /** The site answers `Expect: 100-continue` itself, like the console. */
  request(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void
type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * The web port. Requests are separated by their Host before anything reads them: a site's never reach the console, and
 * all others never reach the site.
 */
export class WebPort {
  readonly server: Server
  readonly #consoleAnswers = new Set<ServerResponse>()
  readonly #siteAnswers = new Set<ServerResponse>()
  readonly #isSecure: (request: IncomingMessage) => boolean
  #site: HostSite | undefined
  #console: RequestListener = (_, response) => response.writeHead(503).end()
  #upgrade: UpgradeListener = (_, socket) => refuse(socket, '404 Not Found')

  /** `isSecure`: whether a request came by TLS. */
  constructor(isSecure: (request: IncomingMessage) => boolean, certificates?: Certificates) {
    this.#isSecure = isSecure
    const server = certificates ? createSecureServer(certificates) : createServer()
    this.server = server
    server.headersTimeout = headersTimeoutMs
    server.requestTimeout = 0
    server.keepAliveTimeout = keepAliveMs
    server.setTimeout(idleMs)
    server.on('request', (request, response) => this.#dispatch(request, response))
    // The reader of a body sends `100 Continue`, so that a refused caller need not send the body.
    server.on('checkContinue', (request, response) => this.#dispatch(request, response))
    server.on('upgrade', (request, socket, head) => this.#dispatchUpgrade(request, socket, head))
    server.on('connect', (_, socket) => refuse(socket, '405 Method Not Allowed'))
  }

  /** Requests that are not answered to the end. */
  get inFlight(): { console: number; site: number } {
    return { console: this.#consoleAnswers.size, site: this.#siteAnswers.size }
  }

  /**
   * Resolves when all requests are answered, after `patienceMs` at most. A site's answer may be endless: it counts once
   * it has begun.
   */
  async drain(patienceMs: number): Promise<void> {
    const until = performance.now() + patienceMs
    const isBusy = () =>
      this.#consoleAnswers.size > 0 || [...this.#siteAnswers].some((answer) => !answer.headersSent)
    while (isBusy() && performance.now() < until) await sleep(drainPollMs)
  }

  /** Gives a site its hosts. */
  serve(site: HostSite): void {
    this.#site = site
  }

  /** For Fastify's `serverFactory`: its handler answers requests to the console. */
  readonly serverFactory = (handler: RequestListener): Server => {
    this.#console = handler
    return this.server
  }

  /** The receiver of the console's upgrades. */
  readonly onUpgrade = (listener: UpgradeListener): void => {
    this.#upgrade = listener
  }

  #dispatch(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isSecure(request) && !isLocalName(request.headers.host))
      response.setHeader('strict-transport-security', strictTransport)
    if (!isPlain(request)) {
      response.writeHead(400, { connection: 'close' }).end()
    } else if (this.#site?.owns(request.headers.host)) {
      hold(this.#siteAnswers, response)
      this.#site.request(request, response)
    } else {
      hold(this.#consoleAnswers, response)
      limitBody(request, consoleBodyMsMax)
      this.#console(request, response)
    }
  }

  #dispatchUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    if (!isPlain(request)) refuse(socket, '400 Bad Request')
    else if (this.#site?.owns(request.headers.host)) this.#site.upgrade(request, socket, head)
    else this.#upgrade(request, socket, head)
  }
}

function hold(answers: Set<ServerResponse>, response: ServerResponse): void {
  answers.add(response)
  response.once('close', () => answers.delete(response))
}

function createSecureServer(certificates: Certificates): Server {
  const server = createHttpsServer(certificates.serverOptions)
  certificates.attach(server)
  return server
}

/** Ends a socket that has left the server's time-outs: a peer that never closes must not keep it. */
export function refuse(socket: Duplex, status: string, headers = '', body = ''): void {
  socket.once('finish', () => socket.destroy())
  const length = `content-length: ${Buffer.byteLength(body)}`
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n${length}\r\n${headers}\r\n${body}`)
}

/**
 * One Host, and a path: `GET http://other/` or a second Host would name another site than the one chosen here. A line
 * without a version is HTTP/0.9, which browsers no longer speak but old ones could be made to.
 */
function isPlain(request: IncomingMessage): boolean {
  if (request.httpVersionMajor !== 1 || !request.url?.startsWith('/')) return false
  let hosts = 0
  for (let at = 0; at < request.rawHeaders.length; at += 2)
    if (request.rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts <= 1 && isHost(request.headers.host)
}

function isHost(header: string | undefined): boolean {
  return header === undefined || /^(?:[a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(header)
}

/** Hosts of this machine alone, where other programs answer without TLS under the same name. */
function isLocalName(header = ''): boolean {
  return /^(?:.+\.)?localhost(?::\d+)?$/i.test(header)
}

/** Ends a request whose body has not come after `msMax` milliseconds. */
export function limitBody(request: IncomingMessage, msMax: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (length === '0' && coding === undefined) return
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy()
  }, msMax)
  request.once('close', () => clearTimeout(timer))
}
