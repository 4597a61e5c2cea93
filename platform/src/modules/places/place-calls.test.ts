import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts, places as contract, metresBetween, placeWays } from '@busbar/contract'
import { grantMachine, type TestUser } from '@busbar/testkit'
import { failureOf } from '@busbar/testkit/platform.ts'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, json, openStandIn } from '../../kernel/outgoing-http/testing/stand-in.ts'
import { convertPoint } from './coordinates.ts'
import { deviceOf } from './providers/read-signals.ts'

const shanghai = { lat: 31.23, lng: 121.47 }
const wifi = [
  { mac: '22:27:1d:20:08:d5', signalDbm: -55 },
  { mac: '5c:63:bf:a4:bf:56', signalDbm: -86 },
]
const cells = [{ radio: 'lte', mcc: 460, mnc: 1, tac: 40977, cellId: 2205409, signalDbm: -65 }]
const drawn = convertPoint(shanghai, 'wgs84', 'gcj02')
const at = ({ lat, lng }: { lat: number; lng: number }, radius: number) =>
  json({ status: '1', info: 'OK', result: { type: '4', location: `${lng},${lat}`, radius: `${radius}` } })
const found = at(drawn, 35)
const unknown = json({ status: '1', info: 'OK', result: { type: '0' } })
const busy: Answer = (_request, response) => response.writeHead(429).end()

let answer: Answer = found
const amap = await openStandIn((...exchange) => answer(...exchange))
const keyFile = join(tmpdir(), `busbar-amap-key-${process.pid}`)
await writeFile(keyFile, 'secretKey')
let now = Date.now()
const site = useSite({ AMAP_POSITION_KEY_FILE: keyFile, AMAP_POSITION_URL: amap.url }, { now: () => now })

afterAll(() => amap.close())
beforeEach(() => {
  now = Date.now()
  answer = found
})

async function createOwned(): Promise<{ owner: TestUser; machineID: number }> {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  return { owner, machineID: machineId }
}

/** The names in `fresh` are news that the platform takes by itself; others wait for a refresh. */
async function tell(
  machineID: number,
  told: object,
  { toldAt = now, fresh = [] }: { toldAt?: number; fresh?: string[] } = {},
): Promise<void> {
  const times = Object.fromEntries(Object.keys(told).map((name) => [name, toldAt]))
  await sql`insert into told_places (machine_id, told, told_at, fresh)
            values (${machineID}, ${JSON.stringify({ ...told, at: times })}, ${new Date(toldAt)}, ${fresh})
            on conflict (machine_id) do update
              set told = excluded.told, told_at = excluded.told_at, fresh = excluded.fresh, taken_at = null`.execute(
    site.db,
  )
}

async function connectFrom(machineID: number, address: string): Promise<void> {
  await sql`insert into machine_connections (machine_id, protocol, address, started_at, last_seen_at)
            values (${machineID}, 'json', ${address}, ${new Date(now)}, ${new Date(now)})`.execute(site.db)
}

const placeOf = (user: TestUser, machineID: number, lang: 'cn' | 'en' = 'en') =>
  site.as(user, lang).call(contract.getPlace, { machineID })
const usedOf = async (user: TestUser, machineID: number) =>
  (await site.as(user).call(contract.countRefreshes, { machineID })).used

