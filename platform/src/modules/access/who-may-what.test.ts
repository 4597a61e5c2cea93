import { access, type RequestOf, type Route } from '@busbar/contract'
import {
  blacklistUser,
  createMachine,
  createUser,
  failureOf,
  grantMachine,
  listMachine,
  proveSession,
  startTestPlatform,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../accounts/index.ts'

let site: TestPlatform
let passwordHash: string
beforeAll(async () => {
  site = await startTestPlatform()
  passwordHash = await hashPassword(password)
})
afterAll(() => site.stop())

const password = 'label-password-1'
const hourMs = 3_600_000

/** A machine with an Akey, a Bkey and a visitor to act on, and an acting person. */
interface Setup {
  readonly machineId: number
  readonly code: string
  readonly akey: TestUser
  readonly visitor: TestUser
  readonly visitorGrant: number
  readonly bkey: TestUser
  readonly bkeyGrant: number
  readonly blacklisted: TestUser
  readonly outsider: TestUser
}

async function createSetup(): Promise<Setup> {
  const person = () => createUser(site.db)
  const [akey, visitor, bkey] = [await person(), await person(), await person()]
  const [blacklisted, outsider] = [await person(), await person()]
  const { machineId, code } = await createMachine(site.db, { owner: akey.userId })
  await site.db
    .updateTable('machines')
    .set({ password_hash: passwordHash })
    .where('id', '=', machineId)
    .execute()
  const until = new Date(Date.now() + hourMs)
  const visitorGrant = await grantMachine(site.db, visitor.userId, machineId, { role: 'visitor', until })
  const bkeyGrant = await grantMachine(site.db, bkey.userId, machineId, { role: 'bkey' })
  await blacklistUser(site.db, blacklisted.userId, machineId)
  return { machineId, code, akey, visitor, visitorGrant, bkey, bkeyGrant, blacklisted, outsider }
}

/** Every kind of person without a key of a machine, by their relation to it. */
const strangers: Record<string, (setup: Setup) => Promise<TestUser>> = {
  stranger: () => createUser(site.db),
  'ordinary user': async ({ machineId }) => {
    const user = await createUser(site.db)
    await listMachine(site.db, user.userId, machineId)
    return user
  },
  visitor: ({ machineId }) =>
    createHolder(machineId, { role: 'visitor', until: new Date(Date.now() + hourMs) }),
  'read-only visitor': ({ machineId }) => createHolder(machineId, { role: 'visitor', readOnly: true }),
  'former visitor': ({ machineId }) =>
    createHolder(machineId, { role: 'visitor', until: new Date(Date.now() - 3_600_000) }),
  'blacklisted user with a Bkey left': async ({ machineId }) => {
    const user = await createHolder(machineId, { role: 'bkey' })
    await blacklistUser(site.db, user.userId, machineId)
    return user
  },
  'Akey of another machine': async () => {
    const user = await createUser(site.db)
    await createMachine(site.db, { owner: user.userId })
    return user
  },
}

async function createHolder(machineId: number, grant: Parameters<typeof grantMachine>[3]): Promise<TestUser> {
  const user = await createUser(site.db)
  await grantMachine(site.db, user.userId, machineId, grant)
  return user
}

/** A call on a setup, and the answers to a Bkey and the Akey; others get a 403. */
interface Row {
  readonly what: string
  readonly route: Route
  readonly request: (setup: Setup) => unknown
  readonly bkey: string
  readonly akey: string
}

function row<R extends Route, const Request extends RequestOf<R>>(
  what: string,
  route: R,
  request: (setup: Setup) => Request,
  answers: readonly [bkey: string, akey: string],
): Row {
  return { what, route, request, bkey: answers[0], akey: answers[1] }
}

const both = ['ok', 'ok'] as const
const akeyCode = ['01010306', 'ok'] as const
/** A Bkey's call is a proposal that waits for the Akey's consent. */
const akeyConsent = ['asks', 'ok'] as const
const onlyAkey = ['403', 'ok'] as const

const rows: Row[] = [
  row('list Bkeys', access.listGrants, ({ machineId }) => ({ machineID: machineId, infoType: 2 }), both),
  row(
    'list the blacklist',
    access.listGrants,
    ({ machineId }) => ({ machineID: machineId, infoType: -1 }),
    both,
  ),
  row(
    'make somebody Bkey',
    access.addBkey,
    ({ machineId, outsider }) => ({ machineID: machineId, account: outsider.email }),
    akeyConsent,
  ),
  row(
    'let a visitor in',
    access.addVisitor,
    ({ machineId, outsider }) => ({ machineID: machineId, account: outsider.email, validTime: 60 }),
    both,
  ),
  row(
    'lift a visitor',
    access.updateLevel,
    ({ visitorGrant }) => ({ id: visitorGrant, limit: 2 }),
    akeyConsent,
  ),
  row('lower a Bkey', access.updateLevel, ({ bkeyGrant }) => ({ id: bkeyGrant, limit: 0 }), akeyCode),
  row('lower a visitor', access.updateLevel, ({ visitorGrant }) => ({ id: visitorGrant, limit: 0 }), both),
  row(
    'end a visit time',
    access.endVisitTime,
    ({ visitorGrant, machineId }) => ({ visitAlidTimeID: visitorGrant, machineID: machineId }),
    both,
  ),
  row(
    'set a visit time',
    access.setVisitTime,
    ({ visitorGrant }) => ({ visitTimeId: visitorGrant, visitTime: -1 }),
    both,
  ),
  row(
    'set a visit time to zero',
    access.clearVisitTime,
    ({ visitorGrant }) => ({ visitTimeId: visitorGrant }),
    both,
  ),
  row('remove a visitor', access.removeVisitor, ({ visitorGrant }) => ({ visitTimeId: visitorGrant }), both),
  row(
    'end a Bkey’s visit time, which is none',
    access.endVisitTime,
    ({ bkeyGrant, machineId }) => ({ visitAlidTimeID: bkeyGrant, machineID: machineId }),
    ['403', '403'],
  ),
  row(
    'remove a Bkey as if a visitor',
    access.removeVisitor,
    ({ bkeyGrant }) => ({ visitTimeId: bkeyGrant }),
    ['403', '403'],
  ),
  row(
    'blacklist a visitor',
    access.addToBlacklist,
    ({ machineId, visitor }) => ({ deviceId: machineId, userId: visitor.userId }),
    both,
  ),
  row(
    'blacklist a Bkey',
    access.addToBlacklist,
    ({ machineId, bkey }) => ({ deviceId: machineId, userId: bkey.userId }),
    akeyCode,
  ),
  row(
    'blacklist the Akey',
    access.addToBlacklist,
    ({ machineId, akey }) => ({ deviceId: machineId, userId: akey.userId }),
    ['01010306', '400'],
  ),
  row(
    'blacklist somebody who never came near',
    access.addToBlacklist,
    ({ machineId, outsider }) => ({ deviceId: machineId, userId: outsider.userId }),
    ['01010304', '01010304'],
  ),
  row(
    'take somebody off the blacklist',
    access.removeFromBlacklist,
    ({ machineId, blacklisted }) => ({ deviceId: machineId, userId: blacklisted.userId }),
    both,
  ),
  ...([access.setReadOnly, access.setAlarmBit] as const).flatMap((route) => {
    const bits = { limitRead: 1, limitAlarm: 0 } as const
    const of = (who: 'visitor' | 'bkey' | 'outsider') => (setup: Setup) => ({
      machineID: setup.machineId,
      userID: setup[who].userId,
      ...bits,
    })
    return [
      row(`${route.title.en}, of a visitor`, route, of('visitor'), both),
      row(`${route.title.en}, of a Bkey`, route, of('bkey'), akeyCode),
      row(`${route.title.en}, of nobody who holds it`, route, of('outsider'), ['01010304', '01010304']),
    ]
  }),
  row(
    'close the cloud service',
    access.setCloudService,
    ({ machineId }) => ({ machineID: machineId, state: false }),
    onlyAkey,
  ),
  row(
    'set the machine password',
    access.setMachinePassword,
    ({ machineId }) => ({ machineID: machineId, password: 'another-label-2' }),
    onlyAkey,
  ),
  row('renew the secret', access.resetSecret, ({ machineId }) => ({ machineID: machineId }), onlyAkey),
  row(
    'rename, and switch to password mode',
    access.updateMachineInfo,
    ({ code }) => ({ machineCode: code, machineName: 'Press 4', checkType: 1, password }),
    both,
  ),
  row('list who can reach it', access.listReach, ({ machineId }) => ({ id: machineId }), both),
]

describe.each(Object.entries(strangers))('%s', (_, createCaller) => {
  test('is refused alike by every call, which changes nothing', async () => {
    const setup = await createSetup()
    const caller = await createCaller(setup)
    await proveSession(site.db, caller.sessionId)
    const before = await listRights(setup.machineId)
    for (const { what, route, request } of rows) {
      const { code, http } = await failureOf(site.as(caller), route, request(setup) as never)
      expect([what, code, http]).toEqual([what, '403', 403])
    }
    expect(await listRights(setup.machineId)).toEqual(before)
  })
})

describe.each(['bkey', 'akey'] as const)('the %s', (key) => {
  test.each(rows.map((each) => [each.what, each] as const))('may, or may not: %s', async (_, each) => {
    const setup = await createSetup()
    const caller = key === 'akey' ? setup.akey : await createHolder(setup.machineId, { role: 'bkey' })
    await proveSession(site.db, caller.sessionId)
    const before = await listRights(setup.machineId)
    const request = each.request(setup) as never
    if (each[key] === 'ok') await site.as(caller).call(each.route, request)
    else if (each[key] === 'asks') {
      expect(await site.as(caller).call(each.route, request)).toMatchObject({ auditState: 2 })
      expect(await listRights(setup.machineId)).toEqual(before)
    } else {
      expect((await failureOf(site.as(caller), each.route, request)).code).toBe(each[key])
      expect(await listRights(setup.machineId)).toEqual(before)
    }
  })
})

/** The rows that rights to a machine depend on, to verify that a refusal changed none of them. */
async function listRights(machineId: number): Promise<unknown> {
  const of = (table: 'machine_grants' | 'machine_blacklist' | 'machine_list_entries' | 'right_changes') =>
    site.db.selectFrom(table).selectAll().where('machine_id', '=', machineId).orderBy('user_id').execute()
  return {
    machine: await site.db.selectFrom('machines').selectAll().where('id', '=', machineId).execute(),
    grants: await of('machine_grants'),
    blacklist: await of('machine_blacklist'),
    entries: await of('machine_list_entries'),
    changes: await of('right_changes'),
  }
}
