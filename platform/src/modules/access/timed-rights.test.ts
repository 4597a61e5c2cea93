import { accounts, enterprises, messages } from '@busbar/contract'
import { PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import { TimedRights } from './timed-rights.ts'

const deadline = { timeout: 10_000, interval: 20 }

const site = useSite()

/** A busy machine does what comes before within this time. */
const turnsInMs = 2_000

/** A window closes by itself, after its beginning was told. */
const closeSoon = (id: number) =>
  site.db
    .updateTable('maintenance_windows')
    .set({ stop_at: new Date(Date.now() + turnsInMs) })
    .where('id', '=', id)
    .execute()

test('a visit time that runs out by itself is published to its visitor', async () => {
  const akey = await site.createUser()
  const visitor = await site.createUser()
  const { machineId } = await site.createMachine({ owner: akey.userId })
  const page = await PushClient.open(site.url, visitor.token)
  await site.grantMachine(visitor.userId, machineId, {
    role: 'visitor',
    until: new Date(Date.now() + 1_000),
  })
  const level = await page.find((event) =>
    event.scene === 'machineState' && event.state.machineId === String(machineId)
      ? event.state.limitAuthority
      : undefined,
  )
  expect(level).toBe(0)
  page.close()
})

test('a right that ends while a check begins is published once', async () => {
  const visitor = await site.createUser()
  const { machineId } = await site.createMachine()
  const at = Date.now() + 3_600_000
  await site.grantMachine(visitor.userId, machineId, { role: 'visitor', until: new Date(at + 2) })
  const told: NewFact[] = []
  const facts = { recordAll: async (_: unknown, some: readonly NewFact[]) => void told.push(...some) }
  const [job] = new TimedRights({ db: site.db, facts, now: () => at + 5 }).jobs
  const { signal } = new AbortController()
  await job?.run({ signal, previous: at - 10, now: at })
  await job?.run({ signal, previous: at, now: at + 10 })
  expect(told).toMatchObject([{ kind: 'grant.ranOut', userId: visitor.userId, at: at + 2 }])
})

test('a maintenance window that opens and closes by itself is published to the machine’s maintainers', async () => {
  const { eid, owner: maker } = await site.createEnterprise()
  const akey = await site.createUser()
  const { machineId } = await site.createMachine({ owner: akey.userId })
  const { ticket } = await site.as(maker).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  const id = await site.openWindow({ eid, machineId, start: Date.now() + turnsInMs })
  const mayEnter = async () => {
    const answer = await site.as(maker).call(enterprises.listEnterpriseMachines, { eid, type: 2 })
    return 'list' in answer && answer.list.map((machine) => [machine.mayEnter, machine.limitAuthority])
  }
  const timesTold = () => page.events.filter(({ scene }) => scene === 'spaces').length
  expect(await mayEnter()).toEqual([[false, 0]])
  await expect.poll(timesTold, deadline).toBe(1)
  expect(await mayEnter()).toEqual([[true, 1]])
  await closeSoon(id)
  await expect.poll(timesTold, deadline).toBe(2)
  expect(await mayEnter()).toEqual([[false, 0]])
  page.close()
})

test('the maintenance team of a machine reads that a window began, and that it ran out', async () => {
  const { eid } = await site.createEnterprise()
  const mate = await site.createMember(eid, 'member', ['maintain'])
  const { machineId } = await site.createMachine({ owner: (await site.createUser()).userId })
  const id = await site.openWindow({ eid, machineId, start: Date.now() + turnsInMs })
  await site.createTeam({ eid, kind: 'maintain', memberIds: [mate.userId], machineIds: [machineId] })
  const titles = async () =>
    (await site.as(mate, 'en').call(messages.listMessages, { scene: 'device' })).list.map(
      ({ title }) => title,
    )
  const began = 'A maintenance window begins'
  await expect.poll(titles, deadline).toEqual([began])
  await closeSoon(id)
  await expect.poll(titles, deadline).toEqual(['A maintenance window is over', began])
})
