import { accounts, map as contract, enterprises, machines, places, type RequestOf } from '@busbar/contract'
import { createEnterpriseMachine, failureOf, placeMachine, type TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { connectAsync } from 'mqtt'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseArea } from './map-area.ts'
import { countCells, squareOf } from './map-cells.ts'

const site = useSite()
const earth = '-180,-90,180,90'
type Request = RequestOf<typeof contract.getMap>

const get = (user: TestUser, more: Partial<Request> = {}) =>
  site.as(user).call(contract.getMap, { bbox: earth, zoom: 2, ...more })
const idsOf = async (user: TestUser, more?: Partial<Request>) =>
  (await get(user, more)).points.map(([id]) => id).sort((a, b) => a - b)

/** Another node, which lives, holds these machines. */
async function connect(machineIds: readonly number[]): Promise<void> {
  await site.db
    .insertInto('nodes')
    .values({ id: 'other', heartbeat_at: new Date(Date.now() + 3_600_000) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  for (const machineId of machineIds)
    await site.db
      .insertInto('machine_connections')
      .values({
        machine_id: machineId,
        node_id: 'other',
        protocol: 'json',
        address: '192.0.2.1',
        started_at: new Date(),
        last_seen_at: new Date(),
      })
      .execute()
}

const raise = (machineId: number, level: machines.AlarmLevel) =>
  site.db
    .insertInto('alarms')
    .values({
      machine_id: machineId,
      key: `${level} ${Math.random()}`,
      level,
      text: JSON.stringify({ en: 'Hot' }),
      raised_at: new Date(),
      received_at: new Date(),
    })
    .execute()

async function createPlaced(eid: number, place: { lat: number; lng: number }) {
  const machine = await createEnterpriseMachine(site.db, eid)
  await placeMachine(site.db, machine.machineId, place)
  return machine.machineId
}

describe('the map of a list', () => {
  test('has each machine as its list shows it, after any changes', async () => {
    const { eid, owner } = await site.createEnterprise()
    const random = (max: number) => Math.floor(Math.random() * max)
    const ids = await Promise.all(
      Array.from({ length: 24 }, () =>
        createPlaced(eid, { lat: random(160) - 80, lng: random(360) - 180 + 0.5 }),
      ),
    )
    const members = [
      owner,
      await site.createMember(eid, 'admin'),
      await site.createMember(eid, 'member', ['view']),
      await site.createMember(eid),
    ]
    for (let turn = 0; turn < 6; turn++) {
      const id = ids[random(ids.length)] ?? 0
      await placeMachine(site.db, id, { lat: random(160) - 80, lng: random(360) - 180 + 0.5 })
      await raise(id, machines.alarmLevels[random(4)] ?? 'info')
      await site.db.deleteFrom('machine_connections').where('machine_id', '=', id).execute()
      if (turn % 2 === 0) await connect([id])
      const [west, east] = [random(360) - 180, random(360) - 180]
      const [south, north] = [-random(80), random(80)]
      for (const member of members) {
        const listed = await site.as(member).call(enterprises.listEnterpriseMachines, { eid })
        const rows = 'list' in listed ? listed.list : []
        const expected = rows.flatMap(({ deviceid, lat, lng, online, worstAlarm, limitAuthority }) => {
          if (limitAuthority === 0 || lat === null || lng === null || lat < south || lat > north) return []
          const isWithin = west <= east ? lng >= west && lng <= east : lng >= west || lng <= east
          const alarm = { critical: 3, major: 3, minor: 2, info: 1 } as const
          const level = worstAlarm ? { critical: 4, major: 3, minor: 2, info: 1 }[worstAlarm] : 0
          const state = !online ? 0 : worstAlarm ? alarm[worstAlarm] : 1
          return isWithin ? [[deviceid, lng, lat, state, level]] : []
        })
        const seen = await get(member, { eid, bbox: `${west},${south},${east},${north}`, zoom: 1.37 })
        const sorted = (points: readonly (readonly number[])[]) =>
          points.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
        expect(sorted(seen.points)).toEqual(sorted(expected))
        expect([seen.total, seen.cells]).toEqual([expected.length, []])
        for (const [place, state] of contract.mapStates.entries())
          expect(await idsOf(member, { eid, state, bbox: `${west},${south},${east},${north}` })).toEqual(
            sorted(expected.filter((point) => point[3] === place)).map(([each]) => each),
          )
      }
    }
  })

  test('has nothing for those who hide the map, and for a right that is gone', async () => {
    const { eid, owner } = await site.createEnterprise()
    const machineId = await createPlaced(eid, { lat: 22.5, lng: 114 })
    const viewer = await site.createMember(eid, 'member', ['view'])
    const stranger = await site.createUser()
    expect(await idsOf(viewer, { eid })).toEqual([machineId])
    await site.as(viewer).call(accounts.setHideMap, { hideMap: true })
    expect(await get(viewer, { eid })).toEqual({ total: 0, points: [], cells: [] })
    await site.db
      .updateTable('enterprise_members')
      .set({ rights: [] })
      .where('user_id', '=', owner.userId)
      .execute()
    expect(await idsOf(owner, { eid })).toEqual([machineId])
    expect(await site.refusalOf(stranger, contract.getMap, { bbox: earth, zoom: 2, eid })).toBe('403')
    await site.db.deleteFrom('enterprise_members').where('user_id', '=', viewer.userId).execute()
    expect(await site.refusalOf(viewer, contract.getMap, { bbox: earth, zoom: 2, eid })).toBe('403')
  })

  test('of a person has what they hold, and not what they only listed', async () => {
    const [ann, ben] = [await site.createUser(), await site.createUser()]
    const own = await site.createMachine({ owner: ann.userId })
    const listed = await site.createMachine({ owner: ben.userId })
    await site.listMachine(ann.userId, listed.machineId, 'Foreign')
    for (const { machineId } of [own, listed]) await placeMachine(site.db, machineId)
    expect(await idsOf(ann)).toEqual([own.machineId])
    await site.grantMachine(ann.userId, listed.machineId, { role: 'visitor' }).catch(() => undefined)
    expect(await idsOf(ann)).toEqual([own.machineId, listed.machineId])
    expect(await idsOf(ann, { search: own.code.slice(4, 18) })).toEqual([own.machineId])
    expect(await idsOf(ann, { groupId: 999_999 })).toEqual([])
    await placeMachine(site.db, own.machineId, { lat: null, lng: null, source: null, fixed_at: null })
    expect(await idsOf(ann)).toEqual([listed.machineId])
  })
})

describe('a list too large to be read at each call', () => {
  const count = contract.mapPointsMax + 1
  /** The corner of the tests: all others are far from it. */
  const bbox = '10,50,12,52'

  async function createLarge() {
    const made = await site.createEnterprise()
    await sql`
      with made as (
        insert into machines (code, type, model, name, secret_hash, owner_enterprise_id)
        select (${8_000_000_000_000_000_000n + BigInt(made.eid) * 100_000n}::numeric + n)::text, 'chiller', 'HX', 'Far', sha256('far'), ${made.eid}
        from generate_series(1, ${count}::int) n returning id),
      listed as (
        insert into enterprise_machines (enterprise_id, machine_id, kind, name, added_at)
        select ${made.eid}, id, 'owned', 'Far ' || id, now() from made)
      insert into machine_places (machine_id, lat, lng, source, fixed_at)
      select id, -40 + (id % 60), -100 + (id % 80), 'manual', now() from made`.execute(site.db)
    return made
  }

  const near = (user: TestUser, eid: number, more: Partial<Request> = {}) =>
    get(user, { eid, bbox, zoom: 8, ...more })

  test('follows each change of its machines, as the list shows them', async () => {
    const { eid, owner } = await createLarge()
    const member = await site.createMember(eid, 'member', ['view'])
    const machine = await site.createEnterpriseMachine(eid)
    const keys = site.as(owner)
    const place = (lat: number) =>
      keys.call(places.setPlaceByCoordinates, { machineID: machine.machineId, lat, lng: 11, coord: 'wgs84' })
    const shows = (point: readonly number[] | undefined) =>
      vi.waitFor(
        async () => {
          const { points } = await near(member, eid)
          expect(points).toEqual(point ? [point] : [])
        },
        { timeout: 20_000, interval: 50 },
      )
    expect((await get(member, { eid })).total).toBe(count)
    await shows(undefined)
    await place(51)
    await shows([machine.machineId, 11, 51, 0, 0])
    const client = await connectAsync(site.mqttUrl, {
      clientId: machine.code,
      username: machine.code,
      password: machine.secret,
    })
    onTestFinished(() => client.endAsync(true))
    await shows([machine.machineId, 11, 51, 1, 0])
    const tell = (state: 'raised' | 'cleared') =>
      site.platform.telemetry.append(machine.machineId, [
        {
          kind: 'alarm',
          key: 'E1',
          level: 'major',
          text: { en: 'Hot' },
          state,
          isRepeat: false,
          time: Date.now(),
          late: false,
        },
      ])
    await tell('raised')
    await shows([machine.machineId, 11, 51, 3, 3])
    await tell('cleared')
    await shows([machine.machineId, 11, 51, 1, 0])
    await place(51.5)
    await shows([machine.machineId, 11, 51.5, 1, 0])
    expect((await near(member, eid, { search: machine.code })).total).toBe(1)
    expect((await near(member, eid, { search: 'Far' })).total).toBe(0)
    expect((await near(member, eid, { state: 'offline' })).total).toBe(0)
    await client.endAsync(true)
    await shows([machine.machineId, 11, 51.5, 0, 0])
    expect((await get(member, { eid })).total).toBe(count + 1)
    await keys.call(enterprises.removeEnterpriseMachine, { eid, id: machine.machineId })
    await shows(undefined)
  })

  test('shows at once what a person may see of it, and counts no more', async () => {
    const { eid, owner } = await createLarge()
    const machineId = await createPlaced(eid, { lat: 51, lng: 11 })
    const other = await createPlaced(eid, { lat: 51, lng: 11.5 })
    const viewer = await site.createMember(eid, 'member', ['view'])
    const blind = await site.createMember(eid, 'member', ['alarm'])
    const seen = async (user: TestUser) =>
      (await near(user, eid)).points.map(([id]) => id).sort((a, b) => a - b)
    expect(await seen(owner)).toEqual([machineId, other])
    expect(await seen(viewer)).toEqual([machineId, other])
    expect(await get(blind, { eid })).toEqual({ total: 0, points: [], cells: [] })
    await site.grantMachine(blind.userId, machineId, { role: 'visitor' })
    expect(await get(blind, { eid })).toMatchObject({ total: 1, points: [[machineId, 11, 51, 0, 0]] })
    await site.blacklistUser(viewer.userId, machineId)
    expect(await seen(viewer)).toEqual([other])
    await site.as(viewer).call(accounts.setHideMap, { hideMap: true })
    expect(await get(viewer, { eid })).toEqual({ total: 0, points: [], cells: [] })
    await site.db.deleteFrom('enterprise_members').where('user_id', '=', viewer.userId).execute()
    expect(await site.refusalOf(viewer, contract.getMap, { bbox: earth, zoom: 2, eid })).toBe('403')
  })

  test('counts what the cells of a whole earth hold', async () => {
    const { eid, owner } = await createLarge()
    const { total, points, cells } = await get(owner, { eid })
    expect([total, points]).toEqual([count, []])
    expect(cells.length).toBeGreaterThan(10)
    expect(cells.reduce((sum, [, , offline]) => sum + offline, 0)).toBe(count)
  })
})

describe('a view', () => {
  test('may lie over the date line, be turned around the earth, upside down, or a single place', async () => {
    const { eid, owner } = await site.createEnterprise()
    const fiji = await createPlaced(eid, { lat: -17.7, lng: 178 })
    const samoa = await createPlaced(eid, { lat: -13.8, lng: -171.8 })
    const line = await createPlaced(eid, { lat: 0, lng: 180 })
    const munich = await createPlaced(eid, { lat: 48.1, lng: 11.5 })
    const seen = (bbox: string) => idsOf(owner, { eid, bbox })
    expect(await seen('170,-30,-160,10')).toEqual([fiji, samoa, line].sort((a, b) => a - b))
    expect(await seen('170,-30,200,10')).toEqual([fiji, samoa, line].sort((a, b) => a - b))
    expect(await seen('-190,-30,-160,10')).toEqual([fiji, samoa, line].sort((a, b) => a - b))
    expect(await seen('0,60,20,40')).toEqual([munich])
    expect(await seen('11.5,48.1,11.5,48.1')).toEqual([munich])
    expect(await seen('-200,-90,200,90')).toHaveLength(4)
  })

  test.each([
    ['bbox', { bbox: '1,2,3' }],
    ['bbox', { bbox: '1,2,3,4,5' }],
    ['bbox', { bbox: 'a,b,c,d' }],
    ['bbox', { bbox: '0,-91,10,10' }],
    ['bbox', { bbox: '-541,0,10,10' }],
    ['bbox', { bbox: '1e3,0,10,10' }],
    ['bbox', { bbox: 'NaN,0,10,10' }],
    ['zoom', { zoom: -0.1 }],
    ['zoom', { zoom: 22.5 }],
    ['state', { state: 'broken' as never }],
  ] satisfies [string, Partial<Request>][])(
    'that is nonsense is refused by its field: %s %j',
    async (field, more) => {
      const user = await site.createUser()
      const failure = await failureOf(site.as(user), contract.getMap, { bbox: earth, zoom: 2, ...more })
      expect([failure.code, failure.field]).toEqual(['400', field])
    },
  )

  test('keeps its order: the west is beyond the east only over the date line', () => {
    expect(parseArea('170,-30,190,10')).toEqual({ west: 170, south: -30, east: -170, north: 10 })
    expect(parseArea('-181,0,-179,1')).toMatchObject({ west: 179, east: -179 })
    expect(parseArea('-180,0,180,1')).toMatchObject({ west: -180, east: 180 })
    expect(parseArea('0,0,180,1')).toMatchObject({ west: 0, east: 180 })
    expect(parseArea('180,0,190,1')).toMatchObject({ west: 180, east: -170 })
  })
})

test('a larger fleet is counted by cells, which are never more than the points of an answer', () => {
  const machineAt = (id: number, place: { lng: number; lat: number }) => ({
    id,
    ...place,
    ...squareOf(place),
    state: id % 4,
    level: 0,
  })
  const fleet = Array.from({ length: 8_000 }, (_, id) =>
    machineAt(id, {
      lng: ((id * 7_919) % 360_000) / 1_000 - 180,
      lat: ((id * 104_729) % 180_000) / 1_000 - 90,
    }),
  )
  for (let zoom = 0; zoom <= 22; zoom += 1.5) {
    const cells = countCells(fleet, zoom)
    expect(cells.length).toBeLessThanOrEqual(contract.mapPointsMax)
    const sums = cells.reduce(
      (sum, [, , ...counts]) => sum.map((each, place) => each + (counts[place] ?? 0)),
      [0, 0, 0, 0],
    )
    expect(sums).toEqual([2_000, 2_000, 2_000, 2_000])
  }
  expect(countCells(fleet, 0).length).toBeLessThanOrEqual(64)
  const hall = fleet.map(({ id }) => machineAt(id, { lng: 114, lat: 22.5 }))
  expect(countCells(hall, 22)).toEqual([[114, 22.5, 2_000, 2_000, 2_000, 2_000]])
})

test('more machines than points of an answer are counted, and each of them once', async () => {
  const { eid, owner } = await site.createEnterprise()
  const count = contract.mapPointsMax + 1
  await sql`
    with made as (
      insert into machines (code, type, name, secret_hash, owner_enterprise_id)
      select '77' || lpad(n::text, 17, '0'), 'oven', 'Oven', sha256(n::text::bytea), ${eid} from generate_series(1, ${count}::int) n returning id
    ), device as (
      insert into enterprise_machines (enterprise_id, machine_id, kind, name, added_at)
      select ${eid}, id, 'owned', 'Oven ' || id, now() from made
    )
    insert into machine_places (machine_id, lat, lng, source, fixed_at)
    select id, (id % 120) - 60, (id % 300) - 150, 'manual', now() + interval '1 minute' from made`.execute(
    site.db,
  )
  const { total, points, cells } = await get(owner, { eid, zoom: 3.5 })
  expect([total, points]).toEqual([count, []])
  expect(cells.reduce((sum, [, , offline]) => sum + offline, 0)).toBe(count)
  const half = await get(owner, { eid, zoom: 3.5, bbox: '-180,-90,0,90' })
  expect([half.points.length, half.cells]).toEqual([half.total, []])
  expect(half.total).toBeLessThan(count)
})