describe('by hand', () => {
  test('coordinates of three systems mean the same place, and the address is in the reader’s language', async () => {
    const { owner, machineID } = await createOwned()
    for (const coord of ['wgs84', 'gcj02', 'bd09'] as const) {
      const given = convertPoint(shanghai, 'wgs84', coord)
      const set = await site
        .as(owner, 'en')
        .call(contract.setPlaceByCoordinates, { machineID, ...given, coord })
      expect(set).toEqual({ ...given, address: 'Shanghai, China' })
      const { place } = await placeOf(owner, machineID)
      expect(metresBetween(place ?? { lat: 0, lng: 0 }, shanghai)).toBeLessThan(1)
      const same = await site.as(owner).call(contract.getPlace, { machineID, coord })
      expect(metresBetween(same.place ?? { lat: 0, lng: 0 }, given)).toBeLessThan(1)
    }
    expect(await placeOf(owner, machineID, 'cn')).toMatchObject({
      place: { source: 'manual', accuracy: null },
      address: '上海市',
      asTyped: null,
      type: 2,
      way: null,
      suggestion: null,
      refreshes: { used: 0, max: 5, left: 5 },
      movedAfterM: 500,
      isMoved: false,
      coarse: null,
    })
  })

  test.each([
    ['a swapped pair', 'PLACE_SWAPPED', 'lat', { lat: 121.47, lng: 31.23 }],
    ['both 0', 'PLACE_ZERO', 'lat', { lat: 0, lng: 0 }],
    ['a latitude out of range', '400', 'lat', { lat: -95, lng: 170 }],
    ['a longitude out of range', '400', 'lng', { lat: 31, lng: 181 }],
    ['an unknown system', '400', 'coord', { ...shanghai, coord: 'utm' as never }],
  ])('%s is refused as %s, with the field', async (_what, code, field, given) => {
    const { owner, machineID } = await createOwned()
    for (const [route, more] of [
      [contract.setPlaceByCoordinates, {}],
      [contract.setMachineLocation, { type: 2 }],
    ] as const) {
      const failure = await failureOf(site.as(owner, 'en'), route, { machineID, ...given, ...more } as never)
      expect([failure.code, failure.field]).toEqual([code, field])
      if (code === 'PLACE_SWAPPED') expect(failure.message).toContain('latitude 31.23, longitude 121.47')
    }
    expect((await placeOf(owner, machineID)).place).toBe(null)
  })

  test('an address places a machine where it means one place, and else answers the places it may mean', async () => {
    const { owner, machineID } = await createOwned()
    const client = site.as(owner, 'cn')
    const failure = await failureOf(client, contract.setPlaceByAddress, { machineID, address: '无此城市' })
    expect([failure.code, failure.message]).toEqual(['PLACE_ADDRESS_UNKNOWN', '找不到“无此城市”'])
    const one = await client.call(contract.setPlaceByAddress, { machineID, address: '上海市' })
    expect(one).toMatchObject({ address: '上海市', choices: [] })
    expect(metresBetween(one as typeof shanghai, shanghai)).toBeLessThan(10_000)
    expect(await placeOf(owner, machineID, 'en')).toMatchObject({
      place: { source: 'search' },
      type: 3,
      asTyped: '上海市',
      address: '上海市',
    })
    const many = await client.call(contract.setPlaceByAddress, { machineID, address: '州市' })
    expect([many.lat, many.choices.length]).toEqual([null, 40])
    expect(many.choices.every(({ distanceM }) => distanceM !== null && distanceM > 1_000)).toBe(true)
    expect((await placeOf(owner, machineID)).asTyped).toBe('上海市')
  })

  test('setting at once needs coordinates by hand, and shows the address as it was typed', async () => {
    const { owner, machineID } = await createOwned()
    const set = (more: object) =>
      site.as(owner).call(contract.setMachineLocation, { machineID, type: 2, ...more })
    expect(
      await site.refusalOf(owner, contract.setMachineLocation, { machineID, type: 2, address: 'Hall 3' }),
    ).toBe('400')
    await set({ ...shanghai, address: 'Hall 3' })
    expect(await placeOf(owner, machineID)).toMatchObject({ address: 'Hall 3', asTyped: 'Hall 3', type: 2 })
    await site.as(owner).call(contract.setMachineLocation, { machineID, type: 1, way: placeWays.wifi })
    expect(await site.as(owner).call(contract.getLocationWay, { machineID })).toEqual({
      locationType: 1,
      way: placeWays.wifi,
      refreshLeft: 5,
    })
  })

  test('an address with characters that turn the text of others is refused', async () => {
    const { owner, machineID } = await createOwned()
    for (const address of ['Hall\u202e3', 'Hall\n3', 'Hall\u00003']) {
      const given = { machineID, type: 2 as const, ...shanghai, address }
      expect(await site.refusalOf(owner, contract.setMachineLocation, given)).toBe('400')
    }
  })

  test('a key that may only watch sets nothing', async () => {
    const { machineID } = await createOwned()
    const reader = await site.createUser()
    await grantMachine(site.db, reader.userId, machineID, { role: 'bkey', readOnly: true })
    await tell(machineID, { wifi })
    const asked = amap.asked.length
    const refusals = [
      await site.refusalOf(reader, contract.setPlaceByCoordinates, { machineID, ...shanghai }),
      await site.refusalOf(reader, contract.refreshPlace, { machineID }),
      await site.refusalOf(reader, contract.setMovedAfter, { machineID, movedAfterM: null }),
      await site.refusalOf(reader, contract.acceptSuggestion, { machineID, fixedAt: 1 }),
    ]
    expect(refusals).toEqual(Array(4).fill('GIVER_READ_ONLY'))
    expect(amap.asked.length, 'nor spends the operator’s calls').toBe(asked)
    expect((await placeOf(reader, machineID)).place).toBe(null)
  })

  test('is in the audit log, without coordinates', async () => {
    const { owner, machineID } = await createOwned()
    await site.as(owner).call(contract.setPlaceByCoordinates, { machineID, ...shanghai })
    await site.as(owner).call(contract.setMovedAfter, { machineID, movedAfterM: 1_000 })
    const { rows } = await sql<{ action: string; detail: object }>`
      select action, detail from audit_entries where actor_user_id = ${owner.userId} order by id`.execute(
      site.db,
    )
    expect(rows.map(({ action }) => action)).toEqual(['machine.place', 'machine.place'])
    expect(rows.map(({ detail }) => detail)).toEqual([
      { machineId: machineID, type: 2 },
      { machineId: machineID, movedAfterM: 1_000 },
    ])
  })
})

