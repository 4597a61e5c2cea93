import { ApiError, access, applications, type Route, routes } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import type { Gift } from './gift.ts'
import { gifts } from './gifts.ts'
import { type GiverKind, givers, grant, machinePassword } from './givers.ts'
import { givesNothing } from './gives-nothing.ts'
import type { Kind } from './route-case.ts'
import { routeCases } from './route-cases.ts'
import { createSpaceSetup, spaceGifts, spaceGivers } from './space-gifts.ts'

/* A person gives at most the rights they have (docs/decisions/0025-giving.md): every giving call, by every kind of caller. */

/** Calls that show whether an account exists are limited by the minute: each call of the table has a separate one. */
const minuteMs = 61_000
const clock = { now: Date.now() }
const site = useSite({}, { now: () => clock.now })

/** For a person without any right over it. */
const refusals = ['403', '404', 'WRONG_ROLE', 'GENERAL_USER']

/** The result of a call: the right seen afterwards, or the reason of the refusal. */
async function outcomeOf(
  giver: { token: string },
  route: Route,
  request: unknown,
  seen: (answer: unknown) => Promise<string>,
): Promise<string> {
  let answer: unknown
  try {
    answer = await site.as(giver).call(route, request as never)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusals.includes(error.code) ? 'refused' : error.code
  }
  return seen(answer)
}

const keyOf = ({ method, path }: Route): string => `${method} ${path}`

/** Things of the caller or of an enterprise: a call that names only these gives nobody a right. */
const plainKinds: ReadonlySet<Kind> = new Set([
  ...(['eid', 'group', 'userGroup', 'session', 'message', 'messages', 'contact', 'spaceContact'] as const),
  ...(['board', 'boardTemplate', 'view', 'site', 'annotation', 'export'] as const),
  ...(['report', 'reportFile', 'reportRequest'] as const),
])
const namesPeople = /^(account|email|phone|ids|messageID)$|user|machine/i

/** Whether a call names somebody, a machine, or something that somebody asked for or holds. */
const mayGive = (route: Route): boolean =>
  route.method !== 'GET' &&
  route.who !== 'operator' &&
  route.who !== 'public' &&
  routeCases
    .filter((each) => each.route === route)
    .some(
      ({ ids, rest }) =>
        Object.values(ids).some((kind) => !plainKinds.has(kind)) ||
        Object.keys(rest).some((name) => namesPeople.test(name)),
    )

test('every call that could give a right is listed as one that does, or as one that does not', () => {
  const giving = [...gifts, ...spaceGifts].map(({ route }) => keyOf(route))
  const known = new Set([...giving, ...givesNothing.map(keyOf)])
  const left = routes.filter((route) => mayGive(route) && !known.has(keyOf(route)))
  expect(left.map(keyOf)).toEqual([])
  expect(givesNothing.map(keyOf).filter((key) => giving.includes(key))).toEqual([])
  // The gifts are calls that could: what tells them apart is right.
  expect([...gifts, ...spaceGifts].filter(({ route }) => !mayGive(route))).toEqual([])
})

const outcomeFor = ({ comes }: Gift, kind: GiverKind) =>
  kind === 'owner' ? (comes.owner ?? comes.admin) : comes[kind]

describe('a person can give only rights on a machine that they have', () => {
  test.each(gifts.map((each) => [`${each.what}: ${each.route.path}`, each] as const))(
    '%s',
    async (_, gift) => {
      const came: Record<string, string> = {}
      clock.now += minuteMs
      for (const [who, , make] of givers) {
        const setup = await make(site.db)
        const { request, seen } = await gift.prepare(site, setup, clock.now)
        came[who] = await outcomeOf(setup.giver, gift.route, request, seen)
      }
      expect(came).toEqual(Object.fromEntries(givers.map(([who, kind]) => [who, outcomeFor(gift, kind)])))
    },
  )
})

describe('a person can give only rights in an enterprise that they have', () => {
  test.each(spaceGifts.map((each) => [`${each.what}: ${each.route.path}`, each] as const))(
    '%s',
    async (_, gift) => {
      const came: Record<string, string> = {}
      clock.now += minuteMs
      for (const [who, , join] of spaceGivers) {
        const setup = await createSpaceSetup(site.db, join)
        const { request, seen } = await gift.prepare(site.db, setup)
        came[who] = await outcomeOf(setup.giver, gift.route, request, seen)
      }
      expect(came).toEqual(Object.fromEntries(spaceGivers.map(([who, kind]) => [who, gift.comes[kind]])))
    },
  )
})

