import { callHost, navigation, TestBrowser } from '@busbar/testkit'
import { letThrough } from './testing/lax-rules.ts'
import { speak } from './testing/raw-client.ts'
import { type Rig, type Station, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

const close = 'Connection: close'

/** Whether the victim is still inside both machines. */
async function stillInside({ evil, good }: Rig): Promise<string[]> {
  const answers = await Promise.all([evil, good].map(({ client }) => client.request('/inside')))
  return answers.map(({ status, text }) => `${status} ${text}`)
}
const inside = ['200 the page', '200 the page']

/** The request does not reach a machine, and the visits go on. */
const refused = (name: string, target: string | ((rig: Rig) => string), status = 400): Vector<Rig> => ({
  name,
  async attack(rig) {
    const path = typeof target === 'string' ? target : target(rig)
    const { statuses } = await speak(rig.site, rig.good.head(path, [close]))
    const reached = [...(await rig.good.listArrivals()), ...(await rig.evil.listArrivals())]
    return {
      client: { saw: [...new Set(statuses)], wanted: [status] },
      beyond: { saw: [reached, await stillInside(rig)], wanted: [[], inside] },
    }
  },
})

/** The platform treats it as any other path: the machine gets it unchanged, and no other code reads it. */
const verbatim = (name: string, path: string, method = 'GET'): Vector<Rig> => ({
  name,
  async attack(rig) {
    const lines = method === 'POST' ? ['Content-Length: 0', close] : [close]
    const { statuses, text } = await speak(rig.site, rig.good.head(`${method} ${path}`, lines))
    const reached = await rig.good.listArrivals()
    return {
      client: { saw: [statuses, text.includes('the page')], wanted: [[200], true] },
      beyond: { saw: [reached, await stillInside(rig)], wanted: [[`${method} ${path}`], inside] },
    }
  },
})

/** The platform's own path, with any suffix: it reaches no machine, and redirects nowhere else. */
const kept = (name: string, line: string, status: number): Vector<Rig> => ({
  name,
  async attack(rig) {
    const lines = line.startsWith('POST') ? ['Content-Length: 0', close] : [close]
    const { statuses } = await speak(rig.site, rig.good.head(line, lines))
    return {
      client: { saw: statuses, wanted: [status] },
      beyond: { saw: [await rig.good.listArrivals(), await stillInside(rig)], wanted: [[], inside] },
    }
  },
})

/** A person outside a visit opens this path; after signing in they are on the same host, not redirected elsewhere. */
const comesBack = (name: string, path: string, wanted: string): Vector<Rig> => ({
  name,
  async attack({ site, victim, good }) {
    const browser = new TestBrowser(site, victim)
    const { host } = good.client
    // Unchanged: a URL object would normalize the attack.
    const begun = await callHost(site, { host, path, headers: navigation })
    for (const line of begun.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';')
      browser.set(host, pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    let at = new URL(begun.headers.location ?? '', `http://${host}`)
    let location: string | undefined
    for (let steps = 0; steps < 5; steps++) {
      const answer = await browser.stepIn(at)
      location = answer.headers.location
      if (location === undefined || browser.cookies.get(host)?.has('visit')) break
      at = new URL(location, at)
    }
    const leadsTo = new URL(location ?? '', `http://${host}`).host
    return {
      client: { saw: { location, leadsTo }, wanted: { location: wanted, leadsTo: host } },
      beyond: { saw: await good.listArrivals(), wanted: [] },
    }
  },
})

const hostOf = (station: Station) => station.client.host

const vectors: Vector<Rig>[] = [
  refused('another machine’s address in absolute form', ({ evil }) => `GET http://${hostOf(evil)}/x`),
  refused('its own address in absolute form', ({ good }) => `GET http://${hostOf(good)}/x`),
  refused('the console’s address in absolute form', ({ site }) => `GET http://localhost:${site.webPort}/x`),
  refused('no path at all (*)', 'OPTIONS *'),
  refused('a path without its slash', 'GET x'),
  refused('a backslash', 'GET /a\\b'),
  refused('two backslashes, which a browser reads as a host', 'GET /\\evil.example/'),
  refused('a fragment', 'GET /a#/.busbar/leave'),
  refused('a NUL', 'GET /a\0b'),
  refused('a tab', 'GET /a\tb'),
  refused('a bare CR', 'GET /a\rb'),
  refused('a DEL', 'GET /a\x7fb'),
  refused('UTF-8 that is not encoded', 'GET /\xc3\xa4'),
  refused('overlong UTF-8 that is not encoded', 'GET /\xc0\xae\xc0\xae/'),
  refused('a path of 9,000 letters', `GET /${'a'.repeat(9_000)}`),
  verbatim('%2e%2e', '/%2e%2e/%2e%2e/etc/passwd'),
  verbatim('.. as it is', '/a/../../etc/passwd'),
  verbatim('double encoding', '/%252e%252e%252fetc'),
  verbatim('an encoded slash', '/a%2f..%2fb'),
  verbatim('an encoded backslash', '/%5c%5cevil.example'),
  verbatim('an encoded line break', '/a%0d%0abusbar-mode:%20rw'),
  verbatim('an encoded NUL', '/a%00.png'),
  verbatim('overlong UTF-8, encoded', '/%c0%ae%c0%ae/%c0%af'),
  verbatim('an encoding that is none', '/%zz%'),
  verbatim('two slashes and a host', '//evil.example/x'),
  verbatim('/.busbar/leave with an encoded dot', '/%2ebusbar/leave', 'POST'),
  verbatim('/.busbar/leave behind a dot', '/./.busbar/leave', 'POST'),
  verbatim('/.busbar/leave behind two dots', '/x/../.busbar/leave', 'POST'),
  verbatim('/.busbar/leave with two slashes', '//.busbar/leave', 'POST'),
  verbatim('/.busbar/leave with an encoded slash', '/.busbar%2fleave', 'POST'),
  verbatim('/.busbar/leave in capitals', '/.BUSBAR/LEAVE', 'POST'),
  verbatim('/.busbar with a parameter', '/.busbar;a/leave', 'POST'),
  kept('what is not there of /.busbar/', 'GET /.busbar/nothing', 404),
  kept('out of /.busbar/ with two dots', 'GET /.busbar/../secret', 404),
  kept('out of /.busbar/ with encoded dots', 'GET /.busbar/%2e%2e/secret', 404),
  kept('a code to enter with in a frame', 'GET /.busbar/enter?code=x&state=y', 404),
  kept('/.busbar/leave by a link', 'GET /.busbar/leave', 404),
  comesBack('two slashes and a host, to come back to', '//evil.example/', '/'),
  comesBack('a dot and two slashes, to come back to', '/.//evil.example/', '/'),
  comesBack('two dots and two slashes, to come back to', '/..//evil.example/', '/'),
  comesBack('an encoded dot and two slashes, to come back to', '/%2e//evil.example/', '/'),
  comesBack('/.busbar/leave behind two dots, to come back to', '/x/../.busbar/enter?code=1', '/'),
  comesBack(
    'a path like any other, to come back to',
    '/a%0d%0aset-cookie:x?y=%2f%2fevil',
    '/a%0d%0aset-cookie:x?y=%2f%2fevil',
  ),
]

describeIsolation('paths and encodings', startRig, vectors, [
  {
    name: 'the check of the request line',
    start: () => startRig({ rules: { checkRequestLine: letThrough } }),
    falls: [
      'a backslash',
      'two backslashes, which a browser reads as a host',
      'a fragment',
      'a path of 9,000 letters',
    ],
  },
  {
    name: 'the check of the path to come back to',
    start: () => startRig({ rules: { returnPath: (wished) => wished ?? '/' } }),
    falls: ['two slashes and a host, to come back to', '/.busbar/leave behind two dots, to come back to'],
  },
])
