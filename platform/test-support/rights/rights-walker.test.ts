import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  access,
  accounts,
  alarmContacts,
  alarmRules,
  alarms,
  applications,
  enterprises,
  notifications,
  operator,
  type Route,
  routes,
  smsStock,
  telemetry,
  type Who,
} from '@busbar/contract'
import {
  createMember,
  createUser,
  startTestPlatform,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, createAsk, type Answer as Told } from '../http/ask.ts'
import { uncounted } from '../http/uncounted.ts'
import { levels } from './machine-people.ts'
import {
  callerOf,
  createRightsFixture,
  foreignMark,
  listForeign,
  type MachineSetup,
  missingOf,
  type RightsFixture,
  requestOf,
} from './rights-fixture.ts'
import { isId, type RouteCase } from './route-case.ts'
import { routeCases, smsReceiptToken, walkedBounceToken } from './route-cases.ts'

/*
 * Calls every declared route as everybody, with own, foreign and missing ids: a check that is missing is found. The file
 * who-may-call.txt has the right that each route needs: a `who` loosened in the contract is found there.
 */

let site: TestPlatform
let fixture: RightsFixture
let before: Record<string, unknown>
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-rights-'))
  const BOUNCE_TOKEN_FILE = join(folder, 'bounce-token')
  writeFileSync(BOUNCE_TOKEN_FILE, walkedBounceToken)
  site = await startTestPlatform(
    {
      SMS_RECEIPT_TOKEN: smsReceiptToken,
      BOUNCE_TOKEN_FILE,
      SECURITY_CONTACT: 'mailto:security@busbar.test',
    },
    { rateCounters: uncounted },
  )
  rmSync(folder, { recursive: true })
  send = createAsk(site)
  fixture = await createRightsFixture(site.db)
  before = await listForeign(site.db, fixture)
})
afterAll(() => site.stop())

interface Answer extends Told {
  readonly outcome: 'let in' | 'refused' | 'signed out'
}

/** The codes for a lack of rights at HTTP 200; `403` on the paths of alarms and SMS. */
const refusals = [
  '403',
  'BLACKLIST',
  'GENERAL_USER',
  'REST_TIME_OUT',
  'WRONG_ROLE',
  'CLOUD_EXPIRED',
  'GIVER_READ_ONLY',
]

/** Paths on which missing and foreign things are a refusal at HTTP 200 (rules/calls.md: status codes). */
const refusesAt200 = /^\/api\/(?:v1\/alarm|v1\/sms|msg\/v1\/ent|msg\/v1\/alarm)\//

let send: Ask

/** Number of checked cells of the table: the caller, the route, and the owner of the ids. */
let cells = 0

async function ask(...asked: Parameters<Ask>): Promise<Answer> {
  cells++
  const { status, body } = await send(...asked)
  const code = /"code":"(\w+)"/.exec(body)?.[1] ?? ''
  const isRefused = status === 403 || (status === 200 && refusals.includes(code))
  return { status, body, outcome: status === 401 ? 'signed out' : isRefused ? 'refused' : 'let in' }
}

/** The needs of a route of a machine: a right to it, or a member's right in the enterprise that owns it. */
function needsOf({ needs }: RouteCase): { right: string; isSetting: boolean; orMember: string | undefined } {
  const [key = '', orMember] = needs.split(' or ent:')
  const [right = '', mode] = key.split(' ')
  return { right, isSetting: mode === 'rw', orMember }
}
const isOfMachine = (routeCase: RouteCase): boolean =>
  routeCase.needs === 'entry' || (levels as readonly string[]).includes(needsOf(routeCase).right)
const isOfProject = ({ needs }: RouteCase): boolean => needs.startsWith('prj')
const isOfEnterprise = ({ needs }: RouteCase): boolean => needs.startsWith('ent')

function setupsOf(routeCase: RouteCase): MachineSetup[] {
  if (routeCase.needs === 'operator') return [fixture.personal]
  if (isOfEnterprise(routeCase) || routeCase.route.multipart) return [fixture.enterprise]
  const asksForSwitch =
    needsOf(routeCase).right === 'holder' || (routeCase.needs === 'visitor+' && routeCase.ids.eid !== 'eid')
  return [fixture.personal, fixture.enterprise, ...(asksForSwitch ? [fixture.closed] : [])]
}

