import { accounts } from '@busbar/contract'
import { callHost, createHolder, createUser, navigation, TestBrowser, type TestUser } from '@busbar/testkit'
import { yes } from './testing/lax-rules.ts'
import { leaveVisits, type Rig, type Station, visitsEnded } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'
import { atConsole, cleared, startCodeRig, walk, withCode } from './testing/way-in.ts'

const hasEntered = (browser: TestBrowser, host: string): boolean =>
  browser.cookies.get(host)?.has('visit') ?? false

async function countCookies({ site }: Rig, station: Station): Promise<number> {
  const rows = await site.db
    .selectFrom('visit_cookies')
    .innerJoin('visits', 'visits.id', 'visit_cookies.visit_id')
    .select('visit_cookies.host')
    .where('visits.machine_id', '=', station.machine.machineId)
    .execute()
  return rows.length
}

/** The result of a way in that must not lead in: a browser, and the right number of cookies of its host. */
interface Attempt {
  readonly browser: TestBrowser
  readonly station?: Station
  readonly cookies?: number
}

/** A way in that must not lead in: no cookie is set and none is made. */
const notEntered = (
  name: string,
  attempt: (rig: Rig, station: Station) => Promise<Attempt>,
): Vector<Rig> => ({
  name,
  async attack(rig) {
    const before = await countCookies(rig, rig.good)
    const { browser, station = rig.good, cookies = before } = await attempt(rig, rig.good)
    return {
      client: { saw: hasEntered(browser, station.client.host), wanted: false },
      beyond: {
        saw: [await countCookies(rig, station), await rig.good.listArrivals()],
        wanted: [cookies, []],
      },
    }
  },
})

