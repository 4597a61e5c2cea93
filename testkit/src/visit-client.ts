import { type Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { TestPlatform } from './platform.ts'

const redirectsMax = 12

/** The headers of a browser when a person opens an address. */
export const navigation: Readonly<Record<string, string>> = {
  accept: 'text/html',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

export interface VisitAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly text: string
}

export interface VisitRequest {
  method?: string
  /** In place of a page's own request (`Sec-Fetch-Site: same-origin`); the Host and the visit cookie are always sent. */
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

/** A person inside a machine's page, as a program that can send anything. */
export interface VisitClient {
  /** The visit cookie, `name=value`. */
  readonly cookie: string
  /** The Host header, with the port. */
  readonly host: string
  readonly origin: string
  request(path: string, init?: VisitRequest): Promise<VisitAnswer>
  /** The answer as a stream, which the caller reads. */
  open(path: string, init?: VisitRequest): Promise<IncomingMessage>
  /** A WebSocket of the page; `headers` replace what a browser says. */
  openWebSocket(path: string, options?: { protocols?: string[]; headers?: Record<string, string> }): WebSocket
  /** A bare connection to the platform's web port. */
  openSocket(): Promise<Socket>
}

type Site = Pick<TestPlatform, 'webPort'>
interface CallOptions extends VisitRequest {
  /** With its port. */
  host: string
  path: string
  agent?: Agent
}

/** One request to the web port under any Host. */
export async function callHost(site: Site, options: CallOptions): Promise<VisitAnswer> {
  const response = await openCall(site, options)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const { headers, rawHeaders, statusCode: status = 0 } = response
  return { status, headers, rawHeaders, body, text: body.toString() }
}

function openCall(site: Site, { host, path, method = 'GET', headers, body, agent }: CallOptions) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: site.webPort, path, method, agent, headers: { ...headers, host } },
      resolve,
    )
    request.once('error', reject)
    request.end(body)
  })
}

/** A browser's cookies and redirects, as far as entering a machine needs them. */
export class TestBrowser {
  readonly cookies = new Map<string, Map<string, string>>()
  readonly #site: Site

  constructor(site: Site, user?: { token: string }) {
    this.#site = site
    if (user) this.set(`localhost:${site.webPort}`, 'token', user.token)
  }

  set(host: string, name: string, value: string): void {
    const jar = this.cookies.get(host) ?? new Map<string, string>()
    this.cookies.set(host, jar.set(name, value))
  }

  cookieHeader(host: string): string {
    return [...(this.cookies.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /**
   * Opens one address as a person does, without following redirects; `more` replaces the browser's usual
   * headers.
   */
  async step(url: URL, more: VisitRequest = {}): Promise<VisitAnswer> {
    const cookie = this.cookieHeader(url.host)
    const answer = await callHost(this.#site, {
      ...more,
      host: url.host,
      path: `${url.pathname}${url.search}`,
      headers: { ...navigation, ...(cookie ? { cookie } : {}), ...more.headers },
    })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(';')
      const at = pair.indexOf('=')
      const name = pair.slice(0, at)
      if (attributes.some((attribute) => attribute.trim() === 'Max-Age=0'))
        this.cookies.get(url.host)?.delete(name)
      else this.set(url.host, name, pair.slice(at + 1))
    }
    return answer
  }

  /** Presses the button of a page that asks, without following the redirect. */
  press(url: URL, page: VisitAnswer): Promise<VisitAnswer> {
    const address = readForm(page.text)
    if (address === undefined) throw new Error(`no button: ${page.status} ${readPage(page.text)}`)
    return this.step(new URL(address, url), {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        origin: url.origin,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': '0',
      },
    })
  }

  /** One step of the way in; if the console asks, the person presses the button. */
  async stepIn(url: URL): Promise<VisitAnswer> {
    const answer = await this.step(url)
    return readForm(answer.text) === undefined ? answer : this.press(url, answer)
  }

  /** Opens an address and follows it to the final answer, pressing the button if the console asks. */
  async open(address: string): Promise<{ url: URL; answer: VisitAnswer; steps: URL[] }> {
    let url = new URL(address)
    const steps = [url]
    for (let count = 0; count < redirectsMax; count++) {
      const answer = await this.stepIn(url)
      const { location } = answer.headers
      if (location === undefined) return { url, answer, steps }
      url = new URL(location, url)
      steps.push(url)
    }
    throw new Error(`too many redirects: ${steps.map((step) => step.pathname).join(' ')}`)
  }
}

/** Goes the whole way into a machine's page over HTTP: visit host, console, code, cookie. */
export async function enterVisit(
  site: Site,
  user: { token: string },
  machine: { code: string },
  target = 'page',
): Promise<VisitClient> {
  const name = `${target === 'page' ? '' : `${target}--`}${machine.code}.visit.localhost`
  const host = `${name}:${site.webPort}`
  const browser = new TestBrowser(site, user)
  // The way ends on the page itself, which need not be there: the cookie comes before it.
  const { answer, steps } = await browser.open(`http://${host}/`)
  const cookie = browser.cookies.get(host)?.get('visit')
  if (!cookie)
    throw new Error(`not entered: ${answer.status} ${steps.at(-1)?.pathname} ${readPage(answer.text)}`)
  return visitClientOf(site, host, `visit=${cookie}`)
}

/** The address to which the button of a page posts. */
function readForm(html: string): string | undefined {
  return /<form method="post" action="([^"]*)"><button/.exec(html)?.[1]?.replaceAll('&amp;', '&')
}

/** The visible text of one of the platform's own pages. */
export function readPage(html: string): string {
  const main = /<main>(.*)<\/main>/s.exec(html)?.[1] ?? html
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A person with a cookie, wherever it comes from. */
export function visitClientOf(site: Site, host: string, cookie: string): VisitClient {
  const origin = `http://${host}`
  const call = (path: string, { headers, ...init }: VisitRequest = {}): CallOptions => ({
    ...init,
    host,
    path,
    headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
  })
  return {
    cookie,
    host,
    origin,
    request: (path, init) => callHost(site, call(path, init)),
    open: (path, init) => openCall(site, call(path, init)),
    openWebSocket(path, options = {}) {
      return new WebSocket(`ws://127.0.0.1:${site.webPort}${path}`, options.protocols ?? [], {
        headers: { host, cookie, origin, ...options.headers },
        perMessageDeflate: false,
      })
    },
    async openSocket() {
      const socket = connect(site.webPort, '127.0.0.1')
      socket.on('error', () => socket.destroy())
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
      return socket
    },
  }
}
