import { firstPlaceType, metresBetween, placeTypes } from '@busbar/contract'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { describe, expect, test } from 'vitest'
import { createRandom, type Random } from '../../../test-support/histories/random.ts'
import type { Point } from './coordinates.ts'
import {
  applyPlaceEvent,
  type Fix,
  type Implausible,
  noPlace,
  type Place,
  type PlaceEvent,
  type PlaceState,
} from './place-rules.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const start = Date.parse('2026-11-29T08:00:00Z')
const home: Point = { lat: 31.23, lng: 121.47 }
/** A degree of latitude, in metres. */
const degreeM = 111_195

const north = (metres: number, of: Point = home): Point => ({ lat: of.lat + metres / degreeM, lng: of.lng })

const fixAt = (at: number, metres = 0, more: Partial<Fix> = {}): Fix => ({
  ...north(metres),
  accuracyM: 10,
  source: 'gps',
  at: start + at,
  ...more,
})
const fixed = (fix: Fix): PlaceEvent => ({ kind: 'fixed', fix })
const pinned = (at: number, metres = 0): PlaceEvent => ({
  kind: 'pinned',
  type: placeTypes.manual,
  place: { ...north(metres), accuracyM: null, source: 'manual', at: start + at },
})
const chosen = (type: PlaceState['type']): PlaceEvent => ({ kind: 'typeChosen', type })

type Apply = typeof applyPlaceEvent

/** The state after events, each with its time since the start. */
const after = (
  events: readonly (readonly [at: number, event: PlaceEvent])[],
  apply: Apply = applyPlaceEvent,
) => events.reduce((state, [at, event]) => apply(state, event, start + at).state, noPlace)

const auto = [0, chosen(placeTypes.auto)] as const

describe('with automatic places', () => {
  test('a machine that nobody placed stayed off the map, however often it told its place', () => {
    const first = fixAt(0)
    expect(after([[0, fixed(first)]])).toMatchObject({ place: first, type: placeTypes.auto })
  })

  test('a fix is the place, and a coarser one of the same place is not for a day', () => {
    const [first, coarse] = [fixAt(0), fixAt(hourMs, 300, { accuracyM: 800, source: 'wifi' })]
    const state = after([auto, [0, fixed(first)], [hourMs, fixed(coarse)]])
    expect(state).toMatchObject({ place: first, fix: coarse })
    const later = { ...coarse, at: first.at + 24 * hourMs }
    expect(after([auto, [0, fixed(first)], [24 * hourMs, fixed(later)]]).place).toEqual(later)
    // One that is elsewhere is news, however coarse it is.
    const elsewhere = fixAt(hourMs, 900, { accuracyM: 800, source: 'wifi' })
    expect(after([auto, [0, fixed(first)], [hourMs, fixed(elsewhere)]]).place).toEqual(elsewhere)
  })

  test('an older fix changes nothing, in whatever order they come', () => {
    const [newer, older] = [fixAt(hourMs, 100), fixAt(0)]
    const inOrder = after([auto, [hourMs, fixed(newer)]])
    expect(after([auto, [hourMs, fixed(newer)], [hourMs, fixed(older)]])).toEqual(inOrder)
  })
})

describe('a pin', () => {
  test.each([placeTypes.manual, placeTypes.search])(
    'of type %i is kept; a fix is a suggestion beside it',
    (type) => {
      const place: Place = { ...home, accuracyM: null, source: type === 2 ? 'manual' : 'search', at: start }
      const fix = fixAt(hourMs, 40)
      const state = after([
        [0, { kind: 'pinned', type, place }],
        [hourMs, fixed(fix)],
      ])
      expect(state).toMatchObject({ place, fix, type })
    },
  )

  test('is left when the key chooses automatic places, for a fix that says something new', () => {
    const fix = fixAt(25 * hourMs, 40)
    const state = after([
      [0, pinned(0)],
      [25 * hourMs, fixed(fix)],
      [25 * hourMs, chosen(placeTypes.auto)],
    ])
    expect(state.place).toEqual(fix)
  })
})

