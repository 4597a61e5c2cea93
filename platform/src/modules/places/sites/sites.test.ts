import { brands, sites as contract, machines, siteLimits } from '@busbar/contract'
import { failureOf, PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, onTestFinished, test } from 'vitest'
import { changeOwner } from '../../access/index.ts'

const site = useSite()

const body = { name: 'Hall 1', lat: 31.2304, lng: 121.4737, address: 'Shanghai', radiusM: 200 }
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0h40v20H0z"/></svg>'

const create = async (user: TestUser, eid?: number, name = body.name) =>
  (await site.as(user).call(contract.createSite, { ...body, name, ...(eid && { eid }) })).id
const open = (user: TestUser, id: number) => site.as(user).call(contract.getSite, { id })
const list = (user: TestUser, eid?: number) =>
  site.as(user).call(contract.listSites, eid === undefined ? {} : { eid })
const upload = async (user: TestUser, content = drawing) =>
  (await site.as(user).call(brands.createUpload, { purpose: 'sitePlan', file: new File([content], 'a.svg') }))
    .url
const codeOf = async (...asked: Parameters<typeof failureOf>) => (await failureOf(...asked)).code

/** A site with plans of these names; `at` answers its present revision. */
async function withPlans(user: TestUser, names: readonly string[], eid?: number) {
  const id = await create(user, eid)
  const picture = await upload(user)
  let revision = 1
  const planIds: number[] = []
  for (const name of names) {
    const added = await site.as(user).call(contract.addPlan, { id, name, picture, revision })
    planIds.push(added.planId)
    revision = added.revision
  }
  const at = async () => (await open(user, id)).revision
  return { id, planId: planIds[0] as number, planIds, at }
}

const marksOf = async (user: TestUser, id: number) =>
  (await open(user, id)).plans.map(({ machines }) => machines)

async function place(
  user: TestUser,
  { id, planId, at }: { id: number; planId: number; at: () => Promise<number> },
  machineIds: readonly number[],
) {
  const marks = machineIds.map((machineId) => ({ machineId, x: 0.25, y: 0.5 }))
  return site.as(user).call(contract.placeMachines, { id, planId, place: marks, revision: await at() })
}

test('a site is added, changed and listed with its plans and machines, and deleted with them', async () => {
  const user = await site.createUser()
  const [press, oven] = [
    await site.createMachine({ owner: user.userId }),
    await site.createMachine({ owner: user.userId }),
  ]
  const hall = await withPlans(user, ['Ground floor', 'First floor'])
  const { id } = hall
  await site.as(user).call(contract.updateSite, { id, name: 'Hall 2', radiusM: 300, revision: 3 })
  await place(user, hall, [press.machineId, oven.machineId])
  const { revision } = await site.as(user).call(contract.placeMachines, {
    ...{ id, planId: hall.planId, revision: 5 },
    place: [{ machineId: press.machineId, x: 0.1, y: 1 }],
    takeOff: [oven.machineId],
  })
  const order = hall.planIds.toReversed()
  await site.as(user).call(contract.orderPlans, { id, order, revision })
  await site.as(user).call(contract.updatePlan, { id, planId: hall.planId, name: 'Floor 0', revision: 7 })
  expect(await open(user, id)).toMatchObject({
    ...{ ...body, name: 'Hall 2', radiusM: 300, revision: 8, mayEdit: true, eid: null },
    plans: [
      { name: 'First floor', machines: [] },
      { name: 'Floor 0', machines: [{ machineId: press.machineId, x: 0.1, y: 1 }] },
    ],
  })
  await create(user, undefined, 'annex')
  expect(await list(user)).toMatchObject([
    { name: 'annex', plans: 0, machines: [] },
    { id, name: 'Hall 2', plans: 2, machines: [press.machineId] },
  ])
  await site.as(user).call(contract.deletePlan, { id, planId: hall.planId, revision: 8 })
  expect(await list(user)).toMatchObject([{}, { plans: 1, machines: [] }])
  await site.as(user).call(contract.deleteSite, { id })
  expect(await codeOf(site.as(user), contract.getSite, { id })).toBe('404')
})

test('changes from the same revision at the same moment: one is kept, the others are refused by name', async () => {
  const user = await site.createUser()
  const id = await create(user)
  const names = ['A', 'B', 'C', 'D', 'E', 'F']
  const answers = await Promise.allSettled(
    names.map((name) => site.as(user).call(contract.updateSite, { id, name, revision: 1 })),
  )
  const kept = answers.flatMap(({ status }, n) => (status === 'fulfilled' ? [names[n]] : []))
  expect(kept).toHaveLength(1)
  const { name, revision, updatedBy } = await open(user, id)
  expect([name, revision]).toEqual([kept[0], 2])
  const refused = await failureOf(site.as(user), contract.updateSite, { id, name: 'G', revision: 1 })
  expect(refused).toMatchObject({ code: 'SITE_CHANGED', data: { revision: 2, by: updatedBy } })
})

