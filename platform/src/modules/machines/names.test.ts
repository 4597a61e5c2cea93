import { access, limits, machines, textWidth } from '@busbar/contract'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { nameKeyOf, refuseSameName } from '../machine-lists/index.ts'

const site = useSite()

const add = (machine: TestMachine, machineName: string) => ({ machineCode: machine.code, machineName })
const rename = ({ machineId, code }: TestMachine, updateMachineName: string) => ({
  updateMachineID: machineId,
  updateMachineCode: code,
  updateMachineName,
})
/** A machine of another owner: it is added without its password. */
const foreign = async () => site.createMachine({ owner: (await site.createUser()).userId })

async function namesOf(user: TestUser): Promise<string[]> {
  const answer = await site.as(user).call(machines.listMachines, {})
  return 'list' in answer ? answer.list.map(({ machine_name }) => machine_name).sort() : []
}

test('3#泵 (东) is a valid name, in add and in update', async () => {
  const user = await site.createUser()
  const [pump, press] = [await foreign(), await foreign()]
  await site.as(user).call(machines.addMachine, add(pump, '3#泵 (东)'))
  await site.as(user).call(machines.addMachine, add(press, 'x'.repeat(40)))
  await site.as(user).call(machines.updateMachine, rename(press, '5-axis centre #03'))
  expect(await namesOf(user)).toEqual(['3#泵 (东)', '5-axis centre #03'])
})

test('a form with an empty name is refused, and does not answer that all went well', async () => {
  const user = await site.createUser()
  const machine = await site.createMachine({ owner: user.userId, name: 'Press' })
  const answer = await site.platform.app.inject({
    method: 'POST',
    url: '/api/machine/update',
    headers: { 'content-type': 'application/x-www-form-urlencoded', token: user.token },
    payload: `updateMachineID=${machine.machineId}&updateMachineCode=${machine.code}&updateMachineName=`,
  })
  expect(answer.json()).toMatchObject({ error: { code: '400', field: 'updateMachineName' } })
  expect(await namesOf(user)).toEqual(['Press'])
})

describe('a name that is in the person’s own list', () => {
  test.each([
    ['the same', 'Pumpe Süd', 'Pumpe Süd'],
    ['composed otherwise', 'Pumpe Süd', 'Pumpe Su\u0308d'],
    ['in capital letters', 'Pumpe Süd', 'PUMPE SÜD'],
    ['with a folded letter', 'Straße', 'STRASSE'],
  ])('is refused by add and by update: %s', async (_, first, second) => {
    const user = await site.createUser()
    const [one, two, three] = [await foreign(), await foreign(), await foreign()]
    await site.as(user).call(machines.addMachine, add(one, first))
    expect(await site.refusalOf(user, machines.addMachine, add(two, second))).toBe('04010412')
    await site.as(user).call(machines.addMachine, add(three, 'Other'))
    expect(await site.refusalOf(user, machines.updateMachine, rename(three, second))).toBe('04010412')
    await site.as(await site.createUser()).call(machines.addMachine, add(two, second))
  })

  test('may be written otherwise by its own machine', async () => {
    const user = await site.createUser()
    const machine = await foreign()
    await site.as(user).call(machines.addMachine, add(machine, 'press'))
    await site.as(user).call(machines.updateMachine, rename(machine, 'Press'))
    expect(await namesOf(user)).toEqual(['Press'])
  })

  test('is given once where two ask at the same moment', async () => {
    const user = await site.createUser()
    const own = await Promise.all(Array.from({ length: 4 }, foreign))
    const results = await Promise.allSettled(
      own.map((machine) => site.as(user).call(machines.addMachine, add(machine, 'Twin'))),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await namesOf(user)).toEqual(['Twin'])
  })

  test('is held by the table too, and refused as any other', async () => {
    const user = await site.createUser()
    const entryOf = ({ machineId }: TestMachine) => ({
      user_id: user.userId,
      machine_id: machineId,
      name: 'Twin',
      name_key: nameKeyOf('Twin'),
    })
    const insert = async () =>
      site.db
        .insertInto('machine_list_entries')
        .values(entryOf(await foreign()))
        .execute()
    await insert()
    await expect(refuseSameName(insert())).rejects.toMatchObject({ code: '04010412' })
  })

  test('and was there twice before stays until it is edited', async () => {
    const user = await site.createUser()
    const twins = [await foreign(), await foreign()]
    for (const { machineId } of twins) await site.listMachine(user.userId, machineId, 'Twin')
    const [twin] = twins as [TestMachine]
    await site.as(user).call(machines.updateMachine, { ...rename(twin, 'Twin'), updateMachineRemark: 'east' })
    expect(await namesOf(user)).toEqual(['Twin', 'Twin'])
    await site.as(user).call(machines.updateMachine, rename(twin, 'Other'))
    expect(await site.refusalOf(user, machines.updateMachine, rename(twin, 'TWIN'))).toBe('04010412')
  })
})

describe('a generated name', () => {
  const offer = async (from: TestUser, to: TestUser, { machineId }: TestMachine) => {
    await site.proveSession(from.sessionId)
    const { applyId } = await site
      .as(from)
      .call(machines.offerMachine, { machineID: machineId, account: to.email })
    await site.as(to).call(machines.answerTransfer, { applyId, action: 'accept' })
  }

  test('is numbered in the list of a person who accepts a machine, or is admitted', async () => {
    const [ann, ben] = [await site.createUser(), await site.createUser()]
    const [one, two, three] = [
      await site.createMachine({ owner: ann.userId, name: 'Press' }),
      await site.createMachine({ owner: ann.userId, name: 'press' }),
      await site.createMachine({ owner: ann.userId, name: 'Press' }),
    ]
    await offer(ann, ben, one)
    await offer(ann, ben, two)
    await site
      .as(ann)
      .call(access.addVisitor, { machineID: three.machineId, account: ben.email, validTime: -1 })
    expect(await namesOf(ben)).toEqual(['Press', 'Press (3)', 'press (2)'])
  })

  test('is cut where its number would make it too long', async () => {
    const [ann, ben] = [await site.createUser(), await site.createUser()]
    const name = '机'.repeat(limits.machineNameMax)
    for (let place = 0; place < 2; place++)
      await offer(ann, ben, await site.createMachine({ owner: ann.userId, name }))
    const names = await namesOf(ben)
    expect(names).toEqual([`${'机'.repeat(18)} (2)`, name])
    expect(names.map(textWidth)).toEqual([20, 20])
  })
})
