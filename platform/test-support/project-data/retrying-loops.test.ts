import { findFreePort } from '@busbar/testkit/free-port.ts'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import { openDatabase } from '../../src/kernel/database/database.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import type { RightsListener } from '../../src/kernel/rights/rights-watch.ts'
import { Lane, type LaneDeps } from '../../src/modules/destinations/lane.ts'
import type { LaneSettings } from '../../src/modules/destinations/lanes-store.ts'
import { RowSession, type RowSessionDeps } from '../../src/modules/project-data/row-session.ts'
import type { StreamRow } from '../../src/modules/project-stream/index.ts'
import { ReaderStore } from '../../src/modules/project-stream/reader-store.ts'
import { StreamReader } from '../../src/modules/project-stream/stream-reader.ts'
import { ProjectStreams } from '../../src/modules/project-stream/stream-store.ts'
import { LinkWatch } from '../../src/modules/projects/link-watch.ts'
import { planOf } from '../project-stream/stream-rig.ts'

/** A database that nobody can reach. */
const db = openDatabase(`postgres://nobody@127.0.0.1:${await findFreePort()}/gone`)
const now = Date.now
const links: RowSessionDeps['links'] = {
  ...{ isActive: () => true, isTrusted: () => true, catchUp: async () => undefined },
  stateOf: () => 'active',
}
const rows = [1, 2, 3].map((no): StreamRow => {
  const text = `"machineCode":"1","time":${no},"values":{"n":${no}}}`
  return { no, id: String(no), linkId: 1, machineId: 1, kind: 'row', time: no, late: false, text }
})

afterAll(() => db.destroy())

/** A loop that works on its own, woken by whatever comes. */
interface Loop {
  wake(): void
  stop(): Promise<unknown>
}

/** Starts a loop; each of its tries calls `tried`. */
type Start = (tried: () => void) => Promise<Loop> | Loop

/** A call that counts and fails as the database does. */
const failing = (tried: () => void) => async (): Promise<never> => {
  tried()
  await db.selectFrom('projects').select('id').execute()
  throw new Error('the database is there')
}

const held = { projectId: 1, clientId: 'erp', holder: '00000000-0000-4000-8000-000000000000' }
const quota = { listLeft: async () => new Map([[1, 1_000]]), take: async () => 1 }
const begun = {
  ...{ held, keyId: 1, isKept: true, isPresent: true, filters: [] },
  place: { epoch: null, no: 0, at: new Date() },
}

const loops: Record<string, Start> = {
  'the reader of the streams'(tried) {
    let replan = () => {}
    const reader = new StreamReader({
      ...{ db, samplesDb: db, logger: silentLogger, now },
      streams: new ProjectStreams({ samplesDb: db, bus: createLocalBus(silentLogger), now }),
      links: {
        listPlans() {
          tried()
          return [planOf(1, [{ machineId: 1, machineCode: '1' }])]
        },
        subscribe(listener) {
          replan = () => listener(new Set())
          return () => {}
        },
        catchUp: async () => undefined,
      },
      store: new ReaderStore(db, 'process'),
    })
    reader.start()
    return { wake: () => replan(), stop: () => reader.stop() }
  },

  async 'the links of projects'(tried) {
    let told: RightsListener | undefined
    const watch = new LinkWatch({
      ...{ db, watch: db, keepsEnds: false, now },
      access: {} as never,
      rights: {
        subscribe(listener) {
          told = listener
          return () => {}
        },
        ...{ isAwake: () => true, unreadMs: 0, catchUp: async () => true },
      },
      facts: { recordAll: async () => undefined },
      logger: { ...silentLogger, warn: tried },
    })
    // It is known when they have been read, which is never.
    void watch.start()
    const change = { userId: null, machineId: null, projectId: 1 }
    return { wake: () => told?.changed(change as never), stop: () => watch.stop() }
  },

  'a lane of a destination'(tried) {
    const deps = { db, links, now, quota: { listLeft: failing(tried) }, logger: silentLogger }
    const state = {
      ...{ ackedNo: 0, ackedTime: null, epoch: 'e', batchToNo: null, tries: 0, refusals: 0 },
      ...{ nextTryAt: null, failingSince: null },
    }
    const lane = new Lane({ destinationId: 1, lane: 0, turn: 1 }, 1, state, deps as unknown as LaneDeps)
    lane.configure({ projectId: 1, lanes: 1 } as LaneSettings)
    let nextNo = 2
    const wake = () => lane.noteHead({ firstNo: 1, nextNo: nextNo++, epoch: 'e' })
    wake()
    return { wake, stop: () => lane.stop() }
  },

  'the rows of a session'(tried) {
    const streams = { heads: async () => new Map(), read: failing(tried) }
    const session = new RowSession(
      { db, streams, links, quota, logger: silentLogger, runCommand: async () => undefined, now },
      begun,
    )
    session.start({ room: 10, send: () => true, tell: () => undefined, end: () => undefined } as never)
    return { wake: () => session.wake(), stop: () => stopSession(session) }
  },

  'the place of a session'(tried) {
    const streams = {
      heads: async () => new Map(),
      read: async (_projectId: number, after: number) => rows.filter(({ no }) => no > after),
    }
    const acknowledge: (() => void)[] = []
    const session = new RowSession(
      {
        ...{ db, streams, links, quota, runCommand: async () => undefined, now },
        logger: { ...silentLogger, warn: tried },
      },
      begun,
    )
    session.start({
      room: 10,
      send(_row: unknown, acknowledged: () => void) {
        acknowledge.push(acknowledged)
        return true
      },
      ...{ tell: () => undefined, end: () => undefined },
    } as never)
    return { wake: () => acknowledge.shift()?.(), stop: () => stopSession(session) }
  },
}

function stopSession(session: RowSession): Promise<void> {
  session.close(false)
  return session.ended
}

test.each(Object.entries(loops))(
  '%s waits after each failure, however often it is woken, and tries again',
  async (_, start) => {
    let tries = 0
    const loop = await start(() => tries++)
    onTestFinished(async () => {
      await loop.stop()
    })
    await expect
      .poll(() => {
        loop.wake()
        return tries
      })
      .toBeGreaterThan(0)
    const begunAt = performance.now()
    const before = tries
    for (let woken = 0; woken < 500; woken++) {
      loop.wake()
      await new Promise((resolve) => setImmediate(resolve))
    }
    // One more in each tenth of a second, which is the shortest wait.
    expect(tries - before).toBeLessThanOrEqual(2 + (performance.now() - begunAt) / 100)
    const then = tries
    await expect.poll(() => tries, { timeout: 10_000 }).toBeGreaterThan(then)
  },
)
