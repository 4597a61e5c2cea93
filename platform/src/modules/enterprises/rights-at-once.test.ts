import { accounts, enterprises as contract, operator } from '@busbar/contract'
import { PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, onTestFinished, test } from 'vitest'
import { Inside } from '../../../test-support/visit-host/inside.ts'
import { Station } from '../../../test-support/visit-host/station.ts'

const site = useSite()

const deadline = { timeout: 10_000, interval: 10 }

interface Scene {
  readonly eid: number
  readonly machineId: number
  readonly secret: string
  readonly teamId: number
  readonly owner: TestUser
  readonly member: TestUser
}

/** A member who manages a device as its team: inside its page, watching its values. */
async function openScene() {
  const { eid, owner } = await site.createEnterprise()
  const machine = await site.createEnterpriseMachine(eid)
  const member = await site.createMember(eid, 'member', ['manage'])
  const { id: teamId } = await site.as(owner).call(contract.createTeam, {
    eid,
    name: 'Hall A',
    kind: 'manage',
    memberIds: [member.userId],
    machineIds: [machine.machineId],
  })
  const station = await Station.open(site, machine)
  onTestFinished(() => station.close())
  const { ticket } = await site.as(member).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  onTestFinished(() => page.close())
  page.watch(machine.machineId)
  const inside = await Inside.enter(site, member, station)
  onTestFinished(() => inside.close())
  await inside.open(['events', 'socket'])
  await page.find((event) => (event.scene === 'values' ? true : undefined))
  return {
    scene: { eid, machineId: machine.machineId, secret: machine.secret, teamId, owner, member },
    station,
    page,
    inside,
  }
}

const losses: [string, (scene: Scene, station: Station) => Promise<unknown>][] = [
  [
    'whose right is taken away',
    ({ eid, owner, member }) =>
      site.as(owner).call(contract.updateMember, { eid, userId: member.userId, rights: ['sms'] }),
  ],
  [
    'who is removed',
    ({ eid, owner, member }) => site.as(owner).call(contract.removeMember, { eid, userId: member.userId }),
  ],
  [
    'who leaves',
    ({ eid, member }) => site.as(member).call(contract.removeMember, { eid, userId: member.userId }),
  ],
  [
    'whose team is removed',
    ({ eid, owner, teamId }) => site.as(owner).call(contract.removeTeam, { eid, id: teamId }),
  ],
  [
    'whose team gives the device up',
    ({ eid, owner, machineId }) =>
      site.as(owner).call(contract.updateEnterpriseMachine, { eid, id: machineId, teamId: 0 }),
  ],
  [
    'whose enterprise gives the device up',
    async ({ eid, owner, machineId, secret }, station) => {
      await site.as(owner).call(contract.removeEnterpriseMachine, { eid, id: machineId })
      // With its owner the machine's connection ends: it signs in anew, as an agent does.
      await expect.poll(() => station.mqttState, deadline).toBe('closed')
      await station.signIn(site, secret)
    },
  ],
  [
    'whose enterprise an operator locks',
    async ({ eid }) => {
      const boss = await site.createUser()
      await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
      await site.as(boss).call(operator.updateEnterprise, { eid, state: 'locked' })
    },
  ],
]

test.each(losses)('a member %s is cut from open connections, and nothing passes after', async (_, lose) => {
  const { scene, station, page, inside } = await openScene()
  const watches = () => site.platform.hub.stats().watches
  const before = watches()
  await lose(scene, station)
  await expect.poll(() => inside.things.map(({ state }) => state), deadline).toEqual(['cut', 'cut'])
  await expect.poll(watches, deadline).toBe(before - 1)
  const heard = page.events.length
  const told = station.told
  await expect.poll(() => station.told, deadline).toBeGreaterThan(told + 1)
  expect(page.events.slice(heard).filter(({ scene: what }) => what === 'values')).toEqual([])
})

test('a page is told to reload: after an invitation, a lost right, a removal', async () => {
  const { eid, owner } = await site.createEnterprise()
  const other = await site.createEnterprise()
  const guest = other.owner
  const { ticket } = await site.as(guest).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  onTestFinished(() => page.close())
  const countSpaces = () => page.events.filter(({ scene }) => scene === 'spaces').length
  let heard = 0
  const isTold = () => expect.poll(countSpaces, deadline).toBeGreaterThan(heard)
  await site.as(owner).call(contract.inviteMember, { eid, account: guest.email })
  await isTold()
  const [invitation] = await site.as(guest).call(contract.listInvitations, {})
  await site.as(guest).call(contract.answerInvitation, { id: invitation?.id ?? 0, action: 'accept' })
  heard = 2
  await expect.poll(countSpaces, deadline).toBe(heard)
  await site.as(owner).call(contract.updateMember, { eid, userId: guest.userId, rights: [] })
  await isTold()
  heard = 3
  await site.as(owner).call(contract.removeMember, { eid, userId: guest.userId })
  await isTold()
})

test('an owner is notified of a visit to a device of the enterprise, as an Akey is', async () => {
  const { eid, owner } = await site.createEnterprise()
  const member = await site.createMember(eid, 'member', ['view'])
  const station = await Station.open(site, await site.createEnterpriseMachine(eid))
  onTestFinished(() => station.close())
  const { ticket } = await site.as(owner).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  onTestFinished(() => page.close())
  const inside = await Inside.enter(site, member, station)
  onTestFinished(() => inside.close())
  const visit = await page.find((event) => (event.scene === 'visit' ? event.visit : undefined))
  expect(visit).toMatchObject({ sessionId: String(inside.visitId), userId: String(member.userId) })
})
