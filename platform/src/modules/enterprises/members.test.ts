import { enterprises as contract, messages, telemetry } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'

const site = useSite()

const spacesOf = (user: TestUser) => site.as(user).call(contract.listUserEnterprises, {})
/** Subjects of the e-mails to a person, sent or to be sent. */
const subjectsTo = async ({ email }: TestUser) =>
  (await site.db.selectFrom('outgoing').select('subject').where('recipient', '=', email).execute()).map(
    ({ subject }) => subject,
  )

describe('an invitation', () => {
  test('makes a member with the offered rights once it is accepted, and nothing before', async () => {
    const boss = await site.createUser({ name: 'Chen Jing' })
    const guest = await site.createUser()
    const { eid } = await site.as(boss).call(contract.createEnterprise, { name: '北方铸造 👩‍🏭' })
    await site.as(boss).call(contract.inviteMember, { eid, account: guest.email, rights: ['view', 'sms'] })
    expect(await spacesOf(guest)).toEqual([])
    expect(await site.refusalOf(guest, contract.getEnterprise, { eid })).toBe('403')

    const [invitation] = await site.as(guest).call(contract.listInvitations, {})
    expect(invitation).toMatchObject({
      eid,
      enterprise: '北方铸造 👩‍🏭',
      invitedBy: 'Chen Jing',
      role: 'member',
    })
    const id = invitation?.id ?? 0
    expect(await site.as(guest).call(contract.answerInvitation, { id, action: 'accept' })).toEqual({ eid })
    expect(await site.as(guest).call(contract.getEnterprisePermission, { eid })).toEqual({
      isAdmin: false,
      role: 'member',
      rights: ['view', 'sms'],
      teams: [],
    })
  })

  test('was to be withdrawn to change its rights; it is changed until it is answered, by administrators', async () => {
    const { eid, owner } = await site.createEnterprise()
    const admin = await site.createMember(eid, 'admin')
    const guest = await site.createUser()
    await site
      .as(owner)
      .call(contract.inviteMember, { eid, account: guest.email, role: 'member', rights: ['view'] })
    const [sent] = await site.as(admin).call(contract.listSentInvitations, { eid })
    const change = { eid, id: sent?.id ?? 0, role: 'member' as const, rights: ['control'] as const }
    await site.as(admin).call(contract.updateInvitation, { ...change, rights: [...change.rights] })
    const other = await site.createEnterprise()
    const foreign = { ...change, eid: other.eid, rights: [...change.rights] }
    expect(await site.refusalOf(other.owner, contract.updateInvitation, foreign)).toBe('404')
    const [received] = await site.as(guest).call(contract.listInvitations, {})
    expect(received).toMatchObject({ role: 'member', rights: ['control'] })
    await site.as(guest).call(contract.answerInvitation, { id: change.id, action: 'accept' })
    const { list } = await site.as(owner).call(contract.listMembers, { eid })
    expect(list.find(({ userId }) => userId === guest.userId)).toMatchObject({ rights: ['control'] })
    const late = { ...change, rights: [...change.rights] }
    expect(await site.refusalOf(admin, contract.updateInvitation, late)).toBe('404')
  })

  test('can be accepted once, and by nobody else', async () => {
    const { eid, owner } = await site.createEnterprise()
    const [guest, thief] = [await site.createUser(), await site.createUser()]
    await site.as(owner).call(contract.inviteMember, { eid, account: guest.email })
    const id = (await site.as(guest).call(contract.listInvitations, {}))[0]?.id ?? 0
    const accept = { id, action: 'accept' } as const
    expect(await site.refusalOf(thief, contract.answerInvitation, accept)).toBe('INVITATION_GONE')
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => site.as(guest).call(contract.answerInvitation, accept)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await site.refusalOf(guest, contract.answerInvitation, { id, action: 'decline' })).toBe(
      'INVITATION_GONE',
    )
    expect(await site.refusalOf(owner, contract.inviteMember, { eid, account: guest.email })).toBe(
      'ALREADY_MEMBER',
    )
  })

  test('is an unread message and an e-mail in the guest’s language, and is read once it is answered anywhere', async () => {
    const { eid, owner } = await site.createEnterprise()
    const guest = await site.createUser({ lang: 'en' })
    await site.as(owner).call(contract.inviteMember, { eid, account: guest.email, role: 'admin' })
    const read = async () => {
      const inbox = await site.as(guest, 'en').call(messages.listMessages, { scene: 'inbox' })
      return { unread: inbox.totalUnreadMsg, message: inbox.list[0] }
    }
    const waiting = await read()
    expect(waiting).toMatchObject({
      unread: 1,
      message: { type: 'invitation', machine: null, mayAnswer: true, read: false },
    })
    expect(waiting.message?.body).toMatch(/ invites you to join “.+” as an administrator$/)
    expect(await subjectsTo(guest)).toEqual([expect.stringContaining('Invitation to an enterprise')])
    // In the list of spaces, which has the invitation but not the message.
    const id = (await site.as(guest).call(contract.listInvitations, {}))[0]?.id ?? 0
    expect(waiting.message?.invitationId).toBe(id)
    await site.as(guest).call(contract.answerInvitation, { id, action: 'decline' })
    expect(await read()).toMatchObject({
      unread: 0,
      message: { mayAnswer: false, read: true, outcome: 'refused' },
    })
  })

  test('of a person without an e-mail is only a message; a withdrawn one is marked as read, and a second one sends no second e-mail', async () => {
    const { eid, owner } = await site.createEnterprise()
    const phoned = await site.createUser({ phone: '13900001807' })
    await site.db.updateTable('users').set({ email: null }).where('id', '=', phoned.userId).execute()
    await site.as(owner).call(contract.inviteMember, { eid, account: '13900001807' })
    const unread = async (user: TestUser) =>
      (await site.as(user).call(messages.getTotalUnread, {})).byScene.inbox
    expect(await unread(phoned)).toBe(1)

    const guest = await site.createUser()
    for (let times = 0; times < 2; times++) {
      await site.as(owner).call(contract.inviteMember, { eid, account: guest.email })
      expect(await unread(guest)).toBe(1)
      const id = (await site.as(guest).call(contract.listInvitations, {}))[0]?.id ?? 0
      await site.as(owner).call(contract.removeInvitation, { eid, id })
      expect(await unread(guest)).toBe(0)
    }
    expect(await subjectsTo(guest)).toHaveLength(1)
  })

  test('of a person who lost the right to invite is withdrawn with it', async () => {
    const { eid, owner } = await site.createEnterprise()
    const admin = await site.createMember(eid, 'admin')
    const guest = await site.createUser()
    await site.as(admin).call(contract.inviteMember, { eid, account: guest.email, role: 'admin' })
    expect(await site.refusalOf(owner, contract.inviteMember, { eid, account: guest.email })).toBe(
      'ALREADY_INVITED',
    )
    await site.as(owner).call(contract.updateMember, { eid, userId: admin.userId, role: 'member' })
    expect(await site.as(guest).call(contract.listInvitations, {})).toEqual([])
  })
})