/** A setup with a Bkey of these bits. */
async function createBkey(bits: Parameters<typeof grant>[4]) {
  const [, , make] = givers.find(([, kind]) => kind === 'key') ?? expect.fail('no Bkey')
  const setup = await make(site.db)
  await site.db.deleteFrom('machine_grants').where('user_id', '=', setup.giver.userId).execute()
  await site.db.deleteFrom('machine_list_entries').where('user_id', '=', setup.giver.userId).execute()
  await grant(site.db, setup.giver.userId, setup.machine.machineId, 'bkey', bits)
  return { ...setup, machineId: setup.machine.machineId }
}

const grantOf = (machineId: number, userId: number) =>
  site.db
    .selectFrom('machine_grants')
    .select(['role', 'until', 'read_only', 'alarms'])
    .where('machine_id', '=', machineId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

test('a Bkey whose alarms were taken does not switch them on again for themselves', async () => {
  const { giver, machineId } = await createBkey({ alarms: false })
  const on = { machineID: machineId, userID: giver.userId, limitAlarm: 1 } as const
  expect(await site.refusalOf(giver, access.setAlarmBit, on)).toBe('GIVER_WITHOUT_ALARMS')
  expect((await grantOf(machineId, giver.userId))?.alarms).toBe(false)
})

test('the alarms of a Bkey are the Akey’s to take, and nobody takes what a person does not hold', async () => {
  const { akey, giver, machineId } = await createBkey({})
  const [other, outsider] = [await site.createUser(), await site.createUser()]
  await grant(site.db, other.userId, machineId, 'bkey')
  const off = ({ userId }: { userId: number }) =>
    ({ machineID: machineId, userID: userId, limitAlarm: 0 }) as const
  expect(await site.refusalOf(giver, access.setAlarmBit, off(other))).toBe('01010306')
  for (const key of [giver, akey])
    expect(await site.refusalOf(key, access.setAlarmBit, off(outsider))).toBe('01010304')
  await site.as(akey).call(access.setAlarmBit, off(other))
  expect((await grantOf(machineId, other.userId))?.alarms).toBe(false)
})

test('given rights stay when the giver has less later', async () => {
  const { akey, giver, machineId } = await createBkey({})
  const guest = await site.createUser()
  const visit = { machineID: machineId, account: guest.email, validTime: -1, mode: 'rw' } as const
  await site.as(giver).call(access.addVisitor, visit)
  await site.as(akey).call(access.setReadOnly, { machineID: machineId, userID: giver.userId, limitRead: 1 })
  expect(await grantOf(machineId, guest.userId)).toMatchObject({ read_only: false, until: null })
})

test('a Bkey with read-only access can still take: a bit, a visit time, a visitor', async () => {
  const { giver, machineId } = await createBkey({ readOnly: true })
  const guest = await site.createUser()
  const id = await grant(site.db, guest.userId, machineId, 'visitor')
  const as = site.as(giver)
  await as.call(access.setReadOnly, { machineID: machineId, userID: guest.userId, limitRead: 1 })
  await as.call(access.setAlarmBit, { machineID: machineId, userID: guest.userId, limitAlarm: 0 })
  expect(await grantOf(machineId, guest.userId)).toMatchObject({ read_only: true, alarms: false })
  await as.call(access.endVisitTime, { visitAlidTimeID: id, machineID: machineId })
  await as.call(access.removeVisitor, { visitTimeId: id })
  expect(await grantOf(machineId, guest.userId)).toBeUndefined()
})

test('the machine’s password counts as the Akey’s consent, whatever the other keys', async () => {
  const { machineId } = await createBkey({ readOnly: true })
  await site.db.updateTable('machines').set({ check_type: 1 }).where('id', '=', machineId).execute()
  const guest = await site.createUser()
  await site.listMachine(guest.userId, machineId)
  const as = site.as(guest)
  const { ticket } = await as.call(applications.checkMachinePassword, {
    machineID: machineId,
    password: machinePassword,
  })
  const wish = { machineID: machineId, terminalID: 'terminal', mode: 'rw', ticket } as const
  await as.call(applications.applyForVisit, wish)
  const given = await grantOf(machineId, guest.userId)
  expect(given).toMatchObject({ role: 'visitor', read_only: false })
  expect(given?.until?.getTime()).toBeLessThanOrEqual(clock.now + 60 * 60_000)
})
