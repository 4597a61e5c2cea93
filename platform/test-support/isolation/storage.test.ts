import { createHolder, createUser, navigation, TestBrowser, type VisitAnswer } from '@busbar/testkit'
import { keepAnswer } from './testing/lax-rules.ts'
import { leaveVisits, type Rig, type Station, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

/** A browser fetches a script to keep it running: it would be there after the visit. */
const kept = (name: string, path: string, says: Record<string, string>, method = 'GET'): Vector<Rig> => ({
  name,
  async attack({ good }) {
    const { status, text } = await good.client.request(path, { method, headers: says })
    return {
      client: { saw: [status, text.includes('the page')], wanted: [403, false] },
      beyond: { saw: await good.listArrivals(), wanted: [] },
    }
  },
})

/** A machine sends a header that would reach beyond its visit, or beyond its host. */
const lasting = (name: string, said: Record<string, string>): Vector<Rig> => ({
  name: `a machine answers with ${name}`,
  async attack({ evil }) {
    evil.answer = (stream) => {
      stream.respond({ ':status': 200, ...said })
      stream.end('the page')
    }
    const { headers, text } = await evil.client.request('/x')
    return {
      client: { saw: Object.keys(said).filter((header) => header in headers), wanted: [] },
      beyond: { saw: [text, evil.arrivals.length], wanted: ['the page', 1] },
    }
  },
})

const clearedBy = ({ headers }: VisitAnswer) => String(headers['clear-site-data'] ?? '')

/** An act after which a browser must drop the last visitor's data; the machine gets no request meanwhile. */
const forgotten = (
  name: string,
  wanted: { clears: string; expires: boolean },
  act: (rig: Rig) => Promise<VisitAnswer>,
): Vector<Rig> => ({
  name,
  async attack(rig) {
    const answer = await act(rig)
    const cookies = answer.headers['set-cookie'] ?? []
    const expires = cookies.some((line) => /^left=; Path=\/; Max-Age=0/.test(line))
    return {
      client: { saw: { clears: clearedBy(answer), expires }, wanted },
      beyond: { saw: await rig.good.listArrivals(), wanted: [] },
    }
  },
})

const everything = '"cookies","storage","cache"'
const notTheOthersCookies = '"storage","cache"'

/** Goes the way in up to the answer that clears. */
async function enterUpTo(browser: TestBrowser, host: string): Promise<VisitAnswer> {
  browser.set(host, 'left', 'behind')
  let url = new URL(`http://${host}/`)
  for (let steps = 0; steps < 4; steps++) {
    const answer = await browser.stepIn(url)
    if (clearedBy(answer) || !answer.headers.location) return answer
    url = new URL(answer.headers.location, url)
  }
  throw new Error('nothing was cleared')
}

const vectors: Vector<Rig>[] = [
  kept('a service worker', '/sw.js', { 'service-worker': 'script' }),
  kept('a service worker that is a module', '/sw.mjs', {
    'service-worker': 'script',
    'sec-fetch-mode': 'same-origin',
    'sec-fetch-dest': 'serviceworker',
  }),
  kept('a service worker of an older browser', '/sw.js', { 'sec-fetch-dest': 'serviceworker' }),
  kept('a service worker that does not say script', '/sw.js', { 'service-worker': 'other' }),
  kept('an empty Service-Worker', '/sw.js', { 'service-worker': '' }),
  kept('what a service worker imports, told by its destination', '/part.js', {
    'service-worker': 'script',
    'sec-fetch-dest': 'script',
  }),
  kept('a service worker looked at first', '/sw.js', { 'service-worker': 'script' }, 'HEAD'),
  kept('a service worker whose name is a page’s', '/', { 'service-worker': 'script', ...navigation }),
  lasting('Service-Worker-Allowed', { 'service-worker-allowed': '/' }),
  lasting('Clear-Site-Data, which would end the visits of other machines', {
    'clear-site-data': '"cookies"',
  }),
  lasting('Strict-Transport-Security', {
    'strict-transport-security': 'max-age=99999999; includeSubDomains',
  }),
  lasting('Alt-Svc, to be asked elsewhere from then on', { 'alt-svc': 'h2="evil.example:443"; ma=999999' }),
  lasting('NEL and Report-To, to be told of later', {
    nel: '{"report_to":"x","max_age":999999}',
    'report-to': '{"group":"x","max_age":999999,"endpoints":[{"url":"http://evil.example"}]}',
    'reporting-endpoints': 'x="http://evil.example"',
  }),
  lasting('Set-Cookie2 and key pins', { 'set-cookie2': 'a=1', 'public-key-pins': 'max-age=9' }),
  forgotten(
    'entering where somebody has left things, with no other visit open',
    { clears: everything, expires: true },
    async ({ site, good }) => {
      const user = await createHolder(site.db, good.machine.machineId, { role: 'bkey' })
      return enterUpTo(new TestBrowser(site, user), good.client.host)
    },
  ),
  forgotten(
    'entering beside another open visit, whose cookies stay',
    { clears: notTheOthersCookies, expires: true },
    ({ site, good, victim }) => enterUpTo(new TestBrowser(site, victim), good.client.host),
  ),
  {
    name: 'the first page after a visit has ended',
    async attack(rig) {
      const station = await leaveOwn(rig)
      const answer = await station.client.request('/x', {
        headers: { ...navigation, cookie: `${station.client.cookie}; left=behind` },
      })
      const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.replace(/;.*/, ''))
      return {
        client: {
          saw: [clearedBy(answer), cookies, answer.headers['cache-control']],
          wanted: [everything, ['left=', 'visit='], 'no-store'],
        },
        beyond: { saw: station.arrivals.length, wanted: 0 },
      }
    },
  },
  {
    name: 'a script that goes on asking after the visit has ended',
    async attack(rig) {
      const station = await leaveOwn(rig)
      const answer = await station.client.request('/x')
      return {
        client: { saw: [answer.status, clearedBy(answer)], wanted: [403, ''] },
        beyond: { saw: station.arrivals.length, wanted: 0 },
      }
    },
  },
]

/** A person's visit of a separate machine, after they left. */
async function leaveOwn(rig: Rig): Promise<Station> {
  const user = await createUser(rig.site.db)
  const station = await rig.addStation(user)
  await leaveVisits(rig, user.userId)
  station.reset()
  return station
}

const namesOf = (pattern: RegExp) => vectors.map(({ name }) => name).filter((name) => pattern.test(name))

describeIsolation('service workers and what stays in the browser', startRig, vectors, [
  {
    name: 'the refusal of service workers',
    start: () => startRig({ rules: { isServiceWorker: () => false } }),
    falls: namesOf(/service worker|Service-Worker$/),
  },
  {
    name: 'the removal of headers from answers',
    start: () => startRig({ rules: { responseHeaders: keepAnswer } }),
    falls: namesOf(/^a machine answers/),
  },
])
