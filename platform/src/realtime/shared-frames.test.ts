import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createTestDatabase, createUser, PushClient, type TestDatabase } from '@busbar/testkit'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createLocalBus, type TagValueEvent } from '../kernel/bus/bus.ts'
import { silentLogger } from '../kernel/logger.ts'
import type { RightChange, RightsListener } from '../kernel/rights/rights-watch.ts'
import type { AccessPort, PairAccess } from '../modules/access/index.ts'
import { RealtimeHub } from './hub.ts'
import { writesPerTurn } from './write-turns.ts'

/** More than one turn of the event loop writes to. */
const crowdSize = writesPerTurn + 20
const machineId = 7

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

const sampleOf = (tagId: number, value: TagValueEvent['value']): TagValueEvent => {
  const at = Date.now()
  return { tagId, value, quality: 'good', time: at, receivedAt: at }
}

/** A hub whose values and rights the test gives itself. Its people's sids are their ids. */
async function setUp({ compresses = false } = {}) {
  const latest = new Map<number, TagValueEvent>()
  const barred = new Set<number>()
  const listeners = new Set<(values: readonly TagValueEvent[]) => void>()
  let listener: RightsListener | undefined
  let lookingUp: Promise<void> | undefined
  const user = await createUser(store.db)
  const hub = new RealtimeHub({
    db: store.db,
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    access: {
      async listPairs(pairs: readonly { userId: number; machineId: number }[]) {
        await lookingUp
        return pairs
          .filter(({ userId }) => !barred.has(userId))
          .map((pair) => ({ ...pair, access: { rights: new Set(['visitor+']) } }) as never as PairAccess)
      },
    } as unknown as AccessPort,
    rights: {
      subscribe(one: RightsListener) {
        listener = one
        return () => undefined
      },
      isAwake: () => true,
      whenFresh: async () => true,
    } as never,
    link: {
      latestOfEach: async (ids) => new Map(ids.map((id) => [id, [...latest.values()]])),
      watch: async (_, told) => {
        listeners.add(told)
        return { end: () => undefined }
      },
    },
    findPushSession: async (sid) => ({ userId: Number(sid), sessionId: user.sessionId }),
    now: Date.now,
  })
  await hub.start()
  const sockets: WebSocket[] = []
  const wires: Socket[] = []
  const server = createServer()
  const upgrades = new WebSocketServer({ server, perMessageDeflate: compresses })
  upgrades.on('connection', (ws, request) => {
    sockets.push(ws)
    wires.push(request.socket)
    const sid = new URL(request.url ?? '', 'http://local').searchParams.get('sid') ?? ''
    void hub.accept(ws, request.socket, sid, undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(async () => {
    hub.stop()
    for (const socket of sockets) socket.terminate()
    upgrades.close()
    server.close()
    await once(server, 'close')
  })
  let people = 100
  return {
    hub,
    wires,
    tell(...values: TagValueEvent[]) {
      for (const value of values) latest.set(value.tagId, value)
      for (const told of listeners) told(values)
    },
    /** As RightsWatch does, in this very turn; the look-up of the right takes until `looked`. */
    takeRight(userId: number, looked: Promise<void>) {
      lookingUp = looked
      barred.add(userId)
      listener?.changed({
        sessionId: null,
        userId,
        machineId,
        projectId: null,
        reason: 'test',
      } as RightChange)
    },
    /** A page that watches and was shown the first values. */
    async openPage(tagIds: number[] = [], userId = people++) {
      const page = await PushClient.open(url, String(userId))
      page.watch(machineId, tagIds)
      await page.find((event) => (event.scene === 'values' ? true : undefined))
      return { page, userId, ws: sockets.at(-1) as WebSocket }
    },
  }
}

type Page = { page: PushClient }

const textsOf = ({ page }: Page) =>
  page.events.flatMap((event) =>
    event.scene === 'values' ? event.values.map(({ tagId, value }) => `${tagId}=${value.value}`) : [],
  )

/** Resolves when everything that was sent to the page before has arrived. */
async function arrived({ page }: Page): Promise<void> {
  const before = page.events.length
  page.heartbeat()
  await vi.waitFor(() =>
    expect(page.events.slice(before).some(({ scene }) => scene === 'heartbeat')).toBe(true),
  )
}

/** Resolves when a burst that is under way has ended, and frames may be sent at once again. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 150))

test('a page that loses its right between the encoding of a shared frame and its turn does not get it', async () => {
  const site = await setUp()
  site.tell(sampleOf(1, 'first'))
  const crowd = await Promise.all(Array.from({ length: crowdSize }, () => site.openPage()))
  const last = await site.openPage()
  await quiet()
  site.tell(sampleOf(1, 'secret'))
  const looked = Promise.withResolvers<void>()
  site.takeRight(last.userId, looked.promise)
  const other = crowd.at(-1) as Page
  await vi.waitFor(() => expect(textsOf(other)).toEqual(['1=first', '1=secret']))
  await arrived(last)
  looked.resolve()
  await vi.waitFor(() => expect(site.hub.stats().watches).toBe(crowdSize))
  await arrived(last)
  expect(textsOf(last)).toEqual(['1=first'])
})

test('pages that watch other tags of a machine never get one another’s bytes', async () => {
  const site = await setUp()
  site.tell(sampleOf(1, 'a'), sampleOf(2, 'b'), sampleOf(3, 'c'))
  const [all, one, two, sameTwo] = [
    await site.openPage(),
    await site.openPage([1]),
    await site.openPage([2, 3]),
    await site.openPage([3, 2, 3]),
  ]
  expect(site.hub.stats().channels).toBe(3)
  await quiet()
  site.tell(sampleOf(1, 'd'), sampleOf(2, 'e'))
  await vi.waitFor(() => expect(textsOf(all)).toHaveLength(5))
  await Promise.all([one, two, sameTwo].map(arrived))
  expect(textsOf(all)).toEqual(['1=a', '2=b', '3=c', '1=d', '2=e'])
  expect(textsOf(one)).toEqual(['1=a', '1=d'])
  expect(textsOf(two)).toEqual(['2=b', '3=c', '2=e'])
  expect(textsOf(sameTwo)).toEqual(textsOf(two))
})

test('a slow reader of a shared frame skips to the newest and delays nobody', async () => {
  const site = await setUp()
  site.tell(sampleOf(1, 'first'))
  const [slow, quick] = [await site.openPage(), await site.openPage()]
  await quiet()
  let waiting = 1024 * 1024
  vi.spyOn(slow.ws, 'bufferedAmount', 'get').mockImplementation(() => waiting)
  for (const text of ['second', 'third', 'fourth']) {
    site.tell(sampleOf(1, text))
    await vi.waitFor(() => expect(textsOf(quick).at(-1)).toBe(`1=${text}`))
  }
  waiting = 0
  await vi.waitFor(() => expect(textsOf(slow).at(-1)).toBe('1=fourth'))
  await arrived(slow)
  expect(textsOf(slow)).toEqual(['1=first', '1=fourth'])
  expect(site.hub.stats().heldBack).toBe(3)
})

test('a page that watches anew while a burst is on its way never goes back to the older value', async () => {
  const site = await setUp()
  site.tell(sampleOf(1, 'first'))
  await Promise.all(Array.from({ length: crowdSize }, () => site.openPage()))
  const last = await site.openPage()
  await quiet()
  // Those beyond the first turn are written to after the page has watched anew.
  const resume = holdTurns()
  site.tell(sampleOf(1, 'second'))
  site.tell(sampleOf(1, 'third'))
  last.page.watch(machineId)
  await vi.waitFor(() => expect(textsOf(last)).toContain('1=third'))
  resume()
  await arrived(last)
  expect(textsOf(last)).not.toContain('1=second')
})

/** Holds remaining work for later turns; the returned function lets it go. */
function holdTurns(): () => void {
  const held: (() => void)[] = []
  const spy = vi.spyOn(globalThis, 'setImmediate').mockImplementation(((act: () => void) => {
    held.push(act)
  }) as never)
  onTestFinished(() => spy.mockRestore())
  return () => {
    spy.mockRestore()
    for (const act of held) act()
  }
}

test('a page that leaves between the encoding of a shared frame and its turn does not get it', async () => {
  const site = await setUp()
  site.tell(sampleOf(1, 'first'))
  await Promise.all(Array.from({ length: crowdSize }, () => site.openPage()))
  const last = await site.openPage()
  await quiet()
  const resume = holdTurns()
  site.tell(sampleOf(1, 'second'))
  last.page.unwatch(machineId)
  await arrived(last)
  resume()
  await arrived(last)
  expect(textsOf(last)).toEqual(['1=first'])
})

test('values of a commit reach a page that watches several machines by one write', async () => {
  const site = await setUp()
  site.tell(sampleOf(1, 'first'))
  const page = await site.openPage()
  page.page.watch(machineId + 1)
  await vi.waitFor(() => expect(textsOf(page)).toEqual(['1=first', '1=first']))
  await quiet()
  const wire = site.wires.at(-1) as Socket
  const [write, uncork] = [vi.spyOn(wire, 'write'), vi.spyOn(wire, 'uncork')]
  site.tell(sampleOf(1, 'second'))
  expect(write).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(textsOf(page)).toEqual(['1=first', '1=first', '1=second', '1=second']))
  expect([write.mock.calls.length, uncork.mock.calls.length]).toEqual([2, 1])
})

test('a shared frame goes through the WebSocket if that has an extension, which keeps its own order', async () => {
  const site = await setUp({ compresses: true })
  site.tell(sampleOf(1, 'first'))
  const page = await site.openPage()
  expect(page.ws.extensions).not.toBe('')
  await quiet()
  const send = vi.spyOn(page.ws, 'send')
  site.tell(sampleOf(1, 'x'.repeat(2_000)))
  await vi.waitFor(() => expect(textsOf(page)).toEqual(['1=first', `1=${'x'.repeat(2_000)}`]))
  expect(send).toHaveBeenCalledOnce()
})

test('own frames and shared frames keep their order and their borders on one socket', async () => {
  const site = await setUp()
  site.tell(sampleOf(1, 'first'))
  const page = await site.openPage()
  await quiet()
  page.page.heartbeat()
  site.tell(sampleOf(1, 'second'))
  page.page.heartbeat()
  await arrived(page)
  await quiet()
  site.tell(sampleOf(1, 'third'))
  await vi.waitFor(() => expect(textsOf(page)).toEqual(['1=first', '1=second', '1=third']))
  await arrived(page)
  expect(page.page.closed).toBeUndefined()
})
