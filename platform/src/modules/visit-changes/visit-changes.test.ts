import { access, visits as contract, limits } from '@busbar/contract'
import { type PortWrite, rawValue, SparkplugDatatype, type SparkplugMetric } from '@busbar/link'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type AgentLine, PortAgent } from '../../../test-support/ports/port-agent.ts'
import { openPorts } from '../../../test-support/ports/program-line.ts'
import { writableMetric as metric, useWriteSite } from '../../../test-support/writes/write-site.ts'

const { double, boolean, string } = SparkplugDatatype
const deadline = { timeout: 20_000, interval: 20 }
/** The metric answers a write. */
const readBack = { readBack: { type: boolean, raw: { kind: 'boolean' as const, value: true } } }
const setPoints = ['s1', 's2', 's3', 's4', 's5'] as const
const drifting = Array.from({ length: 10 }, (_, n) => `d${n}`)

const here = useWriteSite()
let node: Awaited<ReturnType<typeof here.openNode>>
let agent: PortAgent
let visit: Awaited<ReturnType<typeof openPorts>>
let far: AgentLine

beforeEach(async () => {
  node = await here.openNode()
  await node.publish(
    'NBIRTH',
    [...setPoints, ...drifting].map((name) => metric(name, double, 1)),
  )
  await here.latestIs('d9', 1)
  agent = await PortAgent.open(here.site, here.machine)
  here.cleanups.push(() => agent.tunnel?.close())
  visit = await openPorts(here.site, here.owner, here.machine.machineId)
  far = agent.lineOf((await visit.line()).streamId)
  await expect.poll(async () => (await keptOf('values_before')).length, deadline).toBe(15)
})

