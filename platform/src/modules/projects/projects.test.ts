import { access, messages, projects } from '@busbar/contract'
import { aside, countLockWaits } from '@busbar/testkit/database.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { createDestination } from '../../../test-support/rights/things.ts'
import { stopForNextOwner } from './links-store.ts'

const site = useSite()

/** A person with a project of their own. */
async function createOwner() {
  const owner = await site.createUser()
  const client = site.as(owner)
  const { id } = await client.call(projects.createProject, { name: 'Portal' })
  return { owner, client, id }
}
type Owner = Awaited<ReturnType<typeof createOwner>>

/** Another person, who accepted the invitation to the project. */
async function createMember({ client, id }: Owner) {
  const member = await site.createUser()
  await client.call(projects.addProjectUser, { id, account: member.email })
  await site.as(member).call(projects.answerProjectInvitation, { id, accept: true })
  return member
}

const getProject = async ({ client, id }: Pick<Owner, 'client' | 'id'>) => {
  const [project] = await client.call(projects.listProjects, { id })
  if (!project) throw new Error('The project is not there.')
  return project
}
const stopOf = async (owner: Owner, machineId: number) =>
  (await getProject(owner)).machines?.find(({ machine_id }) => machine_id === machineId)?.stop
/** The links that are written as ended within a second. */
const soon = { interval: 20 }

