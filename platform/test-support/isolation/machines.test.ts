import { createHash, randomBytes } from 'node:crypto'
import { visits } from '@busbar/contract'
import {
  createMachine,
  createUser,
  dialTestTunnel,
  enterVisit,
  failureOf,
  navigation,
  openTestTunnel,
  visitClientOf,
} from '@busbar/testkit'
import { yes } from './testing/lax-rules.ts'
import { type Rig, startRig } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

/** A name that must lead to no machine, whichever cookie comes along. */
const misnamed = (name: string, host: (rig: Rig) => string, statuses: readonly number[]): Vector<Rig> => ({
  name,
  async attack(rig) {
    const { site, good, evil } = rig
    const port = good.client.host.replace(/^[^:]*/, '')
    const client = visitClientOf(site, host(rig) + port, good.client.cookie)
    const { status, text } = await client.request('/x', { headers: navigation })
    return {
      client: { saw: [statuses.includes(status), text.includes('the page')], wanted: [true, false] },
      beyond: { saw: [good.arrivals.length, evil.arrivals.length], wanted: [0, 0] },
    }
  },
})

const domain = 'visit.localhost'
const authorities: Vector<Rig>[] = [
  misnamed(
    'the platform’s own target (agent) as a host',
    ({ good }) => `agent--${good.machine.code}.${domain}`,
    [421],
  ),
  misnamed('a second name of the same page', ({ good }) => `page--${good.machine.code}.${domain}`, [421]),
  misnamed(
    'one machine as the target of another',
    ({ evil, good }) => `${evil.machine.code}--${good.machine.code}.${domain}`,
    [303],
  ),
  misnamed('a name below the machine’s', ({ good }) => `x.${good.machine.code}.${domain}`, [421]),
  misnamed('a dot behind the name', ({ good }) => `${good.machine.code}.${domain}.`, [421, 400]),
  misnamed('a code of 18 digits', ({ good }) => `${good.machine.code.slice(1)}.${domain}`, [421]),
  misnamed('a code of 20 digits', ({ good }) => `0${good.machine.code}.${domain}`, [421]),
  misnamed(
    'a target with an address in it',
    ({ good }) => `127.0.0.1--${good.machine.code}.${domain}`,
    [421],
  ),
  misnamed('three hyphens', ({ good }) => `plc---${good.machine.code}.${domain}`, [421]),
  misnamed('an underscore', ({ good }) => `plc_a--${good.machine.code}.${domain}`, [421]),
  {
    name: 'a cookie whose visit is of another page of the machine',
    async attack(rig) {
      const { site, victim } = rig
      const targets = [
        { name: 'page', readOnly: true },
        { name: 'plc', readOnly: false },
      ]
      const station = await rig.addStation(victim, { targets })
      const plc = await enterVisit(site, victim, station.machine, 'plc')
      const { visit_id: visitId } = await site.db
        .selectFrom('visit_cookies')
        .select('visit_id')
        .where('host', '=', plc.host.replace(/:.*/, ''))
        .executeTakeFirstOrThrow()
      station.reset()
      // As if a mistake elsewhere had made it: the visit itself has its own page.
      const cookie = randomBytes(32).toString('base64url')
      const host = station.client.host.replace(/:.*/, '')
      const hash = createHash('sha256').update(cookie).digest()
      await site.db
        .insertInto('visit_cookies')
        .values({ cookie_hash: hash, visit_id: visitId, host })
        .execute()
      const { status } = await visitClientOf(site, station.client.host, `visit=${cookie}`).request('/x')
      return {
        client: { saw: status, wanted: 404 },
        beyond: { saw: station.arrivals.map(({ target }) => target), wanted: [] },
      }
    },
  },
]

