import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import {
  createHolder,
  createMachine,
  createUser,
  enterVisit,
  navigation,
  openAgentTunnel,
  readPage,
  startTestPlatform,
  TestBrowser,
  type TestMachine,
  type TestPlatform,
  type TestUser,
  type VisitClient,
} from '@busbar/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

/*
 * A device gets what a browser on its own network would send, and the browser gets the device's bytes (rules/visits.md: as
 * in the plant).
 */

let site: TestPlatform
let machine: TestMachine
let user: TestUser
let agent: { stop(): void }
let client: VisitClient
let devices: Server[]
/** The requests as the device read them, each a character for a byte. */
let heard: string[]
/** The device's answer, in the same way. */
let answer: string

/** A small web server, which takes a request for whole when it has the body it was told. */
function serve(socket: Socket): void {
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (piece) => {
    text += piece.toString('latin1')
    const [head = '', body] = text.split('\r\n\r\n')
    if (body === undefined || body.length < Number(/\r\nContent-Length: (\d+)/.exec(head)?.[1] ?? 0)) return
    heard.push(text)
    socket.end(Buffer.from(answer, 'latin1'))
  })
}

const bytes = (text: string) => Buffer.from(text).toString('latin1')
const answerWith = (status: string, ...lines: string[]) => {
  answer = `HTTP/1.0 ${[status, ...lines].join('\r\n')}\r\n\r\n`
}
const otherOrigin = () => `http://other--${machine.code}.visit.localhost:${site.webPort}`
const withoutOffer = (text: string) => text.replace(/[?&]offered=[\w-]+/, '')
const portOf = (place: number) => (devices[place]?.address() as AddressInfo | undefined)?.port
const deviceOrigin = (place: number) => `http://127.0.0.1:${portOf(place)}`

beforeAll(async () => {
  devices = [createServer(serve), createServer(serve), createServer(serve)]
  for (const device of devices) await once(device.listen(0, '127.0.0.1'), 'listening')
  site = await startTestPlatform()
  user = await createUser(site.db)
  machine = await createMachine(site.db, { owner: user.userId })
  // The third address of the device is missing in the agent's file.
  agent = await openAgentTunnel(site, machine, {
    targets: ['hmi', 'other', 'watched'].map((name, place) => ({
      name,
      url: deviceOrigin(place % 2),
      readOnly: name === 'watched' ? 'enforced' : 'none',
      insecure: false,
    })),
  })
  heard = []
  answerWith('200 OK')
  client = await enterVisit(site, user, machine, 'hmi')
})
beforeEach(() => {
  heard = []
  answerWith('200 OK')
})
afterAll(async () => {
  agent.stop()
  for (const device of devices) device.close()
  await site.stop()
})

test('a server that compares names by letter gets a form: 411 no Content-Length', async () => {
  const { status } = await client.request('/fussy', {
    method: 'POST',
    body: 'v=42',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: client.origin },
  })
  expect(status).toBe(200)
  const lines = heard[0]?.split('\r\n') ?? []
  expect(lines[0]).toBe('POST /fussy HTTP/1.1')
  expect(lines).toContain(`Host: 127.0.0.1:${portOf(0)}`)
  expect(lines).toContain('Content-Length: 4')
  expect(lines).toContain(`Origin: ${deviceOrigin(0)}`)
  expect(lines.at(-1)).toBe('v=42')
  expect(lines.slice(1, lines.indexOf('')).filter((line) => /^[a-z]/.test(line))).toEqual([])
})

test('a path of Windows in a query passes: 400 incomplete or ambiguous', async () => {
  expect((await client.request('/query?f=C:\\recipes\\a.csv')).status).toBe(200)
  expect(heard[0]).toContain('GET /query?f=C:\\recipes\\a.csv HTTP/1.1')
})

test.each([
  ['UTF-8', bytes('报表')],
  ['GBK', '\xb1\xa8\xb1\xed'],
])('a file name as raw bytes of %s arrives as they are', async (_, name) => {
  answerWith('200 OK', `Content-Disposition: attachment; filename="${name}.csv"`)
  const { headers } = await client.request('/file')
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}.csv"`)
})

test.each([
  ['UTF-8', bytes('/主页')],
  ['GBK', '/\xd6\xf7\xd2\xb3'],
])('a redirect to raw bytes of %s arrives as they are: encoded twice', async (_, path) => {
  answerWith('302 Found', `Location: ${path}`)
  expect((await client.request('/')).headers.location).toBe(path)
  answerWith('302 Found', `Location: ${deviceOrigin(0)}${path}`)
  expect((await client.request('/')).headers.location).toBe(path)
})

