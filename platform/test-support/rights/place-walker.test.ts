import { machines, places, type Route } from '@busbar/contract'
import {
  createMachine,
  createUser,
  signIn,
  startTestPlatform,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, createAsk } from '../http/ask.ts'
import { uncounted } from '../http/uncounted.ts'
import { createRightsFixture, type MachineSetup, type RightsFixture, requestOf } from './rights-fixture.ts'
import type { RouteCase } from './route-case.ts'
import { routeCases } from './route-cases.ts'

/*
 * Puts places that nothing else here has on machines and sites, calls every route as people who may not see them, and
 * looks for the places in the answers (rules/places.md: who sees a place).
 */

/** A walk that was given up would go on beside the next one. */
const walkMsMax = 1_200_000
const lat = 47.654_321
const lng = 8.234_567
const address = '9 Zebra Quay'
const marks = [/47\.654/, /8\.234/, /Zebra/i]
/** A text and a part of the map that nothing here has. */
const nowhere = { text: 'Okapi Wharf', bbox: '-40,-40,-39,-39' }
const there = { text: 'Zebra Quay', bbox: '8,47,9,48' }
/** Fields by which people search. */
const searched = ['search', 'q', 'keyword'] as const

let site: TestPlatform
let send: Ask
let fixture: RightsFixture
beforeAll(async () => {
  site = await startTestPlatform({}, { rateCounters: uncounted })
  send = createAsk(site)
  fixture = await createRightsFixture(site.db)
})
afterAll(() => site.stop())

/** Each time anew: the calls change places. */
async function plant(machineIds: readonly number[], { withSites = false } = {}): Promise<void> {
  const ids = sql`${[...machineIds]}::bigint[]`
  const gps = JSON.stringify({ gps: { lat, lng } })
  await sql`
    with placed as (
      insert into machine_places (machine_id, type, lat, lng, accuracy_m, source, fixed_at, as_typed, address_cn, address_en,
        fix_lat, fix_lng, fix_accuracy_m, fix_source, fix_at, anchor_lat, anchor_lng, is_moved, away_since)
      select id, 2, ${lat}, ${lng}, 20, 'manual', now(), ${address}, ${address}, ${address},
        ${lat}, ${lng}, 20, 'wifi', now(), ${lat}, ${lng}, true, now()
      from machines where id = any(${ids})
      on conflict (machine_id) do update set type = excluded.type, lat = excluded.lat, lng = excluded.lng,
        source = excluded.source, fixed_at = excluded.fixed_at, as_typed = excluded.as_typed,
        address_cn = excluded.address_cn, address_en = excluded.address_en, fix_lat = excluded.fix_lat,
        fix_lng = excluded.fix_lng, fix_source = excluded.fix_source, fix_at = excluded.fix_at,
        anchor_lat = excluded.anchor_lat, anchor_lng = excluded.anchor_lng, is_moved = true
    ), past as (
      insert into machine_place_history (machine_id, at, lat, lng, source)
      select id, now(), ${lat}, ${lng}, 'gps' from machines where id = any(${ids})
    ), told as (
      insert into told_places (machine_id, told, told_at, fresh)
      select id, ${gps}::jsonb, now(), '{}' from machines where id = any(${ids})
      on conflict (machine_id) do update set told = excluded.told, told_at = now()
    ), sites as (
      update sites set lat = ${lat}, lng = ${lng}, address = ${address} where ${withSites}
    )
    update machines set attributes = attributes || ${gps}::jsonb where id = any(${ids})`.execute(site.db)
}

/** Each time as well: a call of them is the switch. */
const setHiding = ({ userId }: TestUser, isHiding: boolean) =>
  sql`update users set hide_map = ${isHiding} where id = ${userId}`.execute(site.db)

/** People who search see the text that they typed. */
const withoutEcho = (body: string): string => body.replaceAll(there.text, '#').replaceAll(nowhere.text, '#')

/** A request to a route, of all groups, and of all times where it asks for places of a time. */
async function requestFor(routeCase: RouteCase, setup: MachineSetup, user: TestUser) {
  const request = await requestOf(fixture, routeCase, setup, user)
  const { route } = routeCase
  const isOfTime = route === places.listPlaceHistory
  const isOfAnyGroup = route.request.shape.groupId?.safeParse(undefined).success
  return {
    ...request,
    ...(isOfTime && { from: 0, until: Date.now() + 3_600_000 }),
    ...(isOfAnyGroup && { groupId: undefined }),
  }
}

interface Walk {
  readonly setup: MachineSetup
  readonly who: string
  readonly user: TestUser
  readonly isHiding: boolean
}

const tokens = new Map<number, string>()

/** Signs in again where a call before signed the person out: an answer to nobody would tell nothing. */
async function ask({ route }: RouteCase, request: Record<string, unknown>, user: TestUser): Promise<string> {
  const { userId } = user
  const first = await send(route, request, { token: tokens.get(userId) ?? user.token, lang: 'en' })
  if (first.status !== 401) return first.body
  const { token } = await signIn(site.db, userId)
  tokens.set(userId, token)
  const { status, body } = await send(route, request, { token, lang: 'en' })
  expect(status, `${keyOf(route)} is called by nobody`).not.toBe(401)
  return body
}

