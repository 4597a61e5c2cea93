import { accounts, alarms, machines, places, placeTypes, platformAlarms } from '@busbar/contract'
import { Scene } from '@busbar/contract/push'
import { aside, PushClient, type TestUser } from '@busbar/testkit'
import { useDatabase, useSite } from '@busbar/testkit/test-site.ts'
import { sql, type Transaction } from 'kysely'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { withClient, withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { listUserEvents } from '../../kernel/events/user-events.ts'
import { Facts } from '../../kernel/facts/facts.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createAccess } from '../access/index.ts'
import { mergeAttributes, takeToldPlace } from '../machine-register/index.ts'
import { usualLengths } from '../telemetry/index.ts'
import { PlaceChanges } from './place-changes.ts'
import { PlaceIntake } from './place-intake.ts'
import { thinPlaces } from './thin-places.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const home = { lat: 31.23, lng: 121.47 }
/** 2.2 km from there. */
const yard = { lat: 31.25, lng: 121.47 }
const poll = { timeout: 10_000, interval: 20 }

/** The clock of the platform, ahead of the real one. */
let aheadMs = 0
const now = () => Date.now() + aheadMs
// The positions of one test never rest with those of another.
beforeEach(() => {
  aheadMs += 60 * minuteMs
})

const site = useSite({}, { now })
let changes: PlaceChanges
beforeAll(() => {
  changes = new PlaceChanges({ access: createAccess(site.db), facts: site.platform.facts, now })
})

const within = <T>(work: (trx: Transaction<DB>) => Promise<T>) => withTransaction(site.db, work)

const tell = (machineId: number, attributes: Record<string, { lat: number; lng: number } | string>) =>
  site.platform.telemetry.append(machineId, [{ kind: 'attributes', attributes }])

const placeOf = (machineId: number) =>
  site.db.selectFrom('machine_places').selectAll().where('machine_id', '=', machineId).executeTakeFirst()
const historyOf = (machineId: number) =>
  site.db
    .selectFrom('machine_place_history')
    .select(['at', 'lat', 'lng', 'source', 'implausible'])
    .where('machine_id', '=', machineId)
    .orderBy('at')
    .orderBy('id')
    .execute()

async function createAutomatic(owner: TestUser) {
  const machine = await site.createMachine({ owner: owner.userId })
  await within((trx) => changes.chooseWay(trx, machine.machineId, { type: placeTypes.auto }))
  return machine.machineId
}

/** Told, and taken by the platform. */
async function tellAndWait(machineId: number, gps: { lat: number; lng: number }) {
  aheadMs += minuteMs
  const before = (await historyOf(machineId)).length
  await tell(machineId, { gps: { ...gps, accuracy: 10 } as { lat: number; lng: number } })
  await expect.poll(async () => (await historyOf(machineId)).length, poll).toBe(before + 1)
}

async function openPage(user: TestUser): Promise<PushClient> {
  const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  onTestFinished(() => page.close())
  return page
}
const placesOn = (page: PushClient) =>
  page.events.flatMap((event) => (event.scene === 'place' ? [event.place] : []))

describe('a position that a machine tells', () => {
  test('is its place, in lists and on the pages of the people who may see it', async () => {
    const [owner, hiding, ordinary] = [
      await site.createUser(),
      await site.createUser(),
      await site.createUser(),
    ]
    const machineId = await createAutomatic(owner)
    await site.grantMachine(hiding.userId, machineId, { role: 'bkey' })
    await site.listMachine(ordinary.userId, machineId)
    await site.as(hiding).call(accounts.setHideMap, { hideMap: true })
    const pages = [await openPage(owner), await openPage(hiding), await openPage(ordinary)] as const
    await tellAndWait(machineId, home)
    const place = await pages[0].find((event) => (event.scene === 'place' ? event.place : undefined))
    expect(place).toMatchObject({ ...home, machineId: String(machineId), accuracy: 10, source: 'gps' })
    const answer = await site.as(owner).call(machines.listMachines, {})
    expect(answer).toMatchObject({ list: [{ ...home, accuracy: 10, source: 'gps', location_type: 1 }] })
    // A fact that everybody gets comes after it.
    await tellAndWait(machineId, yard)
    await expect.poll(() => placesOn(pages[0]).length, poll).toBe(2)
    expect([placesOn(pages[1]), placesOn(pages[2])]).toEqual([[], []])
    // Nor does a page that comes back, if its person has hidden the map meanwhile.
    const missed = async () =>
      (await listUserEvents(site.db, owner.userId, 0)).filter(({ scene }) => scene === Scene.PLACE_CHANGE)
    expect(await missed()).toHaveLength(2)
    await site.as(owner).call(accounts.setHideMap, { hideMap: true })
    expect(await missed()).toEqual([])
  })

  test('reaches members of the enterprise who have the machine in no list of their own', async () => {
    const { eid } = await site.createEnterprise()
    const { machineId } = await site.createEnterpriseMachine(eid)
    const [viewing, ordinary] = [
      await site.createMember(eid, 'member', ['view']),
      await site.createMember(eid, 'member', ['alarm']),
    ]
    const pages = [await openPage(viewing), await openPage(ordinary)] as const
    await tellAndWait(machineId, home)
    await expect.poll(() => placesOn(pages[0]), poll).toMatchObject([home])
    expect(placesOn(pages[1])).toEqual([])
  })

  test('that was missed came after all to a person who had lost the right to the machine meanwhile', async () => {
    const holder = await site.createUser()
    const [lost, kept] = [await site.createMachine(), await site.createMachine()]
    for (const { machineId } of [lost, kept]) {
      await site.grantMachine(holder.userId, machineId, { role: 'bkey' })
      await tellAndWait(machineId, home)
    }
    const page = await openPage(holder)
    await site.db.deleteFrom('machine_grants').where('machine_id', '=', lost.machineId).execute()
    page.resume('0')
    await expect.poll(() => placesOn(page).length, poll).toBeGreaterThan(0)
    expect(placesOn(page).map(({ machineId }) => machineId)).toEqual([String(kept.machineId)])
  })

  test('is kept each time, and the same one once', async () => {
    const owner = await site.createUser()
    const machineId = await createAutomatic(owner)
    await tellAndWait(machineId, home)
    await tellAndWait(machineId, home)
    const at = now()
    const fix = { ...yard, accuracyM: 10, source: 'gps', at } as const
    for (let time = 0; time < 2; time++) await within((trx) => changes.applyFix(trx, machineId, fix))
    await within((trx) => changes.applyFix(trx, machineId, { ...fix, at: at - minuteMs }))
    await within((trx) => changes.applyFix(trx, machineId, { ...fix, lat: 95 }))
    await within((trx) => changes.applyFix(trx, machineId, { ...fix, at: at + 10 * minuteMs }))
    const kept = (await historyOf(machineId)).map(({ implausible }) => implausible ?? 'believed')
    expect(kept.toSorted()).toEqual(['believed', 'believed', 'believed', 'believed', 'future', 'range'])
    expect(await placeOf(machineId)).toMatchObject({ ...yard, fixed_at: new Date(at) })
  })

  test('that cannot be read is ignored, and the next one counts', async () => {
    const machineId = await createAutomatic(await site.createUser())
    await tell(machineId, { gps: 'somewhere' })
    await expect
      .poll(
        async () =>
          (
            await site.db
              .selectFrom('told_places')
              .select('fresh')
              .where('machine_id', '=', machineId)
              .executeTakeFirst()
          )?.fresh,
        poll,
      )
      .toEqual([])
    await tellAndWait(machineId, home)
    expect(await placeOf(machineId)).toMatchObject(home)
  })

  test('that was told before the next owner is not theirs', async () => {
    const machineId = await createAutomatic(await site.createUser())
    const owned_since = new Date(now() + minuteMs)
    await site.db.updateTable('machines').set({ owned_since }).where('id', '=', machineId).execute()
    const fix = { ...home, accuracyM: 10, source: 'gps', at: owned_since.getTime() - 1 } as const
    expect(await within((trx) => changes.applyFix(trx, machineId, fix))).toBeUndefined()
    expect(await historyOf(machineId)).toEqual([])
  })
})

describe('news of a machine’s place', () => {
  const database = useDatabase()
  let ofDatabase: PlaceChanges
  beforeAll(() => {
    const { db } = database
    const facts = new Facts({ db, bus: createLocalBus(silentLogger), logger: silentLogger, now })
    ofDatabase = new PlaceChanges({ access: createAccess(db), facts, now })
  })

  type Apply = PlaceChanges['applyFix']
  /** A process that takes what machines told. */
  const createIntake = (applyFix: Apply = ofDatabase.applyFix.bind(ofDatabase)) =>
    new PlaceIntake({
      ...{ db: database.db, bus: createLocalBus(silentLogger), logger: silentLogger, now },
      changes: { applyFix },
    })
  const tellGps = (machineId: number, gps: object) =>
    withClient(database.db, (client) =>
      mergeAttributes(client, [{ machineId, attributes: { gps }, receivedAt: now() }]),
    )
  const countKept = async (machineId: number) =>
    (
      await database.db
        .selectFrom('machine_place_history')
        .select('id')
        .where('machine_id', '=', machineId)
        .execute()
    ).length

  test('are not lost by a process that dies before it has used it', async () => {
    const { machineId } = await database.createMachine()
    await tellGps(machineId, home)
    let tries = 0
    const dying = createIntake(async (...fix) => {
      tries++
      await ofDatabase.applyFix(...fix)
      throw new Error('killed')
    })
    await dying.run()
    expect([tries, await countKept(machineId)]).toEqual([1, 0])
    await createIntake().run()
    expect(await countKept(machineId)).toBe(1)
  })

  test('are used once by processes that take it at the same time', async () => {
    const created = await Promise.all(Array.from({ length: 12 }, () => database.createMachine()))
    for (const { machineId } of created) await tellGps(machineId, home)
    const used: number[] = []
    const intakes = Array.from({ length: 3 }, () =>
      createIntake(async (trx, machineId, fix) => {
        used.push(machineId)
        return ofDatabase.applyFix(trx, machineId, fix)
      }),
    )
    await Promise.all(intakes.map((intake) => intake.run()))
    const ids = created.map(({ machineId }) => machineId)
    expect(used.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    expect(await Promise.all(ids.map(countKept))).toEqual(ids.map(() => 1))
  })

  test('are taken after a rest, so that a machine that tells all the time costs no more', async () => {
    const { machineId } = await database.createMachine()
    const intake = createIntake()
    await tellGps(machineId, home)
    await intake.run()
    await tellGps(machineId, yard)
    await intake.run()
    expect(await countKept(machineId)).toBe(1)
    aheadMs += 10_000
    await intake.run()
    expect(await countKept(machineId)).toBe(2)
  })

  test('a thousand of a machine at once cost others no thousand statements, and the newest counts', async () => {
    const machineId = await createAutomatic(await site.createUser())
    await sql`create sequence told_writes`.execute(site.db)
    await sql`create function count_told() returns trigger language plpgsql as
              $$ begin perform nextval('told_writes'); return null; end $$`.execute(site.db)
    await sql`create trigger count_told after insert or update on told_places
              for each row execute function count_told()`.execute(site.db)
    onTestFinished(async () => {
      await sql`drop trigger count_told on told_places`.execute(site.db)
    })
    const told = Array.from({ length: 1_000 }, (_, at) => ({ lat: 31 + at / 10_000, lng: 121.47 }))
    await Promise.all(told.map((gps) => tell(machineId, { gps })))
    const { rows } = await sql<{ writes: number }>`select last_value::int as writes from told_writes`.execute(
      site.db,
    )
    expect(rows[0]?.writes).toBeLessThan(200)
    aheadMs += minuteMs
    await expect.poll(async () => (await placeOf(machineId))?.lat, poll).toBe(told.at(-1)?.lat)
  })

  test('have cells and networks where they changed, and a position each time', async () => {
    const { machineId } = await database.createMachine()
    const cells = [{ mcc: 460, mnc: 0, lac: 1, cid: 2 }]
    const tellAll = (attributes: object) =>
      withClient(database.db, (client) =>
        mergeAttributes(client, [{ machineId, attributes: { ...attributes }, receivedAt: now() }]),
      )
    const take = () =>
      withTransaction(database.db, (trx) => takeToldPlace(trx, { now: now(), restMs: 0, except: [] }))
    await tellAll({ gps: home, cells, model: 'P-100' })
    expect(await take()).toMatchObject({ machineId, gps: home, cells })
    expect(await take()).toBeUndefined()
    await tellAll({ gps: home, cells, model: 'P-200' })
    const again = await take()
    expect(again).toMatchObject({ gps: home })
    expect(again).not.toHaveProperty('cells')
    await tellAll({ cells, model: 'P-300' })
    expect(await take()).toBeUndefined()
  })

  test('from before the present owner are removed', async () => {
    const { machineId } = await database.createMachine()
    await tellGps(machineId, home)
    const owned_since = new Date(now() + minuteMs)
    await database.db.updateTable('machines').set({ owned_since }).where('id', '=', machineId).execute()
    await createIntake().run()
    const rows = database.db.selectFrom('told_places').selectAll().where('machine_id', '=', machineId)
    expect([await rows.execute(), await countKept(machineId)]).toEqual([[], 0])
  })

  test('that are being used keep nobody waiting: they are told again', async () => {
    const { machineId } = await database.createMachine()
    await tellGps(machineId, home)
    await createIntake(async () => {
      expect(await aside(() => tellGps(machineId, yard))).toEqual([machineId])
      return undefined
    }).run()
    expect(await tellGps(machineId, yard)).toEqual([])
  })
})

describe('a machine that leaves its place', () => {
  const alarmsOf = async (owner: TestUser) =>
    (await site.as(owner, 'en').call(alarms.listAlarms, {})).list.filter(
      ({ key }) => key === platformAlarms.moved.key,
    )
  const pinHome = (machineId: number) =>
    within((trx) => changes.pinPlace(trx, machineId, { ...home, source: 'manual', asTyped: 'Hall 3' }))
  const look = (machineId: number) => within((trx) => changes.look(trx, machineId))

  test('has one alarm, however often it tells that it is away, which ends when it is back', async () => {
    const owner = await site.createUser()
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await pinHome(machineId)
    for (let time = 0; time < 13; time++) await tellAndWait(machineId, yard)
    expect(await alarmsOf(owner)).toMatchObject([{ state: 'active', level: 'major', count: 1 }])
    expect((await alarmsOf(owner))[0]?.text).toContain('2224 m')
    expect(await placeOf(machineId)).toMatchObject({ ...home, fix_lat: yard.lat, as_typed: 'Hall 3' })
    await tellAndWait(machineId, home)
    await look(machineId)
    expect(await alarmsOf(owner)).toMatchObject([{ state: 'cleared', count: 1 }])
  })

  test('is shown with both places to its people, and with none to those who hide the map', async () => {
    const owner = await site.createUser()
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await pinHome(machineId)
    await tellAndWait(machineId, yard)
    const read = () => site.as(owner).call(places.getPlace, { machineID: machineId })
    expect(await read()).toMatchObject({ isMoved: false, movedFrom: null })
    aheadMs += 10 * minuteMs
    await look(machineId)
    expect(await read()).toMatchObject({ isMoved: true, movedFrom: home, suggestion: yard })
    await site.as(owner).call(accounts.setHideMap, { hideMap: true })
    expect(await read()).toMatchObject({ isMoved: false, movedFrom: null, suggestion: null })
  })

  test('has it also if it says nothing more, until a key sets its place', async () => {
    const owner = await site.createUser()
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await pinHome(machineId)
    await tellAndWait(machineId, yard)
    await look(machineId)
    expect(await alarmsOf(owner)).toEqual([])
    aheadMs += 10 * minuteMs
    await Promise.all([look(machineId), look(machineId)])
    expect(await alarmsOf(owner)).toMatchObject([{ state: 'active', count: 1 }])
    const moved = await site.db
      .selectFrom('facts')
      .select('payload')
      .where('kind', '=', 'machine.moved')
      .where('machine_id', '=', machineId)
      .execute()
    expect(moved).toMatchObject([{ payload: { metres: 2224 } }])
    await within((trx) => changes.pinPlace(trx, machineId, { ...yard, source: 'gps', accuracyM: 10 }))
    expect(await alarmsOf(owner)).toMatchObject([{ state: 'cleared' }])
    await tellAndWait(machineId, yard)
    aheadMs += 10 * minuteMs
    await look(machineId)
    expect(await alarmsOf(owner)).toMatchObject([{ state: 'cleared' }])
  })
})

describe('the history', () => {
  test('has after a week the first, the last and each place 100 m on, and ends with hour averages', async () => {
    const { machineId } = await site.createMachine()
    const begin = Math.floor((now() - 20 * dayMs) / dayMs) * dayMs
    const past = (at: number, metres: number, more = {}) => ({
      ...{
        machine_id: machineId,
        at: new Date(at),
        lat: 31 + metres / 111_195,
        lng: 121,
        source: 'gps',
        ...more,
      },
    })
    const rows = [
      past(begin, 0),
      past(begin + 1, 60),
      past(begin + 2, 110, { source: 'manual' }),
      past(begin + 3, 5_000, { implausible: 'jump' }),
      past(begin + 4, 150),
      past(begin + 5, 220),
      past(begin + 6, 230),
      past(now() - dayMs, 0),
      past(now() - 5 * 365 * dayMs - minuteMs, 0),
    ]
    await within((trx) => changes.setMovedAfter(trx, machineId, null))
    await site.db.insertInto('machine_place_history').values(rows).execute()
    const thin = async () => {
      const { signal } = new AbortController()
      await thinPlaces(site.db, usualLengths, { now: now(), previous: undefined, signal })
      return (await historyOf(machineId)).map(({ at }) => at.getTime() - begin)
    }
    const kept = [0, 2, 5, 6, (rows[7]?.at.getTime() ?? 0) - begin]
    expect(await thin()).toEqual(kept)
    expect(await thin()).toEqual(kept)
  })
})