test('a machine stands on one plan of a space, whichever two editors place it at once', async () => {
  const { eid, owner } = await site.createEnterprise()
  const { machineId } = await site.createEnterpriseMachine(eid)
  const halls = await Promise.all([withPlans(owner, ['a'], eid), withPlans(owner, ['b'], eid)])
  await Promise.all(halls.map((hall) => place(owner, hall, [machineId])))
  const [one, two] = await Promise.all(halls.map(async ({ id }) => (await marksOf(owner, id)).flat()))
  expect([...(one ?? []), ...(two ?? [])]).toEqual([{ machineId, x: 0.25, y: 0.5 }])
  // The hall that lost it has another revision, so that its editors learn of it.
  const revisions = await Promise.all(halls.map(({ at }) => at()))
  expect(revisions.toSorted()).toEqual([3, 4])
})

test('members see the sites of their enterprise, and only marks of machines that they may see', async () => {
  const { eid, owner } = await site.createEnterprise()
  const viewer = await site.createMember(eid, 'member', ['view'])
  const bystander = await site.createMember(eid, 'member', [])
  const manager = await site.createMember(eid, 'member', ['manage'])
  const stranger = await site.createUser()
  const { machineId } = await site.createEnterpriseMachine(eid)
  const hall = await withPlans(owner, ['a'], eid)
  const { id, planId } = hall
  await place(owner, hall, [machineId])
  const marks = [[{ machineId, x: 0.25, y: 0.5 }]]
  expect(await marksOf(viewer, id)).toEqual(marks)
  expect(await list(viewer, eid)).toMatchObject([{ machines: [machineId], mayEdit: false }])
  for (const user of [bystander, manager]) {
    expect(await marksOf(user, id)).toEqual([[]])
    expect(await list(user, eid)).toMatchObject([{ machines: [] }])
  }
  expect(await codeOf(site.as(stranger), contract.getSite, { id })).toBe('404')
  expect(await codeOf(site.as(stranger), contract.listSites, { eid })).toBe('403')
  const revision = await hall.at()
  for (const [user, code] of [
    [viewer, '403'],
    [stranger, '404'],
  ] as const) {
    expect(await codeOf(site.as(user), contract.updateSite, { id, name: 'x', revision })).toBe(code)
    expect(await codeOf(site.as(user), contract.deleteSite, { id })).toBe(code)
    expect(await codeOf(site.as(user), contract.placeMachines, { id, planId, revision })).toBe(code)
  }
  // An editor without a right to the machine neither places it nor takes it off.
  const mark = { machineId, x: 0, y: 0 }
  expect(
    await codeOf(site.as(manager), contract.placeMachines, { id, planId, place: [mark], revision }),
  ).toBe('SITE_MACHINES')
  await site.as(manager).call(contract.placeMachines, { id, planId, takeOff: [machineId], revision })
  expect(await marksOf(owner, id)).toEqual(marks)
})

test('only machines of the space are placed', async () => {
  const { eid, owner } = await site.createEnterprise()
  const own = await site.createMachine({ owner: owner.userId })
  const device = await site.createEnterpriseMachine(eid)
  const foreign = await site.createMachine({ owner: (await site.createUser()).userId })
  const [ofEnterprise, ofPerson] = [await withPlans(owner, ['a'], eid), await withPlans(owner, ['b'])]
  for (const [hall, machineId] of [
    [ofEnterprise, own.machineId],
    [ofPerson, device.machineId],
    [ofPerson, foreign.machineId],
    [ofPerson, 999_999],
  ] as const) {
    const mark = { machineId, x: 0, y: 0 }
    const wish = { id: hall.id, planId: hall.planId, place: [mark], revision: 2 }
    expect(await codeOf(site.as(owner), contract.placeMachines, wish)).toBe('SITE_MACHINES')
  }
  const elsewhere = { id: ofPerson.id, planId: ofEnterprise.planId, revision: 2 }
  expect(await codeOf(site.as(owner), contract.placeMachines, elsewhere)).toBe('404')
  expect(await codeOf(site.as(owner), contract.deletePlan, elsewhere)).toBe('404')
})

