import { Scene } from '@busbar/contract/push'
import { PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, withTransaction } from '../database/database.ts'
import { createUserEvents } from './user-events.ts'

const site = useSite()

const deadline = { timeout: 10_000, interval: 10 }

/** The numbers of the events that came, in the order they came. */
const idsOf = (page: PushClient) =>
  page.events.flatMap((event) => (event.scene === 'unread' ? [Number(event.id)] : []))

async function openPage() {
  const user = await site.createUser()
  const { hub } = site.platform
  const before = hub.stats().sockets
  const page = await PushClient.open(site.url, user.token)
  onTestFinished(() => page.close())
  // A page gets events that are written after its session was found; earlier ones it requests.
  await expect.poll(() => hub.stats().sockets, deadline).toBe(before + 1)
  return { user, page, events: [{ userId: user.userId, body: new Uint8Array() }] }
}

test('events of one person that are written at once by many reach the page in order of ids', async () => {
  const { page, events } = await openPage()
  const count = 40
  await Promise.all(
    Array.from({ length: count }, () => createUserEvents(site.db, Scene.UNREAD, new Date(), events)),
  )
  await expect.poll(() => idsOf(page).length, deadline).toBe(count)
  expect(idsOf(page)).toEqual(Array.from({ length: count }, (_, place) => place + 1))
})

test('an event that another process writes reaches the pages of this one', async () => {
  const { page, events } = await openPage()
  const beside = openDatabase(site.connection, { poolMax: 1 })
  onTestFinished(() => beside.destroy())
  await createUserEvents(beside, Scene.UNREAD, new Date(), events)
  await expect.poll(() => idsOf(page), deadline).toEqual([1])
})

test('an event of a transaction that is undone reaches no page', async () => {
  const { page, events } = await openPage()
  const undone = withTransaction(site.db, async (trx) => {
    await createUserEvents(trx, Scene.UNREAD, new Date(), events)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await createUserEvents(site.db, Scene.UNREAD, new Date(), events)
  await expect.poll(() => idsOf(page), deadline).toEqual([1])
})
