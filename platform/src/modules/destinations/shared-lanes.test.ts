import { useDatabase } from '@busbar/testkit/test-site.ts'
import { untilTrue } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { CountingSystem } from '../../../test-support/destinations/counting-system.ts'
import {
  appendTold,
  createReportingProject,
  type ReportingProject,
  streamsOf,
} from '../../../test-support/destinations/reporting-project.ts'
import { readConfig } from '../../config.ts'
import { createBus } from '../../kernel/bus/bus.ts'
import { openDatabase } from '../../kernel/database/database.ts'
import { Facts } from '../../kernel/facts/facts.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { OutgoingCalls } from '../../kernel/outgoing-http/index.ts'
import { createSecretBox } from '../../kernel/secret-box.ts'
import type { Quota } from '../projects/index.ts'
import { createQuota } from '../projects/quota.ts'
import { deleteDestination, insertDestination, insertSecret } from './destinations-store.ts'
import { Sender } from './sender.ts'
import { newSecret } from './signature.ts'
import { createOpenTransport } from './transports.ts'
import { secretOwner } from './webhook.ts'

const database = useDatabase({ poolMax: 8 })
const secrets = createSecretBox()
const clock = { aheadMs: 0 }
const now = () => Date.now() + clock.aheadMs
const logger = silentLogger
const until = async (check: () => boolean | Promise<boolean>) =>
  expect(await untilTrue(check, 10_000)).toBeDefined()

interface SharedDestination {
  readonly project: ReportingProject
  readonly system: CountingSystem
  readonly destinationId: number
}

/** A webhook of a project whose system counts. */
async function createShared({
  machines,
  lanes,
}: {
  machines: number
  lanes: number
}): Promise<SharedDestination> {
  const { db } = database
  const project = await createReportingProject(database, machines)
  const system = await CountingSystem.start()
  onTestFinished(() => system.stop())
  const body = { name: 'MES', type: 'webhook', url: system.url, format: 'json', rowsMax: 5 } as const
  const destinationId = await insertDestination(
    db,
    project.projectId,
    { ...body, ndjson: false, gzip: false, rows: true, events: [] },
    { lanes, afterNo: 0, at: new Date() },
  )
  // The processes of the next test would take its lanes.
  onTestFinished(() => deleteDestination(db, destinationId))
  const sealed = secrets.seal(Buffer.from(newSecret()), secretOwner(destinationId))
  await insertSecret(db, destinationId, sealed, { at: new Date(), formerEndsAt: new Date() })
  return { project, system, destinationId }
}

/** The sender of a process with connections of its own; `listLeft`: waits before each request. */
function createProcess(holder: string, { system }: SharedDestination, listLeft?: () => Promise<void>) {
  const db = openDatabase(database.connection, { poolMax: 4 })
  const bus = createBus(logger)
  const real = createQuota({ facts: new Facts({ db, bus, logger, now }), now })
  const quota: Quota = {
    take: real.take,
    async listLeft(...of) {
      await listLeft?.()
      return real.listLeft(...of)
    },
  }
  const { OUTGOING_ALLOWED_NETWORKS: allowed } = readConfig({
    OUTGOING_ALLOWED_NETWORKS: system.allowedNetworks,
  })
  const outgoing = new OutgoingCalls({ allowed })
  const sender = new Sender({
    ...{ db, bus, quota, holder, logger, now, facts: new Facts({ db, bus, logger, now }) },
    streams: streamsOf({ db }),
    links: { stateOf: () => 'active', isTrusted: () => true, subscribe: () => () => undefined },
    openTransport: createOpenTransport(outgoing, secrets, db),
  })
  let gone: Promise<void> | undefined
  /** Nothing that it does reaches the database any more. */
  const die = () => (gone ??= db.destroy())
  onTestFinished(async () => {
    await sender.stop().catch(() => undefined)
    await die()
  })
  return { sender, die }
}

/** The end of leases of a process, which nobody waits ten seconds for. */
const endLeases = (holder: string, { destinationId }: SharedDestination) =>
  database.db
    .updateTable('destination_lanes')
    .set({ leased_until: sql`now() - interval '1 ms'` })
    .where('holder', '=', holder)
    .where('destination_id', '=', destinationId)
    .execute()

const listLanes = ({ destinationId }: SharedDestination) =>
  database.db
    .selectFrom('destination_lanes')
    .select(['lane', 'holder', 'turn', 'acked_no', 'batch_to_no', 'tries', 'failing_since', 'next_try_at'])
    .where('destination_id', '=', destinationId)
    .orderBy('lane')
    .execute()

const holdersOf = async (shared: SharedDestination) =>
  new Set((await listLanes(shared)).map(({ holder }) => holder))

