import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { brandFields, createClient, visits } from '@busbar/contract'
import {
  callHost,
  navigation,
  openTestTunnel,
  readPage,
  TestBrowser,
  type TestMachine,
  type TestUser,
  visitClientOf,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBrand } from '../modules/brands/index.ts'
import { consoleIdOf } from '../modules/visits/index.ts'

/** One brand has two hosts and a separate visit domain, the other has only the default. */
const alpha = { hosts: ['a1.localhost', 'a2.localhost'], visitDomain: 'alpha-machines.localhost' }
const beta = { hosts: ['b1.localhost'], visitDomain: '' }

const site = useSite()
let user: TestUser
let machine: TestMachine
let seen: IncomingHttpHeaders[] = []
const brandIds = new Map<string, number>()

/** A machine with a page. */
async function startMachine(): Promise<TestMachine> {
  const made = await site.createMachine({ owner: user.userId })
  await openTestTunnel(site, made, (stream: ServerHttp2Stream, headers) => {
    seen.push(headers)
    stream.respond({ ':status': 200 })
    stream.end('the page')
  })
  return made
}

async function setUpBrand(name: string, place: { hosts: string[]; visitDomain: string }): Promise<void> {
  const versions = { latest: '1.0.0', lowest: '1.0.0' }
  const fields = brandFields.parse({
    ...place,
    isDefault: false,
    platformName: { cn: name, en: name },
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
  })
  const id = await createBrand(site.db, fields, { areApart: () => true })
  for (const host of place.hosts) brandIds.set(host, id)
}

beforeAll(async () => {
  user = await site.createUser()
  machine = await startMachine()
  await setUpBrand('Alpha', alpha)
  await setUpBrand('Beta', beta)
  await site.platform.facts.record(site.db, { kind: 'brand.changed', brandId: 0, at: Date.now() })
  const asked = { host: 'b1.localhost', path: '/api/v1/brand', headers: {} }
  await vi.waitFor(async () => expect((await callHost(site, asked)).text).toContain('Beta'), 10_000)
})
beforeEach(() => {
  seen = []
})

/** A person who is signed in on this host only. */
async function browserOn(consoleHost: string): Promise<{ browser: TestBrowser; token: string }> {
  const session = await site.signIn(user.userId, { brandId: brandIds.get(consoleHost) ?? 1 })
  const browser = new TestBrowser(site)
  browser.set(`${consoleHost}:${site.webPort}`, 'token', session.token)
  return { browser, token: session.token }
}

/** The click in the console of this host; answers the opened address. */
async function press(consoleHost: string, token: string, path?: string, to = machine) {
  const client = createClient({
    baseUrl: `http://${consoleHost}:${site.webPort}`,
    lang: () => 'en',
    token: () => token,
    async fetch(input, init) {
      const url = new URL(String(input))
      const { status, text } = await callHost(site, {
        host: url.host,
        path: `${url.pathname}${url.search}`,
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: String(init?.body ?? ''),
      })
      return new Response(text, { status })
    },
  })
  return client.call(visits.openVisit, {
    machineID: to.machineId,
    terminalID: 'browser-1',
    ...(path === undefined ? {} : { path }),
  })
}

const authorizedOn = (steps: readonly URL[]) =>
  steps.filter(({ pathname }) => pathname === '/visit/authorize').map(({ hostname }) => hostname)

