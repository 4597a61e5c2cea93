import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  ApiError,
  alarms,
  type PlaceSource,
  places,
  platformAlarms,
  type RequestOf,
  type Route,
} from '@busbar/contract'
import { createTestDatabase, createUser, type TestPlatform, type TestUser } from '@busbar/testkit'
import { createMachine } from '@busbar/testkit/builders.ts'
import { startTestPlatformOn } from '@busbar/testkit/platform.ts'
import { sql } from 'kysely'
import { withClient, withTransaction } from '../../src/kernel/database/database.ts'
import { type Answer, failures, json, openStandIn } from '../../src/kernel/outgoing-http/testing/stand-in.ts'
import { createAccess } from '../../src/modules/access/index.ts'
import { mergeAttributes } from '../../src/modules/machine-register/index.ts'
import { convertPoint, type Point } from '../../src/modules/places/coordinates.ts'
import { PlaceChanges } from '../../src/modules/places/place-changes.ts'
import { openEmbedded } from '../../src/modules/places/providers/embedded.ts'
import { deviceOf } from '../../src/modules/places/providers/read-signals.ts'
import type { History, Round } from '../histories/history.ts'
import type { Random } from '../histories/random.ts'
import { uncounted } from '../http/uncounted.ts'
import {
  type Answered,
  accept,
  chooseAutomatic,
  type Found,
  find,
  type Model,
  newModel,
  pass,
  pin,
  refresh,
  setMovedAfter,
} from './place-model.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const home: Point = { lat: 31.23, lng: 121.47 }
const berlin: Point = { lat: 52.52, lng: 13.4 }
const degreeM = 111_195
const address = '202.96.209.5'
const zones = ['Asia/Shanghai', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'] as const
const stepsAtOnce = 6
const settledMsMax = 20_000

const north = (metres: number): Point => ({ lat: home.lat + metres / degreeM, lng: home.lng })

/** Two platforms on one database, whose clock the histories move on, and the operator's provider. */
export interface Rig {
  readonly platforms: readonly [TestPlatform, TestPlatform]
  readonly changes: PlaceChanges
  readonly clock: { now: number }
  readonly provider: { answer: Answer }
  /** Where the network address is. */
  readonly city: Point & { readonly accuracy: number }
  stop(): Promise<void>
}

export async function openRig(): Promise<Rig> {
  const clock = { now: Date.now() }
  const now = () => clock.now
  const provider: Rig['provider'] = { answer: json({}) }
  const amap = await openStandIn((...exchange) => provider.answer(...exchange))
  const keyFile = join(tmpdir(), `busbar-place-histories-key-${process.pid}`)
  await writeFile(keyFile, 'secretKey')
  const env = { AMAP_POSITION_KEY_FILE: keyFile, AMAP_POSITION_URL: amap.url }
  const database = await createTestDatabase({ poolMax: 12 })
  const start = (nodeId: string) =>
    startTestPlatformOn(database, env, { now, rateCounters: uncounted, nodeId })
  const [first, second] = [await start('first'), await start('second')]
  const located = await openEmbedded().locate({ device: deviceOf('1'), ip: address })
  if (!located) throw new Error(`nobody knows where ${address} is`)
  const { lat, lng, accuracyM } = located
  return {
    platforms: [first, second],
    changes: new PlaceChanges({ access: createAccess(database.db), facts: first.platform.facts, now }),
    ...{ clock, provider },
    city: { lat, lng, accuracy: Math.round(accuracyM * 10) / 10 },
    async stop() {
      amap.close()
      await first.stop()
      await second.stop()
      await database.drop()
    },
  }
}

/** The answer of the provider when it is asked. */
type Mode =
  | { readonly kind: 'finds'; readonly point: Point; readonly radius: number }
  | { readonly kind: 'knowsNothing' }
  | { readonly kind: 'radius0' }
  | { readonly kind: 'slow' }
  | { readonly kind: 'fails'; readonly failure: number }

type Step =
  | { readonly kind: 'told'; readonly fix: Found }
  | { readonly kind: 'found'; readonly fix: Found }
  | { readonly kind: 'hears'; readonly signals: readonly ('wifi' | 'cells')[] }
  | { readonly kind: 'connects' }
  | { readonly kind: 'refresh'; readonly mode: Mode }
  | { readonly kind: 'pins'; readonly point: Point; readonly isSearched: boolean }
  | { readonly kind: 'accepts'; readonly fixedAt: number }
  | { readonly kind: 'automatic'; readonly way: 1 | 2 | 3 | 4 }
  | { readonly kind: 'movedAfter'; readonly movedAfterM: number | null }

interface World {
  readonly rig: Rig
  readonly owner: TestUser
  readonly machineId: number
  readonly startedAt: number
  zone: string
  /** All that may be now: steps of a moment happen in any order. */
  models: Model[]
  /** When the machine told each of the signals last; `gps` as it was told. */
  heard: { wifi?: number; cells?: number; gps?: Found & { readonly toldAt: number }; isConnected: boolean }
}

const accuracies = [5, 30, 150, 800, 5_000, null] as const
const distances = [0, 20, 400, 520, 700, 3_000, 20_000] as const

function drawFix({ rig: { clock } }: World, random: Random, source: PlaceSource): Found {
  const times = [0, 0, 0, 0, -minuteMs, -30 * minuteMs, 4 * minuteMs, 6 * minuteMs] as const
  const odd = [{}, {}, {}, {}, {}, {}, { lat: 95 }, { lat: 0, lng: 0 }, north(600_000)] as const
  return {
    ...north(random.pick(distances)),
    accuracy: random.pick(accuracies),
    source,
    at: clock.now + random.pick(times),
    ...random.pick(odd),
  }
}

function drawMode(random: Random): Mode {
  const drawn = random.below(100)
  const finds = (point: Point, radius: number): Mode => ({ kind: 'finds', point, radius })
  if (drawn < 55) return finds(north(random.pick(distances)), random.pick([25, 800, 3_000] as const))
  if (drawn < 65) return finds(berlin, 30)
  if (drawn < 73) return { kind: 'knowsNothing' }
  if (drawn < 80) return { kind: 'radius0' }
  if (drawn < 81) return { kind: 'slow' }
  return { kind: 'fails', failure: random.below(failures.length) }
}

const acts: History<World, Step>['acts'] = {
  told: {
    weight: 6,
    draw: (world, random) => ({ kind: 'told', fix: drawFix(world, random, 'gps') }),
  },
  found: {
    weight: 10,
    draw: (world, random) => ({
      kind: 'found',
      fix: drawFix(world, random, random.pick(['gps', 'wifi', 'cells', 'ip'] as const)),
    }),
  },
  hears: {
    weight: 3,
    draw: (_, random) => ({
      kind: 'hears',
      signals: random.pick<readonly ('wifi' | 'cells')[]>([['wifi'], ['cells'], ['wifi', 'cells']]),
    }),
  },
  connects: {
    weight: 1,
    draw: ({ heard }, random) => (heard.isConnected || random.chance(0.7) ? undefined : { kind: 'connects' }),
  },
  refresh: { weight: 12, draw: (_, random) => ({ kind: 'refresh', mode: drawMode(random) }) },
  pins: {
    weight: 3,
    draw: (_, random) => ({
      kind: 'pins',
      point: north(random.pick(distances)),
      isSearched: random.chance(0.3),
    }),
  },
  accepts: {
    weight: 3,
    draw({ models }, random) {
      const at = models[0]?.newest?.at
      return at === undefined ? undefined : { kind: 'accepts', fixedAt: at - (random.chance(0.2) ? 1 : 0) }
    },
  },
  automatic: {
    weight: 2,
    draw: (_, random) => ({ kind: 'automatic', way: random.pick([1, 2, 3, 4] as const) }),
  },
  movedAfter: {
    weight: 2,
    draw: (_, random) => ({
      kind: 'movedAfter',
      movedAfterM: random.pick([null, 100, 500, 500, 2_000] as const),
    }),
  },
}

/** Refreshes are at once with refreshes that ask the same; the others once each, since all happens in one millisecond. */
function fits(step: Step, others: readonly Step[]): boolean {
  const [first] = others
  if (!first) return true
  if (step.kind === 'refresh' || first.kind === 'refresh')
    return step.kind === first.kind && isDeepStrictEqual(step, first)
  return others.length < 3 && others.every(({ kind }) => kind !== step.kind)
}

/** Places, refreshes, history and alarms of one machine. */
export const placeHistory = (rig: () => Rig): History<World, Step> => ({
  acts,
  fits,
  atOnceMax: stepsAtOnce,
  async open(random) {
    const { platforms, clock } = rig()
    const { db } = platforms[0]
    clock.now = Date.now()
    const owner = await createUser(db)
    const { machineId } = await createMachine(db, { owner: owner.userId })
    const world: World = {
      ...{ rig: rig(), owner, machineId, zone: 'Asia/Shanghai', startedAt: clock.now },
      models: [newModel()],
      heard: { isConnected: false },
    }
    await moveTo(world, random.pick(zones))
    return world
  },
  async pass(world, random) {
    const { clock, platforms, changes } = world.rig
    clock.now = random.chance(0.15) ? beforeMidnight(world) : clock.now + drawPause(random)
    if (random.chance(0.05)) await moveTo(world, random.pick(zones))
    await withTransaction(platforms[0].db, (trx) => changes.look(trx, world.machineId))
    for (const model of world.models) pass(model, clock.now)
  },
  async play(world, round) {
    const steps = repeatRefresh(round)
    const before = structuredClone(world.models)
    console.info(new Date().toISOString(), world.models.length, steps.length, steps[0]?.kind)
    world.rig.provider.answer = answerOf(steps)
    const outcomes = await Promise.all(steps.map((step, place) => doStep(world, step, place)))
    for (const [place, { kind }] of steps.entries()) round.note(`${kind} ${outcomes[place] ?? 'ok'}`)
    const seen = await readSeen(world)
    const expected = world.models.flatMap((model) => playModel(world, model, steps))
    const same = expected.filter(
      ({ model, refusals }) =>
        areOutcomes(world, steps, refusals, outcomes) && isDeepStrictEqual(seen, seeModel(world, model)),
    )
    world.models = [...new Map(same.map(({ model }) => [JSON.stringify(model), model])).values()]
    if (same.length > 0) return []
    const tellOne = ({ model, refusals }: (typeof expected)[number]) =>
      `expected ${JSON.stringify(refusals)}, ${tellDifference(seen, seeModel(world, model))}`
    return [
      `${JSON.stringify(steps)} at ${world.rig.clock.now}, ${world.zone}, heard ${JSON.stringify(world.heard)}`,
      ...new Set(before.map(({ history: _, ...rest }) => `before: ${JSON.stringify(rest)}`)),
      `answered ${JSON.stringify(outcomes)}`,
      ...new Set(expected.map(tellOne)),
    ]
  },
})

function tellDifference(seen: Seen, expected: Seen): string {
  const names = Object.keys(seen) as (keyof Seen)[]
  const other = names.filter((name) => !isDeepStrictEqual(seen[name], expected[name]))
  return other
    .map((name) => {
      if (name !== 'history')
        return `${name} is ${JSON.stringify(seen[name])}, expected ${JSON.stringify(expected[name])}`
      const lacks = (rows: Seen['history'], row: Seen['history'][number]) =>
        !rows.some((each) => isDeepStrictEqual(each, row))
      const more = seen.history.filter((row) => lacks(expected.history, row))
      const fewer = expected.history.filter((row) => lacks(seen.history, row))
      return `history has also ${JSON.stringify(more)} and lacks ${JSON.stringify(fewer)}`
    })
    .join('; ')
}

/** A refresh is drawn alone most of the time, since others seldom ask the same: several are then pressed at once. */
function repeatRefresh({ steps, random }: Round<Step>): Step[] {
  const [first] = steps
  if (first?.kind !== 'refresh' || first.mode.kind === 'slow') return [...steps]
  const times = random.pick([1, 1, 1, 2, 3, stepsAtOnce] as const)
  return Array.from({ length: times }, () => first)
}

/** A provider that failed rests for less. */
const drawPause = (random: Random): number =>
  minuteMs +
  1_000 +
  random.below(random.pick([5 * minuteMs, 5 * minuteMs, 15 * minuteMs, 5 * hourMs] as const))

const dayIn = (zone: string, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)

/** The last minutes of the owner's day, at least one from now. */
function beforeMidnight({ rig: { clock }, zone }: World): number {
  const from = clock.now + minuteMs + 1_000
  let at = from
  while (dayIn(zone, at) === dayIn(zone, from)) at += hourMs
  while (dayIn(zone, at) !== dayIn(zone, from)) at -= minuteMs
  return Math.max(at, from)
}

async function moveTo(world: World, zone: string): Promise<void> {
  world.zone = zone
  await world.rig.platforms[0].db
    .updateTable('users')
    .set({ time_zone: zone })
    .where('id', '=', world.owner.userId)
    .execute()
}

const drawnIn = (point: Point): string => {
  const { lat, lng } = convertPoint(point, 'wgs84', 'gcj02')
  return `${lng},${lat}`
}

function answerOf(steps: readonly Step[]): Answer {
  const [first] = steps
  if (first?.kind !== 'refresh') return json({ status: '1', info: 'OK', result: { type: '0' } })
  const { mode } = first
  const at = (point: Point, radius: number) =>
    json({
      status: '1',
      info: 'OK',
      result: { type: '4', location: drawnIn(point), radius: String(radius) },
    })
  switch (mode.kind) {
    case 'finds':
      return at(mode.point, mode.radius)
    case 'radius0':
      return at(home, 0)
    case 'knowsNothing':
      return json({ status: '1', info: 'OK', result: { type: '0' } })
    case 'slow':
      return () => undefined
    case 'fails':
      return (failures[mode.failure] as (typeof failures)[number])[2]
  }
}

const codes: Readonly<Record<string, string>> = {
  ...{ refused: 'PLACE_PROVIDER_REFUSED', busy: 'PLACE_PROVIDER_BUSY' },
  ...{ unreachable: 'PLACE_PROVIDER_UNREACHABLE', wrongAnswer: 'PLACE_PROVIDER_WRONG' },
}

/** By each way that the machine told something for in the last day. */
function answersOf({ heard, rig: { clock, city } }: World, mode: Mode): Map<number, Answered> {
  const { gps } = heard
  const isNew = (at: number | undefined): at is number => at !== undefined && clock.now - at < dayMs
  const byProvider = (source: 'wifi' | 'cells', at: number): Answered => {
    if (mode.kind === 'knowsNothing') return undefined
    if (mode.kind === 'radius0') return 'PLACE_WITHOUT_RADIUS'
    if (mode.kind === 'slow') return 'PLACE_PROVIDER_SLOW'
    if (mode.kind === 'fails') return codes[failures[mode.failure]?.[1] ?? '']
    const point = convertPoint(convertPoint(mode.point, 'wgs84', 'gcj02'), 'gcj02', 'wgs84')
    return { ...point, accuracy: mode.radius, source, at }
  }
  const isReal = gps && Math.abs(gps.lat) <= 90 && (gps.lat !== 0 || gps.lng !== 0)
  const answers = new Map<number, Answered>()
  if (gps && isReal && isNew(gps.toldAt)) {
    const { toldAt: _, ...fix } = gps
    answers.set(1, fix)
  }
  if (isNew(heard.wifi)) answers.set(2, byProvider('wifi', heard.wifi))
  if (isNew(heard.cells)) answers.set(3, byProvider('cells', heard.cells))
  if (heard.isConnected) answers.set(4, { ...city, source: 'ip', at: clock.now })
  return answers
}

/** The answers and the ends that these steps of one moment may have: one for each order. */
function playModel(world: World, before: Model, steps: readonly Step[]) {
  const { now } = world.rig.clock
  const day = dayIn(world.zone, now)
  const playOne = (model: Model, step: Step): string | undefined => {
    switch (step.kind) {
      case 'told':
      case 'found':
        find(model, step.fix, now)
        return
      case 'hears':
      case 'connects':
        return
      case 'refresh':
        return refresh(model, answersOf(world, step.mode), day, now)
      case 'pins': {
        const source = step.isSearched ? 'search' : 'manual'
        pin(model, { ...step.point, accuracy: null, source, at: now })
        return
      }
      case 'accepts':
        return accept(model, step.fixedAt, now) ? undefined : 'PLACE_SUGGESTION_GONE'
      case 'automatic':
        chooseAutomatic(model, step.way)
        return
      case 'movedAfter':
        setMovedAfter(model, step.movedAfterM)
    }
  }
  return ordersOf(steps).map((order) => {
    const model = structuredClone(before)
    const refusals: (string | undefined)[] = steps.map(() => undefined)
    for (const place of order) {
      refusals[place] = playOne(model, steps[place] as Step)
      pass(model, now)
    }
    return { model, refusals }
  })
}

/** All orders; that of refreshes which ask the same does not matter. */
function ordersOf(steps: readonly Step[]): number[][] {
  const permute = (left: readonly number[]): number[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((place) =>
          permute(left.filter((other) => other !== place)).map((rest) => [place, ...rest]),
        )
  return steps[0]?.kind === 'refresh' ? [[...steps.keys()]] : permute([...steps.keys()])
}

type Outcomes = readonly (string | undefined)[]

/**
 * Whether steps were answered so. Of refreshes at once anybody may be the one that gets none. Where none finds a place, one
 * may be told that there is none left while another has the last, or that nobody knows once the provider rests.
 */
function areOutcomes({ models }: World, steps: readonly Step[], expected: Outcomes, outcomes: Outcomes) {
  if (steps.length === 1 || steps[0]?.kind !== 'refresh') return isDeepStrictEqual(expected, outcomes)
  const count = (all: Outcomes) => all.filter((outcome) => outcome === undefined).length
  if (count(expected) !== count(outcomes)) return false
  const isFree = models.some(({ used }) => Object.values(used).every((times) => times + steps.length <= 5))
  const others = isFree ? ['LOCATION_UNAVAILABLE'] : ['LOCATION_UNAVAILABLE', 'PLACE_REFRESHES_USED']
  const isTaken = count(expected) > 0
  const allowed = isTaken ? expected : [...expected, ...others]
  return outcomes.every((outcome) => allowed.includes(outcome))
}

/** Does a step on one of the platforms; the code with which it was refused. */
async function doStep(world: World, step: Step, place: number): Promise<string | undefined> {
  const { rig, owner, machineId, heard } = world
  const { db } = rig.platforms[0]
  const { now } = rig.clock
  const machineID = machineId
  const platform = rig.platforms[place % 2] ?? rig.platforms[0]
  const call = async <R extends Route>(route: R, request: RequestOf<R>): Promise<string | undefined> => {
    try {
      await platform.as(owner).call(route, request)
      return undefined
    } catch (error) {
      if (error instanceof ApiError) return error.code
      throw error
    }
  }
  switch (step.kind) {
    case 'told': {
      const { lat, lng, accuracy, at } = step.fix
      heard.gps = { ...step.fix, toldAt: now }
      const gps = { lat, lng, at, ...(accuracy === null ? {} : { accuracy }) }
      await withClient(db, (client) =>
        mergeAttributes(client, [{ machineId, attributes: { gps }, receivedAt: now }]),
      )
      await told(world)
      return
    }
    case 'found': {
      const { accuracy: accuracyM, source, ...fix } = step.fix
      if (source === 'manual' || source === 'search') throw new Error('a fix is found by no person')
      await withTransaction(db, (trx) => rig.changes.applyFix(trx, machineId, { ...fix, accuracyM, source }))
      return
    }
    case 'hears':
      for (const signal of step.signals) heard[signal] = now
      await hear(world, step.signals)
      return
    case 'connects':
      heard.isConnected = true
      await sql`insert into machine_connections (machine_id, protocol, address, started_at, last_seen_at)
                values (${machineId}, 'json', ${address}, ${new Date(now)}, ${new Date(now)})`.execute(db)
      return
    case 'refresh':
      return call(places.refreshPlace, { machineID })
    case 'pins':
      return call(places.setMachineLocation, { machineID, type: step.isSearched ? 3 : 2, ...step.point })
    case 'accepts':
      return call(places.acceptSuggestion, { machineID, fixedAt: step.fixedAt })
    case 'automatic':
      return call(places.setAutoLocationWay, { machineID, way: step.way })
    case 'movedAfter':
      return call(places.setMovedAfter, { machineID, movedAfterM: step.movedAfterM })
  }
}

/** Waits until a platform took what the machine told. */
async function told({ rig, machineId }: World): Promise<void> {
  const endsAt = performance.now() + settledMsMax
  for (;;) {
    const { rows } = await sql`
      select from told_places where machine_id = ${machineId} and fresh <> '{}'`.execute(rig.platforms[0].db)
    if (rows.length === 0) return
    if (performance.now() > endsAt) throw new Error('what the machine told is not taken')
    await sleep(20)
  }
}

/** The news that the machine tells, which wait for a refresh. */
async function hear({ rig, machineId }: World, signals: readonly ('wifi' | 'cells')[]): Promise<void> {
  const { now } = rig.clock
  const values = {
    wifi: [
      { mac: '22:27:1d:20:08:d5', signalDbm: -55 },
      { mac: '5c:63:bf:a4:bf:56', signalDbm: -86 },
    ],
    cells: [{ radio: 'lte', mcc: 460, mnc: 1, tac: 40977, cellId: 2205409, signalDbm: -65 }],
  }
  const heard = Object.fromEntries(signals.map((signal) => [signal, values[signal]]))
  const times = Object.fromEntries(signals.map((signal) => [signal, now]))
  await sql`insert into told_places as noted (machine_id, told, told_at, fresh)
            values (${machineId}, ${JSON.stringify({ ...heard, at: times })}, ${new Date(now)}, '{}')
            on conflict (machine_id) do update
              set told = noted.told || excluded.told
                  || jsonb_build_object('at', coalesce(noted.told -> 'at', '{}') || (excluded.told -> 'at')),
                told_at = excluded.told_at`.execute(rig.platforms[0].db)
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6
const see = ({ lat, lng, accuracy, source, at }: Found) => ({
  ...{ lat: round(lat), lng: round(lng), accuracy, source, at },
})
const sorted = <Row extends object>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

type Seen = Awaited<ReturnType<typeof readSeen>>

/** All that the owner is shown. */
async function readSeen({ rig: { platforms, clock }, owner, machineId, zone }: World) {
  const client = platforms[1].as(owner)
  const { db } = platforms[1]
  const machineID = machineId
  const { place, suggestion, type, way, refreshes, movedAfterM, isMoved } = await client.call(
    places.getPlace,
    {
      machineID,
    },
  )
  const { list } = await client.call(places.listPlaceHistory, {
    ...{ machineID, from: 0, until: clock.now + hourMs },
  })
  const rows = (await client.call(alarms.listAlarms, { machineId })).list
  const facts = await sql<{ metres: number }>`
    select (payload ->> 'metres')::int as metres from facts
    where kind = 'machine.moved' and machine_id = ${machineId} order by id`.execute(db)
  const present = (fix: typeof place) => (fix ? see({ ...fix, at: fix.fixedAt }) : null)
  const today = dayIn(zone, clock.now)
  return {
    ...{ place: present(place), suggestion: present(suggestion), type, way, movedAfterM, isMoved },
    used: [refreshes.used, refreshes.left],
    isResetAtMidnight:
      dayIn(zone, refreshes.resetAt - 1) === today && dayIn(zone, refreshes.resetAt) !== today,
    history: sorted(list.map(({ implausible, ...past }) => ({ ...see(past), implausible }))),
    openAlarms: rows.filter(({ key, state }) => key === platformAlarms.moved.key && state === 'active')
      .length,
    moves: facts.rows.map(({ metres }) => metres),
  }
}

function seeModel({ rig: { clock }, zone }: World, model: Model): Seen {
  const { place, newest, byHand, way, movedAfterM, isMoved, history, moves } = model
  const used = model.used[dayIn(zone, clock.now)] ?? 0
  return {
    ...{ place: place && see(place), suggestion: byHand && newest ? see(newest) : null },
    ...{ type: byHand ?? 1, way: (way ?? null) as 1 | null, movedAfterM, isMoved },
    used: [used, 5 - used],
    isResetAtMidnight: true,
    history: sorted(history.map(({ implausible, ...past }) => ({ ...see(past), implausible }))),
    ...{ openAlarms: isMoved ? 1 : 0, moves },
  }
}
