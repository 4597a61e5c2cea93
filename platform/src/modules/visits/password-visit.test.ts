import { applications, visits as contract, machines } from '@busbar/contract'
import { openTestTunnel, type TestMachine, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeAll, expect, test } from 'vitest'

const password = 'Kx7-pressline'
const minuteMs = 60_000

const site = useSite()
let machine: TestMachine
beforeAll(async () => {
  const owner = await site.createUser()
  machine = await site.createMachine({ owner: owner.userId, password })
  const checkType = machines.checkTypes.akeyAndPassword
  await site.db
    .updateTable('machines')
    .set({ check_type: checkType })
    .where('id', '=', machine.machineId)
    .execute()
  await openTestTunnel(site, machine, (stream) => stream.end(), {
    targets: [{ name: 'page', readOnly: true }],
  })
})

const createAsker = async () => {
  const user = await site.createUser()
  await site.listMachine(user.userId, machine.machineId)
  return user
}
const prove = async (user: TestUser) =>
  (await site.as(user).call(applications.checkMachinePassword, { machineID: machine.machineId, password }))
    .ticket
const request = (more: { ticket?: string; mode?: 'ro' | 'rw' }) => ({
  machineID: machine.machineId,
  terminalID: 'terminal-of-a-test',
  ...more,
})
const codeOf = async (user: TestUser, ticket: string) =>
  await site.refusalOf(user, contract.openVisit, request({ ticket }))

test('a ticket of the machine’s password opens a visit of an hour at once, and opens none again', async () => {
  const asker = await createAsker()
  const ticket = await prove(asker)
  const before = Date.now()
  const { mode, expireAt } = await site.as(asker).call(contract.openVisit, request({ ticket }))
  expect(mode).toBe('rw')
  expect(expireAt).toBeGreaterThanOrEqual(before + 60 * minuteMs)
  expect(expireAt).toBeLessThanOrEqual(Date.now() + 60 * minuteMs)
  await site.db.deleteFrom('machine_grants').where('user_id', '=', asker.userId).execute()
  expect(await codeOf(asker, ticket)).toBe('505')
})

test('a visit by ticket may be requested read-only', async () => {
  const asker = await createAsker()
  const wish = request({ ticket: await prove(asker), mode: 'ro' })
  expect((await site.as(asker).call(contract.openVisit, wish)).mode).toBe('ro')
})

test('a ticket is valid only in the browser that proved the password', async () => {
  const asker = await createAsker()
  const ticket = await prove(asker)
  const otherBrowser = { ...asker, ...(await site.signIn(asker.userId)) }
  expect(await codeOf(otherBrowser, ticket)).toBe('505')
  expect(await codeOf(await createAsker(), ticket)).toBe('505')
  expect(await codeOf(asker, 'guessed')).toBe('505')
  const opened = await site.as(asker).call(contract.openVisit, request({ ticket }))
  expect(opened.sessionId).toBeGreaterThan(0)
})

test('a ticket does not let in a stranger to the machine, or a person on its blacklist', async () => {
  expect(await codeOf(await site.createUser(), 'guessed')).toBe('GENERAL_USER')
  const asker = await createAsker()
  const ticket = await prove(asker)
  await site.db
    .insertInto('machine_blacklist')
    .values({ machine_id: machine.machineId, user_id: asker.userId })
    .execute()
  expect(await codeOf(asker, ticket)).toBe('BLACKLIST')
})

test('a key of the machine enters with a ticket as without, and keeps it', async () => {
  const bkey = await site.createHolder(machine.machineId, { role: 'bkey' })
  const ticket = await prove(bkey)
  const { expireAt } = await site.as(bkey).call(contract.openVisit, request({ ticket }))
  expect(expireAt).toBeGreaterThan(Date.now() + 61 * minuteMs)
  const kept = await site.db
    .selectFrom('machine_password_tickets')
    .select('user_id')
    .where('user_id', '=', bkey.userId)
    .execute()
  expect(kept).toHaveLength(1)
})