describe('a project', () => {
  test('is created, listed, changed and deleted by its owner, and hidden from others', async () => {
    const { owner, client, id } = await createOwner()
    const [listed] = await client.call(projects.listProjects, {})
    expect(listed).toMatchObject({ id, name: 'Portal', type: null, limit_authority: 3, secret_key: '' })
    expect(await getProject({ client, id })).toMatchObject({
      secret_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      users: [{ user_id: owner.userId, limit_authority: 3, accepted: true }],
      machines: [],
      everyS: 30,
      report_state: 1,
      state: 'waiting',
    })
    const origins = ['https://Portal.Example/']
    await client.call(projects.updateProject, {
      id,
      name: 'MES',
      report_state: 0,
      everyS: 0,
      origins,
      allow_write: true,
    })
    expect(await getProject({ client, id })).toMatchObject({
      ...{ name: 'MES', state: 'off', everyS: 0, origins: ['https://portal.example'] },
      ...{ remote_report: true, allow_write: true },
    })
    expect(await site.refusalOf(owner, projects.updateProject, { id, origins: ['https://1.2.3.4'] })).toBe(
      'ORIGIN_WRONG',
    )
    const stranger = await site.createUser()
    expect(await site.refusalOf(stranger, projects.listProjects, { id })).toBe('404')
    expect(await site.refusalOf(stranger, projects.updateProject, { id, name: 'Mine' })).toBe('403')
    await client.call(projects.deleteProject, { id })
    expect(await client.call(projects.listProjects, {})).toEqual([])
  })

  test('has members who see no key and change only what it reports', async () => {
    const own = await createOwner()
    const member = await createMember(own)
    const { id } = own
    expect(await getProject({ client: site.as(member), id })).toMatchObject({
      secret_key: '',
      limit_authority: 2,
    })
    await site.as(member).call(projects.updateProject, { id, description: 'Line 1' })
    expect(await site.refusalOf(member, projects.updateProject, { id, allow_write: true })).toBe('403')
    expect(await site.refusalOf(member, projects.deleteProject, { id })).toBe('403')
    expect(
      await site.refusalOf(member, projects.removeProjectUser, { id, delUserId: own.owner.userId }),
    ).toBe('403')
    expect(
      await site.refusalOf(own.owner, projects.removeProjectUser, { id, delUserId: own.owner.userId }),
    ).toBe('PROJECT_OWNER_STAYS')
    await own.client.call(projects.transferProject, { id, transferUser: member.userId })
    expect(await getProject(own)).toMatchObject({ limit_authority: 2 })
    expect((await site.as(member).call(projects.listProjects, {}))[0]).toMatchObject({ limit_authority: 3 })
    await own.client.call(projects.removeProjectUser, { id, delUserId: own.owner.userId })
    expect(await site.refusalOf(own.owner, projects.listProjects, { id })).toBe('404')
  })

  test('is nobody’s business before the invitation is accepted', async () => {
    const own = await createOwner()
    const { id, client } = own
    const guest = await site.createUser()
    expect(await client.call(projects.addProjectUser, { id, account: guest.email })).toEqual({
      userId: guest.userId,
    })
    const again = { id, account: guest.email }
    expect(await site.refusalOf(own.owner, projects.addProjectUser, again)).toBe('08011007')
    expect(await site.refusalOf(own.owner, projects.addProjectUser, { id, account: 'no@body.test' })).toBe(
      '08011006',
    )
    const [invited] = await site.as(guest).call(projects.listProjects, { id })
    expect(invited).toMatchObject({ invitedBy: 'Ming Li' })
    expect(invited).not.toHaveProperty('machines')
    expect(await site.refusalOf(guest, projects.listProjectMachines, { id })).toBe('403')
    expect(
      await site.refusalOf(own.owner, projects.transferProject, { id, transferUser: guest.userId }),
    ).toBe('404')
    const inbox = () => site.as(guest).call(messages.listMessages, { scene: 'inbox' })
    expect((await inbox()).list[0]).toMatchObject({
      type: 'invitation',
      projectId: id,
      mayAnswer: true,
      read: false,
    })
    await site.as(guest).call(projects.answerProjectInvitation, { id, accept: true })
    expect((await inbox()).list[0]).toMatchObject({ mayAnswer: false, outcome: 'accepted', read: true })
    expect(await site.refusalOf(guest, projects.answerProjectInvitation, { id, accept: false })).toBe('404')
    // A decline is forgotten, and they can be invited again.
    const other = await site.createUser()
    await client.call(projects.addProjectUser, { id, account: other.email })
    await site.as(other).call(projects.answerProjectInvitation, { id, accept: false })
    await client.call(projects.addProjectUser, { id, account: other.email })
    expect((await getProject(own)).user_length).toBe(3)
  })

  test('of an enterprise needs its switch and the right, and its people belong to the enterprise', async () => {
    const { eid, owner: boss } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['project'])
    const plain = await site.createMember(eid)
    const stranger = await site.createUser()
    const project = { name: 'Line', eid, type: 1 } as const
    expect(await site.refusalOf(member, projects.createProject, project)).toBe('PROJECTS_OFF')
    await site.db.updateTable('enterprises').set({ enable_project: true }).where('id', '=', eid).execute()
    expect(await site.refusalOf(plain, projects.createProject, project)).toBe('403')
    const { id } = await site.as(member).call(projects.createProject, project)
    expect(await site.refusalOf(member, projects.addProjectUser, { id, account: stranger.email })).toBe(
      '08011006',
    )
    await site.as(member).call(projects.addProjectUser, { id, account: plain.email })
    await site.as(plain).call(projects.answerProjectInvitation, { id, accept: true })
    const list = () => site.as(boss).call(projects.listEnterpriseProjects, { eid, type: 1 })
    expect(await list()).toMatchObject([{ id, owner: 'Ming Li', ownerLeft: false, mine: false }])
    expect(await site.refusalOf(boss, projects.takeProjectOver, { id })).toBe('PROJECT_HAS_OWNER')
    await site.db.deleteFrom('enterprise_members').where('user_id', '=', member.userId).execute()
    expect(await site.refusalOf(member, projects.listProjects, { id })).toBe('404')
    expect(await list()).toMatchObject([{ ownerLeft: true }])
    expect(await site.refusalOf(plain, projects.takeProjectOver, { id })).toBe('404')
    await site.as(boss).call(projects.takeProjectOver, { id })
    expect(await getProject({ client: site.as(boss), id })).toMatchObject({
      limit_authority: 3,
      user_length: 2,
    })
  })
})

