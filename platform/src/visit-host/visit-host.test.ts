import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { brandFields } from '@busbar/contract'
import {
  callHost,
  enterVisit,
  navigation,
  openTestTunnel,
  TestBrowser,
  type TestMachine,
  type TestUser,
  type VisitClient,
  visitClientOf,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createBrand } from '../modules/brands/index.ts'

type Handler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void

const site = useSite()
let user: TestUser
let machine: TestMachine
let client: VisitClient
/** The machine's page; each test brings its own. */
let handler: Handler
let seen: IncomingHttpHeaders[] = []

const ok: Handler = (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'text/html' })
  stream.end('hello')
}

beforeAll(async () => {
  user = await site.createUser({ name: 'Müller & 李' })
  machine = await site.createMachine({ owner: user.userId })
  await openTestTunnel(site, machine, (stream, headers) => {
    seen.push(headers)
    handler(stream, headers)
  })
  handler = ok
  client = await enterVisit(site, user, machine)
})
beforeEach(() => {
  handler = ok
  seen = []
})

const until = (look: () => unknown, what: string) =>
  expect.poll(() => Boolean(look()), { timeout: 10_000, message: what }).toBe(true)

const hostOf = (code: string) => `${code}.visit.localhost:${site.webPort}`

test('the way in leads over the console and back to the page one wanted', async () => {
  const browser = new TestBrowser(site, user)
  const { url, answer, steps } = await browser.open(`http://${hostOf(machine.code)}/page?a=1`)
  expect(steps.map((step) => `${step.hostname} ${step.pathname}`)).toEqual([
    `${machine.code}.visit.localhost /page`,
    'localhost /visit/authorize',
    `${machine.code}.visit.localhost /.busbar/enter`,
    `${machine.code}.visit.localhost /.busbar/enter`,
    `${machine.code}.visit.localhost /page`,
  ])
  expect(url.search).toBe('?a=1')
  expect(answer.text).toBe('hello')
  expect(seen.at(-1)?.[':path']).toBe('/page?a=1')
})

test('people of a brand go over its own domain, and over its own console', async () => {
  const versions = { latest: '1.0.0', lowest: '1.0.0' }
  const fields = brandFields.parse({
    hosts: ['delta.localhost'],
    isDefault: false,
    platformName: { cn: '德尔塔云', en: 'Delta Cloud' },
    logoUrl: '',
    logoDarkUrl: '',
    loginImageUrl: '',
    faviconUrl: '',
    accent: '',
    emailSender: '',
    smsSignature: '',
    versions: { pc: versions, mobile: versions, tv: versions },
    downloads: [],
    icp: '',
    visitDomain: 'delta-machines.localhost',
  })
  const brandId = await createBrand(site.db, fields, { areApart: () => true })
  await site.platform.facts.record(site.db, { kind: 'brand.changed', brandId, at: Date.now() })
  const asked = { host: 'delta.localhost', path: '/api/v1/brand', headers: {} }
  await expect
    .poll(async () => (await callHost(site, asked)).text, { timeout: 10_000 })
    .toContain('Delta Cloud')
  const person = { ...user, ...(await site.signIn(user.userId)) }
  await site.db
    .updateTable('sessions')
    .set({ brand_id: brandId })
    .where('id', '=', person.sessionId)
    .execute()
  const browser = new TestBrowser(site)
  browser.set(`delta.localhost:${site.webPort}`, 'token', person.token)
  const host = `${machine.code}.delta-machines.localhost`
  const { answer, steps } = await browser.open(`http://${host}:${site.webPort}/page`)
  expect(steps.map((step) => `${step.hostname} ${step.pathname}`)).toEqual([
    `${host} /page`,
    'delta.localhost /visit/authorize',
    `${host} /.busbar/enter`,
    `${host} /.busbar/enter`,
    `${host} /page`,
  ])
  expect(answer.text).toBe('hello')
})

