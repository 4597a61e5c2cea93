import { timing, visits } from '@busbar/contract'
import {
  createHolder,
  createUser,
  enterVisit,
  navigation,
  signIn,
  TestBrowser,
  type TestUser,
  type VisitAnswer,
  type VisitClient,
} from '@busbar/testkit'
import { yes } from './testing/lax-rules.ts'
import { listVisits, type Rig, type RigOptions, type Station, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'
import { cleared, walk } from './testing/way-in.ts'

/** A machine whose page can be changed by a GET, and a person who is inside it and in control. */
interface LinkRig extends Rig {
  readonly plant: Station
  readonly owner: TestUser
  readonly mixer: VisitClient
}

const unkept = 'mixer'
const kept = 'files'
/** A path that another website tries to send to the machine. */
const harm = '/stop?now=1'
const start = '/start'
const stepsMax = 8

const caused = { ...navigation, 'sec-fetch-site': 'cross-site' }
/** A browser without Fetch Metadata opens a page. */
const bare = { accept: 'text/html', 'sec-fetch-site': [], 'sec-fetch-mode': [], 'sec-fetch-dest': [] }
const asksToEnter = /<form method="post" action="\/visit\/authorize/
const asksToContinue = /Open this address|确认打开此地址/

/** A person who may enter the good machine and has not clicked the button. */
async function createNewcomer({ site, good }: Rig): Promise<TestUser> {
  const user = await createHolder(site.db, good.machine.machineId, { role: 'bkey' })
  return user
}

/** The press in the console. */
const press = (
  rig: Rig,
  user: TestUser,
  { machine }: Station,
  more: { target?: string; path?: string } = {},
) =>
  rig.site.as(user).call(visits.openVisit, { machineID: machine.machineId, terminalID: 'browser-1', ...more })

/** A browser follows where a website leads it; the person presses nothing. */
async function follow(
  browser: TestBrowser,
  address: string,
  headers: Record<string, string | string[]> = caused,
): Promise<VisitAnswer> {
  let url = new URL(address)
  for (let steps = 0; steps < stepsMax; steps++) {
    const answer = await browser.step(url, { headers })
    if (!answer.headers.location) return answer
    url = new URL(answer.headers.location, url)
  }
  throw new Error('it leads nowhere')
}

const addressOf = (station: Station, path: string) => `http://${station.client.host}${path}`
const authorizeOf = ({ site, good }: Rig, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    host: good.client.host.replace(/:.*/, ''),
    state: 'a'.repeat(43),
    ...more,
  })
  return new URL(`http://localhost:${site.webPort}/visit/authorize?${query}`)
}

/** The person reads a page with a button; no visit is opened, and no request goes to the machine. */
const onlyAsked = (
  name: string,
  attempt: (rig: LinkRig, user: TestUser, browser: TestBrowser) => Promise<VisitAnswer>,
): Vector<LinkRig> => ({
  name,
  async attack(rig) {
    const user = await createNewcomer(rig)
    const { status, text } = await attempt(rig, user, new TestBrowser(rig.site, user))
    return {
      client: { saw: [status, asksToEnter.test(text), text.includes('/stop')], wanted: [200, true, false] },
      beyond: {
        saw: [(await listVisits(rig, user.userId)).length, await rig.good.listArrivals()],
        wanted: [0, []],
      },
    }
  },
})

/** A website leads into a visit that its person has just opened: it opens at the path from the console. */
const opensWhereAsked = (
  name: string,
  wanted: string,
  attempt: (rig: LinkRig, user: TestUser, browser: TestBrowser) => Promise<VisitAnswer>,
): Vector<LinkRig> => ({
  name,
  async attack(rig) {
    const user = await createNewcomer(rig)
    const answer = await attempt(rig, user, new TestBrowser(rig.site, user))
    return {
      client: { saw: [answer.status, answer.text], wanted: [200, 'the page'] },
      beyond: { saw: await rig.good.listArrivals(), wanted: [`GET ${wanted}`] },
    }
  },
})