async function countUsed({ project: { projectId } }: SharedDestination): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(rows), 0)::int as rows from project_usage where project_id = ${projectId}`.execute(
    database.db,
  )
  return rows[0]?.rows ?? 0
}

const countDeliveries = async ({ destinationId }: SharedDestination) =>
  (
    await database.db
      .selectFrom('deliveries')
      .select('state')
      .where('destination_id', '=', destinationId)
      .execute()
  ).length

/** How many of the told rows its system has. */
const countGot = ({ project, system }: SharedDestination) =>
  project.links.reduce((sum, link) => sum + system.numbersOf(link).size, 0)

test('the lanes of a process that died go to the other one, and every row comes in the order of its machine', async () => {
  const shared = await createShared({ machines: 24, lanes: 8 })
  const { project, system } = shared
  const [first, second] = [createProcess('first', shared), createProcess('second', shared)]
  first.sender.start()
  await first.sender.look()
  expect(first.sender.lanes).toBe(8)
  second.sender.start()
  await until(async () => {
    await sql`update destination_lanes set leased_until = '-infinity', turn = turn + 1
      where destination_id = ${shared.destinationId} and holder = 'first' and lane < 4`.execute(database.db)
    await second.sender.look()
    return (await holdersOf(shared)).size === 2
  })
  await until(async () => first.sender.lanes + second.sender.lanes === 8)
  const total = 800
  const answer = system.holdNext('well')
  await appendTold(database, project, total)
  await answer.asked
  await until(() => countGot(shared) > 100)
  await system.behave('silent')
  await first.die()
  expect(countGot(shared)).toBeLessThan(total)
  answer.release()
  await system.behave('well')
  clock.aheadMs += 60_000
  await endLeases('first', shared)
  await until(() => second.sender.lanes === 8)
  expect(await holdersOf(shared)).toEqual(new Set(['second']))
  await until(() => {
    // A lane of the living process whose request was lost with the connection waits for its next try.
    clock.aheadMs += 10_000
    return countGot(shared) === total
  })
  expect(system.faults).toEqual([])
  await until(async () => (await countUsed(shared)) === total)
})

test('a process that stalled before its request finds its lane taken, and sends, moves and counts nothing', async () => {
  const shared = await createShared({ machines: 1, lanes: 1 })
  const { project, system } = shared
  const woken = Promise.withResolvers<void>()
  let isStalled = false
  const stalled = createProcess('stalled', shared, () => {
    isStalled = true
    return woken.promise
  })
  const other = createProcess('other', shared)
  await appendTold(database, project, 5)
  // Nothing renews its leases: the clocks of a process that stalled stand still.
  await stalled.sender.look()
  await until(() => isStalled)
  await other.sender.look()
  expect(other.sender.lanes).toBe(0)
  await endLeases('stalled', shared)
  await other.sender.look()
  await until(async () => (await countUsed(shared)) === 5)
  const [before] = await listLanes(shared)
  expect(before).toMatchObject({ holder: 'other', turn: 2, acked_no: 5, batch_to_no: null })
  woken.resolve()
  await until(() => stalled.sender.lanes === 0)
  expect(await listLanes(shared)).toEqual([before])
  expect(await countUsed(shared)).toBe(5)
  expect(system.repeats).toBe(0)
  expect(stalled.sender.sent.requests).toBe(0)
})

test('a process that could not renew its lease keeps a lane that no other one took, and its request is not sent again', async () => {
  const shared = await createShared({ machines: 1, lanes: 1 })
  const { project, system } = shared
  const { sender } = createProcess('alone', shared)
  await appendTold(database, project, 5)
  const answer = system.holdNext('well')
  await sender.look()
  await answer.asked
  await endLeases('alone', shared)
  await sender.look()
  answer.release()
  await until(async () => (await countUsed(shared)) === 5)
  expect(await listLanes(shared)).toMatchObject([{ holder: 'alone', turn: 1, acked_no: 5 }])
  expect(sender.sent.requests).toBe(1)
  expect(system.rowsAgain).toBe(0)
})

test.each(['well', 'failing'] as const)(
  'an answer (%s) to a process whose lane was taken meanwhile moves, counts and logs nothing',
  async (way) => {
    const shared = await createShared({ machines: 1, lanes: 1 })
    const { project, system } = shared
    const stalled = createProcess('stalled', shared)
    const other = createProcess('other', shared)
    await appendTold(database, project, 5)
    const answer = system.holdNext(way)
    await stalled.sender.look()
    await answer.asked
    await endLeases('stalled', shared)
    const answerOfOther = system.holdNext('well')
    await other.sender.look()
    await answerOfOther.asked
    const [before] = await listLanes(shared)
    expect(before).toMatchObject({ holder: 'other', turn: 2, acked_no: 0, batch_to_no: 5, tries: 0 })
    answer.release()
    await until(() => stalled.sender.lanes === 0)
    expect(await listLanes(shared)).toEqual([before])
    expect(await countUsed(shared)).toBe(0)
    expect(await countDeliveries(shared)).toBe(0)
    answerOfOther.release()
    await until(async () => (await countUsed(shared)) === 5)
    expect((await listLanes(shared))[0]).toMatchObject({ holder: 'other', turn: 2, acked_no: 5 })
    expect(await countDeliveries(shared)).toBe(1)
    expect(other.sender.lanes).toBe(1)
  },
)

test('a process that stops gives its lanes over at once', async () => {
  const shared = await createShared({ machines: 24, lanes: 8 })
  const { project, system } = shared
  const [first, second] = [createProcess('first', shared), createProcess('second', shared)]
  first.sender.start()
  await first.sender.look()
  expect(first.sender.lanes).toBe(8)
  const total = 400
  const answer = system.holdNext('well')
  await appendTold(database, project, total)
  await answer.asked
  const stopped = first.sender.stop()
  answer.release()
  await stopped
  const atStop = countGot(shared)
  await second.sender.look()
  expect(second.sender.lanes).toBe(8)
  expect(await holdersOf(shared)).toEqual(new Set(['second']))
  second.sender.start()
  await until(() => countGot(shared) === total)
  expect(atStop).toBeLessThan(total)
  expect(system.faults).toEqual([])
  await until(async () => (await countUsed(shared)) === total)
})
