import { destinations as contract, messages } from '@busbar/contract'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { Receiver, type ReceiverAnswer } from '@busbar/testkit/receiver.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, onTestFinished, test } from 'vitest'
import {
  appendTold,
  createReportingProject,
  createWebhook,
} from '../../../test-support/destinations/reporting-project.ts'

const ports = await Promise.all(Array.from({ length: 3 }, () => findFreePort()))
const clock = { aheadMs: 0 }
const site = useSite(
  { OUTGOING_ALLOWED_NETWORKS: ports.map((port) => `* 127.0.0.1:${port}`).join(', ') },
  { now: () => Date.now() + clock.aheadMs },
)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const soon = { timeout: 10_000 }

/** A project whose rows a receiver answers with one status, with the people who are told and those who are not. */
async function begin(answer: ReceiverAnswer) {
  const project = await createReportingProject(site)
  const { projectId, owner } = project
  const join = async (acceptedAt: Date | null) => {
    const { userId, token } = await site.createUser()
    const member = { project_id: projectId, user_id: userId, level: 2, invited_by: owner.userId }
    await site.db
      .insertInto('project_members')
      .values({ ...member, invited_at: new Date(), accepted_at: acceptedAt })
      .execute()
    return { userId, token }
  }
  const [member, invited] = [await join(new Date()), await join(null)]
  const receiver = await new Receiver().start(ports.pop())
  receiver.answer = () => answer
  onTestFinished(() => receiver.stop())
  const { targetId } = await createWebhook(site, project, receiver)
  await appendTold(site, project, 3)
  const titlesOf = async (person: { readonly token: string }) =>
    (await site.as(person).call(messages.listMessages, { scene: 'project' })).list.map(({ title }) => title)
  const find = async () => {
    const list = await site.as(owner).call(contract.listDestinations, { id: projectId })
    return list.find((each) => each.targetId === targetId)
  }
  return {
    receiver,
    find,
    /** The titles that all who belong to the project were told, the newest first. */
    told: async () => {
      const [first, second] = [await titlesOf(owner), await titlesOf(member)]
      expect(await titlesOf(invited)).not.toContain(first[0])
      return first.length === second.length ? first : undefined
    },
    /** Lets the next try begin, and waits until its end is known: the one after it begins by the clock of then. */
    tryAfter: async (ms: number) => {
      const tries = receiver.requests.length
      clock.aheadMs += ms
      await expect.poll(() => receiver.requests.length, soon).toBe(tries + 1)
      const waitMs = async () => ((await find())?.nextTryAt ?? Infinity) - Date.now() - clock.aheadMs
      await expect.poll(waitMs, soon).toBeGreaterThan(0)
    },
  }
}

test('members are told that a destination is gone, once', async () => {
  const { told, find } = await begin(410)
  await expect.poll(find, soon).toMatchObject({ state: 'switchedOff', switchedOff: 'gone' })
  await expect.poll(told, soon).toEqual(['Destination turned off'])
})

test('members are told of a failure after ten minutes, once, and that it is over', async () => {
  const { receiver, told, find, tryAfter } = await begin(500)
  await expect.poll(find, soon).toMatchObject({ status: 500 })
  await tryAfter(10_000)
  await tryAfter(11 * minuteMs)
  await expect.poll(told, soon).toEqual(['Destination keeps failing'])
  await tryAfter(hourMs)
  receiver.answer = () => 204
  await tryAfter(hourMs)
  await expect.poll(told, soon).toEqual(['Destination recovered', 'Destination keeps failing'])
})

test('a destination that fails for 72 hours is switched off, and members are told', async () => {
  const { receiver, told, find, tryAfter } = await begin(500)
  await expect.poll(find, soon).toMatchObject({ status: 500 })
  await tryAfter(71 * hourMs)
  await expect.poll(told, soon).toEqual(['Destination keeps failing'])
  expect(await find()).toMatchObject({ state: 'on' })
  await tryAfter(2 * hourMs)
  await expect.poll(find, soon).toMatchObject({ state: 'switchedOff', switchedOff: 'failedTooLong' })
  await expect.poll(told, soon).toEqual(['Destination turned off', 'Destination keeps failing'])
  const tries = receiver.requests.length
  clock.aheadMs += 2 * hourMs
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(receiver.requests).toHaveLength(tries)
})
