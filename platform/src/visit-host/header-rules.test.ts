import { describe, expect, test } from 'vitest'
import { returnPath } from '../modules/visits/index.ts'
import { checkFetchOrigin, checkSocketOrigin, isPageNavigation } from './fetch-origin.ts'
import { stripRequestHeaders } from './request-headers.ts'
import { checkRequestLine } from './request-line.ts'
import { responseHeaders } from './response-headers.ts'
import { visitRules } from './rules.ts'
import { expireCookies, narrowSetCookie, readVisitCookie, stripCookies } from './visit-cookies.ts'
import { formatState, hashState, matchState, PathProofs, readState } from './visit-state.ts'

const own = 'https://1000000000000000001.visit.example'
const sibling = 'https://1000000000000000002.visit.example'
const navigate = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

describe('origins of requests', () => {
  test.each([
    ['the page itself', 'POST', { 'sec-fetch-site': 'same-origin', origin: own }, true],
    ['an address typed by a person', 'GET', { 'sec-fetch-site': 'none', ...navigate }, true],
    ['a link on another machine’s page', 'GET', { 'sec-fetch-site': 'same-site', ...navigate }, true],
    ['a form of another machine’s page', 'POST', { 'sec-fetch-site': 'same-site', ...navigate }, false],
    [
      'a fetch of another machine’s page',
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
      false,
    ],
    [
      'its picture',
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      false,
    ],
    [
      'its frame',
      'GET',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      false,
    ],
    [
      'its preflight',
      'OPTIONS',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: sibling },
      false,
    ],
    ['same origin said, another told', 'POST', { 'sec-fetch-site': 'same-origin', origin: sibling }, false],
    ['an older browser’s own form', 'POST', { origin: own }, true],
    ['an older browser’s own form, by its referer', 'POST', { referer: `${own}/page` }, true],
    ['an older browser’s foreign form', 'POST', { origin: sibling }, false],
    ['a form that hides where it is', 'POST', { origin: 'null' }, false],
    ['a referer that only looks like it', 'POST', { referer: `${own}.evil.example/` }, false],
    ['a form that says nothing', 'POST', {}, false],
    ['a preflight that says nothing', 'OPTIONS', {}, false],
    ['a program that reads', 'GET', {}, true],
    ['an older browser’s foreign fetch', 'GET', { origin: sibling }, false],
  ])('%s', (_, method, headers, expected) => {
    expect(checkFetchOrigin(method, headers, own)).toBe(expected)
  })

  test.each([
    [own, true],
    [sibling, false],
    ['null', false],
    [`${own}:8443`, false],
    [undefined, false],
  ])('a WebSocket from %s', (origin, expected) => {
    expect(checkSocketOrigin(origin === undefined ? {} : { origin }, own)).toBe(expected)
  })

  test('only a person at the address bar gets a page', () => {
    expect(isPageNavigation('GET', navigate)).toBe(true)
    expect(isPageNavigation('POST', navigate)).toBe(false)
    expect(isPageNavigation('GET', { ...navigate, 'sec-fetch-dest': 'iframe' })).toBe(false)
    expect(isPageNavigation('GET', { accept: 'text/html', 'sec-fetch-mode': 'cors' })).toBe(false)
    expect(isPageNavigation('GET', { accept: 'text/html' })).toBe(true)
    expect(isPageNavigation('GET', { accept: '*/*' })).toBe(false)
  })
})

test('with read-only access only pages that are known to be read-only are shown', () => {
  const { checkWatch } = visitRules
  expect(checkWatch({ mode: 'ro', canWatch: true })).toBe(true)
  expect(checkWatch({ mode: 'ro', canWatch: false })).toBe(false)
  expect(checkWatch({ mode: 'ro', canWatch: undefined })).toBe(false)
  expect(checkWatch({ mode: 'rw', canWatch: false })).toBe(true)
})

