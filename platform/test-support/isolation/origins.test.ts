import { yes } from './testing/lax-rules.ts'
import { tryWebSocket } from './testing/raw-client.ts'
import { type Rig, type Station, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

/** The header with which a browser marks a request from another machine's page: all machines' hosts are one site. */
const sameSite = { 'sec-fetch-site': 'same-site' }

/** The victim's browser requests the good machine for the evil one's page; its cookie is sent along. */
const crossing = (
  name: string,
  method: string,
  headers: (evil: Station, good: Station) => Record<string, string>,
): Vector<Rig> => ({
  name,
  async attack({ evil, good }) {
    const body = method === 'POST' ? 'stop=1' : undefined
    const answer = await good.client.request('/change', {
      method,
      headers: headers(evil, good),
      ...(body ? { body } : {}),
    })
    return {
      client: { saw: [answer.status, answer.text.includes('the page')], wanted: [403, false] },
      beyond: { saw: await good.listArrivals(), wanted: [] },
    }
  },
})

/** A WebSocket that a page of another origin opens. */
const foreignSocket = (
  name: string,
  headers: (evil: Station, good: Station) => Record<string, string>,
): Vector<Rig> => ({
  name,
  async attack({ evil, good }) {
    const ws = good.client.openWebSocket('/ws', { headers: headers(evil, good) })
    const what = await tryWebSocket(ws)
    return {
      client: { saw: what, wanted: '403' },
      beyond: { saw: await good.listArrivals(), wanted: [] },
    }
  },
})

const fromPage = (mode: string, dest: string) => (evil: Station) => ({
  ...sameSite,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
  referer: `${evil.client.origin}/`,
  ...(mode === 'cors' ? { origin: evil.client.origin } : {}),
})
const pages: Vector<Rig>[] = [
  crossing('a fetch that reads', 'GET', fromPage('cors', 'empty')),
  crossing('a fetch without CORS', 'GET', fromPage('no-cors', 'empty')),
  crossing('a picture', 'GET', fromPage('no-cors', 'image')),
  crossing('a script', 'GET', fromPage('no-cors', 'script')),
  crossing('a style sheet', 'GET', fromPage('no-cors', 'style')),
  crossing('a frame', 'GET', fromPage('navigate', 'iframe')),
  crossing('an object', 'GET', fromPage('navigate', 'object')),
  crossing('a form that is posted', 'POST', (evil) => ({
    ...sameSite,
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    origin: evil.client.origin,
    'content-type': 'application/x-www-form-urlencoded',
  })),
  crossing('a form that hides where it is', 'POST', () => ({
    ...sameSite,
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    origin: 'null',
  })),
  crossing('a beacon', 'POST', fromPage('no-cors', 'empty')),
  crossing('a preflight', 'OPTIONS', (evil) => ({
    ...fromPage('cors', 'empty')(evil),
    'access-control-request-method': 'PUT',
  })),
  crossing('a PUT', 'PUT', fromPage('cors', 'empty')),
  crossing('an EventSource', 'GET', (evil) => ({
    ...fromPage('cors', 'empty')(evil),
    accept: 'text/event-stream',
  })),
  crossing('a page of no site of ours', 'POST', () => ({
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'no-cors',
    origin: 'https://evil.example',
  })),
  crossing('a prefetch that is no navigation', 'GET', fromPage('no-cors', 'document')),
  crossing('a page that says it is the good one, with the origin of its own', 'POST', (evil) => ({
    'sec-fetch-site': 'same-origin',
    origin: evil.client.origin,
  })),
  foreignSocket('a WebSocket', (evil) => ({ origin: evil.client.origin })),
  foreignSocket('a WebSocket of a sandboxed frame', () => ({ origin: 'null' })),
  foreignSocket('a WebSocket of the good host’s other port', (_, good) => ({
    origin: good.client.origin.replace(/:\d+$/, ':1'),
  })),
  foreignSocket('a WebSocket of https beside http', (_, good) => ({
    origin: good.client.origin.replace('http:', 'https:'),
  })),
  foreignSocket('a WebSocket of a name that begins like it', (_, good) => ({
    origin: `${good.client.origin}.evil.example`,
  })),
  {
    name: 'leaving, by a form of another machine’s page',
    async attack({ evil, good }) {
      const { status } = await good.client.request('/.busbar/leave', {
        method: 'POST',
        headers: {
          ...sameSite,
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
          origin: evil.client.origin,
        },
      })
      const after = await good.client.request('/after')
      return {
        client: { saw: status, wanted: 403 },
        beyond: { saw: [after.status, good.arrivals.length], wanted: [200, 1] },
      }
    },
  },
]

const namesOf = (pattern: RegExp) => pages.map(({ name }) => name).filter((name) => pattern.test(name))

describeIsolation('one machine’s page reaching another', startRig, pages, [
  {
    name: 'the check of where a request comes from',
    start: () => startRig({ rules: { checkFetchOrigin: yes } }),
    falls: namesOf(/^(?!a WebSocket)/),
  },
  {
    name: 'the check of where a WebSocket comes from',
    start: () => startRig({ rules: { checkSocketOrigin: yes } }),
    falls: namesOf(/^a WebSocket/),
  },
])
