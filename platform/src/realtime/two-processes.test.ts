import { accounts } from '@busbar/contract'
import { aside, PushClient, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { type Database, withTransaction } from '../kernel/database/database.ts'
import { closePools, openPools, splitConnections } from '../kernel/database/pools.ts'
import type { NewFact } from '../kernel/facts/fact-kinds.ts'
import type { LiveFollower } from '../kernel/facts/follower.ts'
import { silentLogger } from '../kernel/logger.ts'
import { recordRightChange } from '../kernel/rights/right-changes.ts'
import { createPlatform, type Platform } from '../platform.ts'
import { createUnpublished, takeUnpublished } from './machine-states-store.ts'

const deadline = { timeout: 20_000, interval: 10 }
const changes = 4
const connectionsMax = 12
/** The machines of the facts that reached the other process. */
const heard: number[] = []
const listener: LiveFollower<'alarm.raised'> = {
  mode: 'live',
  name: 'test.heard',
  kinds: ['alarm.raised'],
  follow: (facts) => void heard.push(...facts.map(({ machineId }) => machineId)),
}

const site = useSite()
let other: { readonly platform: Platform; readonly db: Database; readonly url: string; stop(): Promise<void> }

beforeAll(async () => {
  const pools = openPools(site.connection, splitConnections(connectionsMax))
  const platform = await createPlatform({
    ...{ pools, logger: silentLogger, nodeId: 'other' },
    config: readConfig({ LOG_LEVEL: 'silent' }),
  })
  platform.facts.follow(listener)
  const { webPort } = await platform.start({ web: 0, mqtt: 0 })
  other = {
    platform,
    db: pools.calls,
    url: `http://127.0.0.1:${webPort}`,
    async stop() {
      await platform.stop()
      await closePools(pools)
    },
  }
})
afterAll(async () => {
  await other.stop()
})

const raised = (machineId: number, alarmId: number): NewFact => ({
  ...{ kind: 'alarm.raised', machineId, alarmId, key: 'E1', level: 'minor', text: {}, count: 1 },
  at: Date.now(),
})

async function openPage(user: TestUser, url: string): Promise<PushClient> {
  const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
  const page = await PushClient.open(url, ticket)
  onTestFinished(() => page.close())
  return page
}

const statesOf = (page: PushClient) =>
  page.events.flatMap((event) => (event.scene === 'machineState' ? [event] : []))
const idsOf = (page: PushClient) => statesOf(page).map(({ id }) => Number(id))
const upTo = (last: number) => Array.from({ length: last }, (_, place) => place + 1)

test('two processes on one database write each state of a machine once, and pages of both get it once', async () => {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  const pages = [await openPage(owner, site.url), await openPage(owner, other.url)]
  const processes = [site.platform, other.platform]
  for (let place = 0; place < changes; place++) {
    if (place < changes / 2) await recordRightChange(site.db, { machineId, reason: 'cloud' })
    else await processes[place % 2]?.facts.record(site.db, raised(machineId, place))
    await expect
      .poll(() => pages.map((page) => statesOf(page).length > place), deadline)
      .toEqual([true, true])
  }
  await expect.poll(() => heard.filter((id) => id === machineId).length, deadline).toBe(changes / 2)
  // States that the process of a machine publishes by itself come after all states from facts.
  for (const { bus } of processes) {
    const at = Date.now()
    bus.publish('presence', { machineId, online: true, at })
    await expect
      .poll(() => pages.every((page) => statesOf(page).some(({ state }) => Number(state.at) >= at)), deadline)
      .toBe(true)
  }
  for (const page of pages) expect(idsOf(page)).toEqual(upTo(changes + processes.length))
})

test('a process does not wait while another one publishes the same machine, and publishes what that one had not seen', async () => {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  const cause = { machineId, xid: null }
  const page = await openPage(owner, site.url)
  await createUnpublished(site.db, [machineId])
  await withTransaction(
    site.db,
    aside(async (trx) => {
      expect(await takeUnpublished(trx, [cause])).toEqual({ taken: [machineId], busy: [] })
      const beside = await withTransaction(other.db, (own) => takeUnpublished(own, [cause]))
      expect(beside).toEqual({ taken: [], busy: [machineId] })
      site.platform.bus.publish('presence', { machineId, online: true, at: Date.now() })
    }),
  )
  await expect.poll(() => statesOf(page).length, deadline).toBe(1)
})

test('a page that resumes while events come gets each of them once', async () => {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  const raise = (alarmId: number) => site.platform.facts.record(site.db, raised(machineId, alarmId))
  const page = await openPage(owner, site.url)
  for (let place = 0; place < changes; place++) {
    await raise(place)
    // Requests all of them, some of which it has and some of which come now.
    page.resume('0')
    await expect.poll(() => new Set(idsOf(page)).size, deadline).toBe(place + 1)
  }
  const late = await openPage(owner, site.url)
  late.resume('0')
  await raise(changes)
  for (const each of [page, late]) {
    await expect.poll(() => Math.max(...idsOf(each)), deadline).toBe(changes + 1)
    expect(idsOf(each)).toEqual(upTo(changes + 1))
  }
})
