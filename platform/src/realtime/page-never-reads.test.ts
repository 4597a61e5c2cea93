import { create, toBinary } from '@bufbuild/protobuf'
import { type Client, ClientSchema } from '@busbar/contract/push'
import { PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'

const site = useSite()
afterEach(() => void vi.restoreAllMocks())

test('a page that asks and never reads is cut off instead of filling the memory', async () => {
  const user = await site.createUser()
  const eventBytes = 4_096
  const eventsCount = 1_000
  const open = async () => {
    const ws = new WebSocket(`${site.url.replace('http', 'ws')}/echo.io?sid=${user.token}`)
    await new Promise((resolve) => ws.once('open', resolve))
    return ws
  }
  // A page that gets the events live; asked for, they are not sent to it again.
  const reader = await open()
  let heard = 0
  reader.on('message', () => heard++)
  await expect.poll(() => site.platform.hub.stats().sockets).toBe(1)
  await site.db
    .insertInto('user_events')
    .values(
      Array.from({ length: eventsCount }, (_, place) => ({
        user_id: user.userId,
        id: place + 1,
        scene: 7,
        body: Buffer.alloc(eventBytes),
        at: new Date(),
      })),
    )
    .execute()
  await expect.poll(() => heard).toBeGreaterThanOrEqual(eventsCount)
  reader.close()
  await expect.poll(() => site.platform.hub.stats().sockets).toBe(0)
  const ws = await open()
  ws.on('error', () => {})
  await expect.poll(() => site.platform.hub.stats().sockets).toBe(1)
  ws.pause()
  const resume = toBinary(
    ClientSchema,
    create(ClientSchema, { kind: { case: 'resume', value: { id: '0' } } } as unknown as Client),
  )
  // The kernel buffers the first few megabytes; the rest would stay in our memory.
  const asking = setInterval(() => ws.send(resume), 100)
  try {
    await expect.poll(() => site.platform.hub.stats().sockets, { timeout: 15_000 }).toBe(0)
  } finally {
    clearInterval(asking)
    ws.terminate()
  }
})

test('values that arrive while a watch is opened do not open it again and again', async () => {
  const user = await site.createUser()
  const machine = await site.createMachine({ owner: user.userId })
  const { telemetry, bus } = site.platform
  const listLatest = telemetry.listLatest.bind(telemetry)
  const spy = vi.spyOn(telemetry, 'listLatest').mockImplementation(async (machineId, tagIds) => {
    // A database that takes its time.
    await new Promise((resolve) => setTimeout(resolve, 150))
    return listLatest(machineId, tagIds)
  })
  const page = await PushClient.open(site.url, user.token)
  page.watch(machine.machineId)
  const values = setInterval(() => {
    const at = Date.now()
    bus.publish('values', {
      machineId: machine.machineId,
      values: [{ tagId: 1, value: at, quality: 'good', time: at, receivedAt: at }],
    })
  }, 20)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  clearInterval(values)
  page.close()
  expect(spy.mock.calls.length).toBeLessThanOrEqual(2)
})
