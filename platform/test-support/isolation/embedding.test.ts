import type { IncomingHttpHeaders } from 'node:http'
import { projectData, visits } from '@busbar/contract'
import {
  callHost,
  createHolder,
  createMachine,
  createUser,
  failureOf,
  openTestTunnel,
  startTestPlatform,
  TestBrowser,
  type TestMachine,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { untilTrue } from '@busbar/testkit/until.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordRightChange } from '../../src/kernel/rights/right-changes.ts'
import { hashToken } from '../../src/modules/accounts/index.ts'
import { visitRules } from '../../src/visit-host/rules.ts'
import { yes } from './testing/lax-rules.ts'
import type { RigOptions } from './testing/rig.ts'
import { type AttackedRig, describeIsolation, type Vector } from './testing/vector.ts'

const portal = 'https://portal.example'
const key = 'a'.repeat(64)
const deadline = { timeout: 10_000 }

const framed = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'iframe',
  accept: 'text/html',
}
const within = { ...framed, 'sec-fetch-site': 'same-origin' }
const asked = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }

/** A platform with https, a machine whose agent is ours, and a project that embeds it. */
class EmbeddingRig implements AttackedRig {
  readonly site: TestPlatform
  readonly clock: { offsetMs: number }
  readonly member: TestUser
  readonly machine: TestMachine
  readonly other: TestMachine
  readonly project: { readonly id: number; readonly linkId: number }
  readonly seen: IncomingHttpHeaders[] = []
  /** The cookie of the member's own visit. */
  readonly ownCookie: string
  answer: Record<string, string> = {}

  constructor(
    parts: Pick<EmbeddingRig, 'site' | 'clock' | 'member' | 'machine' | 'other' | 'project' | 'ownCookie'>,
  ) {
    this.site = parts.site
    this.clock = parts.clock
    this.member = parts.member
    this.machine = parts.machine
    this.other = parts.other
    this.project = parts.project
    this.ownCookie = parts.ownCookie
  }

  get host(): string {
    return hostOf(this.machine)
  }

  /** The path of an address for one use. */
  async ask(): Promise<string> {
    const { url } = await this.site.as(undefined).call(projectData.getEmbeddedVisit, this.question())
    const { host, pathname, search } = new URL(url)
    if (host !== this.host) throw new Error(`another host: ${host}`)
    return `${pathname}${search}`
  }

  question(change: { privateKey?: string; account?: string; machineCode?: string } = {}) {
    return { privateKey: key, account: this.member.email, machineCode: this.machine.code, ...change }
  }

  open(path: string, headers: Record<string, string> = framed, host = this.host) {
    return callHost(this.site, { host, path, headers })
  }

  /** Enters by an address; answers the cookie. */
  async enter(): Promise<string> {
    const { headers } = await this.open(await this.ask())
    const cookie = /^__Host-visit-frame=[^;]+/.exec(headers['set-cookie']?.[0] ?? '')?.[0]
    if (!cookie) throw new Error('not entered')
    return cookie
  }

  reset(): void {
    this.seen.length = 0
    this.answer = {}
    this.clock.offsetMs = 0
  }

  stop(): Promise<void> {
    return this.site.stop()
  }
}

const hostOf = ({ code }: TestMachine): string => `${code}.machines.example`

async function startEmbeddingRig({ rules }: RigOptions = {}): Promise<EmbeddingRig> {
  const clock = { offsetMs: 0 }
  const site = await startTestPlatform(
    { PUBLIC_URL: 'https://console.example', VISIT_HOST: 'machines.example' },
    { now: () => Date.now() + clock.offsetMs, ...(rules ? { visitRules: rules } : {}) },
  )
  const member = await createUser(site.db, { name: 'Member' })
  const machine = await createMachine(site.db, { owner: member.userId })
  const other = await createMachine(site.db, { owner: member.userId })
  let rig: EmbeddingRig | undefined
  for (const one of [machine, other])
    await openTestTunnel(site, one, (stream, headers) => {
      rig?.seen.push(headers)
      stream.respond({ ':status': 200, 'content-type': 'text/html', ...rig?.answer })
      stream.end('the page')
    })
  const project = await createProject(site, member, machine)
  const browser = new TestBrowser(site)
  browser.set('console.example', '__Host-token', member.token)
  await browser.open(`https://${hostOf(machine)}/`)
  const ownCookie = browser.cookieHeader(hostOf(machine))
  const made = new EmbeddingRig({ site, clock, member, machine, other, project, ownCookie })
  rig = made
  if ((await untilTrue(() => made.ask().then(yes), deadline.timeout)) === undefined)
    throw new Error('the project does not embed the machine')
  return made
}

