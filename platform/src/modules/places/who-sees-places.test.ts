import { accounts, enterprises, machines } from '@busbar/contract'
import { placeMachine, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const site = useSite()
const password = '123456'
/** The beginning of the coordinates and the address in every answer that has them. */
const shown = /31\.23|121\.47|Mill Lane/

/** A machine with a place, which tells its position as well. */
async function createPlaced(owner: TestUser) {
  const machine = await site.createMachine({ owner: owner.userId, password })
  await placeMachine(site.db, machine.machineId, { address_en: '7 Mill Lane', accuracy_m: 15, source: 'gps' })
  const attributes = JSON.stringify({ model: 'P-100', gps: { lat: 31.23, lng: 121.47 } })
  await site.db.updateTable('machines').set({ attributes }).where('id', '=', machine.machineId).execute()
  return machine
}

/** Each answer that has a place of this machine. */
async function readAll(user: TestUser, { machineId, eid }: { machineId: number; eid: number }) {
  const client = site.as(user, 'en')
  const device = { eid, deviceId: machineId }
  return {
    list: await client.call(machines.listMachines, {}),
    detail: await client.call(machines.getMachineDetail, { machineID: machineId }),
    attributes: await client.call(machines.getGeneralAttributes, { deviceId: machineId }),
    attributesOfList: await client.call(machines.listGeneralAttributes, {}),
    devices: await client.call(enterprises.listEnterpriseDevices, { eid }),
    deviceList: await client.call(enterprises.listEnterpriseMachines, { eid }),
    device: await client.call(enterprises.getEnterpriseMachine, device),
    base: await client.call(enterprises.getEnterpriseMachineBase, device),
  }
}

test('a person who hides the map gets no place from any answer, and all of it again with the map', async () => {
  const { eid, owner } = await site.createEnterprise()
  const { machineId } = await createPlaced(owner)
  const device = {
    enterprise_id: eid,
    machine_id: machineId,
    kind: 'owned',
    name: 'Oven',
    added_at: new Date(),
  }
  await site.db.insertInto('enterprise_machines').values(device).execute()
  const placesIn = (answers: object) =>
    Object.entries(answers).flatMap(([name, answer]) => (shown.test(JSON.stringify(answer)) ? [name] : []))
  const all = await readAll(owner, { machineId, eid })
  expect(placesIn(all)).toEqual(Object.keys(all))
  expect(all.deviceList).toMatchObject({
    list: [{ accuracy: 15, source: 'gps', placedAt: expect.any(Number) }],
  })
  await site.as(owner).call(accounts.setHideMap, { hideMap: true })
  const hidden = await readAll(owner, { machineId, eid })
  expect(placesIn(hidden)).toEqual([])
  expect(hidden.detail).toMatchObject({ attributes: { model: 'P-100' } })
  expect(hidden.list).toMatchObject({ list: [{ lat: null, accuracy: null, source: null, placedAt: null }] })
  await site.as(owner).call(accounts.setHideMap, { hideMap: false })
  expect(placesIn(await readAll(owner, { machineId, eid }))).toEqual(Object.keys(all))
})

test('an address is in the reader’s language where it is known in it, and as typed before all', async () => {
  const owner = await site.createUser()
  const machine = await createPlaced(owner)
  const addressOf = async (lang: 'cn' | 'en') =>
    (await site.as(owner, lang).call(machines.getGeneralAttributes, { deviceId: machine.machineId })).address
  expect(await addressOf('cn')).toBe('7 Mill Lane')
  await placeMachine(site.db, machine.machineId, { address_cn: '磨坊路7号' })
  expect([await addressOf('cn'), await addressOf('en')]).toEqual(['磨坊路7号', '7 Mill Lane'])
  await placeMachine(site.db, machine.machineId, { as_typed: 'Hall 3' })
  expect([await addressOf('cn'), await addressOf('en')]).toEqual(['Hall 3', 'Hall 3'])
})

test('nothing of where a machine was is left for its next owner', async () => {
  const [ann, ben] = [await site.createUser(), await site.createUser()]
  const { machineId } = await createPlaced(ann)
  await sql`insert into machine_place_history (machine_id, at, lat, lng, source)
            values (${machineId}, now(), 31.23, 121.47, 'gps')`.execute(site.db)
  await sql`insert into place_refreshes values (${machineId}, current_date, 3)`.execute(site.db)
  await sql`insert into told_places values (${machineId}, '{"gps": {"lat": 31.23, "lng": 121.47}}', now(), '{gps}')`.execute(
    site.db,
  )
  await site.proveSession(ann.sessionId)
  const offer = { machineID: machineId, account: ben.email }
  const { applyId } = await site.as(ann).call(machines.offerMachine, offer)
  await site.as(ben).call(machines.answerTransfer, { applyId, action: 'accept' })
  const { rows } = await sql`
    select machine_id from machine_places where machine_id = ${machineId}
    union all select machine_id from machine_place_history where machine_id = ${machineId}
    union all select machine_id from place_refreshes where machine_id = ${machineId}
    union all select machine_id from told_places where machine_id = ${machineId}`.execute(site.db)
  expect(rows).toEqual([])
})

test('a place from before the owner is not shown, even if it is written afterwards', async () => {
  const owner = await site.createUser()
  const { machineId } = await createPlaced(owner)
  const owned_since = new Date()
  await site.db.updateTable('machines').set({ owned_since }).where('id', '=', machineId).execute()
  const lat = async () =>
    (await site.as(owner).call(machines.getGeneralAttributes, { deviceId: machineId })).lat
  await placeMachine(site.db, machineId, { fixed_at: new Date(owned_since.getTime() - 1) })
  expect(await lat()).toBe(null)
  await placeMachine(site.db, machineId, { fixed_at: new Date(owned_since.getTime() + 1) })
  expect(await lat()).toBe(31.23)
})