/** A navigation within an open visit: whether the machine is asked before the person is. */
const within = (
  name: string,
  says: Record<string, string | string[]> | ((rig: LinkRig) => Record<string, string | string[]>),
  isAsked: boolean,
  inside: (rig: LinkRig) => Promise<VisitClient> = async ({ mixer }) => mixer,
): Vector<LinkRig> => ({
  name: `within a visit ${name}`,
  async attack(rig) {
    const client = await inside(rig)
    rig.plant.arrivals.length = 0
    const headers = typeof says === 'function' ? says(rig) : says
    const { text } = await client.request(harm, { headers: { ...navigation, ...headers } })
    return {
      client: { saw: [asksToContinue.test(text), text.includes(harm)], wanted: [isAsked, isAsked] },
      beyond: { saw: await rig.plant.listArrivals(), wanted: isAsked ? [] : [`GET ${harm}`] },
    }
  },
})

const entering: Vector<LinkRig>[] = [
  onlyAsked('a link to a machine’s host', ({ good }, _, browser) => follow(browser, addressOf(good, harm))),
  onlyAsked('a link to a machine’s host, without Fetch Metadata', ({ good }, _, browser) =>
    follow(browser, addressOf(good, harm), bare),
  ),
  onlyAsked('a link to the console’s way in', (rig, _, browser) => follow(browser, authorizeOf(rig).href)),
  onlyAsked('a form posted to the console’s way in', (rig, user, browser) =>
    browser.step(authorizeOf(rig, { session: String(user.sessionId) }), { method: 'POST', headers: caused }),
  ),
  onlyAsked('a form posted by another machine’s page', (rig, user, browser) =>
    browser.step(authorizeOf(rig, { session: String(user.sessionId) }), {
      method: 'POST',
      headers: { ...navigation, 'sec-fetch-site': 'same-site' },
    }),
  ),
  onlyAsked('a press on the page that somebody else left open', async (rig, _, browser) => {
    const former = await createNewcomer(rig)
    return browser.step(authorizeOf(rig, { session: String(former.sessionId) }), {
      method: 'POST',
      headers: { ...navigation, 'sec-fetch-site': 'same-origin' },
    })
  }),
  {
    name: 'a link ten minutes after the press',
    async attack(rig) {
      const user = await createNewcomer(rig)
      await press(rig, user, rig.good)
      rig.clock.offsetMs += timing.visitJoinMs
      const { text } = await follow(new TestBrowser(rig.site, user), addressOf(rig.good, '/'))
      return {
        client: { saw: asksToEnter.test(text), wanted: true },
        beyond: { saw: await rig.good.listArrivals(), wanted: [] },
      }
    },
  },
  {
    name: 'a link into a visit of another session of the same person',
    async attack(rig) {
      const user = await createNewcomer(rig)
      await press(rig, user, rig.good)
      const { text } = await follow(
        new TestBrowser(rig.site, await signIn(rig.site.db, user.userId)),
        addressOf(rig.good, '/'),
      )
      return {
        client: { saw: asksToEnter.test(text), wanted: true },
        beyond: { saw: (await listVisits(rig, user.userId)).length, wanted: 1 },
      }
    },
  },
]

const paths: Vector<LinkRig>[] = [
  opensWhereAsked('a link with a path just after the press', start, async (rig, user, browser) => {
    await press(rig, user, rig.good, { path: start })
    return follow(browser, addressOf(rig.good, harm))
  }),
  opensWhereAsked(
    'a link with a path just after the press, without Fetch Metadata',
    '/',
    async (rig, user, browser) => {
      await press(rig, user, rig.good)
      return follow(browser, addressOf(rig.good, harm), bare)
    },
  ),
  opensWhereAsked('another machine’s page leads on just after the press', '/', async (rig, user, browser) => {
    await press(rig, user, rig.good)
    const headers = { ...navigation, 'sec-fetch-site': 'same-site' }
    return follow(browser, addressOf(rig.good, harm), headers)
  }),
  opensWhereAsked('the proof of somebody else, with a path of theirs', '/', async (rig, user, browser) => {
    const attacker = await createNewcomer(rig)
    const { host } = rig.good.client
    const proven = await walk(new TestBrowser(rig.site, attacker), host, cleared, harm)
    for (const name of ['code', 'state']) proven.searchParams.delete(name)
    await press(rig, user, rig.good)
    return follow(browser, proven.href)
  }),
  opensWhereAsked('an address that the person typed', harm, async (rig, user, browser) => {
    await press(rig, user, rig.good)
    return follow(browser, addressOf(rig.good, harm), navigation)
  }),
]

