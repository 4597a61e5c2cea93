import { accounts, visits } from '@busbar/contract'
import {
  callHost,
  createHolder,
  createUser,
  failureOf,
  navigation,
  PushClient,
  signIn,
  TestBrowser,
  visitClientOf,
} from '@busbar/testkit'
import { recordRightChange } from '../../src/kernel/rights/right-changes.ts'
import type { VisitName } from '../../src/modules/visits/index.ts'
import { tryWebSocket } from './testing/raw-client.ts'
import { leaveVisits, listVisits, type Rig, type Station, visitsEnded } from './testing/rig.ts'
import { describeIsolation, type Outcome, type Vector } from './testing/vector.ts'
import { atConsole, startCodeRig, walk, withCode } from './testing/way-in.ts'

/** Requests from outside a visit: the answer, and that they did not reach the machine. */
const opensNothing = (
  name: string,
  ask: (rig: Rig) => Promise<{ status: number; text: string }>,
  statuses: readonly number[] = [401],
): Vector<Rig> => ({
  name,
  async attack(rig) {
    const { status, text } = await ask(rig)
    return {
      client: { saw: [statuses.includes(status), text.includes('the page')], wanted: [true, false] },
      beyond: { saw: [await rig.good.listArrivals(), rig.evil.arrivals.length], wanted: [[], 0] },
    }
  },
})

/** A person with a right and a visit, which the attack then ends. */
const afterwards = (
  name: string,
  end: (
    rig: Rig,
    own: { station: Station; user: Awaited<ReturnType<typeof createUser>> },
  ) => Promise<unknown>,
): Vector<Rig> => ({
  name,
  async attack(rig) {
    const user = await createUser(rig.site.db)
    const station = await rig.addStation(user)
    await end(rig, { station, user })
    await visitsEnded(rig, user.userId)
    const page = await station.client.request('/secret')
    const socket = await tryWebSocket(station.client.openWebSocket('/ws'))
    return {
      client: { saw: [page.text.includes('the page'), socket], wanted: [false, '403'] },
      beyond: { saw: station.arrivals.length, wanted: 0 },
    }
  },
})