const entering: Vector<Rig>[] = [
  notEntered('a code in a browser that never asked', async ({ site, victim }, { client }) => {
    const url = await walk(new TestBrowser(site, victim), client.host, withCode)
    const browser = new TestBrowser(site)
    await browser.step(url)
    return { browser }
  }),
  notEntered('a code whose browser had been cleared, elsewhere', async ({ site, victim }, { client }) => {
    const url = await walk(new TestBrowser(site, victim), client.host, cleared)
    const browser = new TestBrowser(site)
    await browser.step(url)
    return { browser }
  }),
  notEntered('a code in another browser that has asked, too', async ({ site, victim }, { client }) => {
    const url = await walk(new TestBrowser(site, victim), client.host, cleared)
    const browser = new TestBrowser(site)
    await walk(browser, client.host, atConsole)
    await browser.step(url)
    return { browser }
  }),
  notEntered(
    'the attacker’s code, slipped to a victim on the way in',
    async ({ site, victim, good }, { client }) => {
      const attacker = await createHolder(site.db, good.machine.machineId, { role: 'bkey' })
      const url = await walk(new TestBrowser(site, attacker), client.host, cleared)
      const browser = new TestBrowser(site, victim)
      await walk(browser, client.host, atConsole)
      await browser.step(url)
      return { browser }
    },
  ),
  notEntered(
    'the victim asks the console with the attacker’s state',
    async ({ site, victim }, { client }) => {
      const attacker = new TestBrowser(site)
      const asked = await walk(attacker, client.host, atConsole)
      const browser = new TestBrowser(site, victim)
      await walk(browser, client.host, atConsole)
      const { headers } = await browser.step(asked)
      const back = await browser.step(new URL(headers.location ?? '', asked))
      if (back.headers.location) await browser.step(new URL(back.headers.location, `http://${client.host}`))
      return { browser }
    },
  ),
  notEntered(
    'a code of another machine, with the state brought over',
    async ({ site, victim, evil }, { client }) => {
      const thief = new TestBrowser(site, victim)
      const url = await walk(thief, evil.client.host, withCode)
      const browser = new TestBrowser(site)
      const [, state = ''] = /visit-state=([^;]+)/.exec(thief.cookieHeader(evil.client.host)) ?? []
      browser.set(client.host, 'visit-state', state)
      url.host = client.host
      const second = await browser.step(url)
      if (second.headers.location) await browser.step(new URL(second.headers.location, url))
      return { browser }
    },
  ),
  notEntered('the same code once more', async (rig) => {
    const { site, victim, evil } = rig
    const { host } = evil.client
    const browser = new TestBrowser(site, victim)
    const url = await walk(browser, host, cleared)
    const held = browser.cookieHeader(host)
    await browser.step(url)
    browser.cookies.delete(host)
    browser.set(host, 'visit-state', /visit-state=([^;]+)/.exec(held)?.[1] ?? '')
    const cookies = await countCookies(rig, evil)
    await browser.step(url)
    return { browser, station: evil, cookies }
  }),
  notEntered('a code a minute later', async ({ site, victim, clock }, { client }) => {
    const browser = new TestBrowser(site, victim)
    const url = await walk(browser, client.host, cleared)
    clock.offsetMs += 61_000
    await browser.step(url)
    return { browser }
  }),
  notEntered('a code of a visit that was left meanwhile', (rig) =>
    afterEnd(rig, ({ userId }) => leaveVisits(rig, userId)),
  ),
  notEntered('a code of somebody who has signed out meanwhile', (rig) =>
    afterEnd(rig, (user) => rig.site.as(user).call(accounts.logout, {})),
  ),
  notEntered('no state beside the code', async ({ site, victim }, { client }) => {
    const browser = new TestBrowser(site, victim)
    const url = await walk(browser, client.host, cleared)
    url.searchParams.delete('state')
    await browser.step(url)
    return { browser }
  }),
  notEntered('two states, one of them planted', async ({ site, victim }, { client }) => {
    const browser = new TestBrowser(site, victim)
    const url = await walk(browser, client.host, cleared)
    const held = browser.cookieHeader(client.host)
    const headers = { ...navigation, cookie: `visit-state=x.y.z; ${held}` }
    const answer = await callHost(site, { host: client.host, path: url.pathname + url.search, headers })
    if (/visit=[^;]/.test(String(answer.headers['set-cookie']))) browser.set(client.host, 'visit', 'set')
    return { browser }
  }),
  notEntered('a code that a page fetches with', async ({ site, victim }, { client }) => {
    const browser = new TestBrowser(site, victim)
    const url = await walk(browser, client.host, cleared)
    const answer = await callHost(site, {
      host: client.host,
      path: url.pathname + url.search,
      headers: {
        cookie: browser.cookieHeader(client.host),
        'sec-fetch-site': 'same-site',
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
      },
    })
    if (answer.headers['set-cookie']) browser.set(client.host, 'visit', 'set')
    return { browser }
  }),
  notEntered('a code of 10,000 letters', async ({ site, victim }, { client }) => {
    const browser = new TestBrowser(site, victim)
    const url = await walk(browser, client.host, cleared)
    url.searchParams.set('code', 'a'.repeat(7_000))
    await browser.step(url)
    return { browser }
  }),
  {
    name: 'one code ten times at the same moment',
    async attack(rig) {
      const { site, victim, good } = rig
      const before = await countCookies(rig, good)
      const browser = new TestBrowser(site, victim)
      const url = await walk(browser, good.client.host, cleared)
      const headers = { ...navigation, cookie: browser.cookieHeader(good.client.host) }
      const ask = () => callHost(site, { host: good.client.host, path: url.pathname + url.search, headers })
      const answers = await Promise.all(Array.from({ length: 10 }, ask))
      const entered = answers.filter((answer) => answer.status === 303).length
      return {
        client: { saw: entered, wanted: 1 },
        beyond: { saw: (await countCookies(rig, good)) - before, wanted: 1 },
      }
    },
  },
  {
    name: 'a made-up proof that the last visitor’s things were cleared',
    async attack({ site, victim, good }) {
      const browser = new TestBrowser(site, victim)
      const url = await walk(browser, good.client.host, withCode)
      url.searchParams.set('cleared', `zzzzzzzz-${'a'.repeat(43)}`)
      const { headers } = await browser.step(url)
      return {
        client: { saw: /"storage"/.test(String(headers['clear-site-data'])), wanted: true },
        beyond: { saw: hasEntered(browser, good.client.host), wanted: false },
      }
    },
  },
  {
    name: 'the proof of another host',
    async attack({ site, victim, good, evil }) {
      const other = await walk(new TestBrowser(site, victim), evil.client.host, cleared)
      const browser = new TestBrowser(site, victim)
      const url = await walk(browser, good.client.host, withCode)
      url.searchParams.set('cleared', other.searchParams.get('cleared') ?? '')
      const { headers } = await browser.step(url)
      return {
        client: { saw: /"storage"/.test(String(headers['clear-site-data'])), wanted: true },
        beyond: { saw: hasEntered(browser, good.client.host), wanted: false },
      }
    },
  },
]

/** A person with a code, whose visit ends before it is swapped. */
async function afterEnd(rig: Rig, end: (user: TestUser) => Promise<unknown>): Promise<Attempt> {
  const user = await createUser(rig.site.db)
  const station = await rig.addStation(user)
  const browser = new TestBrowser(rig.site, user)
  const url = await walk(browser, station.client.host, cleared)
  await end(user)
  await visitsEnded(rig, user.userId)
  await browser.step(url)
  return { browser, station, cookies: 1 }
}

describeIsolation('stolen, replayed and foreign codes', startCodeRig, entering, [
  {
    name: 'the comparison of states',
    start: () => startCodeRig({ rules: { matchState: yes } }),
    falls: [
      'a code in another browser that has asked, too',
      'the attacker’s code, slipped to a victim on the way in',
      'the victim asks the console with the attacker’s state',
    ],
  },
])
