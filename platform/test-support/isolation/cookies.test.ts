import {
  callHost,
  createMachine,
  createUser,
  navigation,
  openTestTunnel,
  startTestPlatform,
  TestBrowser,
  type TestPlatform,
} from '@busbar/testkit'
import { keepHeaders } from './testing/lax-rules.ts'
import { speak, tryWebSocket } from './testing/raw-client.ts'
import { type Rig, type RigOptions, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

interface CookieRig extends Rig {
  readonly secure: {
    readonly site: TestPlatform
    readonly host: string
    readonly cookie: string
    /** Paths that reached the machine. */
    readonly seen: string[]
  }
}

const close = 'Connection: close'
/** A cookie that every machine's page may have: it must arrive, even if others do not. */
const own = 'sid=1'
/** The console's session has this form. */
const session = `secret${'a'.repeat(37)}`

/** Cookies that the browser sends because of a machine's page, or of the console: the machine gets its own only. */
const carried = (name: string, lines: (cookie: string) => string[]): Vector<CookieRig> => ({
  name,
  async attack({ site, good }) {
    const others = good.lines.filter((line) => !line.startsWith('Cookie'))
    const said = ['GET /x HTTP/1.1', ...others, ...lines(good.client.cookie), close, '', ''].join('\r\n')
    const { statuses } = await speak(site, said)
    await good.listArrivals()
    const { cookie = '' } = good.arrivals[0]?.headers ?? {}
    const secret = good.client.cookie.slice('visit='.length)
    return {
      client: { saw: statuses, wanted: [200] },
      beyond: {
        saw: [cookie.includes('secret') || cookie.includes(secret), cookie.includes(own)],
        wanted: [false, true],
      },
    }
  },
})

/** Two cookies of the visit: nobody can tell which one the platform set. */
const planted = (name: string, lines: (cookie: string) => string[]): Vector<CookieRig> => ({
  name,
  async attack({ site, good }) {
    const others = good.lines.filter((line) => !line.startsWith('Cookie'))
    const said = ['GET /x HTTP/1.1', ...others, ...lines(good.client.cookie), close, '', ''].join('\r\n')
    const { statuses } = await speak(site, said)
    return {
      client: { saw: statuses, wanted: [400] },
      beyond: { saw: await good.listArrivals(), wanted: [] },
    }
  },
})

/** A machine sets a cookie: the header that the browser gets. */
const set = (name: string, setCookie: string, wanted: string | undefined): Vector<CookieRig> => ({
  name: `a machine sets ${name}`,
  async attack({ evil, good }) {
    evil.answer = (stream) => {
      stream.respond({ ':status': 200, 'set-cookie': [setCookie, own] })
      stream.end('the page')
    }
    const { headers } = await evil.client.request('/x')
    return {
      client: { saw: headers['set-cookie'], wanted: wanted === undefined ? [own] : [wanted, own] },
      beyond: { saw: await good.listArrivals(), wanted: [] },
    }
  },
})

const toTheMachine: Vector<CookieRig>[] = [
  carried('the visit cookie', (cookie) => [`Cookie: ${own}; ${cookie}`]),
  carried('the console’s session beside it', (cookie) => [`Cookie: token=${session}; ${own}; ${cookie}`]),
  carried('the names that https has', (cookie) => [
    `Cookie: __Host-visit=secret; __Host-token=secret; __Secure-token=secret; ${own}; ${cookie}`,
  ]),
  carried('the state of a way in', (cookie) => [`Cookie: visit-state=secret; ${own}; ${cookie}`]),
  carried('names in capitals', (cookie) => [`Cookie: VISIT=secret; Token=${session}; ${own}; ${cookie}`]),
  carried('names in quotes and with spaces', (cookie) => [
    `Cookie: "visit"=secret; token =${session}; ${own}; ${cookie}`,
  ]),
  carried('a value without a name that is one of ours', (cookie) => [
    `Cookie: token; =token; ${own}; ${cookie}`,
  ]),
  carried('two Cookie headers', (cookie) => [`Cookie: ${own}; token=${session}`, `Cookie: ${cookie}`]),
  carried('a Cookie header that Connection names', (cookie) => [
    'Connection: cookie',
    `Cookie: token=${session}; ${own}; ${cookie}`,
  ]),
  carried('no space between them, and tabs', (cookie) => [
    `Cookie: token=${session};\tvisit-state=secret;${own};${cookie}`,
  ]),
  carried('the old $Version form', (cookie) => [`Cookie: $Version=1; token=${session}; ${own}; ${cookie}`]),
]

const plantedOnes: Vector<CookieRig>[] = [
  planted('another visit cookie before ours', (cookie) => [`Cookie: visit=planted; ${cookie}`]),
  planted('another visit cookie behind ours', (cookie) => [`Cookie: ${cookie}; visit=planted`]),
  planted('another visit cookie in a header of its own', (cookie) => [
    `Cookie: ${cookie}`,
    'Cookie: visit=planted',
  ]),
  planted('our own visit cookie twice', (cookie) => [`Cookie: ${cookie}; ${cookie}`]),
  planted('an empty visit cookie before ours', (cookie) => [`Cookie: visit=; ${cookie}`]),
]

const setByMachines: Vector<CookieRig>[] = [
  set('a cookie for all machines', 'a=1; Domain=visit.localhost; Path=/', 'a=1; Path=/'),
  set('a cookie for all machines, with a dot', 'a=1; domain=.visit.localhost', 'a=1'),
  set('a cookie for the console', 'a=1; Domain=localhost', 'a=1'),
  set('Domain written oddly', 'a=1; \tdOmAiN\t = visit.localhost ;Path=/', 'a=1; Path=/'),
  set('Domain twice', 'a=1; Domain=x; Domain=visit.localhost', 'a=1'),
  set('a Domain without a value', 'a=1; Domain', 'a=1'),
  set('the visit cookie', 'visit=planted; Path=/', undefined),
  set('the visit cookie as https has it', '__Host-visit=planted; Secure; Path=/', undefined),
  set('the visit cookie with a prefix in other letters', '__hOsT-VISIT=planted; Secure; Path=/', undefined),
  set('the visit cookie with a prefix of the future', '__Host-Http-visit=planted; Secure; Path=/', undefined),
  set('the state of a way in', 'visit-state=planted', undefined),
  set('the console’s session', `token=${session}; Domain=localhost`, undefined),
  set('a cookie without a name that is written like ours', '=visit=planted', undefined),
  set('a cookie without a name', 'visit', undefined),
  set('a tab within the name', 'vi\tsit=planted', undefined),
  set('a space behind the name', 'visit =planted', undefined),
]

const others: Vector<CookieRig>[] = [
  {
    name: 'a visit cookie with a WebSocket',
    async attack({ good }) {
      const what = await tryWebSocket(
        good.client.openWebSocket('/ws', {
          headers: { cookie: `token=${session}; ${own}; ${good.client.cookie}` },
        }),
      )
      await good.listArrivals()
      return {
        client: { saw: what, wanted: 'open' },
        beyond: { saw: good.arrivals[0]?.headers.cookie, wanted: own },
      }
    },
  },
  {
    name: 'a WebSocket’s handshake that sets a cookie for all machines',
    async attack({ evil }) {
      evil.answer = (stream) =>
        stream.respond({ ':status': 200, 'set-cookie': ['visit=planted', 'a=1; Domain=visit.localhost'] })
      const ws = evil.client.openWebSocket('/ws')
      const told = await new Promise((resolve, reject) => {
        ws.once('upgrade', (response) => resolve(response.headers['set-cookie']))
        ws.once('error', reject)
      })
      ws.terminate()
      return {
        client: { saw: told, wanted: ['a=1'] },
        beyond: { saw: evil.arrivals[0]?.protocol, wanted: 'websocket' },
      }
    },
  },
  {
    name: 'a session of another port of this computer: the console refuses two',
    async attack({ site, victim, good }) {
      const answer = await callHost(site, {
        host: `localhost:${site.webPort}`,
        path: '/api/user/v1/tokenInfo',
        headers: { cookie: `token=planted; token=${victim.token}` },
      })
      return {
        client: { saw: answer.status, wanted: 400 },
        beyond: { saw: await good.listArrivals(), wanted: [] },
      }
    },
  },
]

const overHttps: Vector<CookieRig>[] = [
  withHttps('a visit cookie without the prefix', (cookie) => cookie.replace('__Host-', '')),
  withHttps('a visit cookie with another prefix', (cookie) => cookie.replace('__Host-', '__Secure-')),
  withHttps('a visit cookie whose prefix is in other letters', (cookie) =>
    cookie.replace('__Host-', '__host-'),
  ),
  withHttps('the session in place of the visit', (cookie) => cookie.replace('__Host-visit', '__Host-token')),
]

/** With https a browser lets nobody else set a name with this prefix, so other names do not work. */
function withHttps(name: string, change: (cookie: string) => string): Vector<CookieRig> {
  return {
    name: `${name}, where there is https`,
    async attack({ secure }) {
      const ask = (cookie: string) =>
        callHost(secure.site, { host: secure.host, path: '/x', headers: { ...navigation, cookie } })
      const changed = await ask(change(secure.cookie))
      const arrivals = secure.seen.length
      const right = await ask(secure.cookie)
      return {
        client: { saw: [changed.status, right.status], wanted: [303, 200] },
        beyond: { saw: [arrivals, secure.seen.length], wanted: [0, 1] },
      }
    },
  }
}

async function startCookieRig(options: RigOptions = {}): Promise<CookieRig> {
  const rig = await startRig(options)
  const secure = await startSecure(options)
  return {
    ...rig,
    secure,
    reset() {
      rig.reset()
      secure.seen.length = 0
    },
    async stop() {
      await rig.stop()
      await secure.site.stop()
    },
  }
}

/** A platform as behind a proxy with https, with a visitor inside a machine. */
async function startSecure({ rules }: RigOptions): Promise<CookieRig['secure']> {
  const site = await startTestPlatform(
    { PUBLIC_URL: 'https://console.example', VISIT_HOST: 'machines.example' },
    rules ? { visitRules: rules } : {},
  )
  const user = await createUser(site.db)
  const machine = await createMachine(site.db, { owner: user.userId })
  const seen: string[] = []
  await openTestTunnel(site, machine, (stream, headers) => {
    seen.push(String(headers[':path']))
    stream.respond({ ':status': 200 })
    stream.end('the page')
  })
  const host = `${machine.code}.machines.example`
  const browser = new TestBrowser(site)
  browser.set('console.example', '__Host-token', user.token)
  await browser.open(`https://${host}/`)
  const cookie = browser.cookieHeader(host)
  if (!/^__Host-visit=[^;]+$/.test(cookie)) throw new Error(`not entered: ${cookie}`)
  return { site, host, cookie, seen }
}

/** The first of a name, whichever way it is written. */
const readAny: RigOptions['rules'] = {
  readVisitCookie: (header) =>
    (header ?? '')
      .split(';')
      .map((pair) => /^\s*(?:__\w+-)?visit=(.*)$/i.exec(pair)?.[1])
      .find((value) => value !== undefined && value !== 'planted' && value !== ''),
}

const namesOf = (list: readonly Vector<CookieRig>[]) => list.map(({ name }) => name)
const vectors = [...toTheMachine, ...plantedOnes, ...setByMachines, ...others, ...overHttps]

describeIsolation('cookies over domains and ports', startCookieRig, vectors, [
  {
    name: 'the removal of the platform’s cookies',
    start: () => startCookieRig({ rules: { stripRequestHeaders: keepHeaders } }),
    falls: [...namesOf(toTheMachine), 'a visit cookie with a WebSocket'],
  },
  {
    name: 'the narrowing of a machine’s cookies',
    start: () => startCookieRig({ rules: { narrowSetCookie: (header) => header } }),
    falls: [...namesOf(setByMachines), 'a WebSocket’s handshake that sets a cookie for all machines'],
  },
  {
    name: 'the refusal of two visit cookies, and of other names',
    start: () => startCookieRig({ rules: readAny }),
    falls: [...namesOf(plantedOnes), ...namesOf(overHttps).slice(0, 3)],
  },
])