test('an ordinary user of a machine gets no mark, and a machine that leaves the list leaves the plan', async () => {
  const user = await site.createUser()
  const { machineId } = await site.createMachine()
  await site.grantMachine(user.userId, machineId, { role: 'visitor' })
  const hall = await withPlans(user, ['a'])
  await place(user, hall, [machineId])
  expect(await marksOf(user, hall.id)).toHaveLength(1)
  await site.db.deleteFrom('machine_grants').where('machine_id', '=', machineId).execute()
  expect(await marksOf(user, hall.id)).toEqual([[]])
  await site.grantMachine(user.userId, (await site.createMachine()).machineId, { role: 'visitor' })
  await site.as(user).call(machines.removeMachine, { delMachineID: machineId })
  expect(await site.db.selectFrom('site_machines').select('machine_id').execute()).not.toContainEqual({
    machine_id: machineId,
  })
})

test('at the next owner a machine leaves the plans of everybody', async () => {
  const [owner, guest, next] = await Promise.all([site.createUser(), site.createUser(), site.createUser()])
  const { machineId } = await site.createMachine({ owner: owner.userId })
  await site.grantMachine(guest.userId, machineId, { role: 'bkey' })
  for (const user of [owner, guest]) await place(user, await withPlans(user, ['a']), [machineId])
  const { facts } = site.platform
  await site.db
    .transaction()
    .execute((trx) => changeOwner({ trx, facts }, machineId, { userId: next.userId }, new Date()))
  const left = site.db.selectFrom('site_machines').select('plan_id').where('machine_id', '=', machineId)
  expect(await left.execute()).toEqual([])
})

test('a person who hides the map gets no place of a site, and changes it without one', async () => {
  const user = await site.createUser()
  const id = await create(user)
  await site.db.updateTable('users').set({ hide_map: true }).where('id', '=', user.userId).execute()
  const hidden = { lat: null, lng: null, address: '' }
  expect(await open(user, id)).toMatchObject(hidden)
  expect(await list(user)).toMatchObject([hidden])
  await site.as(user).call(contract.updateSite, { id, name: 'Hall 3', revision: 1 })
  await site.db.updateTable('users').set({ hide_map: false }).where('id', '=', user.userId).execute()
  expect(await open(user, id)).toMatchObject({ ...body, name: 'Hall 3' })
})

test('machines in the radius that stand on no plan are suggested, the nearest first', async () => {
  const user = await site.createUser()
  const id = await create(user)
  /** A machine of the person some metres north of the site. */
  const createNear = async (metres: number, owner: TestUser = user) => {
    const { machineId } = await site.createMachine({ owner: owner.userId })
    const lat = body.lat + metres / 111_195
    const at = new Date()
    const place = { machine_id: machineId, lat, lng: body.lng, source: 'manual', fixed_at: at }
    await site.db.insertInto('machine_places').values(place).execute()
    return machineId
  }
  const [far, near, middle] = [await createNear(220), await createNear(-20), await createNear(190)]
  await createNear(10, await site.createUser())
  await site.createMachine({ owner: user.userId })
  const nearby = async () => (await site.as(user).call(contract.listNearby, { id })).machines
  expect(await nearby()).toEqual([near, middle])
  await site.as(user).call(contract.updateSite, { id, radiusM: 250, revision: 1 })
  expect(await nearby()).toEqual([near, middle, far])
  const annex = await withPlans(user, ['a'])
  await place(user, annex, [near])
  expect(await nearby()).toEqual([middle, far])
  await site.db.updateTable('users').set({ hide_map: true }).where('id', '=', user.userId).execute()
  expect(await nearby()).toEqual([])
})

test.each([
  ['lng', { lng: 181 }],
  ['radiusM', { radiusM: 9 }],
  ['radiusM', { radiusM: 50_001 }],
  ['radiusM', { radiusM: 10.5 }],
  ['name', { name: ' ' }],
  ['address', { address: '厂'.repeat(201) }],
])('a site with a wrong %s is refused by the field: %j', async (field, wrong) => {
  const failure = await failureOf(site.as(await site.createUser()), contract.createSite, {
    ...body,
    ...wrong,
  })
  expect(failure.code).toBe('400')
  expect(JSON.stringify(failure)).toContain(field)
})

