import { accounts, type Route, routes, visits } from '@busbar/contract'
import { createUser, signIn, startTestPlatform, type TestPlatform, type TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPushSession } from '../../src/modules/accounts/index.ts'
import { type Answer, type Ask, createAsk } from '../http/ask.ts'
import { uncounted } from '../http/uncounted.ts'
import { createRightsFixture } from './rights-fixture.ts'
import { routeCases } from './route-cases.ts'

/*
 * A program's session reaches only what the contract names (rules/accounts.md: programs). A thief of its token
 * opens nothing else with it.
 */

let site: TestPlatform
let ask: Ask
let program: TestUser
beforeAll(async () => {
  site = await startTestPlatform({}, { rateCounters: uncounted })
  ask = createAsk(site)
  program = await createProgram()
})
afterAll(() => site.stop())

async function createProgram(): Promise<TestUser> {
  const user = await createUser(site.db)
  await site.db
    .updateTable('sessions')
    .set({ program: 'connect' })
    .where('user_id', '=', user.userId)
    .execute()
  return user
}

const keyOf = ({ method, path }: Route): string => `${method} ${path}`
/** Their callers have no session. */
const withoutSession = ['public', 'machine', 'projectKey']
const guarded = routes.filter(({ who }) => typeof who !== 'string' || !withoutSession.includes(who))
const restOf = (route: Route) => routeCases.find((each) => each.route === route)?.rest ?? {}
const isUnknown = ({ status, body }: Answer): boolean => status === 401 && body.includes('"code":"113"')

/** Calls at each path and by each method of a route; every answer. */
async function callEverywhere(route: Route, headers: Readonly<Record<string, string>>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const path of [route.path, ...(route.aliases ?? [])])
    for (const method of [route.method, ...(route.aliasMethods ?? [])])
      answers.push(await ask({ ...route, method, path }, restOf(route), headers))
  return answers
}

test('the calls of the program for ports', () => {
  expect(
    routes
      .filter((route) => route.programs?.includes('connect'))
      .map(keyOf)
      .sort(),
  ).toEqual([
    'DELETE /api/v1/visits/:sessionId',
    'GET /api/v1/visits/:sessionId/takers',
    'GET /api/v1/visits/ports',
    'POST /api/device/v1/detail/page',
    'POST /api/enterprises/enterpriseDeviceList',
    'POST /api/enterprises/userEnterpriseList',
    'POST /api/user/logout',
    'POST /api/user/selectInfo',
    'POST /api/v1/visits/:sessionId/control',
    'POST /api/v1/visits/tcp',
  ])
})

describe('a program’s session is unknown to every call but its own', () => {
  test.each(guarded.map((route) => [keyOf(route), route] as const))('%s', async (_, route) => {
    const caller = route === accounts.logout ? await createProgram() : program
    const [first, ...others] = await callEverywhere(route, { token: caller.token })
    if (!route.programs) for (const answer of [first, ...others]) expect(answer).toSatisfy(isUnknown)
    else expect(first).not.toSatisfy(isUnknown)
  })
})

test('wherever its token stands, and a route that names the program by mistake is found', async () => {
  const route = accounts.listTerminals
  for (const headers of [
    { token: program.token },
    { authorization: `Bearer ${program.token}` },
    { cookie: `token=${program.token}` },
  ] as const)
    expect((await callEverywhere(route, headers))[0]).toSatisfy(isUnknown)
  try {
    Object.assign(route, { programs: ['connect'] })
    expect((await callEverywhere(route, { token: program.token }))[0]?.status).toBe(200)
  } finally {
    Object.assign(route, { programs: undefined })
  }
})

test('it ends, takes and looks around in no visit but its own, whatever its person may', async () => {
  const fixture = await createRightsFixture(site.db)
  const { master } = fixture.personal
  const own = await signIn(site.db, master.userId)
  await site.db.updateTable('sessions').set({ program: 'connect' }).where('id', '=', own.sessionId).execute()
  const sessionId = await fixture.own('visit', fixture.personal, master)
  const calls = [
    [visits.controlVisit, { sessionId, action: 'take' }],
    [visits.listControlTakers, { sessionId }],
    [visits.endVisit, { sessionId }],
  ] as const
  for (const [route, request] of calls)
    expect(await ask(route, request, { token: own.token })).toMatchObject({ status: 404 })
  for (const [route, request] of calls)
    expect(await ask(route, request, { token: master.token })).not.toMatchObject({ status: 404 })
})

test('it opens no push socket', async () => {
  const person = await createUser(site.db)
  expect(await findPushSession(site.db, person.token, Date.now(), 1)).toMatchObject({ userId: person.userId })
  expect(await findPushSession(site.db, program.token, Date.now(), 1)).toBeUndefined()
})

test('it enters no machine’s page', async () => {
  const entry = new URLSearchParams({ host: `${'1'.repeat(19)}.visit.localhost`, state: 'a'.repeat(43) })
  const enter = (token: string) =>
    site.platform.app.inject({ url: `/visit/authorize?${entry}`, headers: { token } })
  const person = await createUser(site.db)
  const [asPerson, asProgram] = [await enter(person.token), await enter(program.token)]
  expect(asProgram.headers.location ?? '').toContain('/login')
  expect(asPerson.headers.location ?? '').not.toContain('/login')
})