describe('a fix is not believed', () => {
  const doubtOf = (fix: Fix) =>
    applyPlaceEvent(after([auto, [0, fixed(fixAt(0))]]), fixed(fix), start + hourMs).implausible
  test.each<[Implausible | null, Fix]>([
    ['range', fixAt(hourMs, 0, { lat: 91 })],
    ['range', fixAt(hourMs, 0, { lng: -180.5 })],
    ['zero', fixAt(hourMs, 0, { lat: 0, lng: 0 })],
    [null, fixAt(hourMs, 0, { lat: 0, lng: 100, source: 'ip' })],
    ['future', fixAt(hourMs + 5 * minuteMs + 1)],
    [null, fixAt(hourMs + 5 * minuteMs)],
    ['jump', fixAt(minuteMs, 501_000)],
    [null, fixAt(minuteMs, 499_000)],
    [null, fixAt(3 * minuteMs, 1_400_000)],
    ['jump', fixAt(1, 501_000)],
    [null, fixAt(-1, 900_000)],
  ])('as %s: %o', (expected, fix) => {
    expect(doubtOf(fix)).toBe(expected)
  })

  test('and changes nothing then', () => {
    const state = after([auto, [0, fixed(fixAt(0))]])
    expect(applyPlaceEvent(state, fixed(fixAt(1, 0, { lat: 91 })), start + hourMs).state).toBe(state)
  })
})

describe('a machine is moved', () => {
  const away = (at: number, metres = 600): readonly [number, PlaceEvent] => [at, fixed(fixAt(at, metres))]

  test('after ten minutes away, with the next fix or without one', () => {
    const gone = [[0, pinned(0)], away(minuteMs)] as const
    const looked = (at: number) => after([...gone, [at, { kind: 'looked' }]]).isMoved
    expect([looked(11 * minuteMs - 1), looked(11 * minuteMs)]).toEqual([false, true])
    expect(after([...gone, away(11 * minuteMs)]).isMoved).toBe(true)
  })

  test('not within its accuracy, and not when a fix in between says that it is back', () => {
    const exact = (metres: number, accuracyM: number) =>
      after([
        [0, pinned(0)],
        [1, fixed(fixAt(1, metres, { accuracyM }))],
      ]).awaySince !== null
    expect([exact(505, 10), exact(515, 10), exact(1_000, 600)]).toEqual([false, true, false])
    const events = [[0, pinned(0)], away(minuteMs), [5 * minuteMs, fixed(fixAt(5 * minuteMs, 20))]] as const
    expect(after([...events, away(11 * minuteMs)]).isMoved).toBe(false)
  })

  test('also where a coarse fix in between reaches back to its place', () => {
    const coarse = fixAt(5 * minuteMs, 3_000, { accuracyM: 5_000, source: 'cells' })
    const events = [[0, pinned(0)], away(minuteMs), [5 * minuteMs, fixed(coarse)]] as const
    expect(after([...events, [11 * minuteMs, { kind: 'looked' }]]).isMoved).toBe(true)
  })

  test('until it is back, or a key sets its place or another distance', () => {
    const moved = [[0, pinned(0)], away(minuteMs), away(12 * minuteMs)] as const
    expect(after(moved).isMoved).toBe(true)
    const ends: PlaceEvent[] = [
      fixed(fixAt(13 * minuteMs, 100)),
      pinned(13 * minuteMs, 600),
      { kind: 'movedAfterSet', movedAfterM: 1_000 },
      { kind: 'movedAfterSet', movedAfterM: null },
    ]
    for (const end of ends)
      expect(after([...moved, [13 * minuteMs, end]])).toMatchObject({ isMoved: false, awaySince: null })
    expect(after([...moved, [13 * minuteMs, { kind: 'movedAfterSet', movedAfterM: 500 }]]).isMoved).toBe(true)
  })

  test('not by a fix from before its place was set, which came afterwards', () => {
    const late = fixed(fixAt(0, 9_000))
    const events = [
      [hourMs, pinned(hourMs)],
      [hourMs + 1, late],
      [2 * hourMs, { kind: 'looked' }],
    ] as const
    expect(after(events)).toMatchObject({ isMoved: false, awaySince: null, fix: { at: start } })
  })

  test('by a slow drift as well: with automatic places too the distance is from the first one', () => {
    const steps = Array.from({ length: 30 }, (_, step): readonly [number, PlaceEvent] =>
      away(step * minuteMs, step * 30),
    )
    const state = after([auto, ...steps])
    expect(state).toMatchObject({ isMoved: true, anchor: { lat: home.lat } })
  })

  test('never with the watch off', () => {
    const off: PlaceEvent = { kind: 'movedAfterSet', movedAfterM: null }
    expect(after([[0, pinned(0)], [0, off], away(minuteMs, 9_000), away(hourMs, 9_000)]).isMoved).toBe(false)
  })
})

