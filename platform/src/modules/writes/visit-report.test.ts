import { visits } from '@busbar/contract'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const minuteMs = 60_000
const dayMs = 86_400_000
/** The time that all others here are relative to. */
const noon = Date.now() - dayMs

const site = useSite()
let owner: TestUser
let guest: TestUser
let machine: TestMachine
let tagId: number
beforeEach(async () => {
  owner = await site.createUser({ name: 'Akey' })
  guest = await site.createUser({ name: 'Guest' })
  machine = await site.createMachine({ owner: owner.userId, name: 'Press' })
  tagId = await createTag(machine)
})

async function createTag({ machineId }: TestMachine): Promise<number> {
  const { id } = await site.db
    .insertInto('tags')
    .values({ machine_id: machineId, group_name: '', name: 'Temp', type: 'float64' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A visit from and until these minutes from noon; without an end it is running. */
async function createVisit(fromMin: number, untilMin?: number, of = machine, count = 1): Promise<number> {
  const row = {
    user_id: guest.userId,
    session_id: guest.sessionId,
    machine_id: of.machineId,
    target: 'page',
    reached_by: 'visitor',
    address: '127.0.0.1',
    started_at: new Date(noon + fromMin * minuteMs),
    ends_at: new Date(noon + 2 * dayMs),
    active_at: new Date(noon),
    ended_at: untilMin === undefined ? null : new Date(noon + untilMin * minuteMs),
    end_reason: untilMin === undefined ? null : 'left',
  }
  const [first] = await site.db
    .insertInto('visits')
    .values(Array.from({ length: count }, () => row))
    .returning('id')
    .execute()
  return first?.id ?? 0
}

const createWrite = (atMin: number, to: number, of = { machine, tagId }) =>
  site.db
    .insertInto('writes')
    .values({
      machine_id: of.machine.machineId,
      tag_id: of.tagId,
      user_id: guest.userId,
      source: 'console',
      at: new Date(noon + atMin * minuteMs),
      from_value: '1',
      to_value: String(to),
      state: 'confirmed',
      ended_at: new Date(noon + atMin * minuteMs),
    })
    .execute()

const request = (fromMin: number, toMin: number) => ({
  machineId: machine.machineId,
  from: noon + fromMin * minuteMs,
  to: noon + toMin * minuteMs,
})
const report = (fromMin: number, toMin: number) =>
  site.as(owner).call(visits.getVisitReport, request(fromMin, toMin))

describe('a report of remote maintenance', () => {
  test('has the visits and writes of its span, the earliest first, and nothing of other machines', async () => {
    const [over, into, within, live] = [
      await createVisit(-20, -1),
      await createVisit(-10, 5),
      await createVisit(10, 20),
      await createVisit(30),
    ]
    const after = await createVisit(60, 70)
    const other = await site.createMachine({ owner: owner.userId })
    await createVisit(10, 20, other)
    for (const [atMin, to] of [
      [-1, 2],
      [0, 3],
      [40, 4],
      [60, 5],
    ] as const)
      await createWrite(atMin, to)
    await createWrite(5, 9, { machine: other, tagId: await createTag(other) })

    const told = await report(0, 60)
    expect(told.visits.map((visit) => visit.sessionId)).toEqual([into, within, live])
    expect(told.visits.map((visit) => visit.sessionId)).not.toContain(over)
    expect(told.visits.map((visit) => visit.sessionId)).not.toContain(after)
    expect(told.visits[0]).toMatchObject({ by: 'visitor', reason: 'left', user: { name: 'Guest' } })
    expect(told.writes.map(({ to, user, tag }) => [to, user, tag])).toEqual([
      [3, 'Guest', 'Temp'],
      [4, 'Guest', 'Temp'],
    ])
    expect(told).toMatchObject({ isCut: false, machine: { machineCode: machine.code, name: 'Press' } })

    const listed = await site.as(owner).call(visits.listVisits, request(0, 60))
    expect(listed.list.map((visit) => visit.sessionId)).toEqual([live, within, into])
    expect(listed.total).toBe(3)
  })

  test('is cut, and reports so, if there is more than it holds', async () => {
    await createVisit(1, 2, machine, 1_001)
    const told = await report(0, 60)
    expect(told.visits).toHaveLength(1_000)
    expect(told.isCut).toBe(true)
  })

  test('is refused for a span that ends before it starts, or lasts more than a year and a day', async () => {
    for (const span of [request(60, 0), request(0, 0), request(0, 367 * 1440)])
      expect(await site.refusalOf(owner, visits.getVisitReport, span)).toBe('SPAN_INVALID')
    expect((await report(0, 366 * 1440)).isCut).toBe(false)
  })

  test('is for the keys of its machine only', async () => {
    const bkey = await site.createHolder(machine.machineId, { role: 'bkey' })
    expect((await site.as(bkey).call(visits.getVisitReport, request(0, 60))).visits).toEqual([])
    await site.grantMachine(guest.userId, machine.machineId, { role: 'visitor' })
    for (const who of [guest, await site.createUser()])
      expect(await site.refusalOf(who, visits.getVisitReport, request(0, 60))).toBe('403')
  })
})