describe('a brand’s host enters a device', () => {
  test.each([
    ['a1.localhost', alpha.visitDomain],
    ['a2.localhost', alpha.visitDomain],
    ['b1.localhost', 'visit.localhost'],
    ['localhost', 'visit.localhost'],
  ])('%s, signed in nowhere else', async (consoleHost, visitDomain) => {
    const { browser, token } = await browserOn(consoleHost)
    const { url, testUrl } = await press(consoleHost, token, '/deep?x=1')
    expect(new URL(url).hostname).toBe(`${machine.code}.${visitDomain}`)
    expect(new URL(testUrl).searchParams.get('from')).toBe(consoleIdOf(consoleHost))
    const { answer, steps } = await browser.open(url)
    expect([answer.text, authorizedOn(steps)]).toEqual(['the page', [consoleHost]])
    expect(seen.map((headers) => headers[':path'])).toEqual(['/deep?x=1'])
  })

  test('again by a link that was kept, after the visit and its cookies are gone', async () => {
    const { browser, token } = await browserOn('a2.localhost')
    const { url } = await browser.open((await press('a2.localhost', token)).url)
    browser.cookies.delete(url.host)
    const { answer, steps } = await browser.open(url.href)
    expect([answer.text, authorizedOn(steps)]).toEqual(['the page', ['a2.localhost']])
  })

  test('again from a page whose address has lost it, once the visit cookie is gone or the visit over', async () => {
    const { browser, token } = await browserOn('b1.localhost')
    const { url } = await browser.open((await press('b1.localhost', token)).url)
    browser.cookies.get(url.host)?.delete('visit')
    const again = await browser.open(`${url.origin}/other`)
    expect([again.answer.text, authorizedOn(again.steps)]).toEqual(['the page', ['b1.localhost']])

    const cookie = browser.cookies.get(url.host)?.get('visit')
    const inside = visitClientOf(site, url.host, `visit=${cookie}`)
    expect((await inside.request('/.busbar/leave', { method: 'POST' })).status).toBe(303)
    const over = await browser.open(`${url.origin}/other`)
    expect(readPage(over.answer.text)).toMatch(/left the device|离开设备/)
    expect(over.answer.text).toContain('href="http://b1.localhost')
    // The answer above had the browser clear its cookies.
    browser.cookies.delete(url.host)
    const back = await browser.open(over.url.href)
    expect([back.answer.text, authorizedOn(back.steps)]).toEqual(['the page', ['b1.localhost']])
  })

  test('from the main console, where the browser remembers a brand’s host', async () => {
    const { browser, token } = await browserOn('b1.localhost')
    const { url } = await browser.open((await press('b1.localhost', token)).url)
    browser.cookies.get(url.host)?.delete('visit')
    const main = await site.signIn(user.userId)
    browser.set(`localhost:${site.webPort}`, 'token', main.token)
    const { steps } = await browser.open((await press('localhost', main.token)).url)
    expect(authorizedOn(steps)).toEqual(['localhost'])
  })
})

describe('an address that names no console', () => {
  const begin = async (host: string, query: string) => {
    const path = `/page${query}`
    const { headers } = await callHost(site, { host: `${host}:${site.webPort}`, path, headers: navigation })
    return new URL(headers.location ?? '').origin
  }
  test.each([
    ['nothing', ''],
    ['an id that no host has', `?from=${consoleIdOf('gone.localhost')}`],
    ['another site', '?from=https://evil.example/'],
    ['a host by its name', '?from=b1.localhost'],
  ])('%s: leads to the first host of the brand, else to the main console', async (_, query) => {
    const port = site.webPort
    expect(await begin(`${machine.code}.${alpha.visitDomain}`, query)).toBe(`http://a1.localhost:${port}`)
    expect(await begin(`${machine.code}.visit.localhost`, query)).toBe(`http://localhost:${port}`)
  })
})

test('a machine never learns through which console its visitor came', async () => {
  const { browser, token } = await browserOn('b1.localhost')
  // A separate machine without a controller, because a visitor with read-only access cannot open a WebSocket.
  const { url } = await browser.open((await press('b1.localhost', token, '/', await startMachine())).url)
  const id = consoleIdOf('b1.localhost')
  seen = []
  const inside = visitClientOf(site, url.host, browser.cookieHeader(url.host))
  await inside.request(`/list?from=2026-01-01&from=${id}&to=5`, {
    headers: {
      referer: `${url.origin}/page?from=${id}&a=1`,
      'hx-current-url': `${url.origin}/?a=1&from=${id}`,
    },
  })
  const ws = inside.openWebSocket(`/ws?from=${id}`)
  await new Promise((resolve) => ws.once('close', resolve).once('error', resolve))
  expect(seen.map((headers) => headers[':path'])).toEqual(['/list?from=2026-01-01&to=5', '/ws'])
  expect(seen[0]).toMatchObject({
    referer: `${url.origin}/page?a=1`,
    'hx-current-url': `${url.origin}/?a=1`,
  })
  expect(JSON.stringify(seen)).not.toContain('console-')
})