describe('a machine of a project', () => {
  test('is added by a key alone, once, and its other keys are told', async () => {
    const own = await createOwner()
    const { id, client, owner } = own
    const akey = await site.createUser()
    const { machineId } = await site.createMachine({ owner: akey.userId, name: 'Press' })
    expect(await site.refusalOf(owner, projects.addProjectMachine, { id, machineId })).toBe('WRONG_ROLE')
    expect(await site.refusalOf(owner, projects.addProjectMachine, { id, machineId: 999_999 })).toBe(
      'WRONG_ROLE',
    )
    await site.grantMachine(owner.userId, machineId, { role: 'bkey' })
    expect(await client.call(projects.addProjectMachine, { id, machineId })).toEqual({
      report_count: 100_000,
    })
    expect(await site.refusalOf(owner, projects.addProjectMachine, { id, machineId })).toBe('08011008')
    const { list } = await site.as(akey).call(messages.listMessages, { scene: 'device' })
    expect(list[0]).toMatchObject({ projectId: id, machine: { machineId } })
    const reach = await site.as(akey).call(access.listReach, { id: machineId })
    expect(reach).toContainEqual(expect.objectContaining({ by: 'project', name: 'Portal', mode: 'ro' }))
    expect(await client.call(projects.removeProjectMachine, { id, machineId })).toEqual({ report_count: 0 })
    expect(await site.refusalOf(owner, projects.removeProjectMachine, { id, machineId })).toBe('404')
  })

  test('ends with the right of the member who added it, and goes on when another takes it over', async () => {
    const own = await createOwner()
    const member = await createMember(own)
    const akey = await site.createUser()
    const { machineId } = await site.createMachine({ owner: akey.userId })
    await site.grantMachine(member.userId, machineId, { role: 'bkey' })
    await site.as(member).call(projects.addProjectMachine, { id: own.id, machineId })
    await expect
      .poll(
        () => site.platform.projects.links.listPlans().some(({ projectId }) => projectId === own.id),
        soon,
      )
      .toBe(true)
    expect(await site.refusalOf(own.owner, projects.takeProjectMachineOver, { id: own.id, machineId })).toBe(
      'WRONG_ROLE',
    )
    await site.as(akey).call(access.addToBlacklist, { deviceId: machineId, userId: member.userId })
    await expect.poll(() => stopOf(own, machineId), soon).toBe('rightLost')
    // The right comes back, the rows do not.
    await site.as(akey).call(access.removeFromBlacklist, { deviceId: machineId, userId: member.userId })
    const grant = { machine_id: machineId, user_id: member.userId, role: 'bkey' }
    await site.db.insertInto('machine_grants').values(grant).execute()
    expect(await stopOf(own, machineId)).toBe('rightLost')
    await site.as(member).call(projects.takeProjectMachineOver, { id: own.id, machineId })
    expect(await stopOf(own, machineId)).toBeNull()
    await own.client.call(projects.removeProjectUser, { id: own.id, delUserId: member.userId })
    expect(await stopOf(own, machineId)).toBe('memberLeft')
  })

  test('that gets another owner while a member takes it over begins with a new link', async () => {
    const own = await createOwner()
    const { id, client, owner } = own
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await client.call(projects.addProjectMachine, { id, machineId })
    const linkIdOf = async () => (await getProject(own)).machines?.[0]?.linkId
    const former = await linkIdOf()
    let taken: Promise<unknown> = Promise.resolve()
    await site.db.transaction().execute(
      aside(async (trx) => {
        await stopForNextOwner(trx, machineId, new Date())
        taken = client.call(projects.takeProjectMachineOver, { id, machineId })
        await expect.poll(() => countLockWaits(site.db)).toBe(1)
      }),
    )
    await taken
    expect(await linkIdOf()).toBeGreaterThan(former ?? 0)
    expect(await stopOf(own, machineId)).toBeNull()
  })

  test('shows its Akey who gets its values, who consents, and withdraws it', async () => {
    const own = await createOwner()
    const { id, client, owner } = own
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await client.call(projects.addProjectMachine, { id, machineId })
    await client.call(projects.updateProject, { id, allow_write: true })
    const list = async () => (await client.call(projects.listMachineProjects, { machineId }))[0]
    expect(await list()).toMatchObject({
      id,
      wantsWrite: true,
      wantsVisit: false,
      write: false,
      consentAt: null,
    })
    await client.call(projects.setProjectConsent, { id, machineId, write: true, visit: true })
    expect(await list()).toMatchObject({ write: true, visit: true, consentBy: 'Ming Li' })
    expect((await getProject(own)).machines).toMatchObject([{ mayWrite: true, mayVisit: false }])
    await client.call(projects.withdrawMachine, { machineId, id })
    expect(await list()).toBeUndefined()
    expect(
      await site.refusalOf(owner, projects.setProjectConsent, { id, machineId, write: true, visit: true }),
    ).toBe('404')
  })
})

