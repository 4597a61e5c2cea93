import { once } from 'node:events'
import { callHost, createUser, enterVisit, grantMachine, navigation, type VisitClient } from '@busbar/testkit'
import { keepAnswer, keepHeaders, letThrough } from './testing/lax-rules.ts'
import { speak } from './testing/raw-client.ts'
import { type Rig, type RigOptions, type Station, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

interface HeaderRig extends Rig {
  /** A person with read-only access to the good machine. */
  readonly watcher: VisitClient
}

const close = 'Connection: close'

/** Forged headers that reached the machine, and those of the platform itself. */
function toldTo(station: Station) {
  const { headers = {} } = station.arrivals[0] ?? {}
  return {
    madeUp: Object.keys(headers).filter((name) => /spoofed/i.test(`${name} ${headers[name]}`)),
    mode: headers['busbar-mode'],
    user: headers['busbar-user'],
    isUntil: Number(headers['busbar-until']) > Date.now(),
  }
}
const truth = { madeUp: [], mode: 'rw', user: 'Victim', isUntil: true }

/** Header lines that a machine might trust; the page itself is answered all the same. */
const made = (name: string, ...lines: string[]): Vector<HeaderRig> => ({
  name,
  async attack({ site, good }) {
    const said = good.head('GET /x', [...lines, 'X-Honest: kept', close])
    const { statuses } = await speak(site, said)
    await good.listArrivals()
    return {
      client: { saw: statuses, wanted: [200] },
      beyond: {
        saw: { ...toldTo(good), honest: good.arrivals[0]?.headers['x-honest'] },
        wanted: { ...truth, honest: 'kept' },
      },
    }
  },
})

/** The request does not reach the machine. */
const refused = (name: string, said: (station: Station, rig: Rig) => string): Vector<HeaderRig> => ({
  name,
  async attack(rig) {
    const { statuses, isClosed } = await speak(rig.site, said(rig.good, rig))
    return {
      client: { saw: [statuses, isClosed], wanted: [[400], true] },
      beyond: { saw: await rig.good.listArrivals(), wanted: [] },
    }
  },
})

/** A person with read-only access claims to have more. */
const watching = (name: string, headers: Record<string, string>): Vector<HeaderRig> => ({
  name,
  async attack({ watcher, good }) {
    const { status } = await watcher.request('/x', { headers })
    await good.listArrivals()
    const { madeUp, mode } = toldTo(good)
    return {
      client: { saw: status, wanted: 200 },
      beyond: { saw: { madeUp, mode }, wanted: { madeUp: [], mode: 'ro' } },
    }
  },
})

const vectors: Vector<HeaderRig>[] = [
  made('busbar-mode', 'busbar-mode: spoofed'),
  made('Busbar-User in capitals', 'BUSBAR-USER: spoofed'),
  made('busbar-visit', 'busbar-visit: spoofed'),
  made('busbar-until of long ago', 'busbar-until: 1'),
  made('busbar_mode with an underscore, which old servers take for a hyphen', 'busbar_mode: spoofed'),
  made('BUSBAR_user: a hyphen nobody looks for', 'BUSBAR_user: spoofed'),
  made('a busbar- header of the next version', 'busbar-admin: spoofed'),
  made('busbar-mode twice', 'busbar-mode: spoofed', 'Busbar-Mode: spoofed'),
  made('busbar-mode that Connection would have removed', 'Connection: busbar-mode', 'busbar-mode: spoofed'),
  made('X-Forwarded-For', 'X-Forwarded-For: spoofed'),
  made('X-Forwarded-Host and -Proto', 'X-Forwarded-Host: spoofed', 'X-Forwarded-Proto: spoofed'),
  made('X_Forwarded_For with underscores', 'X_Forwarded_For: spoofed'),
  made('X-Forwarded alone', 'X-Forwarded: for=spoofed'),
  made('Forwarded', 'Forwarded: for=spoofed;host=spoofed'),
  made('X-Real-IP', 'X-Real-IP: spoofed'),
  made('True-Client-IP and its like', 'True-Client-IP: spoofed', 'CF-Connecting-IP: spoofed'),
  made('X-Original-URL and X-Rewrite-URL', 'X-Original-URL: /spoofed', 'X-Rewrite-URL: /spoofed'),
  made('X-Host', 'X-Host: spoofed', 'X-HTTP-Host-Override: spoofed'),
  made('Via', 'Via: 1.1 spoofed'),
  made('Proxy-Authorization, which is for somebody else', 'Proxy-Authorization: Basic spoofed'),
  made('Proxy-Connection and Keep-Alive', 'Proxy-Connection: spoofed', 'Keep-Alive: spoofed'),
  made('TE and Trailer', 'TE: spoofed', 'Trailer: spoofed'),
  made('a header that Connection names', 'Connection: X-Hop', 'X-Hop: spoofed'),
  watching('a watcher who says busbar-mode: rw', { 'busbar-mode': 'rw' }),
  watching('a watcher who overrides the method', { 'x-http-method-override': 'POST spoofed' }),
  watching('a watcher who overrides the method with underscores', { x_http_method_override: 'spoofed' }),
  watching('a watcher who overrides the method in its other names', {
    'x-http-method': 'spoofed',
    'x-method-override': 'spoofed',
  }),
  refused('two Hosts', (to, { evil }) => to.head('GET /x', [`Host: ${evil.client.host}`, close])),
  refused('no Host', ({ client }) => `GET /x HTTP/1.1\r\nCookie: ${client.cookie}\r\n\r\n`),
  refused('a Host with a user before it', (to, { evil }) =>
    to.head('GET /x', [close]).replace('Host: ', `Host: ${evil.client.host}@`),
  ),
  refused('a Host with a path behind it', (to) =>
    to.head('GET /x', [close]).replace(to.client.host, `${to.client.host}/x`),
  ),
  refused('two origins, the second our own', (to) =>
    to.head('POST /x', [
      'Origin: http://evil.example',
      `Origin: ${to.client.origin}`,
      'Content-Length: 0',
      close,
    ]),
  ),
  refused('two Sec-Fetch-Site, the second cross-site', (to) =>
    to.head('POST /x', ['Sec-Fetch-Site: cross-site', 'Content-Length: 0', close]),
  ),
  refused('two Authorizations', (to) => to.head('GET /x', ['Authorization: a', 'Authorization: b', close])),
  {
    name: 'Connection names the cookie, so that the machine forgets who is there',
    async attack({ site, good }) {
      const said = good.head('GET /x', ['Connection: close, cookie, authorization', 'Authorization: Basic x'])
      const { statuses } = await speak(site, said.replace('Cookie: ', 'Cookie: sid=1; '))
      await good.listArrivals()
      const { cookie, authorization } = good.arrivals[0]?.headers ?? {}
      return {
        client: { saw: statuses, wanted: [200] },
        beyond: { saw: { cookie, authorization }, wanted: { cookie: 'sid=1', authorization: 'Basic x' } },
      }
    },
  },
  {
    name: 'busbar-mode and X-Forwarded-For with a WebSocket',
    async attack({ good }) {
      const ws = good.client.openWebSocket('/ws', {
        headers: { busbar_mode: 'spoofed', 'busbar-user': 'spoofed', 'x-forwarded-for': 'spoofed' },
      })
      await once(ws, 'open')
      ws.terminate()
      await good.listArrivals()
      return {
        client: { saw: ws.protocol, wanted: '' },
        beyond: { saw: toldTo(good), wanted: truth },
      }
    },
  },
  {
    name: 'a machine that tells the browser what only the platform says',
    async attack({ good }) {
      good.answer = (stream) => {
        stream.respond({ ':status': 200, 'busbar-mode': 'spoofed', 'strict-transport-security': 'max-age=9' })
        stream.end('the page')
      }
      const { headers, text } = await good.client.request('/x')
      const told = Object.keys(headers).filter((name) => /^busbar|^strict/.test(name))
      return {
        client: { saw: told, wanted: [] },
        beyond: { saw: [text, toldTo(good).mode], wanted: ['the page', 'rw'] },
      }
    },
  },
  {
    name: 'X-Forwarded-Host on the way in, to be sent elsewhere',
    async attack({ site, good }) {
      const headers = {
        ...navigation,
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example;proto=https',
      }
      const answer = await callHost(site, { host: good.client.host, path: '/x', headers })
      const { origin, searchParams } = new URL(answer.headers.location ?? '')
      return {
        client: {
          saw: [
            origin,
            searchParams.get('host'),
            /__Host-|Secure/.test(String(answer.headers['set-cookie'])),
          ],
          wanted: [`http://localhost:${site.webPort}`, `${good.machine.code}.visit.localhost`, false],
        },
        beyond: { saw: await good.listArrivals(), wanted: [] },
      }
    },
  },
  {
    name: 'the console’s Host, with the machine’s in X-Forwarded-Host',
    async attack({ site, good }) {
      const headers = { cookie: good.client.cookie, 'x-forwarded-host': good.client.host }
      const answer = await callHost(site, { host: `localhost:${site.webPort}`, path: '/healthz', headers })
      return {
        client: { saw: answer.text.includes('the page'), wanted: false },
        beyond: { saw: await good.listArrivals(), wanted: [] },
      }
    },
  },
  {
    name: 'another X-Forwarded-For each time, to get past the limit of an address',
    async attack({ site, good, clock }) {
      // A separate minute: the limit is used up afterwards.
      clock.offsetMs += 120_000
      const { host } = good.client
      let begun = 0
      let turnedAway = 0
      for (let count = 0; count < 130; count++) {
        const headers = {
          ...navigation,
          'x-forwarded-for': `10.0.0.${count}`,
          'x-real-ip': `10.0.1.${count}`,
        }
        const { status } = await callHost(site, { host, path: '/', headers })
        if (status === 429) turnedAway++
        else begun++
      }
      clock.offsetMs += 120_000
      return {
        client: { saw: begun <= 120 && turnedAway >= 10, wanted: true },
        beyond: { saw: await good.listArrivals(), wanted: [] },
      }
    },
  },
]

async function startHeaderRig(options: RigOptions = {}): Promise<HeaderRig> {
  const rig = await startRig(options)
  const person = await createUser(rig.site.db, { name: 'Watcher' })
  await grantMachine(rig.site.db, person.userId, rig.good.machine.machineId, {
    role: 'visitor',
    readOnly: true,
  })
  const watcher = await enterVisit(rig.site, person, rig.good.machine)
  return { ...rig, watcher }
}

describeIsolation('made-up headers', startHeaderRig, vectors, [
  {
    name: 'the removal of headers',
    start: () => startHeaderRig({ rules: { stripRequestHeaders: keepHeaders } }),
    falls: [
      'busbar_mode with an underscore, which old servers take for a hyphen',
      'BUSBAR_user: a hyphen nobody looks for',
      'a busbar- header of the next version',
      'X-Forwarded-For',
      'X-Forwarded-Host and -Proto',
      'X_Forwarded_For with underscores',
      'X-Forwarded alone',
      'Forwarded',
      'X-Real-IP',
      'True-Client-IP and its like',
      'X-Original-URL and X-Rewrite-URL',
      'X-Host',
      'Via',
      'Proxy-Authorization, which is for somebody else',
      'a header that Connection names',
      'a watcher who overrides the method',
      'a watcher who overrides the method with underscores',
      'a watcher who overrides the method in its other names',
      'busbar-mode and X-Forwarded-For with a WebSocket',
    ],
  },
  {
    name: 'the check of what is said once',
    start: () => startHeaderRig({ rules: { checkRequestLine: letThrough } }),
    falls: [
      'two origins, the second our own',
      'two Sec-Fetch-Site, the second cross-site',
      'two Authorizations',
    ],
  },
  {
    name: 'the removal of headers from answers',
    start: () => startHeaderRig({ rules: { responseHeaders: keepAnswer } }),
    falls: ['a machine that tells the browser what only the platform says'],
  },
])