test.each(['GET', 'POST'])('bytes of a cookie pass to the device, %s', async (method) => {
  const cookie = `${client.cookie}; lang=${bytes('中文')}`
  await client.request('/', {
    method,
    headers: { cookie, origin: client.origin },
    // Node sends the headers before a text as UTF-8.
    ...(method === 'POST' ? { body: Buffer.from('a') } : {}),
  })
  expect(heard[0]?.split('\r\n')).toContain(`Cookie: lang=${bytes('中文')}`)
})

test('a cookie that the device calls token is kept, both ways', async () => {
  answerWith('200 OK', 'Set-Cookie: token=hmi; Path=/')
  const { headers } = await client.request('/', { headers: { cookie: `${client.cookie}; token=hmi` } })
  expect(headers['set-cookie']).toEqual(['token=hmi; Path=/'])
  expect(heard[0]).toContain('Cookie: token=hmi\r\n')
})

test.each(['Location', 'Content-Location', 'Refresh', 'Link'])(
  'an address of the device in %s stays inside: the visitor’s browser left the tunnel',
  async (name) => {
    const write = (address: string) =>
      ({ Refresh: `0; url=${address}`, Link: `<${address}>; rel=next` })[name] ?? address
    answerWith('302 Found', `${name}: ${write(`${deviceOrigin(0)}/main.php?a=1#top`)}`)
    const own = await client.request('/')
    expect(own.headers[name.toLowerCase()]).toBe(write('/main.php?a=1#top'))

    answerWith('302 Found', `${name}: ${write(`${deviceOrigin(1)}/secure?a=1#top`)}`)
    const other = await client.request('/')
    const said = String(other.headers[name.toLowerCase()])
    expect(withoutOffer(said)).toBe(write(`${otherOrigin()}/secure?a=1#top`))
  },
)

test.each(['Location: ', 'Refresh: 0; url='])(
  'an address of the device that no target has gets a page with the line of the agent’s file, %s',
  async (start) => {
    answerWith('302 Found', `${start}${deviceOrigin(2)}/secure`)
    const page = await client.request('/', { headers: navigation })
    expect(page.status).toBe(404)
    expect(readPage(page.text)).toContain(`- { name: http${portOf(2)}, url: &quot;${deviceOrigin(2)}&quot; }`)
    expect(page.headers.location).toBeUndefined()
    const script = await client.request('/')
    expect([script.status, script.text]).toEqual([404, expect.stringContaining(deviceOrigin(2))])
  },
)

test('an upload in a read-only visit is refused before its body', async () => {
  const watcher = await createHolder(site.db, machine.machineId, { role: 'bkey', readOnly: true })
  const { host, origin, cookie, openSocket } = await enterVisit(site, watcher, machine, 'watched')
  const socket = await openSocket()
  const said = [
    'POST /up HTTP/1.1',
    `Host: ${host}`,
    `Origin: ${origin}`,
    `Cookie: ${cookie}`,
    'Content-Length: 40000000',
  ]
  socket.write(`${said.join('\r\n')}\r\n\r\nthe first bytes`)
  const [first] = await once(socket, 'data')
  expect(String(first)).toMatch(/^HTTP\/1.1 403 /)
})

test('an address of another network stays as it is', async () => {
  answerWith('302 Found', 'Location: https://example.org/manual')
  expect((await client.request('/')).headers.location).toBe('https://example.org/manual')
})

// Last: it takes control from the visit of the tests before.
test('the first entry into another target opens the path of its link: it opened the first page', async () => {
  answerWith('302 Found', `Location: ${deviceOrigin(1)}/secure?a=1`)
  const { headers } = await client.request('/')
  const offered = new URL(String(headers.location))
  answerWith('200 OK')
  const enter = async (url: URL, from = 'same-site') => {
    const browser = new TestBrowser(site, user)
    const { headers } = await browser.step(url, { headers: { 'sec-fetch-site': from } })
    const { url: arrived } = await browser.open(String(headers.location))
    return arrived.href
  }
  expect(await enter(offered)).toBe(`${otherOrigin()}/secure?a=1`)
  // From another website, which may have the address from a visitor; without the signature, and with that of another path.
  expect(await enter(offered, 'cross-site')).toBe(`${otherOrigin()}/`)
  expect(await enter(new URL('/secure?a=1', offered))).toBe(`${otherOrigin()}/`)
  expect(await enter(new URL(`/reboot${offered.search}`, offered))).toBe(`${otherOrigin()}/`)
})
