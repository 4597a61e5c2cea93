import { randomUUID } from 'node:crypto'
import { accounts, checks as contract } from '@busbar/contract'
import { PushClient, type TestMachine, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

const site = useSite()

/** Checks a machine as somebody, until it is done. */
async function check(user: TestUser, { machineId }: TestMachine) {
  const person = site.as(user)
  const { ticket } = await person.call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  const { jobId } = await person.call(contract.startCheck, { machineID: machineId, pushOpen: true })
  await page.find((event) =>
    event.scene === 'check' && event.check.jobId === jobId && event.check.state === 'done' ? true : undefined,
  )
  const told = page.events.flatMap((event) => (event.scene === 'check' ? [event.check.part] : []))
  page.close()
  return { ...(await person.call(contract.getCheck, { jobId })), told }
}

const namesOf = (parts: readonly contract.CheckedPart[]) => parts.map(({ part }) => part)

test('a check tells its parts as they come, the cause, who has to act, and a text for the IT department', async () => {
  const akey = await site.createUser()
  const machine = await site.createMachine({ owner: akey.userId })
  const done = await check(akey, machine)
  expect(done).toMatchObject({
    state: 'done',
    result: { cause: 'neverConnected', who: 'onSite', isSure: false, connection: '' },
  })
  expect(namesOf(done.parts)).toEqual([...contract.checkParts])
  expect(done.told.toSorted()).toEqual(['', ...contract.checkParts].toSorted())
  expect(done.result?.itText).toContain('127.0.0.1')
})

test('an ordinary user gets browser, platform and rights, and nothing of the line', async () => {
  const akey = await site.createUser()
  const machine = await site.createMachine({ owner: akey.userId })
  const listed = await site.createUser()
  await site.listMachine(listed.userId, machine.machineId)
  const done = await check(listed, machine)
  expect(namesOf(done.parts)).toEqual(['browser', 'platform', 'rights'])
  expect(done.result).toMatchObject({ cause: 'noRight', who: 'keyHolder', isSure: true, itText: '' })
})

test('a check shows less when its person may see less, and nothing to others', async () => {
  const akey = await site.createUser()
  const machine = await site.createMachine({ owner: akey.userId })
  const visitor = await site.createHolder(machine.machineId, { role: 'visitor' })
  const { jobId, parts } = await check(visitor, machine)
  expect(namesOf(parts)).toContain('line')
  expect(await site.refusalOf(akey, contract.getCheck, { jobId })).toBe('404')
  await site.db.deleteFrom('machine_grants').where('user_id', '=', visitor.userId).execute()
  const later = await site.as(visitor).call(contract.getCheck, { jobId })
  expect(namesOf(later.parts)).toEqual(['browser', 'platform', 'rights'])
})

test('a second press answers the check that runs, but none whose process ended', async () => {
  const akey = await site.createUser()
  const { machineId } = await site.createMachine({ owner: akey.userId })
  const running = { id: randomUUID(), machine_id: machineId, user_id: akey.userId, started_at: new Date() }
  await site.db.insertInto('machine_checks').values(running).execute()
  const start = () => site.as(akey).call(contract.startCheck, { machineID: machineId })
  expect(await start()).toEqual({ jobId: running.id })
  const started_at = new Date(Date.now() - 60_000)
  await site.db.updateTable('machine_checks').set({ started_at }).where('id', '=', running.id).execute()
  expect(await start()).not.toEqual({ jobId: running.id })
  const old = await site.as(akey).call(contract.getCheck, { jobId: running.id })
  expect(old.state).toBe('done')
})

test('a closed cloud service is the cause, before anything of the line', async () => {
  const akey = await site.createUser()
  const machine = await site.createMachine({ owner: akey.userId })
  await site.db
    .updateTable('machines')
    .set({ cloud_service: false })
    .where('id', '=', machine.machineId)
    .execute()
  const { result } = await check(akey, machine)
  expect(result).toMatchObject({ cause: 'cloudServiceOff', who: 'keyHolder', isSure: true })
})

test('log and bundle of a device without an agent are refused by name', async () => {
  const akey = await site.createUser()
  const { machineId } = await site.createMachine({ owner: akey.userId })
  expect(await site.refusalOf(akey, contract.getAgentLog, { machineId })).toBe('AGENT_AWAY')
  expect(await site.refusalOf(akey, contract.getSupportBundle, { machineId })).toBe('AGENT_AWAY')
})
