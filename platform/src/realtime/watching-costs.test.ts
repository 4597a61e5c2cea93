import { accounts } from '@busbar/contract'
import { PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createLogOnce } from '../kernel/log-once.ts'
import type { PairAccess } from '../modules/access/index.ts'
import { Channel } from './channel.ts'
import { Priming, type PrimingDeps } from './priming.ts'
import type { PushSocket, Watch } from './push-socket.ts'
import { frameFrom } from './shared-frame.ts'

const deadline = { timeout: 10_000 }

const site = useSite()

async function openPage(user: { token: string }): Promise<PushClient> {
  const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  onTestFinished(() => page.close())
  return page
}

const heartbeatsOf = (page: PushClient) => page.events.filter(({ scene }) => scene === 'heartbeat').length

/** Watches of one person that are opened without a platform. */
function openWatches(count: number, listPairs: PrimingDeps['access']['listPairs']) {
  const lines: string[] = []
  const logger = { warn: (_: object, message: string) => lines.push(message), error: () => undefined }
  const log = createLogOnce(logger)
  onTestFinished(() => log.stop())
  const closed: number[] = []
  const shown: number[] = []
  const unwatched: number[] = []
  const priming = new Priming({
    access: { listPairs },
    rights: { isAwake: () => true, whenFresh: async () => true },
    log,
    latest: async () => new Map(),
    now: Date.now,
    unwatch: (_, machineId) => unwatched.push(machineId),
    found: () => undefined,
  })
  const watches = new Map<number, Watch>()
  const socket = {
    user: { userId: 1, sessionId: 1 },
    watches,
    close: (code: number) => closed.push(code),
    show: ({ channel }: Watch) => shown.push(channel.machineId),
  } as unknown as PushSocket
  for (let machineId = 1; machineId <= count; machineId++) {
    const channel = new Channel({
      machineId,
      tagIds: undefined,
      encode: () => frameFrom(new Uint8Array(), 0),
    })
    const watch = { channel, picture: 0, isPriming: true, pictured: 0, hasMissed: false, endTimer: undefined }
    watches.set(machineId, watch)
    priming.add(socket, watch)
  }
  return { lines, closed, shown, unwatched }
}

test('200 watches at once ask for rights twice, and each is shown or ended by them', async () => {
  let queries = 0
  const { shown, unwatched } = openWatches(200, async (pairs) => {
    queries++
    const seen = pairs.filter(({ machineId }) => machineId % 2 === 0)
    return seen.map((pair) => ({ ...pair, access: { rights: new Set(['visitor+']) } }) as never as PairAccess)
  })
  await expect.poll(() => shown.length + unwatched.length, deadline).toBe(200)
  expect(queries).toBe(2)
  expect(shown.every((machineId) => machineId % 2 === 0)).toBe(true)
  expect(unwatched.every((machineId) => machineId % 2 === 1)).toBe(true)
})

test('1,000 watches that cannot be opened write one line at once', async () => {
  const { lines, closed } = openWatches(1_000, () => Promise.reject(new Error('away')))
  await expect.poll(() => closed.length, deadline).toBe(1_000)
  expect(lines).toEqual(['watch.openFailed'])
})

test.each([
  ['a machine that is none', 0, []],
  ['a tag that is none', 1, [0]],
  ['a tag beyond all numbers', 1, [2 ** 60]],
])('a watch of %s closes the socket before any query', async (_, machineId, tagIds) => {
  const user = await site.createUser()
  const page = await openPage(user)
  page.watch(machineId, tagIds)
  await expect.poll(() => page.closed, deadline).toEqual({ code: 4400, reason: 'malformed' })
})

test('a session has 10 sockets and a person 30; the next is closed with 4429', async () => {
  const user = await site.createUser()
  const sessions = [user, ...(await Promise.all([1, 2, 3].map(() => site.signIn(user.userId))))]
  const pages: PushClient[] = []
  for (const session of sessions.slice(0, 3))
    for (let number = 0; number < 10; number++) pages.push(await openPage(session))
  const machine = await site.createMachine({ owner: user.userId })
  for (const page of pages) {
    page.watch(machine.machineId)
    page.heartbeat()
  }
  await expect.poll(() => pages.map(heartbeatsOf), deadline).toEqual(pages.map(() => 1))
  for (const session of [sessions[0], sessions[3]] as { token: string }[]) {
    const refused = await openPage(session)
    await expect.poll(() => refused.closed, deadline).toEqual({ code: 4429, reason: 'too many sockets' })
  }
  pages[0]?.close()
  await expect
    .poll(async () => {
      const next = await openPage(user)
      next.heartbeat()
      await expect.poll(() => next.closed !== undefined || heartbeatsOf(next) > 0, deadline).toBe(true)
      return next.closed
    }, deadline)
    .toBeUndefined()
})

test('tabs that come back together are read slower instead of being closed', async () => {
  const user = await site.createUser()
  const pages = await Promise.all(Array.from({ length: 6 }, () => openPage(user)))
  const each = 450
  for (const page of pages) for (let number = 0; number < each; number++) page.heartbeat()
  await expect.poll(() => pages.map(heartbeatsOf), deadline).toEqual(pages.map(() => each))
  expect(pages.map(({ closed }) => closed)).toEqual(pages.map(() => undefined))
})
