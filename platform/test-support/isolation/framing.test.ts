import type { IncomingHttpHeaders } from 'node:http'
import { callHost, createUser, navigation, TestBrowser, visitClientOf } from '@busbar/testkit'
import { keepAnswer } from './testing/lax-rules.ts'
import { type Rig, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

/** The headers that isolate a page in a browser: framing, window handles, shared processes. */
function walls(headers: IncomingHttpHeaders) {
  const policies = String(headers['content-security-policy'] ?? '')
  return {
    frames: [...policies.matchAll(/frame-ancestors ([^;,]*)/g)].at(-1)?.[1]?.trim(),
    opener: headers['cross-origin-opener-policy'],
    resource: headers['cross-origin-resource-policy'],
    cluster: headers['origin-agent-cluster'],
  }
}

const machineWalls = {
  frames: "'self'",
  opener: 'same-origin-allow-popups',
  resource: 'same-origin',
  cluster: '?1',
}
const ownWalls = { frames: "'none'", opener: 'same-origin', resource: 'same-origin', cluster: '?1' }

/** A machine that lowers its isolation. */
const lowered = (
  name: string,
  said: Record<string, string | string[]>,
  wanted: object = machineWalls,
): Vector<Rig> => ({
  name: `a machine answers with ${name}`,
  async attack({ evil, good }) {
    evil.answer = (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/html', ...said })
      stream.end('the page')
    }
    const { headers, text } = await evil.client.request('/x', { headers: navigation })
    return {
      client: { saw: [walls(headers), text], wanted: [wanted, 'the page'] },
      beyond: { saw: await good.listArrivals(), wanted: [] },
    }
  },
})

/** A page of the platform: without framing, window handles and scripts. */
const owned = (
  name: string,
  ask: (rig: Rig) => Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>,
  status: number,
): Vector<Rig> => ({
  name,
  async attack(rig) {
    const answer = await ask(rig)
    const { frames, opener } = walls(answer.headers)
    const policy = String(answer.headers['content-security-policy'])
    const script = /script-src 'self'|default-src '(?:none|self)'/.test(policy)
    return {
      client: {
        saw: [
          answer.status,
          frames,
          opener,
          answer.headers['x-frame-options'],
          script,
          /<script>/.test(answer.text),
        ],
        wanted: [status, ownWalls.frames, ownWalls.opener, 'DENY', true, false],
      },
      beyond: { saw: [await rig.good.listArrivals(), rig.evil.arrivals.length], wanted: [[], 0] },
    }
  },
})

/** A page is requested in another way than by a person's navigation: entering does not begin. */
const noWayIn = (name: string, says: Record<string, string>): Vector<Rig> => ({
  name: `the way in is begun by ${name}`,
  async attack({ site, good }) {
    const answer = await callHost(site, {
      host: good.client.host,
      path: '/x',
      headers: { ...navigation, ...says },
    })
    return {
      client: {
        saw: [[401, 403].includes(answer.status), answer.headers.location, answer.headers['set-cookie']],
        wanted: [true, undefined, undefined],
      },
      beyond: { saw: await good.listArrivals(), wanted: [] },
    }
  },
})

const atConsole = (rig: Rig, path: string, headers: Record<string, string> = {}) =>
  callHost(rig.site, { host: `localhost:${rig.site.webPort}`, path, headers: { ...navigation, ...headers } })

const vectors: Vector<Rig>[] = [
  lowered('nothing about frames', {}),
  lowered('frame-ancestors *', { 'content-security-policy': 'frame-ancestors *' }),
  lowered('frame-ancestors of the other machine', {
    'content-security-policy': 'frame-ancestors http://1000000000000000001.visit.localhost',
  }),
  lowered('two policies, the last one open', {
    'content-security-policy': "frame-ancestors 'none', frame-ancestors *",
  }),
  lowered('X-Frame-Options: ALLOWALL', { 'x-frame-options': 'ALLOWALL' }),
  lowered('Cross-Origin-Opener-Policy: unsafe-none', { 'cross-origin-opener-policy': 'unsafe-none' }),
  lowered('Cross-Origin-Opener-Policy: noopener-allow-popups', {
    'cross-origin-opener-policy': 'noopener-allow-popups',
  }),
  lowered('a policy for openers that goes on', {
    'cross-origin-opener-policy': 'same-origin; report-to="x", unsafe-none',
  }),
  lowered(
    'Cross-Origin-Opener-Policy: same-origin, which is stricter',
    { 'cross-origin-opener-policy': 'same-origin' },
    { ...machineWalls, opener: 'same-origin' },
  ),
  lowered('Cross-Origin-Resource-Policy: cross-origin', { 'cross-origin-resource-policy': 'cross-origin' }),
  lowered('Origin-Agent-Cluster: ?0, to meet others by document.domain', { 'origin-agent-cluster': '?0' }),
  lowered('all of it at once, and a place to report to', {
    'content-security-policy': 'frame-ancestors *; report-uri http://evil.example',
    'cross-origin-opener-policy': 'unsafe-none',
    'cross-origin-resource-policy': 'cross-origin',
    'origin-agent-cluster': '?0',
    'report-to': '{"group":"x"}',
    nel: '{"report_to":"x"}',
  }),
  owned('the console in a frame', (rig) => atConsole(rig, '/login'), 200),
  owned(
    'the console’s page of a machine that cannot be entered',
    async (rig) => {
      const { token } = await createUser(rig.site.db)
      const query = new URLSearchParams({
        host: rig.good.client.host.replace(/:.*/, ''),
        state: 'a'.repeat(43),
      })
      return atConsole(rig, `/visit/authorize?${query}`, { cookie: `token=${token}` })
    },
    403,
  ),
  owned(
    'the console’s refusal to be asked in a frame',
    (rig) =>
      atConsole(rig, '/visit/authorize?host=<script>alert(1)</script>&state=x', {
        'sec-fetch-dest': 'iframe',
      }),
    403,
  ),
  owned(
    'an answer of the console’s API as a page',
    (rig) => atConsole(rig, '/api/v1/<script>alert(1)</script>'),
    404,
  ),
  owned(
    'a name that is no machine’s',
    ({ site }) =>
      callHost(site, { host: `nobody.visit.localhost:${site.webPort}`, path: '/', headers: navigation }),
    421,
  ),
  owned(
    'a page of the visit host’s own that is not there',
    ({ good }) => good.client.request('/.busbar/<script>alert(1)</script>', { headers: navigation }),
    404,
  ),
  owned(
    'the page that says that one is not inside',
    ({ site, good }) =>
      visitClientOf(site, good.client.host, 'none=1').request('/x', {
        method: 'POST',
        headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      }),
    401,
  ),
  owned(
    'the page that says that a visit cookie was planted',
    ({ site, good }) =>
      visitClientOf(site, good.client.host, 'visit=a; visit=b').request('/x', { headers: navigation }),
    400,
  ),
  owned(
    'the redirect with a code',
    async ({ site, victim, good }) => {
      const browser = new TestBrowser(site, victim)
      const begun = await browser.step(new URL(`http://${good.client.host}/`))
      return browser.stepIn(new URL(begun.headers.location ?? ''))
    },
    303,
  ),
  noWayIn('a frame', { 'sec-fetch-dest': 'iframe' }),
  noWayIn('a frame of another machine', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-site' }),
  noWayIn('an object', { 'sec-fetch-dest': 'object', 'sec-fetch-site': 'same-site' }),
  noWayIn('a picture', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }),
  noWayIn('a fetch', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }),
]

describeIsolation('frames and openers', startRig, vectors, [
  {
    name: 'the walls of a machine’s page',
    start: () => startRig({ rules: { responseHeaders: keepAnswer } }),
    falls: vectors
      .map(({ name }) => name)
      .filter((name) => name.startsWith('a machine answers') && !name.includes('stricter')),
  },
  {
    name: 'the telling of navigations',
    start: () => startRig({ rules: { isPageNavigation: (method) => method === 'GET' } }),
    falls: [
      'the way in is begun by a frame',
      'the way in is begun by a picture',
      'the way in is begun by a fetch',
    ],
  },
])
