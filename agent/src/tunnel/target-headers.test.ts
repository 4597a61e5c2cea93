import { expect, test } from 'vitest'
import { spellAsBrowser, toVisitorHeaders } from './target-headers.ts'

const target = {
  origin: 'http://192.168.0.5',
  names: new Map([
    ['http://192.168.0.5', 'hmi'],
    ['https://192.168.0.5', 'secure'],
    ['http://192.168.0.9:8080', 'camera'],
  ]),
}
const latin1 = (text: string) => Buffer.from(text).toString('latin1')

test.each([
  ['http://192.168.0.5/a?b#c', '/a?b#c'],
  ['http://192.168.0.5:80/a', '/a'],
  ['HTTP://192.168.0.5', '/'],
  ['http://192.168.0.5?a', '/?a'],
  ['//192.168.0.5/a', '/a'],
  ['\\\\192.168.0.5\\a', '/a'],
  // Would name another host.
  ['http://192.168.0.5//evil.example/', '/evil.example/'],
  ['http://192.168.0.5/\\evil.example/', '/evil.example/'],
  ['https://192.168.0.5/a//b', 'http://secure.target.invalid/a//b'],
  ['http://192.168.0.9:8080/live', 'http://camera.target.invalid/live'],
  ['http://192.168.0.50/a', 'http://192.168.0.50/a'],
  ['http://192.168.0.5@evil.example/', 'http://192.168.0.5@evil.example/'],
  ['http://me:pw@192.168.0.5/', 'http://me:pw@192.168.0.5/'],
  ['next.html', 'next.html'],
  ['/login', '/login'],
  ['http://[', 'http://['],
  // As the device wrote it: a browser sends these bytes back.
  [latin1('http://192.168.0.5/主页'), latin1('/主页')],
  ['http://192.168.0.5/\xd6\xf7', '/\xd6\xf7'],
])('Location %s becomes %s', (location, expected) => {
  expect(toVisitorHeaders({ headers: { location }, statusCode: 302 }, target)).toEqual({ location: expected })
})

test.each([
  ['0; url=http://192.168.0.5/main.php', '0; url=/main.php'],
  ['5;URL="http://192.168.0.5/a"; x', '5;URL="/a"; x'],
  ["3, 'https://192.168.0.5/'", "3, 'http://secure.target.invalid/'"],
  ['10', '10'],
  ['0; url=next.html', '0; url=next.html'],
])('Refresh %s becomes %s', (refresh, expected) => {
  expect(toVisitorHeaders({ headers: { refresh }, statusCode: 200 }, target)).toEqual({ refresh: expected })
})

test('Link is handled like Location, each of its addresses', () => {
  const link =
    '<http://192.168.0.5/a.css>; rel=preload, <b.js>; rel=preload, <https://192.168.0.5/c>; rel=next'
  expect(toVisitorHeaders({ headers: { link }, statusCode: 200 }, target)).toEqual({
    link: '</a.css>; rel=preload, <b.js>; rel=preload, <http://secure.target.invalid/c>; rel=next',
  })
})

test.each([
  [302, { location: 'https://192.168.0.5:8443/secure' }, 'https://192.168.0.5:8443'],
  [200, { refresh: '0; url=http://192.168.0.5:81/' }, 'http://192.168.0.5:81'],
  // A created thing is nowhere a browser goes to.
  [201, { location: 'http://192.168.0.5:81/' }, undefined],
  [302, { location: 'https://example.org/' }, undefined],
  [302, { location: '/', 'busbar-elsewhere': 'http://192.168.0.5:81' }, undefined],
])(
  '%i with %o names the address of the same device that no target has: %s',
  (statusCode, headers, expected) => {
    expect(toVisitorHeaders({ headers, statusCode }, target)['busbar-elsewhere']).toBe(expected)
  },
)

test('names towards a device are those of a browser', () => {
  const names = [
    'host',
    'content-length',
    'user-agent',
    'sec-fetch-mode',
    'sec-ch-ua-mobile',
    'dnt',
    'soapaction',
  ]
  const more = ['sec-websocket-key', 'x-requested-with', 'if-none-match', 'x_own']
  expect(
    Object.keys(spellAsBrowser(Object.fromEntries([...names, ...more].map((name) => [name, '1'])))),
  ).toEqual([
    ...['Host', 'Content-Length', 'User-Agent', 'Sec-Fetch-Mode', 'sec-ch-ua-mobile', 'DNT', 'SOAPAction'],
    ...['Sec-WebSocket-Key', 'X-Requested-With', 'If-None-Match', 'X_own'],
  ])
})