test('a list that offers pages offers each member those that their own right opens', async () => {
  const own = await createOwner()
  const { id, client, owner } = own
  const member = await createMember(own)
  const [mine, shared] = [
    await site.createMachine({ owner: owner.userId }),
    await site.createMachine({ owner: owner.userId }),
  ]
  for (const { machineId } of [mine, shared]) await client.call(projects.addProjectMachine, { id, machineId })
  await site.grantMachine(member.userId, shared.machineId, { role: 'visitor' })
  const openedBy = async (reader: typeof owner) =>
    (await site.as(reader).call(projects.listProjectMachines, { id }))
      .filter(({ mayOpen }) => mayOpen)
      .map(({ machine_id }) => machine_id)
  expect(await openedBy(owner)).toEqual([])
  await site.as(member).call(projects.updateProject, { id, picture: true })
  expect(await openedBy(member)).toEqual([shared.machineId])
  expect((await openedBy(owner)).toSorted((a, b) => a - b)).toEqual([mine.machineId, shared.machineId])
  await client.call(access.addToBlacklist, { deviceId: shared.machineId, userId: member.userId })
  expect(await openedBy(member)).toEqual([])
  await client.call(projects.updateProject, { id, picture: false })
  expect(await openedBy(owner)).toEqual([])
})

test('a project says that it reports only while something takes its rows, whatever it sent before', async () => {
  const own = await createOwner()
  const { db, platform } = site
  const stateNow = async () => (await getProject(own)).state
  const { machineId } = await site.createMachine({ owner: own.owner.userId })
  await own.client.call(projects.addProjectMachine, { id: own.id, machineId })
  await db.transaction().execute((trx) => platform.projects.quota.take(trx, own.id, 500))
  expect(await stateNow()).toBe('waiting')

  const destinationId = await createDestination(db, own.id, 'MES')
  const setDestination = (state: 'on' | 'off') =>
    db.updateTable('destinations').set({ state }).where('id', '=', destinationId).execute()
  expect(await stateNow()).toBe('waiting')
  await setDestination('on')
  expect(await stateNow()).toBe('well')
  await setDestination('off')
  expect(await stateNow()).toBe('waiting')

  const { keys } = platform.projects
  const { secret_key } = await getProject(own)
  await keys.find(secret_key, { from: '192.0.2.1' })
  expect(await stateNow()).toBe('waiting')
  const { keyId } = await keys.check(own.id, secret_key, { from: '192.0.2.1' })
  expect(await stateNow()).toBe('well')
  const dayAgo = new Date(Date.now() - 86_400_000)
  await db
    .updateTable('project_keys')
    .set({ last_fetched_at: dayAgo })
    .where('project_id', '=', own.id)
    .execute()
  expect(await stateNow()).toBe('waiting')
  await keys.noteStillUsed(keyId)
  expect(await stateNow()).toBe('well')

  await own.client.call(projects.removeProjectMachine, { id: own.id, machineId })
  expect(await stateNow()).toBe('waiting')
})

/** Those of these projects whose owners were told of wrong keys. */
const listTold = (ids: number[]) =>
  site.db
    .selectFrom('projects')
    .select('id')
    .where('id', 'in', ids)
    .where('wrong_keys_told_at', 'is not', null)
    .execute()

test('the owner of an enterprise’s project who left the enterprise is told nothing', async () => {
  const { eid, owner } = await site.createEnterprise()
  await site.db.updateTable('enterprises').set({ enable_project: true }).where('id', '=', eid).execute()
  const { id } = await site.as(owner).call(projects.createProject, { name: 'Line', eid, type: 1 })
  await site.db.deleteFrom('enterprise_members').where('user_id', '=', owner.userId).execute()
  for (let tries = 0; tries <= 10; tries++)
    await site.platform.projects.keys.check(id, 'no key', { from: '192.0.2.1' }).catch(() => {})
  expect(await listTold([id])).toEqual([])
})

test('the owners of all projects are not told of one address that tries their numbers', async () => {
  const from = '192.0.2.2'
  const owners = []
  for (let made = 0; made < 5; made++) owners.push(await createOwner())
  const { keys } = site.platform.projects
  for (let tries = 0; tries < 10; tries++) await keys.check(0, 'no key', { from }).catch(() => {})
  for (const { id } of owners) await keys.check(id, 'no key', { from }).catch(() => {})
  expect(await listTold(owners.map(({ id }) => id))).toHaveLength(3)
  // Others are not affected by that address.
  const [{ id, client }] = owners as [Owner]
  const { secret_key } = await getProject({ client, id })
  expect(await keys.check(id, secret_key, { from: '192.0.2.3' })).toMatchObject({ projectId: id })
})
