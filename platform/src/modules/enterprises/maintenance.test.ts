import { enterprises as contract, messages } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

const site = useSite()

const hourMs = 3_600_000

/** A customer's machine, the maker's engineer, and a requested window of two hours that began an hour ago. */
async function askForWindow() {
  const { eid, owner } = await site.createEnterprise('Maker')
  const engineer = await site.createMember(eid, 'member', ['maintain'])
  const customer = await site.createUser()
  const machine = await site.createMachine({ owner: customer.userId, name: 'Kiln' })
  const now = Date.now()
  const wish = {
    eid,
    machineCode: machine.code,
    start: now - hourMs,
    stop: now + hourMs,
    scopes: ['view', 'control'] as contract.MaintenanceScope[],
    reason: 'yearly check',
  }
  const { id, state } = await site.as(engineer).call(contract.requestMaintenance, wish)
  expect(state).toBe('waiting')
  return { eid, owner, engineer, customer, machine, wish, id }
}

const listOf = async (user: TestUser, eid: number) => {
  const answer = await site.as(user).call(contract.listEnterpriseMachines, { eid, type: 2 })
  return 'list' in answer ? answer.list : []
}
const answer = (user: TestUser, id: number, action: contract.MaintenanceAction) =>
  site.as(user).call(contract.answerMaintenance, { id, action })

test('a customer’s machine is in the maintenance list from consent until the end, and shows no data before', async () => {
  const { eid, engineer, customer, machine, id } = await askForWindow()
  expect(await listOf(engineer, eid)).toEqual([])
  const [asked] = await site.as(engineer).call(contract.listEnterpriseMaintenance, { eid })
  expect(asked).toMatchObject({ machineCode: machine.code, machineName: '', mayAnswer: false })
  const [mine] = await site.as(customer).call(contract.listMaintenance, {})
  expect(mine).toMatchObject({ enterprise: 'Maker', machineName: 'Kiln', state: 'waiting', mayAnswer: true })

  expect(await answer(customer, id, 'accept')).toEqual({ state: 'accepted' })
  expect(await listOf(engineer, eid)).toMatchObject([
    { machineCode: machine.code, machineName: 'Kiln', maintainState: 'accepted', limitAuthority: 0, ip: '' },
  ])
  await answer(customer, id, 'suspend')
  expect(await listOf(engineer, eid)).toMatchObject([{ maintainState: 'suspended', mayEnter: false }])
  await answer(customer, id, 'resume')
  await answer(customer, id, 'end')
  expect(await listOf(engineer, eid)).toEqual([])
})

test('a request is in the Akey’s message centre and its answer in the requester’s, without the name after a refusal', async () => {
  const { engineer, customer, machine, id } = await askForWindow()
  const lastOf = async (user: TestUser, scene: messages.MessageTab) =>
    (await site.as(user, 'cn').call(messages.listMessages, { scene })).list[0]
  const asked = await lastOf(customer, 'inbox')
  expect(asked).toMatchObject({ title: '维保申请', machine: { name: 'Kiln' } })
  expect(asked?.body).toMatch(/^Maker 申请对“Kiln”进行维保，时间：.+ 至 .+/)
  expect(asked?.mayAnswer).toBe(true)
  await answer(customer, id, 'refuse')
  expect((await lastOf(customer, 'inbox'))?.mayAnswer).toBe(false)
  expect(await lastOf(engineer, 'sent')).toMatchObject({ isResult: true, machine: { name: machine.code } })
})

test('only the machine’s Akey answers, and of answers at the same time one counts', async () => {
  const { owner, engineer, customer, machine, id } = await askForWindow()
  const bkey = await site.createHolder(machine.machineId, { role: 'bkey' })
  for (const stranger of [owner, engineer, bkey, await site.createUser()])
    expect(await site.refusalOf(stranger, contract.answerMaintenance, { id, action: 'accept' })).toBe('403')
  const unknown = { id: 999_999, action: 'accept' } as const
  expect(await site.refusalOf(customer, contract.answerMaintenance, unknown)).toBe('403')
  const answers = await Promise.allSettled(
    (['accept', 'refuse', 'accept', 'refuse'] as const).map((action) => answer(customer, id, action)),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await site.refusalOf(customer, contract.answerMaintenance, { id, action: 'resume' })).toBe(
    'MAINTENANCE_STATE',
  )
})

test('a window ends, starts before it ends, and lasts a year at most', async () => {
  const { engineer, wish } = await askForWindow()
  const ask = (more: object) => site.refusalOf(engineer, contract.requestMaintenance, { ...wish, ...more })
  const now = Date.now()
  expect(await ask({ start: now, stop: now })).toBe('WINDOW_INVALID')
  expect(await ask({ start: now - hourMs, stop: now - 1 })).toBe('WINDOW_INVALID')
  expect(await ask({ start: now, stop: now + 367 * 24 * hourMs })).toBe('WINDOW_INVALID')
  expect(await ask({ scopes: [] })).toBe('400')
})