test('a browser that loses its state with all other data begins anew, and gets in', async () => {
  const browser = new TestBrowser(site, user)
  const host = hostOf(machine.code)
  let url = new URL(`http://${host}/deep`)
  const cleared: string[] = []
  for (let steps = 0; steps < 12; steps++) {
    const answer = await browser.stepIn(url)
    const clears = answer.headers['clear-site-data']
    if (typeof clears === 'string') {
      cleared.push(clears)
      browser.cookies.delete(host)
    }
    if (!answer.headers.location) break
    url = new URL(answer.headers.location, url)
  }
  expect(url.pathname).toBe('/deep')
  expect(cleared).toEqual(['"cookies","storage","cache"'])
  expect(browser.cookieHeader(host)).toMatch(/^visit=/)
})

test('entering beside another open visit keeps its cookies', async () => {
  const other = await site.createMachine({ owner: user.userId })
  await openTestTunnel(site, other, ok)
  const browser = new TestBrowser(site, user)
  const { steps } = await browser.open(`http://${hostOf(other.code)}/`)
  const first = steps.find((step) => step.pathname === '/.busbar/enter') as URL
  const again = new TestBrowser(site, user)
  again.set(first.host, 'left', 'behind')
  const { answer } = await again.open(`http://${hostOf(other.code)}/`)
  expect(answer.status).toBe(200)
  // The state's path is walked by hand to see the answer that clears.
  const walker = new TestBrowser(site, user)
  walker.set(first.host, 'left', 'behind')
  let url = new URL(`http://${hostOf(other.code)}/`)
  for (;;) {
    const step = await walker.stepIn(url)
    if (step.headers['clear-site-data']) {
      expect(step.headers['clear-site-data']).toBe('"storage","cache"')
      expect(step.headers['set-cookie']).toContain('left=; Path=/; Max-Age=0')
      return
    }
    url = new URL(step.headers.location as string, url)
  }
})

test('a code works only in the browser that requested it, and only once', async () => {
  const browser = new TestBrowser(site, user)
  const host = hostOf(machine.code)
  const { steps } = await browser.open(`http://${host}/`)
  const used = steps.filter((step) => step.pathname === '/.busbar/enter').at(-1) as URL
  const stranger = new TestBrowser(site)
  await stranger.step(used)
  expect(stranger.cookieHeader(host)).not.toContain('visit=')
  browser.cookies.get(host)?.delete('visit')
  await browser.step(used)
  expect(browser.cookieHeader(host)).not.toContain('visit=')

  // A code that was not used yet, with the state of another browser.
  const thief = new TestBrowser(site, user)
  const begun = await thief.step(new URL(`http://${host}/`))
  const asked = await thief.stepIn(new URL(begun.headers.location as string))
  const victim = new TestBrowser(site)
  await victim.step(new URL(`http://${host}/`))
  const stolen = await victim.step(new URL(asked.headers.location as string))
  expect(stolen.status).toBe(400)
  expect(victim.cookieHeader(host)).not.toContain('visit=')
})

test('without a session the console’s sign-in comes first, and comes back', async () => {
  const browser = new TestBrowser(site)
  const begun = await browser.step(new URL(`http://${hostOf(machine.code)}/`))
  const authorize = new URL(begun.headers.location as string)
  const asked = await browser.step(authorize)
  const login = new URL(asked.headers.location as string, authorize)
  expect(login.pathname).toBe('/login')
  expect(login.searchParams.get('to')).toBe(`${authorize.pathname}${authorize.search}`)
})

test('a person without a right reads the reason, and a missing machine is answered alike', async () => {
  const stranger = await site.createUser()
  const answers = await Promise.all(
    [machine.code, '1234567890123456789'].map(async (code) => {
      const { answer } = await new TestBrowser(site, stranger).open(`http://${hostOf(code)}/`)
      return [answer.status, answer.text.replaceAll(code, '')] as const
    }),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.[0]).toBe(403)
  expect(answers[0]?.[1]).toMatch(/no right|没有进入/)
})

