import { access, accounts, brands, enterprises, machines, operator, type Route } from '@busbar/contract'
import { failureOf, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createOperator } from './create-operator.ts'

const site = useSite()
let boss: TestUser
beforeAll(async () => {
  boss = await createOperatorUser('Olga Op')
})

async function createOperatorUser(name: string): Promise<TestUser> {
  const user = await site.createUser({ name })
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', user.userId).execute()
  await site.proveSession(user.sessionId)
  return user
}

/** The newest entries of the audit log with this action, as operators read them. */
async function entriesOf(action: string) {
  const { list } = await site.as(boss).call(operator.listAudit, { search: action })
  return list
}

const codeOf = (n: number) => `77${String(n).padStart(17, '0')}`

describe('the back office', () => {
  const routes = (Object.values(operator) as unknown[]).filter(
    (value): value is Route => typeof value === 'object' && value !== null && 'who' in value,
  )

  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is closed to everybody else: %s',
    async (_, route) => {
      const path = route.path.replace(/:\w+/g, '1')
      const somebody = await site.createUser()
      const response = await fetch(`${site.url}${path}`, {
        method: route.method,
        headers: { token: somebody.token, 'content-type': 'application/json' },
        ...(route.method === 'GET' ? {} : { body: JSON.stringify(validBody(route)) }),
      })
      expect(response.status).toBe(403)
    },
  )

  test('shows how the platform is', async () => {
    const overview = await site.as(boss).call(operator.getOverview, {})
    expect(overview.counts.operators).toBeGreaterThanOrEqual(1)
    expect(overview.health.map(({ part }) => part)).toEqual([...operator.healthParts])
    expect(overview.health.find(({ part }) => part === 'database')?.state).not.toBe('down')
  })
})

describe('a locked person', () => {
  test('is signed out at once, gets the reason after the right password, and can sign in again when unlocked', async () => {
    const password = 'correct horse'
    const person = await site.createUser({ password })
    const login = { loginName: person.email, loginPwd: password, terminalUUID: 'lock-test' }
    await site.as(boss).call(operator.updateUser, { id: person.userId, state: 'locked' })
    expect(await site.refusalOf(person, accounts.selectInfo, {})).toBe('113')
    const wrong = { ...login, loginPwd: 'wrong horse' }
    expect(await site.refusalOf(undefined, accounts.login, wrong)).toBe('07010109')
    expect(await site.refusalOf(undefined, accounts.login, login)).toBe('ACCOUNT_LOCKED')
    const told = await site.db
      .selectFrom('right_changes')
      .select('session_id')
      .where('user_id', '=', person.userId)
      .where('reason', '=', 'locked')
      .where('session_id', 'is not', null)
      .execute()
    expect(told, 'what is open under the session is cut').toEqual([{ session_id: person.sessionId }])
    const [entry] = await entriesOf('user.lock')
    expect(entry).toMatchObject({ actor: 'Olga Op', target: person.email, result: 'ok', ip: '127.0.0.1' })

    await site.as(boss).call(operator.updateUser, { id: person.userId, state: 'active' })
    expect((await site.as(undefined).call(accounts.login, login)).userid).toBe(person.userId)
  })

  test('is found by any part of name or account, and LIKE’s characters are plain text', async () => {
    const person = await site.createUser({ name: 'Zoë 林50%_off' })
    for (const search of ['ZOË', '林', 'ë', '%', '50%_', person.email.slice(3, 20)]) {
      const { list } = await site.as(boss).call(operator.listUsers, { search })
      expect(list.map(({ userId }) => userId)).toContain(person.userId)
    }
    const { list } = await site.as(boss).call(operator.listUsers, { search: '50%%off' })
    expect(list).toEqual([])
  })
})