/** Attacks of an agent with one machine's secret; the other machine and its visitor must not notice them. */
const agents: Vector<Rig>[] = [
  {
    name: 'an agent signs in with its own secret and the other machine’s code',
    async attack(rig) {
      const { site, evil, good } = rig
      const { status, reached } = await dialAs(rig, { code: good.machine.code, secret: evil.machine.secret })
      return {
        client: { saw: status, wanted: 401 },
        beyond: {
          saw: [reached, site.platform.tunnels.find(good.machine.machineId) !== undefined],
          wanted: [['GET /still'], true],
        },
      }
    },
  },
  {
    name: 'an agent signs in with no secret',
    async attack(rig) {
      const { status, reached } = await dialAs(rig, { code: rig.good.machine.code, secret: '' })
      return { client: { saw: status, wanted: 401 }, beyond: { saw: reached, wanted: ['GET /still'] } }
    },
  },
  {
    name: 'an agent signs in with the victim’s session',
    async attack(rig) {
      const { status, reached } = await dialAs(rig, { code: rig.good.machine.code, secret: rig.victim.token })
      return { client: { saw: status, wanted: 401 }, beyond: { saw: reached, wanted: ['GET /still'] } }
    },
  },
  {
    name: 'an agent names the other machine in its address',
    async attack(rig) {
      const { site, good, victim } = rig
      const own = await createMachine(site.db, { owner: victim.userId })
      const tunnel = await openTestTunnel(site, own, (stream) => stream.respond({ ':status': 200 }), {
        url: `${site.url}/tunnel?code=${good.machine.code}#`,
      }).catch((error: Error) => error)
      await good.client.request('/still')
      const reached = await good.listArrivals()
      if (!(tunnel instanceof Error)) tunnel.close()
      return {
        client: { saw: tunnel instanceof Error, wanted: true },
        beyond: { saw: reached, wanted: ['GET /still'] },
      }
    },
  },
  {
    name: 'an agent offers the platform’s own target as a page',
    attack: (rig) => offering(rig, [{ name: 'agent', readOnly: true }]),
  },
  {
    name: 'an agent offers a page whose name is an address',
    attack: (rig) => offering(rig, [{ name: 'a.b:80', readOnly: true }]),
  },
  {
    name: 'an agent offers a page twice, once to be watched and once not',
    attack: (rig) =>
      offering(rig, [
        { name: 'page', readOnly: false },
        { name: 'page', readOnly: true },
      ]),
  },
  {
    name: 'an agent offers a thousand pages',
    attack: (rig) =>
      offering(
        rig,
        Array.from({ length: 1_000 }, (_, at) => ({ name: `p${at}`, readOnly: true })),
      ),
  },
  {
    name: 'an agent sends the browser to the other machine’s way out',
    async attack({ evil, good }) {
      evil.answer = (stream) =>
        stream.respond(
          { ':status': 302, location: `${good.client.origin}/.busbar/leave` },
          { endStream: true },
        )
      const { status, headers } = await evil.client.request('/x')
      const followed = await good.client.request('/.busbar/leave', {
        headers: { ...navigation, 'sec-fetch-site': 'same-site' },
      })
      await good.client.request('/still')
      return {
        client: {
          saw: [status, headers.location, followed.status],
          wanted: [302, `${good.client.origin}/.busbar/leave`, 404],
        },
        beyond: { saw: await good.listArrivals(), wanted: ['GET /still'] },
      }
    },
  },
  {
    name: 'somebody with no right to the good machine, who knows all its names',
    async attack(rig) {
      const { site, good } = rig
      const stranger = await createUser(site.db)
      const refused = await enterVisit(site, stranger, good.machine).catch((error: Error) => error.message)
      const opened = await failureOf(site.as(stranger), visits.openVisit, {
        machineID: good.machine.machineId,
        terminalID: 'test',
      })
      const made = await site.db
        .selectFrom('visits')
        .select('id')
        .where('user_id', '=', stranger.userId)
        .execute()
      return {
        client: {
          saw: [/not entered: 403/.test(String(refused)), opened.code],
          wanted: [true, 'GENERAL_USER'],
        },
        beyond: { saw: [made, await good.listArrivals()], wanted: [[], []] },
      }
    },
  },
]

/** Dials with these credentials, and checks whether the good machine is still reached through its own tunnel. */
async function dialAs({ site, good }: Rig, as: { code: string; secret: string }) {
  const ws = dialTestTunnel(site, as)
  const status = await new Promise((resolve) => {
    ws.once('unexpected-response', (request, { statusCode }) => {
      request.destroy()
      resolve(statusCode)
    })
    ws.once('open', () => resolve('open'))
    ws.on('error', () => undefined)
  })
  ws.terminate()
  await good.client.request('/still')
  return { status, reached: await good.listArrivals() }
}

/** An agent with this offer: nobody can enter, and the good machine's offer does not change. */
async function offering({ site, victim, good }: Rig, targets: { name: string; readOnly: boolean }[]) {
  const machine = await createMachine(site.db, { owner: victim.userId })
  const tunnel = await openTestTunnel(site, machine, () => undefined, { targets })
  const { code } = await failureOf(site.as(victim), visits.openVisit, {
    machineID: machine.machineId,
    terminalID: 'test',
  })
  const offered = await site.as(victim).call(visits.listTargets, { machineId: good.machine.machineId })
  tunnel.close()
  return {
    client: { saw: code, wanted: 'ClOUD_VISIT_TIMEOUT' },
    beyond: { saw: offered.targets, wanted: [{ name: 'page', readOnly: true }] },
  }
}

describeIsolation(
  'one machine’s name or agent in place of another’s',
  startRig,
  [...authorities, ...agents],
  [
    {
      name: 'the check of the page that a visit is of',
      start: () => startRig({ rules: { checkTarget: yes } }),
      falls: ['a cookie whose visit is of another page of the machine'],
    },
    {
      name: 'the names that a host may have',
      start: () =>
        startRig({
          rules: {
            // Any host that contains a code becomes that machine's page.
            parseHost(address, header) {
              const [, code] = /(\d{19})\.visit\.localhost/.exec(header ?? '') ?? []
              return code ? { host: address.hostOf(code, 'page'), code, target: 'page' } : undefined
            },
          },
        }),
      falls: [
        'the platform’s own target (agent) as a host',
        'a second name of the same page',
        'one machine as the target of another',
        'a name below the machine’s',
        'a dot behind the name',
        'a code of 20 digits',
        'a target with an address in it',
        'three hyphens',
        'an underscore',
      ],
    },
  ],
)