test('a person who comes by a link reads the name and meaning of the target before a visit is opened', async () => {
  const visitor = await site.createHolder(machine.machineId, { role: 'visitor', readOnly: true })
  const listVisits = () =>
    site.db.selectFrom('visits').select('id').where('user_id', '=', visitor.userId).execute()
  const browser = new TestBrowser(site, visitor)
  const begun = await browser.step(new URL(`http://${hostOf(machine.code)}/page?a=<b>`))
  const authorize = new URL(begun.headers.location as string)
  const page = await browser.step(authorize)
  expect(page.status).toBe(200)
  for (const told of [machine.code, '/page?a=%3Cb%3E', '只读', '<form method="post"'])
    expect(page.text).toContain(told)
  expect(page.headers['content-security-policy']).toContain(
    `form-action 'self' http://${hostOf(machine.code)};`,
  )
  expect(await listVisits()).toEqual([])
  const pressed = await browser.press(authorize, page)
  expect([pressed.status, (await listVisits()).length]).toEqual([303, 1])
})

test('a person who comes by a link to a machine that is away reads the reason, without a button to enter', async () => {
  const away = await site.createMachine({ owner: user.userId })
  const { answer } = await new TestBrowser(site, user).open(`http://${hostOf(away.code)}/`)
  expect(answer.text).not.toContain('<form')
  expect(answer.text).toContain(away.code)
})

test('without a cookie only a person’s navigation is sent on its way', async () => {
  const host = hostOf(machine.code)
  const fetched = await callHost(site, { host, path: '/api', headers: { 'sec-fetch-site': 'same-origin' } })
  expect(fetched.status).toBe(401)
  expect(fetched.headers['set-cookie']).toBeUndefined()
  const guessed = visitClientOf(site, host, `visit=${'a'.repeat(43)}`)
  expect((await guessed.request('/')).status).toBe(401)
  expect(seen).toEqual([])
})

test('a cookie opens its own host only', async () => {
  const other = await site.createMachine({ owner: user.userId })
  await openTestTunnel(site, other, handler)
  const elsewhere = visitClientOf(site, hostOf(other.code), client.cookie)
  expect((await elsewhere.request('/')).status).toBe(401)
  const otherTarget = visitClientOf(site, `plc--${hostOf(machine.code)}`, client.cookie)
  expect((await otherTarget.request('/')).status).toBe(401)
})

test.each([
  'agent--1000000000000000001.visit.localhost',
  'page--1000000000000000001.visit.localhost',
  '100000000000000000.visit.localhost',
  'a.1000000000000000001.visit.localhost',
  'visit.localhost',
  'x.visit.localhost.',
])('%s is nobody’s page, and never the console', async (host) => {
  const answer = await callHost(site, { host, path: '/healthz', headers: navigation })
  expect(answer.status).toBe(421)
})

test('the console’s own routes are not on a visit host, nor the visit host’s on the console', async () => {
  const answer = await client.request('/api/v1/brand')
  expect(answer.text).toBe('hello')
  const left = await callHost(site, { host: `localhost:${site.webPort}`, path: '/.busbar/left' })
  expect(left.status).not.toBe(421)
  expect(left.text).not.toContain('Busbar ·')
})

test('the machine gets the visitor’s identity from the platform, not from the visitor', async () => {
  await client.request('/x', {
    headers: { 'busbar-mode': 'ro', 'x-forwarded-for': '9.9.9.9', cookie: `${client.cookie}; sid=1` },
  })
  const [headers] = seen
  expect(headers?.[':authority']).toBe('page')
  expect(headers?.['busbar-mode']).toBe('rw')
  expect(decodeURIComponent(String(headers?.['busbar-user']))).toBe('Müller & 李')
  expect(Number(headers?.['busbar-until'])).toBeGreaterThan(Date.now())
  expect(headers?.['x-forwarded-for']).toBeUndefined()
  expect(headers?.cookie).toBe('sid=1')
})

