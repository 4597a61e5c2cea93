import { createTestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { sample, useStore } from '../../../test-support/telemetry/test-store.ts'
import type { Telemetry } from './index.ts'
import { LatestFlush } from './latest-flush.ts'
import { SampleLog } from './store/sample-log.ts'
import { TagRegistry } from './tag-registry.ts'

const store = useStore()

/* A process that is killed writes its newest values no more, and other processes go on: its log has them. */

const machines = 3
let machineIds: number[]

beforeEach(async () => {
  const { flush } = LatestFlush.prototype
  const begun = new Set<LatestFlush>()
  let killed = new Set<LatestFlush>()
  vi.spyOn(LatestFlush.prototype, 'flush').mockImplementation(async function (this: LatestFlush) {
    begun.add(this)
    if (!killed.has(this)) await flush.call(this)
  })
  machineIds = []
  for (let place = 0; place < machines; place++) machineIds.push(await store.createMachine())
  await publish(store.telemetry, 1n)
  await expect.poll(listWritten, { timeout: 10_000 }).toEqual(doors('1'))
  killed = new Set(begun)
  await publish(store.telemetry, 2n)
})

afterEach(() => vi.restoreAllMocks())

const doors = <Value>(value: Value) => machineIds.map(() => value)

async function publish(telemetry: Telemetry, value: bigint, ids = machineIds): Promise<void> {
  store.clock += 4_000
  await Promise.all(ids.map((id) => telemetry.append(id, [sample('door', value)])))
}

async function open(nodeId: string): Promise<Telemetry> {
  const opened = await store.open({ nodeId, listLivingNodes: async () => [nodeId] })
  onTestFinished(() => opened.stop())
  return opened
}

/** Another node, whose own newest values are written meanwhile. */
async function openOther(): Promise<Telemetry> {
  const other = await open('other')
  const own = await store.createMachine()
  await other.append(own, [sample('n', 5)])
  await expect.poll(async () => (await listWritten()).length, { timeout: 10_000 }).toBe(machines + 1)
  await sql`delete from tags where machine_id = ${own}`.execute(store.db)
  return other
}

const takeOver = (telemetry: Telemetry) =>
  telemetry.jobs
    .find(({ name }) => name === 'telemetry.latest')
    ?.run({ now: store.clock, signal: AbortSignal.timeout(10_000) } as never)

async function listWritten(): Promise<(string | null)[]> {
  const { rows } = await sql<{ int: string | null }>`
    select int::text as int from tag_latest order by tag_id`.execute(store.db)
  return rows.map(({ int }) => int)
}

const listDoors = async (telemetry: Telemetry) =>
  (await Promise.all(machineIds.map((id) => telemetry.listLatest(id)))).map((values) => values[0]?.value)

async function noteHeartbeat(): Promise<void> {
  await sql`insert into nodes (id, heartbeat_at) values ('main', now())
    on conflict (id) do update set heartbeat_at = now()`.execute(store.db)
}

it('the same node writes them at its next start, although another node wrote its own meanwhile', async () => {
  await openOther()
  expect(await listWritten()).toEqual(doors('1'))
  const again = await open('main')
  expect(await listWritten()).toEqual(doors('2'))
  expect(await listDoors(again)).toEqual(doors(2n))
})

it('another node takes them over, and puts none in the place of a newer one', async () => {
  const other = await openOther()
  await publish(other, 3n, machineIds.slice(0, 1))
  await takeOver(other)
  await other.stop()
  expect(await listWritten()).toEqual(['3', '2', '2'])
  const { rows } = await sql<{ isWhole: boolean }>`
    select is_latest_whole as "isWhole" from sample_log_positions where node_id = 'main'`.execute(store.db)
  expect(rows).toEqual([{ isWhole: true }])
})

it('are shown at once by a node to which the machines come, by lists, and for machines that are away', async () => {
  const other = await openOther()
  expect(await listWritten()).toEqual(doors('1'))
  const stored = await other.listStored(machineIds)
  expect(machineIds.map((id) => stored.get(id)?.[0]?.value)).toEqual(doors(2n))
  const rows = await other.listKeyTags(machineIds.map((machineId) => ({ machineId, tagId: null })))
  expect(rows.map(({ int }) => int)).toEqual(doors('2'))
  expect(await listDoors(other)).toEqual(doors(2n))
  // The second reading begins where the first one ended.
  await publish(store.telemetry, 4n)
  const later = await other.listStored(machineIds)
  expect(machineIds.map((id) => later.get(id)?.[0]?.value)).toEqual(doors(4n))
})

it('are read from the log of a node that lives, for the machines that were connected to it, and where it does not answer', async () => {
  const other = await openOther()
  await noteHeartbeat()
  await sql`insert into machine_connections (machine_id, protocol, address, started_at, last_seen_at, node_id)
    select id, 'tcp/mqtt', '', now(), now(), 'main' from unnest(${machineIds}::bigint[]) as machine (id)`.execute(
    store.db,
  )
  expect(await listDoors(other)).toEqual(doors(2n))
  const [tag] = await other.listTags(machineIds[1] ?? 0, 'en')
  const values = await other.listUnwritten('main', [tag?.tagId ?? 0])
  expect(values.map(({ value }) => value)).toEqual([2n])
})

it('reach the memory of a node that did not know where its machines were before', async () => {
  const other = await openOther()
  await noteHeartbeat()
  // Its connections were not written yet.
  expect(await listDoors(other)).toEqual(doors(1n))
  await takeOver(other)
  for (const id of machineIds) other.catchUp(id)
  await expect.poll(() => listDoors(other)).toEqual(doors(2n))
})

it('made each of those who asked at once wait for the readings of all before', async () => {
  const other = await openOther()
  const readings = vi.spyOn(SampleLog.prototype, 'listBehind')
  const wanted = machineIds.map((machineId) => ({ machineId, tagId: null }))
  const lists = await Promise.all(Array.from({ length: 20 }, () => other.listKeyTags(wanted)))
  for (const rows of lists) expect(rows.map(({ int }) => int)).toEqual(doors('2'))
  expect(readings.mock.calls.length).toBeLessThanOrEqual(2)
})

it('were read for one machine after the other when a node was lost, while commits waited', async () => {
  const other = await openOther()
  await noteHeartbeat()
  expect(await listDoors(other)).toEqual(doors(1n))
  await takeOver(other)
  const refresh = vi.spyOn(TagRegistry.prototype, 'refresh')
  for (const id of machineIds) other.catchUp(id)
  await expect.poll(() => listDoors(other), { timeout: 10_000 }).toEqual(doors(2n))
  expect(refresh.mock.calls.length).toBeLessThan(machines)
})

it('of a second database are taken over as well', async () => {
  const samples = await createTestDatabase()
  onTestFinished(() => samples.drop())
  const pools = { calls: samples.db, commits: samples.db, history: samples.db, lists: samples.db }
  const doomed = await store.open({ nodeId: 'doomed', samples: pools })
  const spied = vi.mocked(LatestFlush.prototype.flush)
  spied.mockResolvedValue()
  await publish(doomed, 7n)
  vi.restoreAllMocks()
  const taker = await store.open({ nodeId: 'taker', listLivingNodes: async () => ['taker'], samples: pools })
  onTestFinished(() => taker.stop())
  expect(await listDoors(taker)).toEqual(doors(7n))
  expect(await listWritten()).toEqual(doors('1'))
  await takeOver(taker)
  expect(await listWritten()).toEqual(doors('7'))
  await doomed.stop()
})