/* Random histories: the outcome of each is told again from the whole list of its events, in other words. */

interface Step {
  readonly now: number
  readonly event: PlaceEvent
}

function randomStep(random: Random, before: number, isByPeople: boolean): Step {
  const now = before + random.below(8 * minuteMs)
  const metres = random.pick([0, 20, 400, 520, 700, 3_000, 600_000] as const)
  const accuracyM = random.pick([5, 30, 150, 800, 5_000, null] as const)
  const kind = random.below(100)
  if (kind < 4 && !isByPeople) return { now, event: chosen(random.pick([1, 2, 3] as const)) }
  if (kind < 8) return { now, event: pinned(now - start, metres) }
  if (kind < 11)
    return {
      now,
      event: { kind: 'movedAfterSet', movedAfterM: random.pick([null, 100, 500, 2_000] as const) },
    }
  if (kind < 20) return { now, event: { kind: 'looked' } }
  const at =
    now - start + random.pick([0, 0, 0, -minuteMs, -30 * minuteMs, 4 * minuteMs, 6 * minuteMs] as const)
  const odd = random.pick([{}, {}, {}, {}, { lat: 95 }, { lat: 0, lng: 0 }] as const)
  const source = random.pick(['gps', 'wifi', 'cells', 'ip'] as const)
  return { now, event: fixed(fixAt(at, metres, { accuracyM, source, ...odd })) }
}

const radiusOf = ({ accuracyM, source }: Place): number =>
  accuracyM ?? { manual: 0, search: 0, gps: 50, wifi: 200, cells: 2_000, ip: 50_000 }[source]

/** The fixes that are believed and newer than all before them, each with the time it came. */
function believed(steps: readonly Step[]): { readonly step: Step; readonly fix: Fix }[] {
  const found: { step: Step; fix: Fix }[] = []
  for (const step of steps) {
    if (step.event.kind !== 'fixed') continue
    const { fix } = step.event
    const last = found.at(-1)?.fix
    if (Math.abs(fix.lat) > 90 || (fix.lat === 0 && fix.lng === 0) || fix.at > step.now + 5 * minuteMs)
      continue
    if (last && fix.at <= last.at) continue
    const minutes = last ? Math.max(1, (fix.at - last.at) / minuteMs) : 1
    if (last && metresBetween(fix, last) - radiusOf(fix) - radiusOf(last) > 500_000 * minutes) continue
    found.push({ step, fix })
  }
  return found
}

/** The end of a history: the place by the last person, or by the fixes since automatic places were chosen. */
function expectedOf(
  steps: readonly Step[],
  first: PlaceState['type'],
): Pick<PlaceState, 'place' | 'fix' | 'type' | 'movedAfterM'> {
  const fixes = new Map(believed(steps).map(({ step, fix }) => [step, fix]))
  let place: Place | null = null
  let fix: Fix | null = null
  let type = first
  let movedAfterM: number | null = 500
  for (const step of steps) {
    const { event } = step
    if (event.kind === 'pinned') ({ place, type } = event)
    if (event.kind === 'typeChosen') type = event.type
    if (event.kind === 'movedAfterSet') movedAfterM = event.movedAfterM
    fix = fixes.get(step) ?? fix
    const isAsked = fixes.has(step) || event.kind === 'typeChosen'
    if (type !== placeTypes.auto || !fix || !isAsked) continue
    const touches = place && metresBetween(place, fix) <= radiusOf(place) + radiusOf(fix)
    const isNews = !place || fix.at - place.at >= 24 * hourMs || radiusOf(fix) <= radiusOf(place) || !touches
    if (isNews) place = fix
  }
  return { place, fix, type, movedAfterM }
}

/**
 * Whether a machine that only people placed must count as moved: since when all fixes that could tell, after the last pin
 * or change of the distance, were away.
 */