test('a service contract has no end and carries view and alarms only; either side ends it at once', async () => {
  const { eid, owner, engineer, customer, machine, wish, id: windowId } = await askForWindow()
  await answer(customer, windowId, 'refuse')
  const ask = (more: object) => ({
    ...wish,
    stop: contract.noEnd,
    scopes: ['view', 'alarm'] as const,
    ...more,
  })
  const refused = await site.refusalOf(
    engineer,
    contract.requestMaintenance,
    ask({ scopes: ['view', 'control'] }) as never,
  )
  expect(refused).toBe('CONTRACT_SCOPES')
  const propose = async () => (await site.as(engineer).call(contract.requestMaintenance, ask({}) as never)).id
  const first = await propose()
  const { list } = await site.as(customer, 'en').call(messages.listMessages, { scene: 'inbox' })
  expect(list[0]).toMatchObject({ mayAnswer: true })
  expect(list[0]?.body).toContain('without an end')
  await answer(customer, first, 'accept')
  expect(await listOf(owner, eid)).toMatchObject([
    { maintainstop: contract.noEnd, maintainState: 'accepted', readOnly: true, mayEnter: true },
  ])
  await answer(customer, first, 'end')
  expect(await listOf(owner, eid)).toEqual([])

  const second = await propose()
  await answer(customer, second, 'accept')
  const end = (user: TestUser, id: number, of = eid) =>
    site.refusalOf(user, contract.endMaintenance, { eid: of, id })
  const stranger = await site.createEnterprise('Other maker')
  expect(await end(stranger.owner, second, stranger.eid)).toBe('403')
  expect(await end(await site.createMember(eid, 'member', ['alarm']), second)).toBe('403')
  expect(await site.as(engineer).call(contract.endMaintenance, { eid, id: second })).toEqual({
    state: 'ended',
  })
  expect(await listOf(owner, eid)).toEqual([])
  expect(await end(engineer, second)).toBe('MAINTENANCE_STATE')
  const told = await site.as(customer, 'en').call(messages.listMessages, { scene: 'device' })
  expect(told.list[0]).toMatchObject({
    title: 'A maintenance window was ended',
    machine: { machineCode: machine.code },
  })
})

test('the end by the enterprise and the Akey’s answer, at the same time: one counts', async () => {
  const { eid, engineer, customer, id } = await askForWindow()
  const ends = await Promise.allSettled([
    answer(customer, id, 'accept'),
    site.as(engineer).call(contract.endMaintenance, { eid, id }),
    site.as(engineer).call(contract.endMaintenance, { eid, id }),
  ])
  expect(ends.slice(1).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await listOf(engineer, eid)).toEqual([])
})

test('cannot be requested for an unowned machine, nor for the enterprise’s own', async () => {
  const { eid, engineer, wish } = await askForWindow()
  const [free, own] = [await site.createMachine(), await site.createEnterpriseMachine(eid)]
  const ask = (machineCode: string) =>
    site.refusalOf(engineer, contract.requestMaintenance, { ...wish, machineCode })
  expect(await ask(free.code)).toBe('MAINTENANCE_UNOWNED')
  expect(await ask(own.code)).toBe('MAINTENANCE_OWN')
  expect(await ask('9'.repeat(19))).toBe('04010102')
})

test('a former owner’s consents end when an enterprise becomes the owner', async () => {
  const { eid, owner, engineer, customer, machine, id } = await askForWindow()
  await answer(customer, id, 'accept')
  await site.db
    .updateTable('machines')
    .set({ owner_user_id: null, password_hash: null })
    .where('id', '=', machine.machineId)
    .execute()
  const { hashPassword } = await import('../accounts/index.ts')
  await site.db
    .updateTable('machines')
    .set({ password_hash: await hashPassword('label 4711') })
    .where('id', '=', machine.machineId)
    .execute()
  const next = await site.createEnterprise('Next owner')
  await site.as(next.owner).call(contract.addEnterpriseMachine, {
    eid: next.eid,
    machineCode: machine.code,
    password: 'label 4711',
    name: 'Kiln',
  })
  expect(await listOf(engineer, eid)).toEqual([])
  const windows = await site.as(owner).call(contract.listEnterpriseMaintenance, { eid })
  expect(windows.map(({ state }) => state)).toEqual(['ended'])
  expect(await site.refusalOf(next.owner, contract.answerMaintenance, { id, action: 'accept' })).toBe(
    'MAINTENANCE_STATE',
  )
})

test('the maintenance team reads when a window begins and is over, and the enterprise’s audit log has the owner’s answers', async () => {
  const { eid, owner, engineer, customer, machine, wish, id } = await askForWindow()
  await answer(customer, id, 'accept')
  const mate = await site.createMember(eid, 'member', ['maintain'])
  const { machineId } = machine
  const memberIds = [engineer.userId, mate.userId]
  await site.createTeam({ eid, kind: 'maintain', memberIds, machineIds: [machineId] })
  const titlesOf = async (user: TestUser) =>
    (await site.as(user, 'en').call(messages.listMessages, { scene: 'device' })).list.map(
      ({ title }) => title,
    )
  const renewed = await site.as(engineer).call(contract.requestMaintenance, wish)
  await answer(customer, renewed.id, 'accept')
  await answer(customer, id, 'end')
  const [began, over] = ['A maintenance window begins', 'A maintenance window is over']
  expect(await titlesOf(mate)).toEqual([over, began])
  // The person who asked has the answers instead.
  expect(await titlesOf(engineer)).toEqual([])
  await site.as(owner).call(contract.endMaintenance, { eid, id: renewed.id })
  expect(await titlesOf(engineer)).toEqual([over])

  const { list } = await site.as(owner).call(contract.listEnterpriseAudit, { eid })
  expect(list.map(({ action, actorUserId }) => [action, actorUserId])).toEqual([
    ['enterprise.maintenance.end', owner.userId],
    ['machine.maintenance', customer.userId],
    ['machine.maintenance', customer.userId],
    ['enterprise.maintenance.request', engineer.userId],
    ['machine.maintenance', customer.userId],
    ['enterprise.maintenance.request', engineer.userId],
  ])
})