/** Where an answer tells a place, and where one depends on it. */
async function walk(routeCase: RouteCase, { setup, who, user, isHiding }: Walk): Promise<string[]> {
  const { route } = routeCase
  const faults: string[] = []
  const { machineId } = setup.machine
  const prepare = async () => {
    const request = await requestFor(routeCase, setup, user)
    // Sites are shown to all members of an enterprise.
    await plant([machineId], { withSites: isHiding })
    await setHiding(user, isHiding)
    return request
  }
  const body = await ask(routeCase, await prepare(), user)
  const mark = marks.find((each) => each.test(body))
  if (mark) faults.push(`${who}: ${keyOf(route)} tells ${mark}: ${around(body, mark)}`)
  for (const [name, kind] of [
    ...searched.map((field) => [field, 'text'] as const),
    ['bbox', 'bbox'] as const,
  ]) {
    if (!(name in route.request.shape)) continue
    const told = async (value: string) =>
      withoutEcho(await ask(routeCase, { ...(await prepare()), [name]: value }, user))
    // An address that a person searches is looked up in the gazetteer: no machine has a part in it.
    const [found, missed] = [await told(there[kind]), await told(nowhere[kind])]
    if (found !== missed) faults.push(`${who}: ${keyOf(route)} by ${name}: ${found.slice(0, 200)}`)
  }
  return faults
}

const keyOf = ({ method, path }: Route): string => `${method} ${path}`
const around = (body: string, mark: RegExp): string => {
  const at = body.search(mark)
  return body.slice(Math.max(0, at - 60), at + 60)
}

/** The calls of people; of the others nobody has a session. */
const cases = routeCases.filter(
  ({ needs }) => needs !== 'public' && needs !== 'machine' && needs !== 'projectKey',
)

async function walkAll(people: readonly Walk[]): Promise<string[]> {
  const faults: string[] = []
  for (const routeCase of cases) for (const each of people) faults.push(...(await walk(routeCase, each)))
  return faults
}

const of = (setup: MachineSetup, names: readonly string[], isHiding: boolean): Walk[] =>
  names.map((name) => {
    const person = setup.people[name]
    if (!person) throw new Error(`nobody is ${name}`)
    return { setup, who: `${setup.name}, ${name}`, user: person.user, isHiding }
  })

test(
  'the walker finds places in the answers to a person who may see them',
  async () => {
    const { personal, enterprise } = fixture
    const seen = new Set<string>()
    for (const routeCase of cases)
      for (const setup of [personal, enterprise]) {
        const request = await requestFor(routeCase, setup, setup.master)
        await plant([setup.machine.machineId])
        await setHiding(setup.master, false)
        const body = await ask(routeCase, request, setup.master)
        if (marks.some((mark) => mark.test(body))) seen.add(routeCase.route.path)
      }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        '/api/device/v1/detail',
        '/api/enterprises/enterpriseDeviceList',
        '/api/machine/select',
        '/api/v1/machine/place',
        '/api/v1/machine/placeHistory',
        '/api/v1/map',
      ]),
    )
    expect(seen.size).toBeGreaterThan(6)
  },
  walkMsMax,
)

test(
  'no answer tells a place to people who may not see the details of its machine',
  async () => {
    const { personal, enterprise } = fixture
    const people = [
      ...of(
        personal,
        ['ordinary user', 'former visitor', 'maintainer, after the window', 'former Akey'],
        false,
      ),
      ...of(enterprise, ['member', 'member who looks after alarms', 'an operator'], false),
    ]
    expect(await walkAll(people)).toEqual([])
  },
  walkMsMax,
)

test(
  'no answer tells a place to people who hide the map',
  async () => {
    const { personal, enterprise } = fixture
    const people = [
      ...of(personal, ['Akey', 'visitor'], true),
      ...of(enterprise, ['owner', 'member who views'], true),
    ]
    expect(await walkAll(people)).toEqual([])
  },
  walkMsMax,
)

test(
  'no answer tells the next owner where the machine was',
  async () => {
    const { personal } = fixture
    const [ann, ben] = [await createUser(site.db), await createUser(site.db)]
    const machine = await createMachine(site.db, { owner: ann.userId })
    const { machineId } = machine
    await plant([machineId])
    await sql`update sessions set proved_at = now() where id = ${ann.sessionId}`.execute(site.db)
    const { applyId } = await site
      .as(ann)
      .call(machines.offerMachine, { machineID: machineId, account: ben.email })
    await site.as(ben).call(machines.answerTransfer, { applyId, action: 'accept' })
    const setup: MachineSetup = { ...personal, machine }
    const faults: string[] = []
    for (const routeCase of cases) {
      const request = await requestFor(routeCase, setup, ben)
      await setHiding(ben, false)
      const body = await ask(routeCase, request, ben)
      const mark = marks.find((each) => each.test(body))
      if (mark) faults.push(`${keyOf(routeCase.route)} tells ${mark}: ${around(body, mark)}`)
    }
    expect(faults).toEqual([])
  },
  walkMsMax,
)