const cookies: Vector<Rig>[] = [
  opensNothing('one machine’s cookie at another', ({ site, evil, good }) =>
    visitClientOf(site, evil.client.host, good.client.cookie).request('/'),
  ),
  opensNothing('a cookie at another page of its machine', ({ site, good }) =>
    visitClientOf(site, `plc--${good.client.host}`, good.client.cookie).request('/'),
  ),
  opensNothing('a cookie whose last letter is another', ({ site, good }) =>
    visitClientOf(site, good.client.host, `${good.client.cookie.slice(0, -2)}AA`).request('/'),
  ),
  opensNothing('what the database keeps of a cookie', async ({ site, good }) => {
    const rows = await site.db.selectFrom('visit_cookies').select('cookie_hash').execute()
    const answers = await Promise.all(
      rows.map(({ cookie_hash: hash }) =>
        visitClientOf(site, good.client.host, `visit=${hash.toString('base64url')}`).request('/'),
      ),
    )
    return answers.find(({ status }) => status !== 401) ?? { status: 401, text: '' }
  }),
  opensNothing('the session’s token as a visit cookie', ({ site, victim, good }) =>
    visitClientOf(site, good.client.host, `visit=${victim.token}`).request('/'),
  ),
  opensNothing('the session’s cookie at a visit host', ({ site, victim, good }) =>
    visitClientOf(site, good.client.host, `token=${victim.token}`).request('/'),
  ),
  opensNothing('the session’s token in headers at a visit host', ({ site, victim, good }) =>
    callHost(site, {
      host: good.client.host,
      path: '/',
      headers: { token: victim.token, authorization: `Bearer ${victim.token}` },
    }),
  ),
  opensNothing('the machine’s own secret at its visit host', ({ site, good }) =>
    callHost(site, {
      host: good.client.host,
      path: '/',
      headers: {
        authorization: `Basic ${Buffer.from(`${good.machine.code}:${good.machine.secret}`).toString('base64')}`,
      },
    }),
  ),
  opensNothing('a push ticket as a visit cookie', async ({ site, victim, good }) => {
    const { ticket } = await site.as(victim).call(accounts.createPushTicket, {})
    return visitClientOf(site, good.client.host, `visit=${ticket}`).request('/')
  }),
  opensNothing('a code as a visit cookie', async ({ site, victim, good }) => {
    const url = await walk(new TestBrowser(site, victim), good.client.host, withCode)
    return visitClientOf(site, good.client.host, `visit=${url.searchParams.get('code')}`).request('/')
  }),
  opensNothing('the state as a visit cookie', async ({ site, victim, good }) => {
    const url = await walk(new TestBrowser(site, victim), good.client.host, atConsole)
    return visitClientOf(site, good.client.host, `visit=${url.searchParams.get('state')}`).request('/')
  }),
  afterwards('a cookie after its visit was left', (rig, { user }) => leaveVisits(rig, user.userId)),
  afterwards('a cookie after its person signed out', ({ site }, { user }) =>
    site.as(user).call(accounts.logout, {}),
  ),
  afterwards('a cookie after the machine was taken from its person', async ({ site }, { station, user }) => {
    await site.db.transaction().execute(async (trx) => {
      const { machineId } = station.machine
      await trx.updateTable('machines').set({ owner_user_id: null }).where('id', '=', machineId).execute()
      await recordRightChange(trx, { machineId, userId: user.userId, reason: 'test' })
    })
  }),
  afterwards('a cookie after the console ended its visit', async (rig, { user }) => {
    for (const { id: sessionId } of await listVisits(rig, user.userId))
      await rig.site.as(user).call(visits.endVisit, { sessionId })
  }),
]