describe('requests that two parsers could read in two ways', () => {
  const check = (url: string, rawHeaders: string[] = [], method = 'GET', httpVersion = '1.1') =>
    checkRequestLine({ method, url, httpVersion, rawHeaders })?.status

  test.each([
    ['/', undefined],
    ['/a/../b?x=%0d%0a', undefined],
    ['http://other.example/', 400],
    ['*', 400],
    ['', 400],
    ['/a b', 400],
    ['/a\\b', 400],
    ['/a\\b?c', 400],
    ['/query?f=C:\\recipes\\a.csv', undefined],
    ['/a?b#c', 400],
    ['/a#b', 400],
    ['/\u00e9', 400],
    [`/${'a'.repeat(9_000)}`, 400],
  ])('address %s', (url, status) => {
    expect(check(url)).toBe(status)
  })

  test.each([
    ['two lengths', ['Content-Length', '1', 'Content-Length', '2'], 'POST'],
    ['length and chunks', ['Content-Length', '1', 'Transfer-Encoding', 'chunked'], 'POST'],
    ['a coding nobody knows', ['Transfer-Encoding', 'xchunked'], 'POST'],
    ['chunked twice', ['Transfer-Encoding', 'chunked, chunked'], 'POST'],
    ['two origins', ['Origin', own, 'origin', sibling], 'POST'],
    ['two hosts', ['Host', 'a', 'Host', 'b'], 'GET'],
    ['a GET with a body', ['Content-Length', '5'], 'GET'],
    ['a line break in a value', ['X', 'a\r\nbusbar-mode: rw'], 'GET'],
    ['a name that is none', ['x y', '1'], 'GET'],
    ['HTTP/1.0', [], 'GET', '1.0'],
  ])('%s', (_, headers, method, version?: string) => {
    expect(check('/', headers, method, version)).toBe(400)
  })

  test('TRACE, CONNECT and a flood of headers', () => {
    expect(check('/', [], 'TRACE')).toBe(405)
    expect(check('/', [], 'CONNECT')).toBe(405)
    expect(
      check(
        '/',
        Array.from({ length: 202 }, (_, at) => `x${at}`),
      ),
    ).toBe(431)
  })
})

const onHttp = { mode: 'rw', https: false } as const

describe('headers to a machine', () => {
  test.each([
    'busbar-mode',
    'Busbar-Visit',
    'BUSBAR_USER',
    'Forwarded',
    'X-Forwarded-For',
    'x_forwarded_host',
    'X-Real-IP',
    'X-Original-URL',
    'Via',
    'Host',
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'HTTP2-Settings',
  ])('never %s', (name) => {
    expect(stripRequestHeaders([name, 'value', 'Accept', '*/*'], onHttp)).toEqual({ accept: '*/*' })
  })

  test('not the headers that Connection names, except those that give the request its meaning', () => {
    const raw = ['Connection', 'close, X-Hop, Cookie', 'X-Hop', '1', 'Cookie', 'a=1', 'X-Kept', '2']
    expect(stripRequestHeaders(raw, onHttp)).toEqual({ cookie: 'a=1', 'x-kept': '2' })
  })

  test('its own cookies and credentials, but not the platform’s', () => {
    const raw = [
      'Cookie',
      'sid=1; visit=v; __Host-visit=v',
      'cookie',
      '__host-token=t',
      'Authorization',
      'Basic x',
    ]
    expect(stripRequestHeaders(raw, onHttp)).toEqual({ cookie: 'sid=1', authorization: 'Basic x' })
    expect(stripCookies('visit', false)).toBeUndefined()
    expect(stripCookies('VISIT-STATE=1;  "visit"=2; x=visit', false)).toBe('x=visit')
  })

  test('a cookie that a device calls token, but not a session of the console', () => {
    const session = 'a'.repeat(43)
    expect(stripCookies('token=hmi; loggedIn=1; visit=v', false)).toBe('token=hmi; loggedIn=1')
    expect(stripCookies(`a=1; token=${session}; "Token" = "${session}"`, false)).toBe('a=1')
    expect(narrowSetCookie('token=hmi; Path=/', false)).toBe('token=hmi; Path=/')
    expect(narrowSetCookie(`token=${session}; Path=/`, false)).toBeUndefined()
  })

  test('on https its own cookies whatever they are called, since ours have a prefix there', () => {
    expect(stripCookies('token=hmi; visit=1; __Host-token=t; __Secure-visit=2; __Host-visit=v', true)).toBe(
      'token=hmi; visit=1',
    )
    expect(narrowSetCookie('token=hmi; Path=/; Domain=x', true)).toBe('token=hmi; Path=/')
    expect(narrowSetCookie('__Host-token=x; Secure; Path=/', true)).toBeUndefined()
  })

  test('several headers of a name in their order', () => {
    expect(stripRequestHeaders(['Accept', 'a', 'accept', 'b'], onHttp)).toEqual({ accept: 'a, b' })
  })
})

