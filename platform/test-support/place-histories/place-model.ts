import { type ImplausibleReason, metresBetween, type PlaceSource } from '@busbar/contract'
import type { Point } from '../../src/modules/places/coordinates.ts'

/*
 * The rules of rules/places.md about one machine, told once more for a reader of that page. Nothing of the product's own rules is
 * used here.
 */

export interface Found extends Point {
  readonly accuracy: number | null
  readonly source: PlaceSource
  readonly at: number
}

export interface Past extends Found {
  readonly implausible: ImplausibleReason | null
}

/** All of one machine that the next event depends on; plain data, so that it can be copied. */
export interface Model {
  byHand: 2 | 3 | undefined
  way: number | undefined
  place: Found | null
  newest: Found | null
  anchor: (Point & { readonly accuracy: number }) | null
  movedAfterM: number | null
  awaySince: number | undefined
  isMoved: boolean
  /** The metres of each time that it was moved. */
  moves: number[]
  history: Past[]
  /** Refreshes by the day of the owner. */
  used: Record<string, number>
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const refreshesPerDay = 5
const farM = 3_000_000

export const newModel = (): Model => ({
  byHand: undefined,
  way: undefined,
  place: null,
  newest: null,
  anchor: null,
  movedAfterM: 500,
  awaySince: undefined,
  isMoved: false,
  moves: [],
  history: [],
  used: {},
})

const usual: Record<PlaceSource, number> = {
  ...{ manual: 0, search: 0, gps: 50, wifi: 200, cells: 2_000, ip: 50_000 },
}
const radiusOf = ({ accuracy, source }: Found): number => accuracy ?? usual[source]

/** Time passed until now: ten minutes away is moved. */
export function pass(model: Model, now: number): void {
  if (model.isMoved || model.awaySince === undefined || now - model.awaySince < 10 * minuteMs) return
  model.isMoved = true
  const { newest, anchor } = model
  model.moves.push(newest && anchor ? Math.round(metresBetween(newest, anchor)) : Number.NaN)
}

function keep(model: Model, past: Past): void {
  const isKept = model.history.some(
    ({ at, source, lat, lng }) =>
      at === past.at && source === past.source && lat === past.lat && lng === past.lng,
  )
  if (isKept) return
  model.history.push(past)
  // In one order, whichever of two in the same moment came first.
  model.history.sort((a, b) => a.at - b.at || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function comeBack(model: Model): void {
  model.awaySince = undefined
  model.isMoved = false
}

/** A place that was found. Answers why it is not believed. */
export function find(model: Model, fix: Found, now: number): ImplausibleReason | null {
  const implausible = doubt(model, fix, now)
  keep(model, { ...fix, at: implausible === 'future' ? now : fix.at, implausible })
  if (implausible || (model.newest && fix.at <= model.newest.at)) return implausible
  model.newest = fix
  if (!model.byHand) takePlace(model, fix)
  watch(model, fix, now)
  pass(model, now)
  return null
}

function doubt({ newest }: Model, fix: Found, now: number): ImplausibleReason | null {
  if (fix.lat < -90 || fix.lat > 90 || fix.lng < -180 || fix.lng > 180) return 'range'
  if (fix.lat === 0 && fix.lng === 0) return 'zero'
  if (fix.at - now > 5 * minuteMs) return 'future'
  if (!newest || fix.at <= newest.at) return null
  const minutes = Math.max(1, (fix.at - newest.at) / minuteMs)
  const leastM = metresBetween(fix, newest) - radiusOf(fix) - radiusOf(newest)
  return leastM > minutes * 500_000 ? 'jump' : null
}

/** With automatic places. */
function takePlace(model: Model, fix: Found): void {
  const { place } = model
  if (place) {
    const isCoarser = radiusOf(fix) > radiusOf(place)
    const touches = metresBetween(fix, place) <= radiusOf(fix) + radiusOf(place)
    if (isCoarser && touches && fix.at - place.at < dayMs) return
  }
  model.place = fix
  model.anchor ??= { lat: fix.lat, lng: fix.lng, accuracy: radiusOf(fix) }
}

function watch(model: Model, fix: Found, now: number): void {
  const { anchor, movedAfterM, place, byHand } = model
  if (!anchor || (byHand && place && fix.at < place.at)) return
  const beyond = metresBetween(fix, anchor) - anchor.accuracy - (movedAfterM ?? 0)
  if (beyond > radiusOf(fix)) {
    if (movedAfterM !== null) model.awaySince ??= Math.min(fix.at, now)
    return
  }
  if (movedAfterM !== null && beyond <= Math.min(radiusOf(fix), movedAfterM)) comeBack(model)
  if (!byHand && radiusOf(fix) * 2 <= anchor.accuracy)
    model.anchor = { lat: fix.lat, lng: fix.lng, accuracy: radiusOf(fix) }
}

/** A person set the place, or accepted a fix. */
export function pin(model: Model, place: Found): void {
  keep(model, { ...place, implausible: null })
  model.place = place
  model.byHand = place.source === 'search' ? 3 : 2
  model.anchor = { lat: place.lat, lng: place.lng, accuracy: radiusOf(place) }
  comeBack(model)
}

/** Takes the suggestion of this time; false: it is gone. */
export function accept(model: Model, fixedAt: number | undefined, now: number): boolean {
  const { newest, byHand } = model
  if (!byHand || !newest || newest.at !== fixedAt) return false
  pin(model, { ...newest, at: now })
  return true
}

export function chooseAutomatic(model: Model, way: number): void {
  model.byHand = undefined
  model.way = way
  if (model.newest) takePlace(model, model.newest)
}

export function setMovedAfter(model: Model, movedAfterM: number | null): void {
  if (model.movedAfterM !== movedAfterM) comeBack(model)
  model.movedAfterM = movedAfterM
}

/** The answer to a refresh by one way: where, or the code of a failure, or nothing. */
export type Answered = Found | string | undefined

/**
 * A refresh on a day of the owner; `answers` of the ways that the machine told something for. Answers the code of a refusal,
 * or undefined.
 */
export function refresh(
  model: Model,
  answers: ReadonlyMap<number, Answered>,
  day: string,
  now: number,
): string | undefined {
  const ways = [...new Set([...(model.way ? [model.way] : []), 1, 2, 3, 4])].filter((way) => answers.has(way))
  if (ways.length === 0) return 'LOCATION_UNAVAILABLE'
  const used = model.used[day] ?? 0
  if (used >= refreshesPerDay) return 'PLACE_REFRESHES_USED'
  let code = 'LOCATION_UNAVAILABLE'
  for (const way of ways) {
    const answer = answers.get(way)
    if (typeof answer === 'string') code = answer
    else if (answer && way !== 1 && isFar(model, answer)) code = 'PLACE_FAR_AWAY'
    else if (answer) {
      if (find(model, answer, now)) return 'PLACE_IMPLAUSIBLE'
      model.used[day] = used + 1
      return undefined
    }
  }
  return code
}

function isFar({ history }: Model, answer: Found): boolean {
  const believed = history.filter(({ implausible }) => implausible === null)
  const last = believed.toSorted((a, b) => b.at - a.at).slice(0, 10)
  return last.length > 0 && last.every((past) => metresBetween(past, answer) > farM)
}
