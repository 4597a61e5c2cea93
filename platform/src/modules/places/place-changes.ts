import { metresBetween, placeTypes, platformAlarms } from '@busbar/contract'
import { create, PlaceChangeSchema, Scene, toBinary } from '@busbar/contract/push'
import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { AccessPort } from '../access/index.ts'
import { writeAlarmsWithin } from '../alarms/index.ts'
import type { Point } from './coordinates.ts'
import {
  type Addresses,
  createPast,
  type KeptPlace,
  listMapReaders,
  lockPlace,
  updatePlace,
} from './place-changes-store.ts'
import {
  accuracyOf,
  applyPlaceEvent,
  type Fix,
  type FixSource,
  type Place,
  type PlaceEvent,
  type PlaceOutcome,
  type PlaceState,
} from './place-rules.ts'

type Trx = Transaction<DB>

export interface PlaceChangesDeps {
  readonly access: Pick<AccessPort, 'on'>
  readonly facts: Pick<Facts, 'record' | 'recordAll'>
  now(): number
}

/** An address in the languages in which it is known. */
interface Found {
  readonly addresses?: { readonly cn?: string | undefined; readonly en?: string | undefined }
}

/** A place that was found automatically; `at` in epoch milliseconds. */
export type NewFix = Fix & Found

/** A place that a person set, or a fix that they accepted as the place. */
export interface Pin extends Point, Found {
  readonly source: 'manual' | 'search' | FixSource
  readonly accuracyM?: number | null
  /** As the person wrote it; it is shown before the addresses that were found. */
  readonly asTyped?: string | undefined
}

/** The outcome for a place; `isPlaced`: it is another one now. */
export interface PlaceChanged extends PlaceOutcome {
  readonly isPlaced: boolean
}

/** Another place than this is named anew: coordinates of the same machine at rest differ by as much. */
const sameAddressM = 100

/**
 * Changes where machines are: the one writer of it. Each change is made with its history, facts, alarm and pages' events
 * in the caller's transaction. Answers undefined for a machine that is gone.
 */
export class PlaceChanges {
  readonly #deps: PlaceChangesDeps

  constructor(deps: PlaceChangesDeps) {
    this.#deps = deps
  }

  /** Takes a place that was found automatically. One from before the machine's owner is dropped. */
  async applyFix(
    trx: Trx,
    machineId: number,
    { addresses, ...found }: NewFix,
  ): Promise<PlaceChanged | undefined> {
    const before = await lockPlace(trx, machineId)
    if (!before || found.at < before.ownedSince) return undefined
    const fix = { ...found, accuracyM: roundAccuracy(found.accuracyM) }
    const changed = await this.#apply(trx, machineId, before, { kind: 'fixed', fix }, addressesOf(addresses))
    // The time of one from the future says nothing.
    const at = changed.implausible === 'future' ? this.#deps.now() : fix.at
    await createPast(trx, machineId, { ...fix, at }, changed.implausible)
    return this.#tell(trx, machineId, before, changed)
  }

  /** Sets the place: by hand, by a search, or by accepting a fix. Moves are measured from it. */
  async pinPlace(trx: Trx, machineId: number, pin: Pin): Promise<PlaceChanged | undefined> {
    const before = await lockPlace(trx, machineId)
    if (!before) return undefined
    const { lat, lng, source, accuracyM = null, asTyped, addresses } = pin
    const place: Place = { lat, lng, source, accuracyM: roundAccuracy(accuracyM), at: this.#deps.now() }
    const type = source === 'search' ? placeTypes.search : placeTypes.manual
    const event = { kind: 'pinned', place, type } as const
    const changed = await this.#apply(trx, machineId, before, event, addressesOf(addresses ?? {}, asTyped))
    await createPast(trx, machineId, place, null)
    return this.#tell(trx, machineId, before, changed)
  }

  /** Chooses how the place is found, and the automatic way that comes first; without `way` the one that was chosen stays. */
  async chooseWay(
    trx: Trx,
    machineId: number,
    { type, way }: { readonly type: PlaceState['type']; readonly way?: number | null | undefined },
  ): Promise<PlaceChanged | undefined> {
    const before = await lockPlace(trx, machineId)
    if (!before) return undefined
    const chosen = way === undefined ? before : { ...before, way }
    const changed = await this.#apply(trx, machineId, chosen, { kind: 'typeChosen', type })
    return this.#tell(trx, machineId, before, changed)
  }

  /** Holds the place as it is until the end of the transaction. */
  async hold(trx: Trx, machineId: number): Promise<void> {
    await lockPlace(trx, machineId)
  }

  /** Sets how far from its place a machine counts as moved, in metres; null: never. */
  setMovedAfter(trx: Trx, machineId: number, movedAfterM: number | null): Promise<PlaceChanged | undefined> {
    return this.#happen(trx, machineId, { kind: 'movedAfterSet', movedAfterM })
  }

  /** Raises what is due with the time alone. */
  look(trx: Trx, machineId: number): Promise<PlaceChanged | undefined> {
    return this.#happen(trx, machineId, { kind: 'looked' })
  }

  async #happen(trx: Trx, machineId: number, event: PlaceEvent): Promise<PlaceChanged | undefined> {
    const before = await lockPlace(trx, machineId)
    if (!before) return undefined
    return this.#tell(trx, machineId, before, await this.#apply(trx, machineId, before, event))
  }