async function createProject({ db }: TestPlatform, member: TestUser, machine: TestMachine) {
  const at = new Date()
  const project = await db
    .insertInto('projects')
    .values({ user_id: member.userId, name: 'MES', may_embed: true, origins: [portal], created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_members')
    .values({ project_id: project.id, user_id: member.userId, level: 3, invited_at: at, accepted_at: at })
    .execute()
  await db
    .insertInto('project_keys')
    .values({ project_id: project.id, hash: hashToken(key), sealed: Buffer.alloc(0), created_at: at })
    .execute()
  const link = await db
    .insertInto('project_machines')
    .values({
      project_id: project.id,
      machine_id: machine.machineId,
      linked_by: member.userId,
      linked_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordRightChange(db, { projectId: project.id, reason: 'project' })
  return { id: project.id, linkId: link.id }
}

const ancestorsOf = (headers: IncomingHttpHeaders) =>
  [...String(headers['content-security-policy'] ?? '').matchAll(/frame-ancestors ([^;,]*)/g)]
    .at(-1)?.[1]
    ?.trim()

/** Requests that reach the machine. */
const beyond = (rig: EmbeddingRig, wanted = 0) => ({ saw: rig.seen.length, wanted })

const refused = (
  name: string,
  wanted: number,
  attack: (rig: EmbeddingRig) => Promise<{ status: number }>,
): Vector<EmbeddingRig> => ({
  name,
  async attack(rig) {
    const { status } = await attack(rig)
    return { client: { saw: status, wanted }, beyond: beyond(rig) }
  },
})

const vectors: Vector<EmbeddingRig>[] = [
  {
    name: 'the listed pages alone may frame the machine’s page, and the page around it',
    async attack(rig) {
      const around = await rig.open(await rig.ask())
      const cookie = String(around.headers['set-cookie']?.[0]).split(';', 1)[0] as string
      const page = await rig.open('/', { ...within, cookie })
      const saw = [around, page].map(({ headers, status }) => [
        status,
        ancestorsOf(headers),
        headers['x-frame-options'],
      ])
      return {
        client: {
          saw,
          wanted: [
            [200, `'self' ${portal}`, undefined],
            [200, `'self' ${portal}`, undefined],
          ],
        },
        beyond: beyond(rig, 1),
      }
    },
  },
  {
    name: 'the cookie is of this portal’s pages, and no machine sees it',
    async attack(rig) {
      const { headers } = await rig.open(await rig.ask())
      const [cookie = ''] = headers['set-cookie'] ?? []
      await rig.open('/', { ...within, cookie: `${cookie.split(';', 1)[0]}; own=1` })
      return {
        client: {
          saw: cookie.replace(/=[\w-]{43};/, '=…;'),
          wanted: '__Host-visit-frame=…; Path=/; HttpOnly; SameSite=None; Secure; Partitioned',
        },
        beyond: { saw: rig.seen.map(({ cookie }) => cookie), wanted: ['own=1'] },
      }
    },
  },
  {
    name: 'a machine’s cookie is partitioned in a frame, and as it was elsewhere',
    async attack(rig) {
      rig.answer = { 'set-cookie': 'sid=1; Path=/; SameSite=Strict' }
      const cookie = await rig.enter()
      const inFrame = await rig.open('/', { ...within, cookie })
      const own = await rig.open('/', { ...asked, cookie: rig.ownCookie })
      return {
        client: {
          saw: [inFrame.headers['set-cookie'], own.headers['set-cookie']],
          wanted: [['sid=1; Path=/; SameSite=None; Secure; Partitioned'], ['sid=1; Path=/; SameSite=Strict']],
        },
        beyond: beyond(rig, 2),
      }
    },
  },
  {
    name: 'a visit of a session is framed by nobody',
    async attack(rig) {
      const { headers } = await rig.open('/', { ...asked, cookie: rig.ownCookie })
      return { client: { saw: ancestorsOf(headers), wanted: "'self'" }, beyond: beyond(rig, 1) }
    },
  },
  refused('an address is opened twice', 400, async (rig) => {
    const path = await rig.ask()
    await rig.open(path)
    return rig.open(path)
  }),
  refused('an address is opened after a minute', 400, async (rig) => {
    const path = await rig.ask()
    rig.clock.offsetMs = 61_000
    return rig.open(path)
  }),
  refused('an address is opened on another machine’s host', 400, async (rig) =>
    rig.open(await rig.ask(), framed, hostOf(rig.other)),
  ),
  {
    name: 'a script of another page takes an address',
    async attack(rig) {
      const path = await rig.ask()
      const taken = await rig.open(path, {
        ...asked,
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example',
      })
      const own = await rig.open(path)
      return {
        client: {
          saw: [taken.status, taken.headers['set-cookie'], own.status],
          wanted: [404, undefined, 200],
        },
        beyond: beyond(rig),
      }
    },
  },
  {
    name: 'the machine’s page asks for the page around it again, and finds no code there',
    async attack(rig) {
      const cookie = await rig.enter()
      const { status, text } = await rig.open('/.busbar/frame', { ...within, cookie })
      return {
        client: { saw: [status, /code=[^"]+/.exec(text)], wanted: [200, null] },
        beyond: beyond(rig),
      }
    },
  },
  refused('another page frames the machine’s page itself', 403, async (rig) =>
    rig.open('/', { ...framed, cookie: await rig.enter() }),
  ),
  refused('the cookie of a frame is shown as that of a session’s visit', 401, async (rig) =>
    rig.open('/', { ...asked, cookie: (await rig.enter()).replace('-frame', '') }),
  ),
  refused('the cookie of a session’s visit is shown as that of a frame', 401, async (rig) =>
    rig.open('/', { ...asked, cookie: rig.ownCookie.replace('__Host-visit', '__Host-visit-frame') }),
  ),
  refused('two cookies of frames come at once', 400, async (rig) => {
    const cookie = await rig.enter()
    return rig.open('/', { ...asked, cookie: `${cookie}; __Host-visit-frame=${'b'.repeat(43)}` })
  }),
  refused('something is changed in a read-only frame', 403, async (rig) =>
    callHost(rig.site, {
      host: rig.host,
      path: '/set',
      method: 'POST',
      headers: { ...asked, origin: `https://${rig.host}`, cookie: await rig.enter() },
    }),
  ),
]

describeIsolation('a machine’s page in a portal', startEmbeddingRig, vectors, [
  {
    name: 'the list of pages that may frame',
    start: () => startEmbeddingRig({ rules: { framedBy: () => ['*'] } }),
    falls: [
      'the listed pages alone may frame the machine’s page, and the page around it',
      'a visit of a session is framed by nobody',
    ],
  },
  {
    name: 'the jar of each kind of visit',
    start: () => startEmbeddingRig({ rules: { isOwnJar: yes } }),
    falls: [
      'the cookie of a frame is shown as that of a session’s visit',
      'the cookie of a session’s visit is shown as that of a frame',
    ],
  },
  {
    name: 'the rule that only a frame or a person takes an address',
    start: () => startEmbeddingRig({ rules: { mayEnterFramed: yes } }),
    falls: ['a script of another page takes an address'],
  },
  {
    name: 'the form of a machine’s cookies in frames',
    start: () => startEmbeddingRig({ rules: { partitionCookie: (cookie) => cookie } }),
    falls: ['a machine’s cookie is partitioned in a frame, and as it was elsewhere'],
  },
  {
    name: 'the refusal of two cookies of frames',
    start: () =>
      startEmbeddingRig({
        rules: {
          readFrameCookie: (header, https) => visitRules.readFrameCookie(header?.split(';', 1)[0], https),
        },
      }),
    falls: ['two cookies of frames come at once'],
  },
])

describe('an embedded visit', () => {
  let rig: EmbeddingRig
  beforeAll(async () => {
    rig = await startEmbeddingRig()
  })
  afterAll(() => rig?.stop())

  const changed = () => recordRightChange(rig.site.db, { projectId: rig.project.id, reason: 'project' })

  test.each<[string, (rig: EmbeddingRig) => Promise<unknown>, (rig: EmbeddingRig) => Promise<unknown>]>([
    [
      'embedding',
      ({ site, project }) =>
        site.db.updateTable('projects').set({ may_embed: false }).where('id', '=', project.id).execute(),
      ({ site, project }) =>
        site.db.updateTable('projects').set({ may_embed: true }).where('id', '=', project.id).execute(),
    ],
    [
      'origins',
      ({ site, project }) =>
        site.db.updateTable('projects').set({ origins: [] }).where('id', '=', project.id).execute(),
      ({ site, project }) =>
        site.db
          .updateTable('projects')
          .set({ origins: [portal] })
          .where('id', '=', project.id)
          .execute(),
    ],
    [
      'key',
      ({ site, project }) =>
        site.db
          .updateTable('project_keys')
          .set({ ends_at: new Date(Date.now() - 1) })
          .where('project_id', '=', project.id)
          .execute(),
      ({ site, project }) =>
        site.db
          .updateTable('project_keys')
          .set({ ends_at: null })
          .where('project_id', '=', project.id)
          .execute(),
    ],
    [
      'machine',
      ({ site, project }) =>
        site.db
          .updateTable('project_machines')
          .set({ stop: 'rightLost', ended_at: new Date() })
          .where('id', '=', project.linkId)
          .execute(),
      ({ site, project }) =>
        site.db
          .updateTable('project_machines')
          .set({ stop: null, ended_at: null })
          .where('id', '=', project.linkId)
          .execute(),
    ],
  ])('ends with the %s of its project, and the page around it learns why', async (_, end, begin) => {
    const cookie = await rig.enter()
    const before = await rig.open('/', { ...within, cookie })
    await end(rig)
    await changed()
    await expect
      .poll(async () => (await rig.open('/.busbar/frame/state', { ...asked, cookie })).text, deadline)
      .toContain('"ended":"rightLost"')
    const after = await rig.open('/', { ...within, cookie })
    expect([before.status, after.status]).toEqual([200, 403])
    await begin(rig)
    await changed()
    await expect
      .poll(
        () =>
          rig.ask().then(
            () => 'asked',
            () => 'refused',
          ),
        deadline,
      )
      .toBe('asked')
  })

  test('without the Akey’s consent took control of the machine', async () => {
    const { site, machine, project } = rig
    const control = (cookie: string) =>
      callHost(site, {
        host: rig.host,
        path: '/.busbar/control',
        method: 'POST',
        headers: { ...asked, origin: `https://${rig.host}`, cookie },
      })
    const modeOf = async (cookie: string) => {
      const { text } = await rig.open('/.busbar/visit', { ...asked, cookie })
      const { mode, mayTake } = JSON.parse(text) as { mode: string; mayTake: boolean }
      return { mode, mayTake }
    }
    // The member's own visit has it.
    const own = await site.platform.visits.listBusy([machine.machineId], Date.now())
    await site.db.deleteFrom('controllers').where('machine_id', '=', machine.machineId).execute()
    const cookie = await rig.enter()
    expect(await modeOf(cookie)).toEqual({ mode: 'ro', mayTake: false })
    await control(cookie)
    expect(await modeOf(cookie)).toEqual({ mode: 'ro', mayTake: false })
    expect([own.size, (await site.platform.visits.listBusy([machine.machineId], Date.now())).size]).toEqual([
      1, 0,
    ])

    const consent = { link_id: project.linkId, may_write: false, may_visit: true, at: new Date() }
    await site.db.insertInto('project_consents').values(consent).execute()
    await changed()
    await expect.poll(async () => modeOf(await rig.enter()), deadline).toEqual({ mode: 'rw', mayTake: true })
    await site.db.deleteFrom('project_consents').where('link_id', '=', project.linkId).execute()
    await changed()
    await expect
      .poll(
        () => site.platform.visits.listBusy([machine.machineId], Date.now()).then(({ size }) => size),
        deadline,
      )
      .toBe(0)
  })

  test('in the name of a read-only Bkey, who added the machine, takes no control with the Akey’s consent', async () => {
    const { site, machine, project } = rig
    const bkey = await createHolder(site.db, machine.machineId, { role: 'bkey', readOnly: true })
    const at = new Date()
    await site.db
      .insertInto('project_members')
      .values({
        ...{ project_id: project.id, user_id: bkey.userId, level: 2 },
        ...{ invited_at: at, accepted_at: at },
      })
      .execute()
    await site.db
      .updateTable('project_machines')
      .set({ linked_by: bkey.userId })
      .where('id', '=', project.linkId)
      .execute()
    const consent = { link_id: project.linkId, may_write: true, may_visit: true, at }
    await site.db.insertInto('project_consents').values(consent).execute()
    await changed()
    const { links } = site.platform.projects
    await expect.poll(() => links.find(project.id, machine.machineId)?.mayVisit, deadline).toBe(true)
    const { url } = await site
      .as(undefined)
      .call(projectData.getEmbeddedVisit, rig.question({ account: bkey.email }))
    const entered = await rig.open(url.slice(url.indexOf('/.busbar')))
    const cookie = String(entered.headers['set-cookie']?.[0]).split(';', 1)[0] as string
    await callHost(site, {
      host: rig.host,
      path: '/.busbar/control',
      method: 'POST',
      headers: { ...asked, origin: `https://${rig.host}`, cookie },
    })
    const { text } = await rig.open('/.busbar/visit', { ...asked, cookie })
    expect(JSON.parse(text)).toMatchObject({ mode: 'ro', mayTake: false })
    await site.db.deleteFrom('project_consents').where('link_id', '=', project.linkId).execute()
    await site.db
      .updateTable('project_machines')
      .set({ linked_by: rig.member.userId })
      .where('id', '=', project.linkId)
      .execute()
    await changed()
  })

  test('ends with the overlap of its key, which nobody has removed yet', async () => {
    const { site, project } = rig
    const cookie = await rig.enter()
    const until = (endsAt: Date | null) =>
      site.db
        .updateTable('project_keys')
        .set({ ends_at: endsAt })
        .where('project_id', '=', project.id)
        .execute()
    const state = async () => (await rig.open('/.busbar/frame/state', { ...asked, cookie })).text
    await until(new Date(Date.now() + 1_000))
    await changed()
    // One answer, which ends with the visit.
    await expect.poll(state, deadline).toContain('"ended"')
    await until(null)
    await changed()
    await expect.poll(() => rig.ask().then(yes, () => false), deadline).toBe(true)
  })

  test('is in the machine’s list with the project’s name', async () => {
    await rig.enter()
    const { list } = await rig.site
      .as(rig.member)
      .call(visits.listVisits, { machineId: rig.machine.machineId, live: true })
    expect(
      list.filter(({ by }) => by === 'project').map(({ project, mode }) => ({ project, mode })),
    ).toContainEqual({
      project: 'MES',
      mode: 'ro',
    })
  })

  test.each([
    ['with another key', { privateKey: 'b'.repeat(64) }, 'PROJECT_KEY_WRONG'],
    ['for a machine that the project does not have', { machineCode: '1'.repeat(19) }, '404'],
    ['for a person who is no member', { account: 'stranger@example.com' }, '404'],
  ])('is refused %s', async (_, change, code) => {
    const failure = await failureOf(
      rig.site.as(undefined),
      projectData.getEmbeddedVisit,
      rig.question(change),
    )
    expect(failure.code).toBe(code)
  })
})