const refererOf = (client: VisitClient) => ({ ...bare, referer: `${client.origin}/` })
const inside: Vector<LinkRig>[] = [
  within('another website leads on', caused, true),
  within('another machine’s page leads on', { ...navigation, 'sec-fetch-site': 'same-site' }, true),
  within('a browser without Fetch Metadata hides where it comes from', bare, true),
  within(
    'a browser without Fetch Metadata comes from another machine’s page',
    ({ evil }) => refererOf(evil.client),
    true,
  ),
  within('the page itself leads on', { 'sec-fetch-site': 'same-origin' }, false),
  within('the page itself leads on, without Fetch Metadata', ({ mixer }) => refererOf(mixer), false),
  within('the person types the address', { 'sec-fetch-site': 'none' }, false),
  within(
    'another website leads on in the agent’s own page',
    caused,
    false,
    async ({ plant }) => plant.client,
  ),
  within('another website leads on in a page that is kept to reading', caused, false, (rig) =>
    enterVisit(rig.site, rig.owner, rig.plant.machine, kept),
  ),
  {
    name: 'a second navigation after the one that the press in the console led to',
    async attack(rig) {
      await press(rig, rig.owner, rig.plant, { target: unkept, path: harm })
      const ask = async () => (await rig.mixer.request(harm, { headers: caused })).text
      const [first, second] = [await ask(), await ask()]
      return {
        client: { saw: [first, asksToContinue.test(second)], wanted: ['the page', true] },
        beyond: { saw: await rig.plant.listArrivals(), wanted: [`GET ${harm}`] },
      }
    },
  },
  {
    name: 'a navigation a minute after the press in the console',
    async attack(rig) {
      await press(rig, rig.owner, rig.plant, { target: unkept, path: harm })
      rig.clock.offsetMs += 61_000
      const { text } = await rig.mixer.request(harm, { headers: caused })
      return {
        client: { saw: asksToContinue.test(text), wanted: true },
        beyond: { saw: await rig.plant.listArrivals(), wanted: [] },
      }
    },
  },
]

async function startLinkRig(options: RigOptions = {}): Promise<LinkRig> {
  const rig = await startRig(options)
  const owner = await createUser(rig.site.db)
  const plant = await rig.addStation(owner, {
    targets: [
      { name: 'page', readOnly: true },
      { name: unkept, readOnly: false },
      { name: kept, readOnly: true },
    ],
  })
  return { ...rig, plant, owner, mixer: await enterVisit(rig.site, owner, plant.machine, unkept) }
}

const namesOf = (list: readonly Vector<LinkRig>[], from = 0, to?: number) =>
  list.slice(from, to).map(({ name }) => name)

describeIsolation(
  'entering by a link',
  startLinkRig,
  [...entering, ...paths, ...inside],
  [
    {
      name: 'the rule that only the console’s own page presses',
      start: () => startLinkRig({ rules: { isPress: yes } }),
      falls: namesOf(entering, 0, 5),
    },
    {
      name: 'the comparison of readers',
      start: () => startLinkRig({ rules: { isSameReader: yes } }),
      falls: ['a press on the page that somebody else left open'],
    },
    {
      name: 'the time in which a link joins a visit',
      start: () => startLinkRig({ rules: { mayJoin: yes } }),
      falls: ['a link ten minutes after the press'],
    },
    {
      name: 'the rule for wished paths',
      start: () => startLinkRig({ rules: { mayChoosePath: yes } }),
      falls: namesOf(paths, 0, 3),
    },
    {
      name: 'the visit that a proof is signed for',
      start: () => startLinkRig({ rules: { keepPath: yes } }),
      falls: ['the proof of somebody else, with a path of theirs'],
    },
    {
      name: 'the question before going on',
      start: () => startLinkRig({ rules: { needsContinue: () => false } }),
      falls: [
        ...namesOf(inside, 0, 4),
        'a second navigation after the one that the press in the console led to',
        'a navigation a minute after the press in the console',
      ],
    },
  ],
)