test('a plan takes its own kind of picture, placed within it, ten of a site', async () => {
  const user = await site.createUser()
  const { machineId } = await site.createMachine({ owner: user.userId })
  const id = await create(user)
  const picture = await upload(user)
  const asked = { id, name: 'a', revision: 1 }
  const unknown = `/uploads/${'0'.repeat(32)}.png`
  expect(await codeOf(site.as(user), contract.addPlan, { ...asked, picture: unknown })).toBe(
    'PICTURE_UNKNOWN',
  )
  for (const wrong of ['', 'https://evil.example/a.png'])
    expect(await codeOf(site.as(user), contract.addPlan, { ...asked, picture: wrong })).toBe('400')
  for (let revision = 1; revision <= siteLimits.plansPerSite; revision++)
    await site.as(user).call(contract.addPlan, { ...asked, picture, revision })
  const plans = (await open(user, id)).plans
  expect(plans).toHaveLength(10)
  const planId = plans[0]?.id as number
  expect(await codeOf(site.as(user), contract.addPlan, { ...asked, picture, revision: 11 })).toBe(
    'PLANS_FULL',
  )
  const twice = [planId, ...plans.slice(2).map((plan) => plan.id), planId]
  expect(await codeOf(site.as(user), contract.orderPlans, { id, order: twice, revision: 11 })).toBe('404')
  const mark = { machineId, x: 0.5, y: 0.5 }
  for (const wrong of [
    { place: [{ ...mark, x: 1.1 }] },
    { place: [{ ...mark, y: -0.1 }] },
    { place: [mark, mark] },
    { place: [mark], takeOff: [machineId] },
    { takeOff: Array.from({ length: siteLimits.machinesPerCall + 1 }, (_, n) => n + 1) },
  ])
    expect(await codeOf(site.as(user), contract.placeMachines, { id, planId, ...wrong, revision: 11 })).toBe(
      '400',
    )
})

test('a plan that is a program, or too large, is refused or drawn without its scripts', async () => {
  const user = await site.createUser()
  const url = await upload(user, drawing.replace('<path', '<script>alert(1)</script><path onload="alert(1)"'))
  expect(await (await fetch(`${site.url}${url}`)).text()).not.toContain('alert')
  const file = (content: Buffer<ArrayBuffer>) => ({
    purpose: 'sitePlan' as const,
    file: new File([content], 'a.png'),
  })
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64')
  png.writeUInt32BE(20_000, 16)
  expect(await codeOf(site.as(user), brands.createUpload, file(png))).toBe('PICTURE_INVALID')
  expect((await failureOf(site.as(user), brands.createUpload, file(Buffer.alloc(10_000_000)))).http).toBe(413)
})

test('the 501st site of a space is refused', async () => {
  const user = await site.createUser()
  const { lat, lng, address, radiusM } = body
  const row = { user_id: user.userId, lat, lng, address, radius_m: radiusM, updated_at: new Date() }
  await site.db
    .insertInto('sites')
    .values(Array.from({ length: siteLimits.sitesPerSpace - 1 }, (_, n) => ({ ...row, name: `Hall ${n}` })))
    .execute()
  const answers = await Promise.allSettled([create(user), create(user), create(user)])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await codeOf(site.as(user), contract.createSite, body)).toBe('SITES_FULL')
})

test('a change of a site reaches those who have it open, and nobody else', async () => {
  const { eid, owner } = await site.createEnterprise()
  const mate = await site.createMember(eid, 'member', ['view'])
  const idle = await site.createMember(eid, 'member', ['view'])
  const id = await create(owner, eid)
  await open(mate, id)
  const pages = await Promise.all(
    [mate, idle].map(async ({ token }) => {
      const page = await PushClient.open(site.url, token)
      onTestFinished(() => page.close())
      page.heartbeat()
      await page.find(({ scene }) => (scene === 'heartbeat' ? true : undefined))
      return page
    }),
  )
  const [ofMate, ofIdle] = pages as [PushClient, PushClient]
  await site.as(owner).call(contract.updateSite, { id, name: 'Hall 2', revision: 1 })
  const change = await ofMate.find((event) => (event.scene === 'site' ? event.change : undefined))
  expect(change).toMatchObject({ siteId: String(id), revision: 2, deleted: false })
  await site.as(owner).call(contract.deleteSite, { id })
  expect(
    await ofMate.find((event) => (event.scene === 'site' && event.change.deleted ? event.change : undefined)),
  ).toMatchObject({ siteId: String(id) })
  expect(ofIdle.events.filter(({ scene }) => scene === 'site')).toEqual([])
})

test.each([
  ['a swapped pair', 'PLACE_SWAPPED', { lat: 121.4737, lng: 31.2304 }],
  ['both 0', 'PLACE_ZERO', { lat: 0, lng: 0 }],
  ['a latitude out of range', '400', { lat: -95, lng: 170 }],
])('%s is refused for a site as for a machine: %s, with the field', async (_what, code, given) => {
  const user = await site.createUser()
  const id = await create(user)
  for (const failure of [
    await failureOf(site.as(user), contract.createSite, { ...body, ...given }),
    await failureOf(site.as(user), contract.updateSite, { id, revision: 1, ...given }),
  ])
    expect([failure.code, failure.field]).toEqual([code, 'lat'])
  expect(await open(user, id)).toMatchObject({ lat: body.lat, lng: body.lng, revision: 1 })
})