describe('effects of a machine’s answer on a browser', () => {
  test.each([
    ['sid=1; Path=/; HttpOnly', 'sid=1; Path=/; HttpOnly'],
    ['sid=1; Domain=visit.example; Path=/', 'sid=1; Path=/'],
    ['sid=1;dOmAiN = .visit.example;Secure', 'sid=1; Secure'],
    ['sid=1; Domain', 'sid=1'],
    ['sid=a=b; Path=/', 'sid=a=b; Path=/'],
    ['visit=stolen', undefined],
    ['__Host-visit=stolen; Secure; Path=/', undefined],
    ['__HOST-Visit-State=x', undefined],
    [' visit =x', undefined],
    ['vi\tsit=x', undefined],
    ['=visit=x', undefined],
    ['visit', undefined],
    ['', undefined],
    ['sid=1\r\nset-cookie: visit=1', undefined],
    [`sid=${'a'.repeat(9_000)}`, undefined],
  ])('Set-Cookie: %s', (header, expected) => {
    expect(narrowSetCookie(header, false)).toBe(expected)
  })

  test('no headers that reach beyond its own host, and frames of its own only', () => {
    const answer = responseHeaders(
      {
        ':path': '/x',
        'content-type': 'text/html',
        'clear-site-data': '"cookies"',
        'strict-transport-security': 'max-age=1; includeSubDomains',
        'service-worker-allowed': '/',
        'alt-svc': 'h2="evil.example:443"',
        'busbar-mode': 'rw',
        'content-security-policy': "default-src 'self'; frame-ancestors *",
        'cross-origin-opener-policy': 'unsafe-none',
        'origin-agent-cluster': '?0',
        nel: '{}',
        'report-to': '{}',
        'set-cookie': ['a=1; Domain=visit.example', 'visit=1'],
        location: 'https://elsewhere.example/',
      },
      {
        narrow: (cookie) => narrowSetCookie(cookie, false),
        addressOf: (target, path) => target + path,
        framedBy: [],
      },
    )
    expect(answer).toEqual({
      'content-type': 'text/html',
      location: 'https://elsewhere.example/',
      'set-cookie': ['a=1'],
      'content-security-policy': ["default-src 'self'; frame-ancestors *", "frame-ancestors 'self'"],
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
    })
  })
})

describe('the way in', () => {
  test.each([
    ['/page?a=1', '/page?a=1'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/..//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/a\r\nset-cookie: x', '/'],
    ['/.busbar/enter?code=1', '/'],
    [`/${'a'.repeat(3_000)}`, '/'],
    [undefined, '/'],
  ])('comes back to %s as %s', (wished, expected) => {
    expect(returnPath(wished)).toBe(expected)
  })

  test('a state is read as it was written, and only when there is one of it', () => {
    const state = 'a'.repeat(43)
    const entry = { state, cleared: 'k-1', path: '/x?y=1', site: 'cross-site' } as const
    const cookie = `visit-state=${formatState(entry)}`
    expect(readState(`a=1; ${cookie}`, false)).toEqual(entry)
    expect(readState(`${cookie}; ${cookie}`, false)).toBeUndefined()
    expect(readState(cookie, true)).toBeUndefined()
    expect(matchState(state, hashState(state))).toBe(true)
    expect(matchState(state, state)).toBe(false)
    expect(matchState(state, 'b'.repeat(43))).toBe(false)
    expect(matchState(undefined, undefined)).toBe(false)
    expect(matchState('', '')).toBe(false)
  })

  test('two visit cookies are refused: one of them was planted', () => {
    expect(readVisitCookie('visit=a', false)).toBe('a')
    expect(readVisitCookie('visit=a; visit=b', false)).toEqual({ status: 400, reason: 'planted' })
    expect(readVisitCookie('visit=a', true)).toBeUndefined()
  })

  test('a proof of clearing is of one host, one visit, one path and a few minutes', () => {
    const proofs = new PathProofs()
    const what = { host: 'a.visit.example', visitId: 1, path: '/x' }
    const proof = proofs.create(what, 1_000)
    expect(proofs.check(proof, what, 2_000)).toBe(true)
    expect(proofs.check(proof, { ...what, host: 'b.visit.example' }, 2_000)).toBe(false)
    expect(proofs.check(proof, { ...what, visitId: 2 }, 2_000)).toBe(false)
    expect(proofs.check(proof, { ...what, path: '/y' }, 2_000)).toBe(false)
    expect(proofs.check(proof, what, 400_000)).toBe(false)
    expect(new PathProofs().check(proof, what, 2_000)).toBe(false)
  })

  test.each([
    ['a picture of another site', { referer: 'https://evil.example/' }, false],
    ['a picture of its own page', { referer: 'https://a.visit.example/x' }, true],
    ['a program', {}, true],
    ['a page that another site leads to', { referer: 'https://evil.example/', accept: 'text/html' }, true],
  ])('without Fetch Metadata %s is told by its Referer', (_, headers, passes) => {
    expect(checkFetchOrigin('GET', headers, 'https://a.visit.example')).toBe(passes)
  })

  test('the last visitor’s cookies are expired by name, and no others are written', () => {
    expect(expireCookies('a=1; visit-state=s; b c=2', true, ['visit-state'])).toEqual([
      'a=; Path=/; Max-Age=0; Secure',
    ])
  })
})
