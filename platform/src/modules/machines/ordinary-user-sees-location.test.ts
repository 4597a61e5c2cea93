import { machines } from '@busbar/contract'
import { createMachine, createUser, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

test('an ordinary user who added an owned machine by its code alone is not told where it stands', async () => {
  const [owner, stranger] = [await createUser(site.db), await createUser(site.db)]
  const machine = await createMachine(site.db, { owner: owner.userId })
  await site.db
    .updateTable('machines')
    .set({ lat: 31.23, lng: 121.47, address: '7 Mill Lane', model: 'HX-T10', project_image: '/p.png' })
    .where('id', '=', machine.machineId)
    .execute()
  await site.as(stranger).call(machines.addMachine, { machineName: 'Press', machineCode: machine.code })
  const answer = await site.as(stranger).call(machines.listMachines, {})
  expect('list' in answer && answer.list[0]).toMatchObject({
    limit_authority: 0,
    lat: null,
    lng: null,
    address: '',
    model: '',
    project_image: '',
  })
})