describe('a refresh', () => {
  test('asks the provider by access points, then base stations, and keeps its radius', async () => {
    const { owner, machineID } = await createOwned()
    await site.as(owner).call(contract.setAutoLocationWay, { machineID, way: placeWays.gps })
    await tell(machineID, { wifi, cells })
    const first = await site.as(owner, 'en').call(contract.refreshPlace, { machineID })
    expect(first).toMatchObject({ accuracy: 35, source: 'wifi', fixedAt: now, address: 'Shanghai, China' })
    expect(metresBetween(first as typeof shanghai, shanghai)).toBeLessThan(1)
    await site.as(owner).call(contract.setAutoLocationWay, { machineID, way: placeWays.baseStation })
    now += 1_000
    await tell(machineID, { wifi, cells })
    expect(await site.as(owner).call(contract.refreshPlace, { machineID })).toMatchObject({ source: 'cells' })
    expect(await usedOf(owner, machineID)).toBe(2)
    expect(await placeOf(owner, machineID)).toMatchObject({
      type: 1,
      way: placeWays.baseStation,
      refreshes: { used: 2, left: 3 },
    })
  })

  test('takes the satellites’ place without asking anybody', async () => {
    const { owner, machineID } = await createOwned()
    await site.as(owner).call(contract.setAutoLocationWay, { machineID, way: placeWays.gps })
    await tell(machineID, { gps: { ...shanghai, accuracy: 4 }, wifi })
    const asked = amap.asked.length
    expect(await site.as(owner).call(contract.refreshPlace, { machineID })).toMatchObject({
      ...{ source: 'gps', accuracy: 4 },
    })
    expect(amap.asked.length).toBe(asked)
  })

  test('beside a manual pin is a suggestion, which a person may take', async () => {
    const { owner, machineID } = await createOwned()
    const pin = { lat: 31.22, lng: 121.47 }
    await site.as(owner).call(contract.setPlaceByCoordinates, { machineID, ...pin })
    answer = at(drawn, 800)
    await tell(machineID, { wifi })
    await site.as(owner).call(contract.refreshPlace, { machineID })
    const { place, suggestion } = await placeOf(owner, machineID)
    expect(place).toMatchObject({ ...pin, source: 'manual' })
    expect(suggestion).toMatchObject({ accuracy: 800, source: 'wifi', fixedAt: now })
    expect(suggestion?.distanceM).toBeGreaterThan(1_000)
    const accept = (fixedAt: number) => ({ machineID, fixedAt })
    expect(await site.refusalOf(owner, contract.acceptSuggestion, accept(now - 1))).toBe(
      'PLACE_SUGGESTION_GONE',
    )
    await site.as(owner).call(contract.acceptSuggestion, accept(now))
    const taken = await placeOf(owner, machineID)
    expect(metresBetween(taken.place ?? pin, shanghai)).toBeLessThan(1)
    expect(taken.type).toBe(2)
  })

  test('is one of five a day, and the sixth names when the next day begins', async () => {
    const { owner, machineID } = await createOwned()
    await tell(machineID, { wifi })
    for (let used = 0; used < 5; used++) await site.as(owner).call(contract.refreshPlace, { machineID })
    const asked = amap.asked.length
    const failure = await failureOf(site.as(owner), contract.refreshPlace, { machineID })
    expect(failure.code).toBe('PLACE_REFRESHES_USED')
    const { resetAt } = await site.as(owner).call(contract.countRefreshes, { machineID })
    expect(failure.data).toEqual({ resetAt })
    expect([amap.asked.length, await usedOf(owner, machineID)]).toEqual([asked, 5])
    now = resetAt
    expect(await usedOf(owner, machineID)).toBe(0)
    await tell(machineID, { wifi })
    await site.as(owner).call(contract.refreshPlace, { machineID })
    expect(await usedOf(owner, machineID)).toBe(1)
  })

  test('two at once take one each, and never a sixth', async () => {
    const { owner, machineID } = await createOwned()
    await tell(machineID, { wifi })
    for (let used = 0; used < 3; used++) await site.as(owner).call(contract.refreshPlace, { machineID })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => site.as(owner).call(contract.refreshPlace, { machineID })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await usedOf(owner, machineID)).toBe(5)
  })

  test.each<[string, string, Answer]>([
    ['busy', 'PLACE_PROVIDER_BUSY', busy],
    ['HTML', 'PLACE_PROVIDER_WRONG', (_request, response) => response.end('<html>')],
    ['a hang-up', 'PLACE_PROVIDER_UNREACHABLE', ({ socket }) => socket.destroy()],
    ['its refusal', 'PLACE_PROVIDER_REFUSED', json({ status: '0', info: 'INVALID_USER_KEY' })],
    ['radius 0', 'PLACE_WITHOUT_RADIUS', at(drawn, 0)],
    ['another continent', 'PLACE_FAR_AWAY', at({ lat: 52.52, lng: 13.4 }, 20)],
    ['that it knows nothing', 'LOCATION_UNAVAILABLE', unknown],
  ])(
    'is given back where the provider answers %s: %s, with the last good place',
    async (_what, code, given) => {
      const { owner, machineID } = await createOwned()
      await tell(machineID, { wifi })
      await site.as(owner).call(contract.setAutoLocationWay, { machineID, way: placeWays.wifi })
      await site.as(owner).call(contract.refreshPlace, { machineID })
      answer = given
      now += 60_000
      const failure = await failureOf(site.as(owner), contract.refreshPlace, { machineID })
      expect([failure.code, failure.data]).toEqual([
        code,
        { lat: expect.any(Number), lng: expect.any(Number), source: 'wifi', fixedAt: now - 60_000, ageS: 60 },
      ])
      expect(await usedOf(owner, machineID)).toBe(1)
      await site.as(owner).call(accounts.setHideMap, { hideMap: true })
      expect((await failureOf(site.as(owner), contract.refreshPlace, { machineID })).data ?? {}).toEqual({})
      // The next test begins with a provider that is asked.
      answer = found
      now += 600_000
      await site
        .as(owner)
        .call(contract.refreshPlace, { machineID })
        .catch(() => undefined)
    },
  )

  test('takes nothing where nobody can tell', async () => {
    const { owner, machineID } = await createOwned()
    const refusal = () => site.refusalOf(owner, contract.refreshPlace, { machineID })
    expect(await refusal()).toBe('LOCATION_UNAVAILABLE')
    await tell(machineID, { wifi: wifi.slice(1) })
    await connectFrom(machineID, '10.0.0.7')
    expect(await refusal()).toBe('LOCATION_UNAVAILABLE')
    await tell(machineID, { wifi }, { toldAt: now - 86_400_001 })
    expect(await refusal()).toBe('LOCATION_UNAVAILABLE')
    const { rows } = await sql`select used from place_refreshes where machine_id = ${machineID}`.execute(
      site.db,
    )
    expect(rows).toEqual([])
  })

  test('told the next owner where the machine was before, and took one of their five', async () => {
    const { owner, machineID } = await createOwned()
    await site.as(owner).call(contract.setPlaceByCoordinates, { machineID, ...shanghai })
    const owned_since = new Date(now + 1_000)
    await site.db.updateTable('machines').set({ owned_since }).where('id', '=', machineID).execute()
    now += 60_000
    await tell(machineID, { gps: { ...shanghai, at: now - 120_000 } })
    const failure = await failureOf(site.as(owner), contract.refreshPlace, { machineID })
    expect([failure.code, failure.data ?? {}, await usedOf(owner, machineID)]).toEqual([
      'LOCATION_UNAVAILABLE',
      {},
      0,
    ])
  })

  test('falls back to the city of the network address, and says why the place is so coarse', async () => {
    const { owner, machineID } = await createOwned()
    await site.as(owner).call(contract.setAutoLocationWay, { machineID, way: placeWays.wifi })
    await connectFrom(machineID, '202.96.209.5')
    expect(await site.as(owner).call(contract.refreshPlace, { machineID })).toMatchObject({ source: 'ip' })
    expect((await placeOf(owner, machineID)).coarse).toBe('networkAddress')
    answer = unknown
    await tell(machineID, { wifi })
    expect((await placeOf(owner, machineID)).coarse).toBe('signalsUnknown')
    expect(await site.as(owner).call(contract.refreshPlace, { machineID })).toMatchObject({ source: 'ip' })
  })
})

