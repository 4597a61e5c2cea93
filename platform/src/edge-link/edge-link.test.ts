import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClientHttp2Stream } from 'node:http2'
import { PassThrough } from 'node:stream'
import { type ErrorCode, errors } from '@busbar/contract'
import { createMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { expect, it, onTestFinished } from 'vitest'
import { Presence } from '../edge/presence/presence.ts'
import { createLocalBus } from '../kernel/bus/bus.ts'
import { silentLogger } from '../kernel/logger.ts'
import type { LiveVisit } from '../modules/visits/live-visit.ts'
import { learnTarget } from '../modules/visits/targets.ts'
import type { OpenVisit } from '../modules/visits/visit-port.ts'
import { proxyRequest } from '../visit-host/proxy-request.ts'
import { visitRules } from '../visit-host/rules.ts'
import type { OpenedStream, TunnelLine } from './edge-link.ts'
import { listHeldElsewhere } from './held-elsewhere-store.ts'
import { LocalEdgeLink, type LocalEdgeLinkDeps } from './local-edge-link.ts'
import { NotReachable, reachedWithin } from './not-reachable.ts'

const never = new Promise<never>(() => undefined)

it('a holder that does not answer in time is reported as not reachable, in both languages', async () => {
  const refused = await reachedWithin(1, never).catch((error) => error)
  expect(refused).toBeInstanceOf(NotReachable)
  const { text, hwreason } = errors[refused.code as ErrorCode]
  expect(hwreason).toBe('NOT_REACHABLE')
  expect(text.cn).not.toBe('')
  expect(text.en).not.toBe('')
  expect(await reachedWithin(1_000, Promise.resolve(7))).toBe(7)
})

it('an answer of the former tunnel does not decide whether a page can be watched', async () => {
  const targets = Promise.withResolvers<[{ name: string; readOnly: boolean }]>()
  const line = { targets: () => targets.promise } as unknown as TunnelLine
  const visit = { machineId: 1, target: 'page', canWatch: undefined, tunnelsSeen: 0 } as unknown as LiveVisit
  const learning = learnTarget({ tunnel: async () => line }, visit)
  visit.tunnelsSeen++
  targets.resolve([{ name: 'page', readOnly: true }])
  await learning
  expect(visit.canWatch).toBeUndefined()
  await learnTarget({ tunnel: async () => line }, visit)
  expect(visit.canWatch).toBe(true)
})

it('a stream that opens after its visit was cut carries nothing', async () => {
  const opening = Promise.withResolvers<OpenedStream>()
  let cut = () => {}
  let isReleased = false
  const socket = Object.assign(new PassThrough(), { resetAndDestroy: () => socket.destroy() })
  const request = {
    socket,
    method: 'GET',
    url: '/',
    rawHeaders: [],
    headers: {},
  } as unknown as IncomingMessage
  const visit = {
    mode: 'rw',
    target: 'page',
    userName: 'Lan',
    until: 0,
    hold(stream: { cut: () => void }) {
      cut = () => stream.cut()
      return {
        release() {
          isReleased = true
        },
      }
    },
  } as unknown as OpenVisit
  const tunnel = { isOpen: true, openStream: () => opening.promise } as unknown as TunnelLine
  const refuse = () => expect.unreachable('a connection that was cut is not answered')
  const addressOf = () => expect.unreachable('nothing was answered')
  const deps = { rules: visitRules, https: false, addressOf, refuse }
  const proxied = proxyRequest(request, {} as ServerResponse, visit, tunnel, deps)
  cut()
  const stream = new PassThrough().on('error', () => undefined)
  opening.resolve(stream as unknown as ClientHttp2Stream)
  await proxied
  expect(stream.destroyed).toBe(true)
  expect(isReleased).toBe(true)
})

it('a machine that was let go to another node counted as gone until that was written', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const { machineId } = await createMachine(db)
  const bus = createLocalBus(silentLogger)
  const telemetry = { markStale: () => undefined }
  const presence = new Presence({ db, bus, logger: silentLogger, now: Date.now, telemetry, nodeId: 'one' })
  onTestFinished(() => presence.stop())
  const gateway = { presence, clocks: { get: () => undefined } }
  const link = new LocalEdgeLink({ db, nodeId: 'one', gateway } as unknown as LocalEdgeLinkDeps)
  const isOnline = async () => (await link.presence([machineId])).get(machineId)?.online
  const held = presence.begin(machineId, 'tcp/mqtt', '10.0.0.1')
  await presence.flush()
  presence.letGo(machineId, held)
  expect(await isOnline()).toBe(true)
  await presence.flush()
  expect(presence.lettingGo(machineId)).toBeUndefined()
  expect(await isOnline()).toBe(true)
  // Its row tells from here on.
  await db.updateTable('machine_connections').set({ ended_at: new Date() }).execute()
  expect(await isOnline()).toBe(false)
})

it('the connection of a machine that was let go was shown to its next owner', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const { machineId } = await createMachine(db)
  const at = new Date(Date.now() - 5_000)
  await db
    .insertInto('machine_connections')
    .values({
      machine_id: machineId,
      protocol: 'tcp/mqtt',
      address: '10.0.0.1',
      started_at: at,
      last_seen_at: at,
      node_id: 'one',
      expected_until: new Date(Date.now() + 60_000),
    })
    .execute()
  expect(await listHeldElsewhere(db, 'two', [machineId])).toHaveLength(1)
  await db.updateTable('machines').set({ owned_since: new Date() }).where('id', '=', machineId).execute()
  expect(await listHeldElsewhere(db, 'two', [machineId])).toEqual([])
})