/** The variables whose values are kept. */
async function keptOf(column: 'values_before' | 'values_after'): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from visit_snapshots, jsonb_object_keys(${sql.ref(column)}) kept join tags on tags.id = kept::bigint
    where visit_id = ${visit.sessionId} order by name`.execute(here.site.db)
  return rows.map(({ name }) => name)
}

const values = (of: Readonly<Record<string, number>>) =>
  node.publish(
    'NDATA',
    Object.entries(of).map(([name, value]) => ({ name, raw: rawValue(value, double) })),
  )

/** A write of the console, which the machine takes. */
async function write(name: string, value: number): Promise<void> {
  const commandId = await here.write(name, value)
  await obey()
  await here.resultOf(commandId)
}

async function obey(): Promise<void> {
  const { metrics } = await node.command()
  await node.publish('NDATA', metrics as SparkplugMetric[])
}

/** A write on the machine’s own page, by the visitor of the visit. */
const writeOnPage = (name: string, to: number) => {
  const text = (value: string) => ({ type: string, raw: { kind: 'string' as const, value } })
  return node.publish('NDATA', [
    {
      name,
      raw: rawValue(to, double),
      properties: {
        ...readBack,
        visit: text(String(visit.sessionId)),
        writtenFrom: { type: double, raw: rawValue(1, double) },
        writtenTo: { type: double, raw: rawValue(to, double) },
      },
    },
  ])
}

const written = (place: string, to: string, change: Partial<PortWrite> = {}): PortWrite => ({
  ...{ unit: 1, place, from: '10', to, firstAgoMs: 0, lastAgoMs: 0, tag: null },
  ...change,
})
const tag = (name: string) => ({ tag: { group: '', name } })

const record = () => here.site.as(here.owner).call(contract.getVisitChanges, { sessionId: visit.sessionId })

/** Ends the visit; its values are settled without the time for their read-back. */
async function end() {
  await here.site.as(here.owner).call(contract.endVisit, { sessionId: visit.sessionId })
  expect(await record()).toMatchObject({ state: 'settling', drifts: [] })
  await settleNow()
  return record()
}

async function settleNow(): Promise<void> {
  await sql`update jobs.job set start_after = now() where name = 'visitChanges.keep'`.execute(here.site.db)
  await expect.poll(async () => (await record()).state, deadline).toBe('done')
}

const told = ({ changes }: Pick<contract.VisitChanges, 'changes'>) =>
  changes.map(({ tag, place, from, to, ways }) => [tag || place, from, to, ...ways])

describe('a visit that changed five values by three ways while ten drifted', () => {
  beforeEach(async () => {
    await write('s1', 11)
    await write('s2', 12)
    await writeOnPage('s3', 13)
    far.send({
      kind: 'writes',
      writes: [written('holding:4', '140', tag('s4')), written('holding:5', '150', tag('s5'))],
    })
    far.send({ kind: 'writes', writes: [written('holding:9', '90'), written('coil:2', '0', { from: '0' })] })
    await values({ s4: 14, s5: 15, ...Object.fromEntries(drifting.map((name) => [name, 2])) })
    await here.latestIs('d9', 2)
    await expect.poll(async () => (await record()).changes.length, deadline).toBe(6)
  })

  const five = [
    ['s1', 1, 11, 'write'],
    ['s2', 1, 12, 'write'],
    ['s3', 1, 13, 'page'],
    ['s4', 1, 14, 'port'],
    ['s5', 1, 15, 'port'],
    // No variable has this place: the controller's own numbers.
    ['holding:9', '10', '90', 'port'],
  ]
  const sorted = (rows: readonly unknown[][]) => rows.map((row) => row.join(' ')).sort()

  test('names exactly these in its record, with the way of each, and the drift apart', async () => {
    expect(sorted(told(await record()))).toEqual(sorted(five))
    const done = await end()
    expect(sorted(told(done))).toEqual(sorted(five))
    expect(done.drifts.map(({ tag, from, to }) => [tag, from, to].join(' ')).sort()).toEqual(
      drifting.map((name) => `${name} 1 2`).sort(),
    )
    // Values that neither changed nor were written are not kept.
    expect(await keptOf('values_after')).toEqual([...drifting, ...setPoints].sort())
  })

  test('puts four back, and refuses the one that somebody on site changed since', async () => {
    const done = await end()
    await values({ s2: 77 })
    await here.latestIs('s2', 77)
    const tagIds = done.changes.flatMap(({ tagId, mayPutBack }) => (mayPutBack && tagId ? [tagId] : []))
    expect(tagIds).toHaveLength(5)
    const sent = here.site.as(here.owner).call(contract.putBackChanges, {
      sessionId: visit.sessionId,
      tagIds,
    })
    for (let count = 0; count < 4; count++) await obey()
    const { results } = await sent
    const refused = results.filter(({ refusal }) => refusal !== '')
    expect(refused).toMatchObject([{ commandId: null, refusal: 'CHANGED_SINCE' }])
    for (const name of ['s1', 's3', 's4', 's5']) await here.latestIs(name, 1)
    await here.latestIs('s2', 77)
  })

  test('stands in the report of the machine, each change once', async () => {
    await end()
    const { machineId } = here.machine
    const request = { machineId, from: here.now() - 3_600_000, to: here.now() + 3_600_000 }
    const { changes, isCut } = await here.site.as(here.owner).call(contract.getVisitReport, request)
    const rows = changes.map(({ tag, place, from, to, ways }) => [tag || place, from, to, ...ways])
    expect([sorted(rows), isCut]).toEqual([sorted(five), false])
  })
})

test('a value that ends as it began is not a change, and one of somebody else is neither change nor drift', async () => {
  await write('s1', 11)
  await write('s1', 1)
  await sql`
    insert into writes (machine_id, tag_id, user_id, source, at, from_value, to_value, state, ended_at)
    select ${here.machine.machineId}, id, null, 'machine', now(), '1', '5', 'confirmed', now()
    from tags where machine_id = ${here.machine.machineId} and name = 's2'`.execute(here.site.db)
  await values({ s2: 5 })
  await here.latestIs('s2', 5)
  expect(await end()).toMatchObject({ changes: [], drifts: [] })
})

test('a place keeps its first value before and its last, however often and late it is told', async () => {
  const early = written('holding:7', '8', { from: '3', firstAgoMs: 2_000, lastAgoMs: 1_000 })
  far.send({ kind: 'writes', writes: [{ ...early, to: '9', lastAgoMs: 0 }] })
  await expect.poll(async () => told(await record()), deadline).toEqual([['holding:7', '3', '9', 'port']])
  far.send({ kind: 'writes', writes: [early] })
  far.send({ kind: 'writes', writes: [written('coil:1', '1', { from: null })] })
  await expect.poll(async () => (await record()).changes.length, deadline).toBe(2)
  expect(sortedNames(await record())).toEqual(['coil:1 null 1', 'holding:7 3 9'])
})

const sortedNames = ({ changes }: contract.VisitChanges) =>
  changes.map(({ place, from, to }) => `${place} ${from} ${to}`).sort()

test('a value that the machine limits to its own is a change, though the write failed', async () => {
  const commandId = await here.write('s1', 50)
  await node.command()
  await node.publish('NDATA', [{ name: 's1', raw: rawValue(20, double), properties: readBack }])
  await here.resultOf(commandId)
  const [write] = await here.log()
  expect(write).toMatchObject({ state: 'failed', kept: 20 })
  const { changes, drifts } = await end()
  expect([told({ changes }), drifts]).toEqual([[['s1', 1, 20, 'write']], []])
})

test('a person whose right is gone reads no value of afterwards', async () => {
  await here.site.as(here.owner).call(contract.endVisit, { sessionId: visit.sessionId })
  const bkey = await here.site.createUser()
  const { machineId } = here.machine
  const grantId = await here.site.grantMachine(bkey.userId, machineId, { role: 'bkey' })
  visit = await openPorts(here.site, bkey, machineId)
  far = agent.lineOf((await visit.line()).streamId)
  await expect.poll(async () => (await keptOf('values_before')).length, deadline).toBe(15)
  far.send({ kind: 'writes', writes: [written('holding:4', '140', tag('s4'))] })
  await values({ s4: 13 })
  await expect.poll(async () => told(await record()), deadline).toEqual([['s4', 1, 13, 'port']])
  await here.site.as(here.owner).call(access.updateLevel, { id: grantId, limit: 0 })
  await values({ s4: 14, d1: 9 })
  await here.latestIs('d1', 9)
  const asked = { sessionId: visit.sessionId }
  const own = () => here.site.as(bkey).call(contract.getVisitChanges, asked)
  await expect.poll(async () => (await own()).state, deadline).toBe('settling')
  expect(told(await own())).toEqual([['s4', 1, null, 'port']])
  await settleNow()
  const [theirs, owners] = [await own(), await record()]
  expect([told(theirs), theirs.drifts]).toEqual([[['s4', 1, null, 'port']], []])
  expect([told(owners), owners.drifts.length]).toEqual([[['s4', 1, 14, 'port']], 1])
})

test('an agent that tells of places without end has as many kept as a visit may, and keeps no other waiting', async () => {
  const other = await here.site.createMachine({ owner: here.owner.userId })
  const otherAgent = await PortAgent.open(here.site, other)
  here.cleanups.push(() => otherAgent.tunnel?.close())
  const quiet = await openPorts(here.site, here.owner, other.machineId)
  const line = otherAgent.lineOf((await quiet.line()).streamId)
  const most = limits.portPlacesPerVisitMax
  for (let from = 0; from < most + 1_000; from += 400)
    far.send({
      kind: 'writes',
      writes: Array.from({ length: 400 }, (_, at) => written(`holding:${from + at}`, '1')),
    })
  line.send({ kind: 'writes', writes: [written('holding:1', '1')] })
  const count = async ({ sessionId }: { sessionId: number }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from port_writes where visit_id = ${sessionId}`.execute(here.site.db)
    return rows[0]?.count ?? 0
  }
  await expect.poll(() => count(quiet), deadline).toBe(1)
  expect(await count(visit)).toBeLessThan(most)
  await expect.poll(() => count(visit), { timeout: 60_000, interval: 100 }).toBe(most)
  far.send({ kind: 'writes', writes: [written('holding:65000', '1')] })
  line.send({ kind: 'writes', writes: [written('holding:2', '1')] })
  await expect.poll(() => count(quiet), deadline).toBe(2)
  expect(await count(visit)).toBe(most)
  expect((await record()).isCut).toBe(true)
})

test('people without a key of the machine neither see the record nor put values back', async () => {
  const stranger = await here.site.createUser()
  const asked = { sessionId: visit.sessionId }
  expect(await here.site.refusalOf(stranger, contract.getVisitChanges, asked)).toBe('404')
  const put = { ...asked, tagIds: [1] }
  expect(await here.site.refusalOf(stranger, contract.putBackChanges, put)).toBe('404')
})