/** Everybody to try, and whether they must be let in. */
async function peopleOf(routeCase: RouteCase, setup: MachineSetup): Promise<[string, TestUser, boolean][]> {
  const { needs } = routeCase
  if (isOfMachine(routeCase)) {
    const { right, isSetting, orMember } = needsOf(routeCase)
    const least = levels.indexOf(right as (typeof levels)[number])
    // A call by an enterprise reaches only its devices.
    const isElsewhere = routeCase.ids.eid === 'eid' && setup.name === 'personal'
    return Object.entries(setup.people).map(([name, { user, level, watches, hasEntry, memberRights }]) => {
      const isClosed = needs === 'visitor+' && setup.name === 'closed'
      const isMember = memberRights.some((right) => right === orMember)
      const holds = !isClosed && levels.indexOf(level) >= least && !(isSetting && watches)
      const lets = needs === 'entry' ? hasEntry : isMember || holds
      return [name, user, !isElsewhere && lets]
    })
  }
  if (isOfEnterprise(routeCase)) {
    const right = needs.slice('ent:'.length)
    const outside = ['stranger', 'an operator', 'owner of another enterprise']
    const lets = (name: string) =>
      !outside.includes(name) &&
      (!right ||
        ['admin', 'owner', right].includes(name) ||
        (right !== 'admin' && name.startsWith('all ') && name !== `all but ${right}`))
    return [...fixture.members].map(([name, user]) => [name, user, lets(name)])
  }
  if (isOfProject(routeCase))
    return [...fixture.places].map(([place, user]) => [
      place,
      user,
      place === 'owner' || (place === 'member' && needs === 'prj'),
    ])
  if (needs === 'operator') {
    return ['stranger', 'member', 'owner', 'an operator'].map((name) => [
      name,
      fixture.members.get(name) ?? fixture.stranger,
      name === 'an operator',
    ])
  }
  return needs === 'user' ? [['somebody', await masterOf(routeCase, setup), true]] : []
}

/** The person who may pass this route, on this machine. */
const masterOf = async (routeCase: RouteCase, setup: MachineSetup): Promise<TestUser> =>
  callerOf(fixture, routeCase, await createUser(site.db), setup).caller

/** The faults of a route; empty without any. */
async function walk(routeCase: RouteCase): Promise<string[]> {
  const faults: string[] = []
  const { route, needs } = routeCase
  const note = (who: string, what: string, { status, body }: Answer) =>
    void faults.push(`${who}: ${what}: ${status} ${body.slice(0, 160)}`)

  const nobodies: Record<string, { token: string } | undefined> = {
    nobody: undefined,
    'a session that ran out': fixture.expired,
    'a session of another brand': fixture.otherBrand,
    ...(needs === 'machine' ? { 'a person': fixture.stranger } : {}),
  }
  const asked = await requestOf(fixture, routeCase, fixture.personal, fixture.stranger)
  for (const [name, session] of Object.entries(nobodies)) {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const answer = await ask({ ...route, path }, asked, session && { token: session.token })
      if (answer.outcome !== (needs === 'public' ? 'let in' : 'signed out')) note(name, 'wrongly', answer)
      if (needs === 'public' && answer.status >= 400) note(name, 'failed', answer)
    }
  }
  // Another site must not be able to sign a person in, just as it must not sign them out.
  if (needs === 'public' && route.method !== 'GET') {
    const answer = await ask(route, asked, { origin: 'https://elsewhere.example' })
    if (answer.outcome !== 'refused') note('a page of another origin', 'wrongly', answer)
  }
  if (needs === 'public' || needs === 'machine' || needs === 'projectKey') return faults

  for (const setup of setupsOf(routeCase)) {
    const caller = await masterOf(routeCase, setup)
    const shared = await requestOf(fixture, routeCase, setup, caller)
    for (const [name, user, isLet] of await peopleOf(routeCase, setup)) {
      // An admitted caller may use up the things that the request names; a place is one in a project of their own.
      const request =
        isLet || isOfProject(routeCase) ? await requestOf(fixture, routeCase, setup, user) : shared
      const answer = await ask(route, request, { token: user.token })
      if (answer.outcome !== (isLet ? 'let in' : 'refused')) note(`${setup.name}, ${name}`, 'wrongly', answer)
      if (isLet && (answer.status === 400 || answer.status >= 500)) note(name, 'failed', answer)
    }
    faults.push(...(await compareForeign(routeCase, setup, caller)))
    if (route.method !== 'GET') {
      const elsewhere = { cookie: `token=${caller.token}`, origin: 'https://elsewhere.example' }
      const answer = await ask(route, shared, elsewhere)
      if (answer.outcome !== 'refused') note('a page of another origin', 'wrongly', answer)
    }
  }
  return faults
}

/**
 * Each id in turn, of a stranger's thing and of a missing one: both are answered alike, and show nothing of the
 * stranger.
 */
async function compareForeign(
  routeCase: RouteCase,
  setup: MachineSetup,
  caller: TestUser,
): Promise<string[]> {
  const faults: string[] = []
  const { route, ids } = routeCase
  const { who } = route
  const isGuardedField = (name: string) =>
    typeof who === 'object' && Object.entries(who).some(([key, field]) => field === name && key !== 'self')
  for (const [name, kind] of Object.entries(ids)) {
    const own = await requestOf(fixture, routeCase, setup, caller)
    const told = async (given: unknown) => {
      const answer = await ask(route, { ...own, [name]: given }, { token: caller.token })
      // An answer may repeat the id it was asked with.
      return { ...answer, body: answer.body.replaceAll(String(given), '#') }
    }
    const foreign = await told(setup.foreign[kind])
    const gone = await told(missingOf(kind))
    const what = `${setup.name}, ${name}`
    if (refusesAt200.test(route.path) && (gone.status !== 200 || /"hwcode":40[34]/.test(gone.body)))
      faults.push(
        `${what}: more than a refusal to the clients of alarms and SMS: ${gone.status} ${gone.body}`,
      )
    if (foreign.status !== gone.status || foreign.body !== gone.body)
      faults.push(`${what}: foreign ${foreign.status} ${foreign.body}, missing ${gone.status} ${gone.body}`)
    if (isGuardedField(name) && foreign.outcome !== 'refused')
      faults.push(`${what}: a foreign one was let in: ${foreign.status} ${foreign.body}`)
    if (foreign.body.includes(foreignMark)) faults.push(`${what}: tells a stranger's name: ${foreign.body}`)
  }
  return faults
}

