import { access, enterprises as contract, operator } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

const site = useSite()

test('the audit log of an enterprise names people, teams and devices, and is for its administrators', async () => {
  const { eid, owner } = await site.createEnterprise()
  const member = await site.createMember(eid)
  const guest = await site.createUser({ name: 'Guest' })
  const device = await site.createEnterpriseMachine(eid, { name: 'Press 7' })
  const asOwner = site.as(owner)
  await asOwner.call(contract.inviteMember, { eid, account: guest.email, role: 'admin' })
  await asOwner.call(contract.createTeam, {
    ...{ eid, name: 'Night shift', kind: 'manage' },
    ...{ memberIds: [member.userId], machineIds: [device.machineId] },
  })
  await asOwner.call(access.setCloudService, { machineID: device.machineId, state: false })

  const { list, total } = await asOwner.call(contract.listEnterpriseAudit, { eid })
  expect(total).toBe(3)
  expect(list).toMatchObject([
    { action: 'machine.cloud', target: 'Press 7', machineCode: device.code },
    { action: 'enterprise.team.create', target: 'Night shift', people: ['Ming Li'] },
    { action: 'enterprise.member.invite', target: 'Guest', role: 'admin', actorUserId: owner.userId },
  ])
  expect(JSON.stringify(list)).not.toContain('127.0.0.1')
  expect(await site.refusalOf(member, contract.listEnterpriseAudit, { eid })).toBe('403')
})

test('an enterprise reads neither the acts of others nor those on a machine before it owned it', async () => {
  const [own, other] = [await site.createEnterprise(), await site.createEnterprise()]
  const device = await site.createEnterpriseMachine(own.eid)
  await site.as(own.owner).call(access.setCloudService, { machineID: device.machineId, state: false })
  await site.as(other.owner).call(contract.createGroup, { eid: other.eid, name: 'Hall 1' })
  await site.db
    .updateTable('machines')
    .set({ owned_since: new Date(Date.now() + 60_000) })
    .where('id', '=', device.machineId)
    .execute()
  expect((await site.as(own.owner).call(contract.listEnterpriseAudit, { eid: own.eid })).list).toEqual([])
  const { eid } = other
  expect(await site.refusalOf(own.owner, contract.listEnterpriseAudit, { eid })).toBe('403')
})

test('the audit log of an enterprise is searched by names, and never by an address', async () => {
  const { eid, owner } = await site.createEnterprise()
  const device = await site.createEnterpriseMachine(eid, { name: 'Saw 12' })
  const asOwner = site.as(owner)
  await asOwner.call(contract.createGroup, { eid, name: 'Hall 1' })
  await asOwner.call(access.setCloudService, { machineID: device.machineId, state: false })
  const found = async (search: string) =>
    (await asOwner.call(contract.listEnterpriseAudit, { eid, search })).list.map(({ action }) => action)
  expect(await found('saw')).toEqual(['machine.cloud'])
  expect(await found('Hall')).toEqual(['enterprise.group.create'])
  expect(await found('Ming')).toHaveLength(2)
  expect(await found('127.')).toEqual([])
})

test('an operator appears in the audit log of an enterprise as the platform', async () => {
  const { eid, owner } = await site.createEnterprise()
  const boss = await site.createUser({ name: 'Olga Op' })
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  await site.as(boss).call(operator.updateEnterprise, { eid, enableProject: true })
  const { list } = await site.as(owner).call(contract.listEnterpriseAudit, { eid })
  expect(list).toMatchObject([{ action: 'enterprise.projects', actor: '', actorUserId: null }])
})