describe('by itself', () => {
  const askedAbout = (machineID: number) => {
    const device = deviceOf(String(machineID))
    return amap.asked.filter(({ searchParams }) => searchParams.get('imei') === device).length
  }
  const fixOf = async (owner: TestUser, machineID: number) => (await placeOf(owner, machineID)).place?.fixedAt

  test('a provider is asked about a machine that tells access points, and not again while it hears the same', async () => {
    const { owner, machineID } = await createOwned()
    await tell(machineID, { wifi }, { fresh: ['wifi'] })
    await expect.poll(() => fixOf(owner, machineID), { timeout: 10_000 }).toBe(now)
    expect([askedAbout(machineID), await usedOf(owner, machineID)]).toEqual([1, 0])
    // The job that follows ten minutes later finds that the machine hears the same.
    now += 600_000
    await tell(machineID, { wifi }, { fresh: ['wifi'] })
    const { rows } = await sql<{ asked_at: Date }>`
      select asked_at from place_asks where machine_id = ${machineID}`.execute(site.db)
    expect(rows[0]?.asked_at.getTime()).toBeLessThanOrEqual(now)
    const isAsked = async () => {
      const { rows: after } = await sql<{ asked_at: Date }>`
        select asked_at from place_asks where machine_id = ${machineID}`.execute(site.db)
      return after[0]?.asked_at.getTime()
    }
    await expect.poll(isAsked, { timeout: 10_000 }).toBe(now)
    await expect.poll(() => countWaiting(), { timeout: 10_000 }).toBe(0)
    expect(askedAbout(machineID)).toBe(1)
  })

  test('a second telling within ten minutes waits for its turn', async () => {
    const { owner, machineID } = await createOwned()
    await tell(machineID, { wifi }, { fresh: ['wifi'] })
    await expect.poll(() => fixOf(owner, machineID), { timeout: 10_000 }).toBe(now)
    const first = now
    now += 60_000
    const moved = wifi.map((one, at) => ({ ...one, mac: `00:00:00:00:00:0${at}` }))
    await tell(machineID, { wifi: moved }, { fresh: ['wifi'] })
    const dueAt = async () => {
      const { rows } = await sql<{ asked_at: Date }>`
        select asked_at from place_asks where machine_id = ${machineID}`.execute(site.db)
      return rows[0]?.asked_at.getTime()
    }
    await expect.poll(dueAt, { timeout: 10_000 }).toBe(first + 600_000)
    expect(askedAbout(machineID)).toBe(1)
  })

  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from jobs.job
      where name = 'places.locate' and state in ('created', 'active') and start_after <= now()`.execute(
      site.db,
    )
    return rows[0]?.count ?? 0
  }
})

describe('history', () => {
  const past = async (
    machineID: number,
    rows: readonly (readonly [msAgo: number, implausible: string | null])[],
  ) => {
    for (const [msAgo, implausible] of rows)
      await sql`insert into machine_place_history (machine_id, at, lat, lng, accuracy_m, source, implausible)
                values (${machineID}, ${new Date(now - msAgo)}, ${implausible === 'range' ? 131 : 31.23}, 121.47,
                        8, 'gps', ${implausible})`.execute(site.db)
  }

  test('is oldest first, with what is not believed marked, in any system', async () => {
    const { owner, machineID } = await createOwned()
    await past(machineID, [
      [1_000, null],
      [3_000, 'range'],
      [2_000, 'jump'],
      [90_000, null],
    ])
    const span = { machineID, from: now - 10_000, until: now }
    const { list, isCut } = await site.as(owner).call(contract.listPlaceHistory, span)
    expect(isCut).toBe(false)
    expect(list.map(({ at: when, implausible }) => [when - now, implausible])).toEqual([
      [-3_000, 'range'],
      [-2_000, 'jump'],
      [-1_000, null],
    ])
    const inChina = await site.as(owner).call(contract.listPlaceHistory, { ...span, coord: 'gcj02' })
    expect(inChina.list[2]?.lat).toBeCloseTo(drawn.lat, 5)
    expect(inChina.list[0]?.lat).toBe(131)
    expect(await site.refusalOf(owner, contract.listPlaceHistory, { ...span, until: 0 })).toBe('400')
  })

  test('has the newest 2,000 of its time', async () => {
    const { owner, machineID } = await createOwned()
    await sql`insert into machine_place_history (machine_id, at, lat, lng, source)
              select ${machineID}, ${new Date(now)}::timestamptz - n * interval '1 second', 31.23, 121.47, 'gps'
              from generate_series(1, 2001) n`.execute(site.db)
    const { list, isCut } = await site
      .as(owner)
      .call(contract.listPlaceHistory, { machineID, from: 0, until: now })
    expect([list.length, isCut, list.at(-1)?.at]).toEqual([2_000, true, now - 1_000])
  })

  test('and place are empty for a person who hides the map, and for the next owner', async () => {
    const { owner, machineID } = await createOwned()
    await past(machineID, [[1_000, null]])
    await tell(machineID, { wifi })
    await site.as(owner).call(contract.refreshPlace, { machineID })
    await site.as(owner).call(contract.setPlaceByCoordinates, { machineID, ...shanghai })
    const span = { machineID, from: 0, until: now + 1_000 }
    const readAll = async () => ({
      place: await placeOf(owner, machineID),
      history: await site.as(owner).call(contract.listPlaceHistory, span),
    })
    expect(JSON.stringify(await readAll())).toMatch(/31\.2/)
    await site.as(owner).call(accounts.setHideMap, { hideMap: true })
    const hidden = await readAll()
    expect(hidden).toMatchObject({
      place: { place: null, suggestion: null, address: '', asTyped: null, coarse: null, isMoved: false },
      history: { list: [] },
    })
    expect(await site.as(owner).call(contract.refreshPlace, { machineID })).toEqual({
      ...{ lat: null, lng: null, address: '', accuracy: null, source: null, fixedAt: null },
    })
    expect(await site.as(owner).call(contract.setPlaceByCoordinates, { machineID, ...shanghai })).toEqual({
      lat: null,
      lng: null,
      address: '',
    })
    await site.as(owner).call(accounts.setHideMap, { hideMap: false })
    await site.db
      .updateTable('machines')
      .set({ owned_since: new Date(now + 5_000) })
      .where('id', '=', machineID)
      .execute()
    expect(await readAll()).toMatchObject({
      place: { place: null, suggestion: null },
      history: { list: [] },
    })
  })
})