/** Credentials of a visit must not open the console, and the reverse. */
const atTheConsole: Vector<Rig>[] = [
  {
    name: 'a visit cookie as the console’s session',
    async attack({ site, good }) {
      const token = good.client.cookie.slice('visit='.length)
      const { code } = await failureOf(site.as({ token }), accounts.selectInfo, {})
      const cookie = `token=${token}; ${good.client.cookie}`
      const answer = await callHost(site, {
        host: `localhost:${site.webPort}`,
        path: '/api/user/v1/tokenInfo',
        headers: { cookie },
      })
      return {
        client: { saw: [code, answer.status], wanted: ['113', 401] },
        beyond: { saw: await good.listArrivals(), wanted: [] },
      }
    },
  },
  {
    name: 'a visit cookie at the push socket',
    async attack({ site, good }) {
      const client = await PushClient.open(site.url, good.client.cookie.slice('visit='.length))
      const { code } = await client.waitForClose()
      return {
        client: { saw: [code, client.events.length], wanted: [4401, 0] },
        beyond: { saw: [site.platform.hub.stats().sockets, await good.listArrivals()], wanted: [0, []] },
      }
    },
  },
  {
    name: 'a push ticket at the visit host: it is not the platform’s socket that opens there',
    async attack({ site, victim, good }) {
      const { ticket } = await site.as(victim).call(accounts.createPushTicket, {})
      const ws = good.client.openWebSocket(`/echo.io?sid=${ticket}`, {
        headers: { cookie: 'none=1' },
      })
      const opened = await tryWebSocket(ws)
      const reached = await good.listArrivals()
      const push = await openPush(site.url, ticket)
      push.close()
      return {
        client: { saw: opened, wanted: '401' },
        beyond: { saw: [reached, push.closed?.code], wanted: [[], undefined] },
      }
    },
  },
  {
    name: 'a push ticket twice',
    async attack({ site, victim }) {
      const session = await signIn(site.db, victim.userId)
      const { ticket } = await site.as(session).call(accounts.createPushTicket, {})
      const first = await openPush(site.url, ticket)
      const second = await PushClient.open(site.url, ticket)
      const { code } = await second.waitForClose()
      first.close()
      return {
        client: { saw: code, wanted: 4401 },
        beyond: { saw: await countTickets(site, session), wanted: 0 },
      }
    },
  },
  ...[
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
    ['a picture', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }],
    ['a fetch', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
  ].map(
    ([what, says]): Vector<Rig> => ({
      name: `the console is asked for a code by ${what}`,
      async attack(rig) {
        const { site, good } = rig
        // A person without a visit yet: a code would make one.
        const user = await createHolder(site.db, good.machine.machineId, { role: 'bkey' })
        const asked = await walk(new TestBrowser(site), good.client.host, atConsole)
        const answer = await callHost(site, {
          host: asked.host,
          path: asked.pathname + asked.search,
          headers: { ...navigation, cookie: `token=${user.token}`, ...(says as object) },
        })
        return {
          client: { saw: [answer.status, answer.headers.location], wanted: [403, undefined] },
          beyond: { saw: (await listVisits(rig, user.userId)).length, wanted: 0 },
        }
      },
    }),
  ),
  {
    name: 'the console is asked to send a code elsewhere',
    async attack(rig): Promise<Outcome> {
      const { site, victim, good } = rig
      const before = await listVisits(rig, victim.userId)
      const { code } = good.machine
      const elsewhere = [
        'evil.example',
        `${code}.visit.localhost.evil.example`,
        `${code}.visit.localhost:1@evil.example`,
        `evil.example/${code}.visit.localhost`,
        `${code}.visit.localhost%2f@evil.example`,
        `${code.toUpperCase()}.VISIT.localhost`,
        `agent--${code}.visit.localhost`,
        'localhost',
        '169.254.169.254',
      ]
      const locations: (string | undefined)[] = []
      for (const host of elsewhere) {
        const query = new URLSearchParams({ host, state: 'a'.repeat(43) })
        const answer = await callHost(site, {
          host: `localhost:${site.webPort}`,
          path: `/visit/authorize?${query}`,
          headers: { ...navigation, cookie: `token=${victim.token}` },
        })
        locations.push(answer.headers.location)
      }
      return {
        client: { saw: locations.filter(Boolean), wanted: [] },
        beyond: { saw: await listVisits(rig, victim.userId), wanted: before },
      }
    },
  },
]

/** Last: afterwards nobody is inside any more. */
const atTheEnd: Vector<Rig>[] = [
  afterwards('a cookie after eight hours', async ({ site, clock }) => {
    clock.offsetMs += 8 * 3_600_000 + 1_000
    await site.platform.visits.sweep()
  }),
]

/** A push socket that is let in. */
async function openPush(url: string, sid: string): Promise<PushClient> {
  const client = await PushClient.open(url, sid)
  client.heartbeat()
  await client.find((event) => (event.scene === 'heartbeat' ? true : undefined))
  return client
}

async function countTickets(site: Rig['site'], { sessionId }: { sessionId: number }): Promise<number> {
  const rows = await site.db
    .selectFrom('push_tickets')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .execute()
  return rows.length
}

/** Takes every host for the good machine’s, once everybody is inside. */
async function startWithOneHost(): Promise<Rig> {
  let last: VisitName | undefined
  let isStarted = false
  const rig = await startCodeRig({
    rules: {
      parseHost(address, header) {
        const name = address.parseHost(header)
        if (isStarted) return name && last
        last = name
        return name
      },
    },
  })
  isStarted = true
  return rig
}

describeIsolation(
  'cookies, tokens and tickets at the wrong place',
  startCodeRig,
  [...cookies, ...atTheConsole, ...atTheEnd],
  [
    {
      name: 'the host that a cookie is bound to',
      start: startWithOneHost,
      falls: ['one machine’s cookie at another', 'a cookie at another page of its machine'],
    },
  ],
)