test('bodies pass untouched both ways, with their length, ranges and methods', async () => {
  handler = (stream, headers) => {
    stream.respond({ ':status': headers.range ? 206 : 200, 'x-method': String(headers[':method']) })
    stream.pipe(stream)
  }
  const body = randomBytes(3_000_000)
  const echoed = await client.request('/up', { method: 'PUT', body, headers: { range: 'bytes=0-1' } })
  expect(echoed.status).toBe(206)
  expect(echoed.body.equals(body)).toBe(true)
  const removed = await client.request('/it', {
    method: 'DELETE',
    body: 'why',
    headers: { 'content-length': '3' },
  })
  expect([removed.headers['x-method'], removed.text]).toEqual(['DELETE', 'why'])
})

test('an answer without a body is passed on without one', async () => {
  handler = (stream, headers) => {
    const status = Number(String(headers[':path']).slice(1))
    stream.respond({ ':status': status, ...(status === 200 ? { 'content-length': '5' } : {}) })
    stream.end()
  }
  const head = await client.request('/200', { method: 'HEAD' })
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '5', 0])
  expect((await client.request('/204')).status).toBe(204)
  expect((await client.request('/304')).status).toBe(304)
})

test('server-sent events arrive one by one, not at the end', async () => {
  let machineSide: ServerHttp2Stream | undefined
  handler = (stream) => {
    machineSide = stream
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
    stream.write('data: 1\n\n')
  }
  const response = await client.open('/events')
  const events = response[Symbol.asyncIterator]()
  expect(String((await events.next()).value)).toBe('data: 1\n\n')
  machineSide?.write('data: 2\n\n')
  expect(String((await events.next()).value)).toBe('data: 2\n\n')
  response.destroy()
  await until(() => machineSide?.closed, 'the machine’s end closed')
})

test('an answer that is cut short is visibly incomplete', async () => {
  handler = (stream) => {
    stream.respond({ ':status': 200 })
    stream.write('hello, mach', () => stream.destroy(new Error('the line broke')))
  }
  await expect(client.request('/')).rejects.toThrow()
})

test('a WebSocket of the page carries its frames, and only the page’s own', async () => {
  handler = (stream, headers) => {
    expect(headers[':protocol']).toBe('websocket')
    stream.respond({ ':status': 200, 'sec-websocket-protocol': 'chat' })
    // An unmasked text frame, then the echo of bytes as they come.
    stream.write(Buffer.from([0x81, 2, 0x68, 0x69]))
  }
  const ws = client.openWebSocket('/ws', { protocols: ['chat'] })
  const text = await new Promise((resolve, reject) => {
    ws.once('message', (data) => resolve(String(data)))
    ws.once('error', reject)
  })
  expect([text, ws.protocol]).toEqual(['hi', 'chat'])
  ws.terminate()
  const foreign = client.openWebSocket('/ws', { headers: { origin: 'http://evil.example' } })
  const refused = await new Promise((resolve) => foreign.once('error', (error) => resolve(error.message)))
  expect(refused).toContain('403')
})

