import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ApiError, accounts, visits } from '@busbar/contract'
import {
  callHost,
  createMachine,
  enterVisit,
  localPort,
  openAgentTunnel,
  type VisitClient,
  visitClientOf,
} from '@busbar/testkit'
import { keepHeaders } from './testing/lax-rules.ts'
import { speak, tryWebSocket } from './testing/raw-client.ts'
import { type Rig, type RigOptions, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

/** The platform's own neighbourhood: a server on its loopback that must not be reachable from outside through it. */
interface NetworkRig extends Rig {
  readonly canary: { readonly port: number; readonly hits: string[] }
  /** The victim inside a machine with the real agent, which also has another page. */
  readonly real: {
    readonly client: VisitClient
    readonly code: string
    readonly machineId: number
    readonly asked: string[]
  }
}

const close = 'Connection: close'

/** Requests that reached the server's neighbours or the machines: none are allowed. */
async function unnoticed({ canary, good, real }: NetworkRig): Promise<string[]> {
  return [...canary.hits, ...(await good.listArrivals()), ...real.asked]
}

/** A request line that names another place than the one it was sent to. */
const elsewhere = (
  name: string,
  line: (rig: NetworkRig) => string,
  statuses: readonly number[] = [400, 405],
  from: (rig: NetworkRig) => string[] = ({ good }) => good.lines,
): Vector<NetworkRig> => ({
  name,
  async attack(rig) {
    const said = [`${line(rig)} HTTP/1.1`, ...from(rig), close, '', ''].join('\r\n')
    const got = await speak(rig.site, said)
    return {
      client: {
        saw: [
          got.statuses.every((status) => statuses.includes(status)),
          got.statuses.length,
          got.text.includes('canary'),
        ],
        wanted: [true, 1, false],
      },
      beyond: { saw: await unnoticed(rig), wanted: [] },
    }
  },
})

/** A URL that a client sends: it is compared with the platform's own, never fetched. */
const tested = (name: string, url: (rig: NetworkRig) => string): Vector<NetworkRig> => ({
  name: `testMachineState is given ${name}`,
  async attack(rig) {
    const state = await rig.site
      .as(rig.victim)
      .call(visits.testVisitUrl, { testUrl: url(rig) })
      .then(
        (answer) => answer.state,
        (error: ApiError) => error.code,
      )
    return {
      client: { saw: state, wanted: 'offline' },
      beyond: { saw: await unnoticed(rig), wanted: [] },
    }
  },
})

/** A target that an agent's list does not have. */
const targeted = (name: string, target: (rig: NetworkRig) => string): Vector<NetworkRig> => ({
  name: `a visit of the target ${name}`,
  async attack(rig) {
    const { site, victim, real } = rig
    const before = await countVisits(rig)
    const code = await site
      .as(victim)
      .call(visits.openVisit, { machineID: real.machineId, terminalID: 'test', target: target(rig) })
      .then(
        () => 'opened',
        (error: ApiError) => error.code,
      )
    return {
      client: { saw: ['400', 'TARGET_UNKNOWN'].includes(code), wanted: true },
      beyond: { saw: [await unnoticed(rig), (await countVisits(rig)) - before], wanted: [[], 0] },
    }
  },
})

async function countVisits({ site }: NetworkRig): Promise<number> {
  return (await site.db.selectFrom('visits').select('id').execute()).length
}

/** A path of the platform at a visit host: it belongs to the machine there, and does not use a console session. */
const atVisitHost = (name: string, path: string, method = 'GET'): Vector<NetworkRig> => ({
  name: `${name} at a visit host is the machine’s`,
  async attack({ site, good, victim }) {
    const cookie = `${good.client.cookie}; token=${victim.token}`
    const { text, status } = await visitClientOf(site, good.client.host, cookie).request(path, { method })
    const [arrival] = good.arrivals
    return {
      client: { saw: [status, text], wanted: [200, 'the page'] },
      beyond: {
        saw: [arrival?.path, JSON.stringify(arrival?.headers ?? {}).includes(victim.token)],
        wanted: [path, false],
      },
    }
  },
})

const vectors: Vector<NetworkRig>[] = [
  elsewhere('a neighbour in absolute form', ({ canary }) => `GET http://127.0.0.1:${canary.port}/`),
  elsewhere('the metadata address in absolute form', () => 'GET http://169.254.169.254/latest/meta-data/'),
  elsewhere('a file in absolute form', () => 'GET file:///etc/passwd'),
  elsewhere('CONNECT to a neighbour', ({ canary }) => `CONNECT 127.0.0.1:${canary.port}`),
  elsewhere('CONNECT to a machine’s controller', () => 'CONNECT 192.168.0.5:502'),
  elsewhere('CONNECT to the database', () => 'CONNECT [::1]:5432'),
  elsewhere('TRACE, which would show the cookie', () => 'TRACE /'),
  elsewhere(
    'a neighbour as the Host',
    () => 'GET /api/v1/brand',
    [303, 404, 503, 200],
    ({ canary }) => [`Host: 127.0.0.1:${canary.port}`],
  ),
  elsewhere(
    'the metadata address as the Host',
    () => 'GET /latest/meta-data/',
    [200, 302, 404, 503],
    () => ['Host: 169.254.169.254'],
  ),
  tested('a neighbour', ({ canary }) => `http://127.0.0.1:${canary.port}/`),
  tested('a neighbour by a name', ({ canary }) => `http://localhost:${canary.port}/`),
  tested('a neighbour by a number', ({ canary }) => `http://2130706433:${canary.port}/`),
  tested('a neighbour by IPv6', ({ canary }) => `http://[::ffff:127.0.0.1]:${canary.port}/`),
  tested('the metadata address', () => 'http://169.254.169.254/latest/meta-data/'),
  tested('the console itself', ({ site }) => `${site.url}/api/user/v1/tokenInfo`),
  tested('a file', () => 'file:///etc/passwd'),
  tested('gopher', ({ canary }) => `gopher://127.0.0.1:${canary.port}/_GET`),
  tested(
    'a machine as the user of a neighbour',
    ({ canary, good }) => `http://${good.client.host}@127.0.0.1:${canary.port}/`,
  ),
  tested(
    'a name that ends like a machine’s',
    ({ good, canary }) => `http://${good.machine.code}.visit.localhost.evil.example:${canary.port}/`,
  ),
  tested('a machine that is not the caller’s', () => 'http://1234567890123456789.visit.localhost/'),
  targeted('127.0.0.1:port', ({ canary }) => `127.0.0.1:${canary.port}`),
  targeted('agent, which is the platform’s own', () => 'agent'),
  targeted('a name nobody configured', () => 'secret'),
  targeted('a name with a line break', () => 'page\r\nbusbar-mode: rw'),
  targeted('a controller’s address', () => '192-168-0-5'),
  atVisitHost('the console’s API', '/api/user/v1/tokenInfo'),
  atVisitHost('the console’s sign-out', '/api/user/logout', 'POST'),
  atVisitHost('/visit/authorize', '/visit/authorize?host=x&state=y'),
  atVisitHost('/healthz', '/healthz'),
  atVisitHost('/metrics', '/metrics'),
  atVisitHost('/tunnel', '/tunnel'),
  {
    name: 'the tunnel opened at a visit host',
    async attack({ site, good }) {
      const ws = good.client.openWebSocket('/tunnel', {
        protocols: ['busbar-tunnel.1'],
        headers: {
          authorization: `Basic ${Buffer.from(`${good.machine.code}:${good.machine.secret}`).toString('base64')}`,
        },
      })
      const before = site.platform.tunnels.find(good.machine.machineId)
      const opened = await tryWebSocket(ws)
      const [arrival] = good.arrivals
      return {
        // The machine opened its own WebSocket under that path, without the requested protocol.
        client: { saw: opened, wanted: 'Server sent no subprotocol' },
        beyond: {
          saw: [arrival?.protocol, site.platform.tunnels.find(good.machine.machineId) === before],
          wanted: ['websocket', true],
        },
      }
    },
  },
  {
    name: 'the visit host’s own paths at the console',
    async attack({ site, good }) {
      const answers = await Promise.all(
        ['/.busbar/leave', '/.busbar/left', '/.busbar/enter?code=a&state=b'].map((path) =>
          callHost(site, {
            host: `localhost:${site.webPort}`,
            path,
            method: path.endsWith('leave') ? 'POST' : 'GET',
            headers: { cookie: good.client.cookie, 'sec-fetch-site': 'same-origin' },
          }),
        ),
      )
      const after = await good.client.request('/after')
      return {
        client: {
          saw: answers.map(({ headers }) => [headers['set-cookie'], headers['clear-site-data']]),
          wanted: Array(3).fill([undefined, undefined]),
        },
        beyond: { saw: after.status, wanted: 200 },
      }
    },
  },
  {
    name: 'a machine’s page that asks the console’s API with the victim’s cookie',
    async attack({ site, evil, victim }) {
      const answer = await callHost(site, {
        host: `localhost:${site.webPort}`,
        path: '/api/user/logout',
        method: 'POST',
        headers: {
          cookie: `token=${victim.token}`,
          origin: evil.client.origin,
          'sec-fetch-site': 'cross-site',
          'content-length': '0',
        },
      })
      const { userid } = await site.as(victim).call(accounts.selectInfo, {})
      return {
        client: {
          saw: [answer.status, answer.headers['access-control-allow-origin']],
          wanted: [403, undefined],
        },
        beyond: { saw: userid, wanted: victim.userId },
      }
    },
  },
  {
    name: 'an answer that leads to a neighbour: the browser is told, the platform does not go there',
    async attack(rig) {
      const { evil, canary } = rig
      const location = `http://127.0.0.1:${canary.port}/`
      evil.answer = (stream) => stream.respond({ ':status': 307, location }, { endStream: true })
      const { status, headers } = await evil.client.request('/x')
      return {
        client: { saw: [status, headers.location], wanted: [307, location] },
        beyond: { saw: await unnoticed(rig), wanted: [] },
      }
    },
  },
  {
    name: 'a path that is a neighbour’s address, at a real agent',
    async attack(rig) {
      const { real, canary } = rig
      const { status } = await real.client.request(`//127.0.0.1:${canary.port}/x`)
      return {
        client: { saw: status, wanted: 200 },
        beyond: { saw: [canary.hits, real.asked], wanted: [[], [`hmi.test //127.0.0.1:${canary.port}/x`]] },
      }
    },
  },
]

async function startNetworkRig(options: RigOptions = {}): Promise<NetworkRig> {
  const rig = await startRig(options)
  const hits: string[] = []
  const canary = await listen((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    response.end('canary')
  })
  const asked: string[] = []
  const hmi = await listen((request, response) => {
    asked.push(
      `${request.headers.host === `127.0.0.1:${portOf(hmi)}` ? 'hmi.test' : request.headers.host} ${request.url}`,
    )
    response.end('the hmi')
  })
  const owner = rig.victim
  const machine = await createMachine(rig.site.db, { owner: owner.userId })
  const tunnel = await openAgentTunnel(rig.site, machine, {
    targets: [{ name: 'hmi', url: `http://127.0.0.1:${portOf(hmi)}` } as never],
    ports: [localPort(portOf(hmi))],
  })
  const client = await enterVisit(rig.site, owner, machine, 'hmi')
  return {
    ...rig,
    canary: { port: portOf(canary), hits },
    real: { client, code: machine.code, machineId: machine.machineId, asked },
    reset() {
      rig.reset()
      hits.length = 0
      asked.length = 0
    },
    async stop() {
      tunnel.stop()
      canary.close()
      hmi.close()
      await rig.stop()
    },
  }
}

async function listen(answer: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(answer as never)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** A web port that does not distinguish hosts: everything belongs to the console. */
async function startWithOneSite(): Promise<NetworkRig> {
  const rig = await startNetworkRig()
  const { app } = rig.site.platform
  app.server.removeAllListeners('request').on('request', app.routing)
  return rig
}

const ofThePlatform = vectors.map(({ name }) => name).filter((name) => /^(the console’s|\/)/.test(name))

describeIsolation('the server’s own network', startNetworkRig, vectors, [
  {
    name: 'the web port’s telling hosts apart',
    start: startWithOneSite,
    falls: ofThePlatform,
  },
  {
    name: 'the removal of headers',
    start: () => startNetworkRig({ rules: { stripRequestHeaders: keepHeaders } }),
    falls: ofThePlatform,
  },
])