const keyOf = ({ method, path }: Route): string => `${method} ${path}`
test('the walker has a case for every route, and for every id in it', () => {
  const walked = new Set(routeCases.map(({ route }) => keyOf(route)))
  expect([...walked].sort()).toEqual(routes.map(keyOf).sort())
  const left = routeCases.flatMap(({ route, ids, rest }) =>
    Object.keys(route.request.shape)
      .filter((name) => isId(name) && !(name in ids) && !(name in rest))
      .map((name) => `${keyOf(route)}: ${name}`),
  )
  expect(left).toEqual([])
})

test('each route needs the right that who-may-call.txt says; a change on purpose is written with -u', async () => {
  const lines = routeCases.map(({ route, needs }) => `${keyOf(route)}: ${needs}`)
  await expect(`${[...new Set(lines)].sort().join('\n')}\n`).toMatchFileSnapshot('who-may-call.txt')
})

describe('a route lets in only the callers it names, and does not distinguish foreign ids from missing ones', () => {
  test.each(routeCases.map((routeCase) => [keyOf(routeCase.route), routeCase] as const))(
    '%s',
    async (_, routeCase) => {
      const faults = await walk(routeCase)
      expect(faults, faults.join('\n')).toEqual([])
    },
  )
})

test('the table has thousands of cells', () => {
  expect(cells).toBeGreaterThan(3_800)
})

test('a stranger’s data was not changed on the way', async () => {
  const after = await listForeign(site.db, fixture)
  for (const what of Object.keys(after)) expect(after[what], what).toEqual(before[what])
})

test('a member can leave without any right, and remove nobody else', async () => {
  const [leaving, staying] = [
    await createMember(site.db, fixture.eid),
    await createMember(site.db, fixture.eid),
  ]
  const remove = ({ userId }: TestUser) =>
    ask(enterprises.removeMember, { eid: fixture.eid, userId }, { token: leaving.token })
  expect((await remove(staying)).outcome).toBe('refused')
  expect((await remove(leaving)).status).toBe(200)
  expect((await remove(leaving)).outcome).toBe('refused')
})

describe('a missing check is found', () => {
  const loosened: [string, Route, Who][] = [
    ['an Akey’s call for Bkeys', access.resetSecret, { right: 'bkey+', machine: 'machineID' }],
    ['a visitor’s call for the list', telemetry.listTags, { right: 'listed', machine: 'machineId' }],
    ['an administrator’s call for managers', enterprises.listSentInvitations, { ent: 'manage', eid: 'eid' }],
    ['a member’s call for everybody', enterprises.listMembers, 'user'],
    ['who applied, for everybody', applications.listApplications, { right: 'listed', machine: 'id' }],
    ['a closed machine’s values', telemetry.listLatest, { right: 'holder', machine: 'machineId' }],
    ['a device not looked at', enterprises.openEnterpriseVisit, { right: 'visitor+', machine: 'deviceId' }],
    ['a manager’s call for members', enterprises.addEnterpriseMachine, { ent: 'member', eid: 'eid' }],
    ['an operator’s call for everybody', operator.listUsers, 'user'],
    ['a person’s call for nobody', accounts.listTerminals, 'public'],
    [
      'shelving, for visitors',
      alarms.shelveAlarms,
      { right: 'holder', orMember: 'alarm', machine: 'machineId' },
    ],
    [
      'settings, for keys that may only read',
      alarmRules.updateAlarmRule,
      { right: 'bkey+', orMember: 'alarm', rule: 'id', admitsReadOnly: true },
    ],
    [
      'rules, without the right of members',
      alarmRules.createAlarmRule,
      { right: 'bkey+', machine: 'machineId' },
    ],
    ['who was told of an alarm, for everybody', notifications.listTold, 'user'],
    ['what an enterprise allocates, for members', smsStock.transferStock, { ent: 'member', eid: 'eid' }],
    [
      'an enterprise’s contacts, for members',
      alarmContacts.removeEnterpriseContact,
      { ent: 'member', eid: 'eid' },
    ],
  ]
  test.each(loosened)('%s', async (_, route, who) => {
    const routeCase = routeCases.find((each) => each.route === route)
    const declared = route.who
    try {
      Object.assign(route, { who })
      if (routeCase) expect(await walk(routeCase)).not.toEqual([])
      else expect.fail('no such route')
    } finally {
      Object.assign(route, { who: declared })
    }
  })
})