test.each(['download', 'upload', 'WebSocket'])(
  'a visit that ends in the middle of a %s passes no more bytes',
  async (what) => {
    const own = await site.createMachine({ owner: user.userId })
    await openTestTunnel(site, own, (stream, headers) => handler(stream, headers))
    const inside = await enterVisit(site, user, own)
    let machineSide: ServerHttp2Stream | undefined
    let machineGot = 0
    handler = (stream) => {
      machineSide = stream
      stream.on('data', (chunk: Buffer) => {
        machineGot += chunk.length
      })
      stream.respond({ ':status': 200 })
      stream.write(Buffer.alloc(1_000, 1))
    }
    let got = 0
    let isClosed = false
    const count = (readable: NodeJS.EventEmitter) => {
      readable.on('data', (chunk: Buffer) => {
        got += chunk.length
      })
      readable.on('error', () => undefined)
      readable.on('close', () => {
        isClosed = true
      })
    }
    const socket = await inside.openSocket()
    const base = `Host: ${inside.host}\r\nCookie: ${inside.cookie}\r\n`
    if (what === 'WebSocket')
      socket.write(
        `GET /ws HTTP/1.1\r\n${base}Origin: ${inside.origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      )
    else
      socket.write(
        what === 'upload'
          ? `POST /up HTTP/1.1\r\n${base}Sec-Fetch-Site: same-origin\r\nContent-Length: 1000000\r\n\r\n`
          : `GET /down HTTP/1.1\r\n${base}\r\n`,
      )
    count(socket)
    if (what !== 'download') {
      await until(() => got > 0, 'an answer')
      socket.write(Buffer.alloc(500, 2))
      await until(() => machineGot > 0, 'the first bytes')
    }
    await until(() => got > 1_000, 'the machine’s first bytes')
    const live = await site.db
      .selectFrom('visits')
      .select('id')
      .where('machine_id', '=', own.machineId)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow()

    await site.platform.visits.visitPort.leave(live.id, Date.now())
    const [gotBefore, machineGotBefore] = [got, machineGot]
    machineSide?.write(Buffer.alloc(1_000, 3), () => undefined)
    if (!socket.destroyed) socket.write(Buffer.alloc(500, 4))
    await until(() => isClosed && machineSide?.closed, 'both ends closed')
    expect([got, machineGot]).toEqual([gotBefore, machineGotBefore])
    const answer = await inside.request('/', { headers: navigation })
    expect(answer.status).toBe(403)
    expect(answer.headers['clear-site-data']).toContain('"storage"')
    expect(answer.text).toMatch(/left the device|离开设备/)
  },
)

test('a visitor with read-only access cannot change anything', async () => {
  const visitor = await site.createHolder(machine.machineId, { role: 'visitor', readOnly: true })
  const inside = await enterVisit(site, visitor, machine)
  expect((await inside.request('/', { method: 'POST', body: 'x' })).status).toBe(403)
  const ws = inside.openWebSocket('/ws')
  expect(await new Promise((resolve) => ws.once('error', (error) => resolve(error.message)))).toContain('403')
  expect((await inside.request('/')).status).toBe(200)
  expect(seen.map((headers) => [headers[':method'], headers['busbar-mode']])).not.toContainEqual([
    'POST',
    'ro',
  ])
})

test('a machine without its tunnel is reported as offline', async () => {
  const other = await site.createMachine({ owner: user.userId })
  const tunnel = await openTestTunnel(site, other, ok)
  const inside = await enterVisit(site, user, other)
  tunnel.close()
  await until(() => site.platform.tunnels.find(other.machineId) === undefined, 'the tunnel gone')
  const page = await inside.request('/', { headers: navigation })
  expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  expect((await inside.request('/api')).headers['content-type']).toBe('text/plain; charset=utf-8')
})

test('a service worker would outlive the visit', async () => {
  const answer = await client.request('/sw.js', { headers: { 'service-worker': 'script' } })
  expect(answer.status).toBe(403)
  expect(seen).toEqual([])
})

test('leaving needs the page itself, and ends with a page that confirms it', async () => {
  const visitor = await site.createHolder(machine.machineId, { role: 'bkey' })
  const inside = await enterVisit(site, visitor, machine)
  const foreign = await inside.request('/.busbar/leave', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-site' },
  })
  expect(foreign.status).toBe(403)
  expect((await inside.request('/')).status).toBe(200)
  expect((await inside.request('/.busbar/leave', { method: 'POST' })).status).toBe(303)
  const left = await inside.request('/.busbar/left', { headers: navigation })
  expect(left.text).toMatch(/left the device|离开设备/)
})

test('a page that sends Expect: 100-continue gets 100 Continue', async () => {
  handler = (stream) => {
    stream.respond({ ':status': 200 })
    stream.pipe(stream)
  }
  const socket = await client.openSocket()
  socket.write(
    `POST /up HTTP/1.1\r\nHost: ${client.host}\r\nCookie: ${client.cookie}\r\nSec-Fetch-Site: same-origin\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n`,
  )
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await until(() => text.includes('100 Continue'), '100 Continue')
  socket.write('body')
  await until(() => text.includes('body'), 'the echo')
  socket.destroy()
})
