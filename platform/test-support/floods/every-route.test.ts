import { join } from 'node:path'
import { type Route, routes } from '@busbar/contract'
import { createUser, type TestUser } from '@busbar/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, createNetworkAsk } from '../http/ask.ts'
import { sourceProgram } from '../processes/main-process.ts'
import { callerOf, createRightsFixture, type RightsFixture, requestOf } from '../rights/rights-fixture.ts'
import type { RouteCase } from '../rights/route-case.ts'
import { routeCases, smsReceiptToken } from '../rights/route-cases.ts'
import type { Bystanders } from './bystanders.ts'
import { type FloodSite, openFloodSite } from './flood-site.ts'
import { measureShare } from './machine-share.ts'

/*
 * Calls each route sixteen times at once, as somebody without rights and as somebody with them, and asks meanwhile as
 * others do. Sixteen are more than a pool has connections: a route whose calls wait for each other holds up everybody.
 */

const callsAtOnce = 16
/** Longest wait of the others while the platform has a core for itself. */
const answeredMsMax = 1_000
/** A busy machine makes others wait as well; calls that hold each other up do so each time. */
const triesMax = 3
const setUpMsMax = 120_000

let site: FloodSite
let fixture: RightsFixture
let stranger: TestUser
let bystanders: Bystanders
let ask: Ask

beforeAll(async () => {
  const options = { program: sourceProgram, preloads: [join(import.meta.dirname, 'let-all-pass.ts')] }
  site = await openFloodSite({ SMS_RECEIPT_TOKEN: smsReceiptToken }, options)
  fixture = await createRightsFixture(site.database.db)
  stranger = await createUser(site.database.db)
  ask = createNetworkAsk(site.main.url)
  bystanders = site.createBystanders()
  await bystanders.start()
}, setUpMsMax)

afterAll(() => site.close())

const keyOf = ({ method, path }: Route): string => `${method} ${path}`

/** How much longer than they may the slowest of the others waited: 1 is just in time. */
async function flood(
  route: Route,
  request: Record<string, unknown>,
  user: TestUser | undefined,
): Promise<number> {
  const share = await measureShare(site.main.child.pid ?? 0)
  const headers = user ? { token: user.token } : {}
  const calls = Array.from({ length: callsAtOnce }, () => ask(route, request, headers))
  const waited = await bystanders.ask()
  await Promise.all(calls)
  return Math.max(...Object.values(waited)) / (answeredMsMax * (await share()))
}

async function findFault({ route, ...rest }: RouteCase): Promise<string | undefined> {
  const routeCase = { route, ...rest }
  const newcomer = await createUser(site.database.db)
  const { caller, setup } = callerOf(fixture, routeCase, newcomer)
  const request = await requestOf(fixture, routeCase, setup, caller)
  const people = { nobody: undefined, 'a stranger': stranger, 'one who may': caller }
  for (const [name, user] of Object.entries(people)) {
    if (name === 'nobody' && routeCase.needs !== 'public' && routeCase.needs !== 'machine') continue
    const slowest: number[] = []
    while (slowest.length < triesMax && slowest.every((one) => one > 1))
      slowest.push(await flood(route, request, user))
    if (slowest.every((one) => one > 1))
      return `${name}: ${slowest.map((one) => one.toFixed(1)).join(', ')} times too long`
  }
  return undefined
}

test('there is a case for every route', () => {
  expect([...new Set(routeCases.map(({ route }) => keyOf(route)))].sort()).toEqual(routes.map(keyOf).sort())
})

describe('others are answered within a second while one person makes sixteen calls at once of', () => {
  test.each(routeCases.map((routeCase) => [keyOf(routeCase.route), routeCase] as const))(
    '%s',
    async (_, routeCase) => {
      expect(await findFault(routeCase)).toBeUndefined()
    },
  )
})

test('the visit stayed open, and no call of the others failed', async () => {
  const fate = await bystanders.stop()
  expect(fate).toMatchObject({ visit: 'open', port: 'open', failedCalls: [] })
  expect(fate.lines).toBeGreaterThan(0)
})