describe('operators', () => {
  test('are appointed and dismissed only after a recent proof of the password', async () => {
    const hasty = await createOperatorUser('Hasty Op')
    await site.proveSession(hasty.sessionId, new Date(Date.now() - accounts.proofMs - 1_000))
    const person = await site.createUser()
    const wish = { id: person.userId, isOperator: true }
    expect(await site.refusalOf(hasty, operator.updateUser, wish)).toBe('PROOF_NEEDED')
    await site.as(boss).call(operator.updateUser, wish)
    await site.as(person).call(operator.getOverview, {})
    await site.as(boss).call(operator.updateUser, { ...wish, isOperator: false })
    expect((await failureOf(site.as(person), operator.getOverview, {})).http).toBe(403)
  })

  test('cannot shut themselves out', async () => {
    for (const change of [{ state: 'locked' as const }, { isOperator: false }])
      expect(await site.refusalOf(boss, operator.updateUser, { id: boss.userId, ...change })).toBe('12010201')
  })

  test('dismissing each other at the same moment leave one', async () => {
    const [one, other] = [await createOperatorUser('One Op'), await createOperatorUser('Other Op')]
    const outcomes = await Promise.allSettled([
      site.as(one).call(operator.updateUser, { id: other.userId, isOperator: false }),
      site.as(other).call(operator.updateUser, { id: one.userId, isOperator: false }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('are made on the server, with or without an account', async () => {
    const account = { email: 'first@example.test' }
    const fresh = { name: 'First Op', password: 'correct horse', lang: 'en' as const }
    const at = new Date()
    expect(await createOperator(site.db, account, undefined, at)).toBe('unknown')
    expect(await createOperator(site.db, account, fresh, at)).toBe('made')
    expect(await createOperator(site.db, account, fresh, at)).toBe('known')
    const person = await site.createUser()
    expect(await createOperator(site.db, { email: person.email }, undefined, at)).toBe('raised')
    await site.as(person).call(operator.getOverview, {})
    expect((await entriesOf('operator.add')).map(({ actor, target }) => [actor, target])).toContainEqual([
      '',
      person.email,
    ])
  })
})

describe('the register', () => {
  test('a machine is found by its code as it is printed, and by a part of its name or model', async () => {
    const machine = await site.createMachine({ code: codeOf(77_001), name: '3号水泵 North' })
    for (const search of ['7700 0000 0000 0077 001', '水', 'NORTH', '号水泵 n']) {
      const { list } = await site.as(boss).call(operator.listMachines, { search })
      expect(list.map(({ machineCode }) => machineCode)).toContain(machine.code)
    }
  })
})

describe('a new label', () => {
  test('makes the old secret of an unowned machine void, and is refused for an owned one', async () => {
    const free = await site.createMachine({ password: 'old label 1' })
    const label = await site.as(boss).call(operator.renewMachineLabel, { id: free.machineId })
    const person = await site.createUser()
    const add = (machinePwd: string) => ({ machineName: 'Mine', machineCode: free.code, machinePwd })
    expect(await site.refusalOf(person, machines.addMachine, add('old label 1'))).toBe('505')
    await site.as(person).call(machines.addMachine, add(label.password))
    expect(await site.refusalOf(boss, operator.renewMachineLabel, { id: free.machineId })).toBe('12010301')
    const changes = await site.db
      .selectFrom('right_changes')
      .select('reason')
      .where('machine_id', '=', free.machineId)
      .execute()
    expect(changes.map(({ reason }) => reason)).toContain('secretReset')
  })
})

describe('the contents of the audit log', () => {
  test('every change that a key makes to a machine: by whom, to whom, from where', async () => {
    const akey = await site.createUser({ name: 'Akey' })
    const guest = await site.createUser()
    const machine = await site.createMachine({ owner: akey.userId })
    const { machineId: machineID } = machine
    const grantId = await site.grantMachine(guest.userId, machineID, { role: 'visitor' })
    const by = site.as(akey)
    await by.call(access.setCloudService, { machineID, state: false })
    await by.call(access.setReadOnly, { machineID, userID: guest.userId, limitRead: 1 })
    await by.call(access.updateLevel, { id: grantId, limit: 2 })
    await by.call(access.addToBlacklist, { deviceId: machineID, userId: guest.userId })
    await by.call(access.updateMachineInfo, { machineCode: machine.code, machineName: 'Press' })
    const denied = await failureOf(site.as(guest), access.setCloudService, { machineID, state: true })
    expect(denied.code).toBe('403')
    const { list } = await site.as(boss).call(operator.listAudit, { search: machine.code })
    expect(list.map(({ action, actor }) => [action, actor])).toEqual([
      ['machine.name', 'Akey'],
      ['machine.right.blacklisted', 'Akey'],
      ['machine.right.bkey', 'Akey'],
      ['machine.right.readOnly', 'Akey'],
      ['machine.cloud', 'Akey'],
    ])
    expect(list.map(({ targetName }) => targetName)).toEqual(Array(5).fill('Press'))
    expect(list.at(-2)).toMatchObject({ ip: '127.0.0.1', detail: { userId: guest.userId, readOnly: true } })
  })
})

describe('an operator’s reading and settings', () => {
  test('reading the outbox is recorded, because it contains codes', async () => {
    await site.as(boss).call(operator.listOutgoing, { search: 'victim@' })
    expect(await entriesOf('outbox.read')).toContainEqual(
      expect.objectContaining({ actorUserId: boss.userId, target: 'victim@' }),
    )
  })

  test('a message that is still to be sent shows no code', async () => {
    const message = {
      kind: 'sms',
      recipient: '13900139000',
      country_code: '86',
      text: 'Your code is ABCD',
      brand_id: 1,
    }
    const rows = ['queued', 'failed', 'kept'].map((state) => ({
      ...message,
      state,
      created_at: new Date(),
    }))
    await site.db.insertInto('outgoing').values(rows).execute()
    const { list } = await site.as(boss).call(operator.listOutgoing, { search: '13900139000' })
    expect(list.map(({ state, text }) => [state, text])).toEqual([
      ['kept', 'Your code is ABCD'],
      ['failed', ''],
      ['queued', ''],
    ])
  })

  test('projects of an enterprise', async () => {
    const { id: eid } = await site.db
      .insertInto('enterprises')
      .values({ name: 'Forge Ltd' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await site.as(boss).call(operator.updateEnterprise, { eid, enableProject: true })
    const { list } = await site.as(boss).call(operator.listEnterprises, { search: 'forge' })
    expect(list).toMatchObject([{ eid, name: 'Forge Ltd', enableProject: true }])
    const missing = { eid: 999_999, enableProject: true }
    expect(await site.refusalOf(boss, operator.updateEnterprise, missing)).toBe('404')
  })

  test('a locked enterprise is closed to everybody until it is unlocked', async () => {
    const { eid, owner } = await site.createEnterprise()
    const listed = () => site.as(owner).call(enterprises.listUserEnterprises, {})
    await askForWindow(eid)
    expect(await site.as(owner).call(enterprises.listMaintenance, {})).toHaveLength(1)
    await site.as(boss).call(operator.updateEnterprise, { eid, state: 'locked' })
    expect(await listed()).toEqual([])
    expect(await site.refusalOf(owner, enterprises.listMembers, { eid })).toBe('403')
    const picture = { purpose: 'logo', file: new File(['<svg/>'], 'logo.svg') } as const
    expect(await site.refusalOf(owner, brands.createUpload, picture)).toBe('403')
    expect(await site.as(owner).call(enterprises.listMaintenance, {})).toEqual([])
    expect(await entriesOf('enterprise.lock')).toHaveLength(1)
    await site.as(boss).call(operator.updateEnterprise, { eid, state: 'active' })
    expect(await listed()).toHaveLength(1)
  })

  test('a second brand is another product on its host from the next request on', async () => {
    const { list } = await site.as(boss).call(operator.listBrands, {})
    const [main] = list
    if (!main) throw new Error('there is no main brand')
    const fields = { ...main, hosts: ['forge.example'], isDefault: false, accent: '#0b7a5b' }
    const platformName = { cn: '锻造云', en: 'Forge Cloud' }
    const { id } = await site.as(boss).call(operator.createBrand, { ...fields, platformName })
    const again = { ...fields, platformName: { cn: '二', en: 'Two' } }
    expect(await site.refusalOf(boss, operator.createBrand, again)).toBe('BRAND_HOST_TAKEN')
    const { list: found } = await site.as(boss).call(operator.listBrands, { search: 'forge' })
    expect(found.map((brand) => brand.id)).toEqual([id])
    expect((await entriesOf('brand.create'))[0]).toMatchObject({ target: 'Forge Cloud' })
  })
})

/** Another enterprise requests a window on a machine of the enterprise. */
async function askForWindow(eid: number): Promise<void> {
  const { code: machineCode } = await site.createEnterpriseMachine(eid)
  const makers = await site.createEnterprise()
  const start = Date.now()
  const window = { start, stop: start + 3_600_000, reason: 'yearly check' }
  await site
    .as(makers.owner)
    .call(enterprises.requestMaintenance, { eid: makers.eid, machineCode, ...window, scopes: ['view'] })
}

/** A body that passes the request's schema: a refusal must not be for its form. */
function validBody(route: Route): Record<string, unknown> {
  const bodies: Record<string, Record<string, unknown>> = {
    [operator.updateEnterprise.path]: { enableProject: true },
    [operator.importMachines.path]: { csv: codeOf(9_999) },
    [operator.confirmMachineImport.path]: { secrets: 1 },
    [operator.answerScadaRequest.path]: { approved: true, answer: 'yes' },
    [operator.createBrand.path]: brandBody,
    [operator.updateBrand.path]: brandBody,
    [operator.createMachineType.path]: machineTypeBody,
    [operator.updateMachineType.path]: machineTypeBody,
  }
  return bodies[route.path] ?? {}
}

const machineTypeBody = {
  type: 'stranger',
  name: { cn: '一', en: 'One' },
  pattern: '',
  picture: 'machine',
  place: 1,
}

const brandBody = {
  hosts: ['stranger.example'],
  isDefault: true,
  platformName: { cn: '一', en: 'One' },
  logoUrl: '',
  logoDarkUrl: '',
  loginImageUrl: '',
  faviconUrl: '',
  accent: '',
  emailSender: '',
  smsSignature: '',
  versions: Object.fromEntries(
    ['pc', 'mobile', 'tv'].map((client) => [client, { latest: '1.0.0', lowest: '1.0.0' }]),
  ),
  downloads: [],
  icp: '',
}