  async #apply(
    trx: Trx,
    machineId: number,
    before: KeptPlace,
    event: PlaceEvent,
    addresses?: Addresses,
  ): Promise<PlaceChanged> {
    const outcome = applyPlaceEvent(before, event, this.#deps.now())
    const { state } = outcome
    const isTaken = state.place !== null && state.place !== before.place
    const isPlaced = isTaken && !isSame(state.place, before.place)
    if (state !== before)
      await updatePlace(
        trx,
        machineId,
        { ...state, way: before.way },
        isTaken ? (addresses ?? (isNear(state.place, before.place) ? undefined : noAddress)) : undefined,
      )
    return { ...outcome, isPlaced }
  }

  /** The pages come last: everybody who tells these people something waits for it. */
  async #tell(trx: Trx, machineId: number, before: PlaceState, changed: PlaceChanged): Promise<PlaceChanged> {
    const { facts } = this.#deps
    const at = this.#deps.now()
    const { state, isPlaced } = changed
    if (state.isMoved !== before.isMoved) {
      const metres = distanceOf(state)
      await writeAlarmsWithin(trx, [alarmOf(machineId, state.isMoved, metres, at)], facts)
      if (state.isMoved) await facts.record(trx, { kind: 'machine.moved', machineId, at, metres })
    }
    if (isPlaced && state.place) {
      await facts.record(trx, { kind: 'machine.placed', machineId, at })
      await this.#push(trx, machineId, state.place, at)
    }
    return changed
  }

  async #push(trx: Trx, machineId: number, place: Place, at: number): Promise<void> {
    const access = this.#deps.access.on(trx)
    const listed = await access.listAudience([machineId], at)
    // Members of an enterprise have its machines on their map without an entry in their own list.
    const others = await access.listAlarmAudience([machineId], at)
    const may = [...listed, ...others].filter((one) => one.access.rights.has('holder'))
    const holders = [...new Set(may.map(({ userId }) => userId))]
    const readers = await listMapReaders(trx, holders)
    const body = encodeChange(machineId, place)
    const events = holders.flatMap((userId) => (readers.has(userId) ? [{ userId, body }] : []))
    await createUserEvents(trx, Scene.PLACE_CHANGE, new Date(at), events)
  }
}

const noAddress: Addresses = { asTyped: null, cn: null, en: null }

const addressesOf = (found: Found['addresses'], asTyped?: string): Addresses | undefined =>
  found && { asTyped: asTyped || null, cn: found.cn ?? null, en: found.en ?? null }

/** Tenths of a metre, of the circumference of the earth at most: the column holds no finer and no larger ones. */
const roundAccuracy = (metres: number | null): number | null =>
  metres === null ? null : Math.round(Math.min(metres, earthM) * 10) / 10
const earthM = 40_075_000

const isSame = (one: Place | null, other: Place | null): boolean =>
  one !== null &&
  other !== null &&
  one.lat === other.lat &&
  one.lng === other.lng &&
  one.accuracyM === other.accuracyM &&
  one.source === other.source

const isNear = (one: Place | null, other: Place | null): boolean =>
  one !== null && other !== null && metresBetween(one, other) <= sameAddressM + accuracyOf(one)

/** How far the newest fix is from the anchor, in whole metres. */
const distanceOf = ({ fix, anchor }: PlaceState): number =>
  fix && anchor ? Math.round(metresBetween(fix, anchor)) : 0

function alarmOf(machineId: number, isMoved: boolean, metres: number, at: number) {
  const { key, text } = platformAlarms.moved
  const withMetres = (words: string) => words.replace('{metres}', String(metres))
  return {
    machineId,
    key,
    level: 'major',
    text: { cn: withMetres(text.cn), en: withMetres(text.en) },
    state: isMoved ? 'raised' : 'cleared',
    isRepeat: false,
    late: false,
    at,
    receivedAt: at,
    standing: undefined,
  } as const
}

function encodeChange(machineId: number, { lat, lng, accuracyM, source, at }: Place): Uint8Array {
  return toBinary(
    PlaceChangeSchema,
    create(PlaceChangeSchema, {
      machineId: String(machineId),
      lat,
      lng,
      source,
      at: String(at),
      ...(accuracyM === null ? {} : { accuracy: accuracyM }),
    }),
  )
}
