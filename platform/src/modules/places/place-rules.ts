import { firstPlaceType, metresBetween, placeTypes } from '@busbar/contract'
import type { Point } from './coordinates.ts'

const minuteMs = 60_000
/** A place that is younger is not replaced by a coarser fix of it. */
export const coarserAfterMs = 24 * 60 * minuteMs
/** A machine is moved when it was away for as long. */
export const movedAfterMs = 10 * minuteMs
/** A clock that is ahead by no more is not wrong. */
export const futureMsMax = 5 * minuteMs
/** Nothing goes farther in a minute. */
export const metresPerMinuteMax = 500_000

/** The ways by which a place is found automatically. */
export type FixSource = 'gps' | 'wifi' | 'cells' | 'ip'

/** The accuracy of a fix that has none, in metres. */
const usualAccuracyM: Readonly<Record<FixSource, number>> = { gps: 50, wifi: 200, cells: 2_000, ip: 50_000 }

/** A place that was found automatically; times are epoch milliseconds, coordinates WGS-84. */
export interface Fix extends Point {
  readonly accuracyM: number | null
  readonly source: FixSource
  readonly at: number
}

/** Where a machine is. A person's own has no accuracy and counts as exact. */
export interface Place extends Point {
  readonly accuracyM: number | null
  readonly source: FixSource | 'manual' | 'search'
  readonly at: number
}

/** From where a move is measured. */
export interface Anchor extends Point {
  readonly accuracyM: number
}

/** All that the rules know of where one machine is. */
export interface PlaceState {
  readonly type: (typeof placeTypes)[keyof typeof placeTypes]
  readonly place: Place | null
  /** The newest fix; where the place is not automatic it is a suggestion. */
  readonly fix: Fix | null
  readonly anchor: Anchor | null
  /** Metres; null: moves are not watched. */
  readonly movedAfterM: number | null
  /** Since when every fix that could tell was away from the anchor. */
  readonly awaySince: number | null
  readonly isMoved: boolean
}

export type PlaceEvent =
  | { readonly kind: 'fixed'; readonly fix: Fix }
  /** A person set the place, or accepted a fix as the place. */
  | { readonly kind: 'pinned'; readonly place: Place; readonly type: PlaceState['type'] }
  | { readonly kind: 'typeChosen'; readonly type: PlaceState['type'] }
  | { readonly kind: 'movedAfterSet'; readonly movedAfterM: number | null }
  /** Time passed. */
  | { readonly kind: 'looked' }

/** Why a fix is not believed. */
export type Implausible = 'range' | 'zero' | 'future' | 'jump'

export interface PlaceOutcome {
  readonly state: PlaceState
  /** Set for a fix that is not believed: it is only kept. */
  readonly implausible: Implausible | null
}

/** A machine of which nothing is known. */
export const noPlace: PlaceState = {
  type: firstPlaceType,
  place: null,
  fix: null,
  anchor: null,
  movedAfterM: 500,
  awaySince: null,
  isMoved: false,
}

/**
 * The one function that decides where a machine is, and whether it was moved (rules/places.md). Fixes of the same
 * machine may come in any order.
 */
export function applyPlaceEvent(state: PlaceState, event: PlaceEvent, now: number): PlaceOutcome {
  const implausible = event.kind === 'fixed' ? doubt(state, event.fix, now) : null
  return { state: settle(implausible ? state : change(state, event, now), now), implausible }
}

function change(state: PlaceState, event: PlaceEvent, now: number): PlaceState {
  switch (event.kind) {
    case 'fixed':
      return applyFix(state, event.fix, now)
    case 'pinned': {
      const { place, type } = event
      return back({ ...state, type, place, anchor: anchorAt(place) })
    }
    case 'typeChosen': {
      const chosen = { ...state, type: event.type }
      return chosen.fix ? takeFix(chosen, chosen.fix) : chosen
    }
    case 'movedAfterSet':
      return event.movedAfterM === state.movedAfterM
        ? state
        : back({ ...state, movedAfterM: event.movedAfterM })
    case 'looked':
      return state
  }
}

function applyFix(state: PlaceState, fix: Fix, now: number): PlaceState {
  if (state.fix && fix.at <= state.fix.at) return state
  return watchMove(takeFix({ ...state, fix }, fix), fix, now)
}

/** With automatic places a fix becomes the place, unless it says nothing new. */
function takeFix(state: PlaceState, fix: Fix): PlaceState {
  const { type, place } = state
  if (type !== placeTypes.auto) return state
  if (place && saysNothingNew(fix, place)) return state
  return { ...state, place: fix, anchor: state.anchor ?? anchorAt(fix) }
}

/** Whether a fix is a coarser circle around a place that is not old. */
function saysNothingNew(fix: Fix, place: Place): boolean {
  const [coarse, fine] = [accuracyOf(fix), accuracyOf(place)]
  const isYoung = fix.at - place.at < coarserAfterMs
  return isYoung && coarse > fine && metresBetween(fix, place) <= coarse + fine
}

function watchMove(state: PlaceState, fix: Fix, now: number): PlaceState {
  const { anchor, movedAfterM, place, type } = state
  if (!anchor) return state
  // It tells where the machine was before a person set its place.
  if (type !== placeTypes.auto && place && fix.at < place.at) return state
  const [distance, accuracy, farM] = [metresBetween(fix, anchor), accuracyOf(fix), movedAfterM ?? 0]
  const isAway = distance > accuracy + anchor.accuracyM + farM
  if (isAway)
    return movedAfterM === null ? state : { ...state, awaySince: state.awaySince ?? Math.min(fix.at, now) }
  // A coarse circle reaches back to the anchor from wherever the machine is.
  const isBack = distance <= Math.min(accuracy, farM) + anchor.accuracyM + farM
  return refine(isBack ? back(state) : state, fix)
}

/**
 * With automatic places the anchor was the first fix: one of half its accuracy is a better one. So there are few of them,
 * and a slow drift adds up.
 */
function refine(state: PlaceState, fix: Fix): PlaceState {
  const { anchor, type } = state
  const isBetter = anchor !== null && accuracyOf(fix) <= anchor.accuracyM / 2
  return type === placeTypes.auto && isBetter ? { ...state, anchor: anchorAt(fix) } : state
}

const back = (state: PlaceState): PlaceState => ({ ...state, awaySince: null, isMoved: false })

const settle = (state: PlaceState, now: number): PlaceState =>
  state.awaySince !== null && now - state.awaySince >= movedAfterMs ? { ...state, isMoved: true } : state

const anchorAt = (place: Place): Anchor => ({ lat: place.lat, lng: place.lng, accuracyM: accuracyOf(place) })

/** Metres within which a place is right. */
export function accuracyOf({ accuracyM, source }: Place): number {
  if (source === 'manual' || source === 'search') return accuracyM ?? 0
  return accuracyM ?? usualAccuracyM[source]
}

function doubt({ fix: newest }: PlaceState, fix: Fix, now: number): Implausible | null {
  if (Math.abs(fix.lat) > 90 || Math.abs(fix.lng) > 180) return 'range'
  if (fix.lat === 0 && fix.lng === 0) return 'zero'
  if (fix.at > now + futureMsMax) return 'future'
  // An older one is only kept; the next newer ones are compared with the newest that was believed.
  if (!newest || fix.at <= newest.at) return null
  const way = metresBetween(fix, newest) - accuracyOf(fix) - accuracyOf(newest)
  return way > metresPerMinuteMax * Math.max(1, (fix.at - newest.at) / minuteMs) ? 'jump' : null
}