function isMovedBy(steps: readonly Step[]): boolean {
  const fixes = new Map(believed(steps).map(({ step, fix }) => [step, fix]))
  let pin: Place | undefined
  let limit: number | null = 500
  let since: number | undefined
  let isMoved = false
  for (const step of steps) {
    const { event, now } = step
    const isOther = event.kind === 'movedAfterSet' && event.movedAfterM !== limit
    if (event.kind === 'movedAfterSet') limit = event.movedAfterM
    if (event.kind === 'pinned') pin = event.place
    const newest = fixes.get(step)
    const fix = newest && pin && newest.at < pin.at ? undefined : newest
    const metres = fix && pin ? metresBetween(fix, pin) - radiusOf(pin) : 0
    const isBack = fix && limit !== null && metres <= limit + Math.min(limit, radiusOf(fix))
    if (event.kind === 'pinned' || isOther || isBack) {
      since = undefined
      isMoved = false
    } else if (fix && pin && limit !== null && metres > limit + radiusOf(fix)) since ??= Math.min(fix.at, now)
    isMoved ||= since !== undefined && now - since >= 10 * minuteMs
  }
  return isMoved
}

/** Where a run differs from the model; undefined if it does not. */
function findDifference(apply: Apply, seed: number): string | undefined {
  const random = createRandom(seed)
  const isByPeople = random.chance(0.5)
  const steps: Step[] = []
  const first = isByPeople ? placeTypes.manual : firstPlaceType
  let state: PlaceState = { ...noPlace, type: first }
  for (let count = 0; count < 120; count++) {
    const before = state
    const step = randomStep(random, steps.at(-1)?.now ?? start, isByPeople)
    steps.push(step)
    state = apply(state, step.event, step.now).state
    const { place, fix, type, movedAfterM, awaySince, isMoved } = state
    const [shown, expected] = [{ place, fix, type, movedAfterM }, expectedOf(steps, first)]
    if (JSON.stringify(shown) !== JSON.stringify(expected))
      return `step ${count}: ${JSON.stringify({ step, shown, expected })}`
    if (isByPeople && isMoved !== isMovedBy(steps)) return `step ${count}: ${isMoved ? 'moved' : 'not moved'}`
    if (isMoved && awaySince === null) return `step ${count}: moved, and not away`
    if (step.event.kind === 'pinned' && (isMoved || awaySince !== null))
      return `step ${count}: away from its pin`
    if (step.event.kind === 'looked' && before.isMoved && !isMoved) return `step ${count}: back by the clock`
    if (movedAfterM === null && awaySince !== null) return `step ${count}: away with the watch off`
  }
  return undefined
}

describe('a random history of fixes, pins, choices and time', () => {
  const seeds = pickSeeds().flatMap((seed) => Array.from({ length: 20 }, (_, place) => seed * 1_000 + place))

  test('ends where the model ends, after each step', () => {
    for (const seed of seeds) expect(findDifference(applyPlaceEvent, seed), `seed ${seed}`).toBeUndefined()
  })

  const planted: Record<string, Apply> = {
    'a coarser fix moves a pin': (state, event, now) => {
      const outcome = applyPlaceEvent(state, event, now)
      const isCoarse =
        event.kind === 'fixed' && outcome.state.fix === event.fix && state.type !== placeTypes.auto
      return isCoarse ? { ...outcome, state: { ...outcome.state, place: event.fix } } : outcome
    },
    'an older fix becomes the newest': (state, event, now) => {
      const outcome = applyPlaceEvent(state, event, now)
      const isOlder = event.kind === 'fixed' && outcome.implausible === null
      return isOlder ? { ...outcome, state: { ...outcome.state, fix: event.fix } } : outcome
    },
    'a fix that is not believed is taken': (state, event, now) =>
      event.kind === 'fixed' && applyPlaceEvent(state, event, now).implausible === 'future'
        ? { state: { ...state, fix: event.fix }, implausible: null }
        : applyPlaceEvent(state, event, now),
    'a pin does not end a move': (state, event, now) => {
      const outcome = applyPlaceEvent(state, event, now)
      return { ...outcome, state: { ...outcome.state, isMoved: outcome.state.isMoved || state.isMoved } }
    },
    'time alone raises nothing': (state, event, now) =>
      event.kind === 'looked' ? { state, implausible: null } : applyPlaceEvent(state, event, now),
  }
  test.each(Object.entries(planted))('is told when %s', (_, apply) => {
    expect(seeds.some((seed) => findDifference(apply, seed) !== undefined)).toBe(true)
  })
})