describe('roles', () => {
  test('an administrator cannot make or change an owner, and the last owner cannot leave the enterprise', async () => {
    const { eid, owner } = await site.createEnterprise()
    const admin = await site.createMember(eid, 'admin')
    const member = await site.createMember(eid)
    const change = (userId: number, role: contract.EnterpriseRole) => ({ eid, userId, role })
    expect(await site.refusalOf(admin, contract.updateMember, change(admin.userId, 'owner'))).toBe(
      'OWNER_ONLY',
    )
    expect(await site.refusalOf(admin, contract.updateMember, change(owner.userId, 'member'))).toBe(
      'OWNER_ONLY',
    )
    expect(await site.refusalOf(admin, contract.removeMember, { eid, userId: owner.userId })).toBe(
      'OWNER_ONLY',
    )
    const asOwner = site.as(owner)
    expect(await site.refusalOf(owner, contract.removeMember, { eid, userId: owner.userId })).toBe(
      'LAST_OWNER',
    )
    expect(await site.refusalOf(owner, contract.updateMember, change(owner.userId, 'admin'))).toBe(
      'LAST_OWNER',
    )
    await asOwner.call(contract.updateMember, change(member.userId, 'owner'))
    // Two owners that leave at the same time: one of them stays.
    const left = await Promise.allSettled(
      [owner, member].map((user) => site.as(user).call(contract.removeMember, { eid, userId: user.userId })),
    )
    expect(left.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('an administrator’s former rights as a member do not come back with the lower role', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['control'])
    const set = (role: contract.EnterpriseRole) =>
      site.as(owner).call(contract.updateMember, { eid, userId: member.userId, role })
    await set('admin')
    await set('member')
    expect((await site.as(member).call(contract.getEnterprisePermission, { eid })).rights).toEqual([])
  })

  test('a removed member loses every team and all access at once', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid, 'member', ['manage'])
    const { machineId } = await site.createEnterpriseMachine(eid)
    const team = { eid, name: 'Hall A', kind: 'manage' as const }
    await site
      .as(owner)
      .call(contract.createTeam, { ...team, memberIds: [member.userId], machineIds: [machineId] })
    const personnel = () => site.as(owner).call(contract.listMachinePersonnel, { eid, deviceId: machineId })
    expect(await personnel()).toMatchObject([{ userId: member.userId, limit_authority: 2 }])
    expect(await site.as(member).call(telemetry.listLatest, { machineId })).toEqual([])
    await site.as(owner).call(contract.removeMember, { eid, userId: member.userId })
    expect(await personnel()).toEqual([])
    expect(await site.refusalOf(member, contract.listEnterpriseMachines, { eid })).toBe('403')
    expect(await site.refusalOf(member, telemetry.listLatest, { machineId })).toBe('403')
    const told = await site.db
      .selectFrom('right_changes')
      .select('reason')
      .where('user_id', '=', member.userId)
      .execute()
    expect(told.map(({ reason }) => reason)).toEqual(['team', 'member'])
  })

  test('a member finds colleagues by name, by account only administrators', async () => {
    const { eid, owner } = await site.createEnterprise()
    const member = await site.createMember(eid)
    const find = async (user: TestUser, search: string) =>
      (await site.as(user).call(contract.listMembers, { eid, search })).total
    const fragment = owner.email.slice(0, owner.email.indexOf('@') + 3)
    expect([await find(owner, fragment), await find(member, fragment)]).toEqual([1, 0])
    expect([await find(member, 'ming'), await find(member, '%')]).toEqual([2, 0])
    const { list } = await site.as(member).call(contract.listMembers, { eid })
    expect(list[0]).toMatchObject({ role: 'owner', lastSeen: null })
    expect(list[0]?.accountMasked).toMatch(/^.\*\*\*@/)
  })
})
