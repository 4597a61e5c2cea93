import { timing } from '@busbar/contract'
import type { Kysely } from 'kysely'
import { withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AccessPort, noAccess, shareOf } from '../access/index.ts'
import type { ControlPort } from './control-port.ts'
import { updateReleases } from './control-release-store.ts'
import * as store from './controller-store.ts'
import type { EmbeddingPort } from './embedding.ts'
import type { LiveVisits } from './live-visits.ts'
import { findEmbedding, mayOnlyLook } from './visit-decision.ts'
import type { VisitEvents } from './visit-events.ts'
import { type Db, findVisit, updateVisitWasRw, type VisitRow } from './visits-store.ts'

export interface ControllerServiceDeps {
  readonly db: Kysely<DB>
  readonly access: AccessPort
  readonly embeddings: EmbeddingPort
  readonly live: LiveVisits
  readonly facts: Pick<Facts, 'record'>
  readonly events: VisitEvents
}

/** A person's request about a machine's controller. */
export interface ControlRequest {
  readonly userId: number
  /** The visit of the request. */
  readonly visitId: number
  readonly now: number
}

/** The result of a request. */
interface Outcome {
  /** It went to another visit, or became free. */
  readonly moved?: { readonly from: number | undefined; readonly to: number | undefined }
  /** The controller was requested, not taken. */
  readonly isAsked?: boolean
}

export type ControllerService = ReturnType<typeof createControllerService>

/**
 * A machine has one controller at a time: two people who change it at once would not notice each other
 * (rules/visits.md: control).
 */
export function createControllerService(deps: ControllerServiceDeps) {
  const { db, access, embeddings, live, facts, events } = deps

  /** Does something under the machine's lock, then makes it hold here. */
  async function settle(
    machineId: number,
    work: (trx: Db, holder: store.ControllerRow | undefined) => Promise<Outcome>,
    now: number,
  ): Promise<Outcome> {
    const outcome = await withTransaction(db, async (trx) => {
      await store.lockController(trx, machineId)
      return work(trx, await store.findController(trx, machineId, new Date(now)))
    })
    if (outcome.moved) await live.moveControl(outcome.moved.from, outcome.moved.to)
    return outcome
  }

  /** Gives it to a visit; the former holder's process follows the fact. */
  async function give(trx: Db, visit: VisitRow, holder: store.ControllerRow | undefined, now: number) {
    const machineId = visit.machine_id
    await store.putController(trx, {
      machineId,
      userId: visit.user_id,
      visitId: visit.id,
      since: new Date(now),
    })
    await updateVisitWasRw(trx, visit.id)
    await store.removeControlRequest(trx, visit.id)
    const from = holder?.user_id ?? null
    await facts.record(trx, { kind: 'control.taken', ...aboutOf(visit), from, at: now })
    return { moved: { from: holder?.visit_id ?? undefined, to: visit.id } }
  }

  /** A visit that has not ended, or 404. */
  async function findLive(on: Db, visitId: number, now: number): Promise<VisitRow> {
    const visit = await findVisit(on, visitId, new Date(now))
    if (!visit || visit.ended_at || visit.ends_at.getTime() <= now) throw new Failure('404')
    return visit
  }

  async function findOwn(on: Db, { userId, visitId, now }: ControlRequest): Promise<VisitRow> {
    const visit = await findLive(on, visitId, now)
    if (visit.user_id !== userId) throw new Failure('404')
    return visit
  }

  async function findRight(userId: number, machineId: number, now: number) {
    return (await access.list(userId, [machineId], now)).get(machineId)
  }

  /** The right of a visit's person in it: in a portal whose project may only look it is read-only. */
  async function findRightIn(visit: VisitRow, now: number) {
    const right = await findRight(visit.user_id, visit.machine_id, now)
    const embedding = await findEmbedding(db, embeddings, visit, now)
    return right && { ...right, readOnly: mayOnlyLook(visit, right, embedding) }
  }

  return {
    /**
     * Takes the controller for the caller's visit: a free one, one of another visit of the caller, or, as a key,
     * anybody's; otherwise asks its holder. True: it was requested. Throws 404.
     */
    async take(request: ControlRequest): Promise<boolean> {
      const own = await findOwn(db, request)
      const { machine_id: machineId } = own
      const right = await findRightIn(own, request.now)
      if (!right?.rights.has('visitor+')) throw new Failure('404')
      const outcome = await settle(
        machineId,
        async (trx, holder) => {
          const visit = await findOwn(trx, request)
          if (holder?.visit_id === visit.id) return {}
          const isFree = !holder || holder.user_id === request.userId
          if (!right.readOnly && (isFree || right.rights.has('bkey+')))
            return give(trx, visit, holder, request.now)
          const isChanged = await store.createControlRequest(trx, visit.id, machineId, new Date(request.now))
          // A person who asks again and again notifies the holder once.
          if (isChanged) {
            const told = { ...aboutOf(visit), holder: holder?.user_id ?? null, at: request.now }
            await facts.record(trx, { kind: 'control.asked', ...told })
          }
          return { isAsked: true }
        },
        request.now,
      )
      return outcome.isAsked === true
    },

    /** Gives up the control of the caller's visit, or withdraws its request. Throws 404. */
    async release(request: ControlRequest): Promise<void> {
      const { machine_id: machineId } = await findOwn(db, request)
      await settle(
        machineId,
        async (trx, holder) => {
          const visit = await findOwn(trx, request)
          const asked = await store.removeControlRequest(trx, visit.id)
          if (await store.removeController(trx, visit.id)) {
            await facts.record(trx, { kind: 'control.freed', ...aboutOf(visit), at: request.now })
            return { moved: { from: visit.id, to: undefined } }
          }
          if (asked) {
            const told = { ...aboutOf(visit), holder: holder?.user_id ?? null, at: request.now }
            await facts.record(trx, { kind: 'control.unasked', ...told })
          }
          return {}
        },
        request.now,
      )
    },

    /**
     * The visits that `hand` takes for the caller's visit: a holder without a key sees no other visits than their own and
     * those that requested control. Throws 404.
     */
    async listTakers(request: ControlRequest) {
      const { userId, now } = request
      const { machine_id: machineId } = await findOwn(db, request)
      const right = (await findRight(userId, machineId, now)) ?? noAccess
      if (!right.rights.has('visitor+')) throw new Failure('404')
      const holder = await store.findController(db, machineId, new Date(now))
      const mayAll = right.rights.has('bkey+')
      const takers = await store.listControlTakers(db, machineId, new Date(now))
      return takers.filter(
        ({ user_id, asked_at }) =>
          mayAll || (holder?.user_id === userId && (user_id === userId || asked_at !== null)),
      )
    },

    /** Keeps the control of the caller's visit for a while though no page of it is open. Throws 404. */
    async keep(request: ControlRequest): Promise<void> {
      const visit = await findOwn(db, request)
      await withTransaction(db, async (trx) => {
        await updateReleases(trx, [{ visitId: visit.id, releaseAt: request.now + timing.controlKeptMs }])
        await facts.record(trx, { kind: 'control.kept', ...aboutOf(visit), at: request.now })
      })
    },

    /**
     * Gives the controller to `to`, or to the visit of the request: for its holder or a key. A holder without a key can
     * give it to another visit of theirs or to one that requested it, because they see no other visits. Throws 404,
     * READ_ONLY, GIVER_READ_ONLY.
     */
    async hand(request: ControlRequest, to: number | undefined): Promise<void> {
      const { userId, visitId, now } = request
      const { machine_id: machineId } = await findLive(db, visitId, now)
      const own = (await findRight(userId, machineId, now)) ?? noAccess
      const isKey = own.rights.has('bkey+')
      const right = await findRightIn(await findLive(db, to ?? visitId, now), now)
      await settle(
        machineId,
        async (trx, holder) => {
          const visit = await findLive(trx, to ?? visitId, now)
          const isKnown =
            isKey ||
            (holder?.user_id === userId &&
              (visit.user_id === userId || (await store.hasControlRequest(trx, visit.id))))
          if (!isKnown || visit.machine_id !== machineId || !right?.rights.has('visitor+'))
            throw new Failure('404')
          if (shareOf(own).readOnly) throw new Failure('GIVER_READ_ONLY')
          if (right.readOnly) throw new Failure('READ_ONLY')
          return holder?.visit_id === visit.id ? {} : give(trx, visit, holder, now)
        },
        now,
      )
    },

    async takeForWrite(trx, machineId, userId, now) {
      await store.lockController(trx, machineId)
      const holder = await store.findController(trx, machineId, new Date(now))
      if (holder && holder.user_id !== userId)
        throw new Failure('CONTROL_TAKEN', { data: { who: holder.name } })
      if (holder?.visit_id) {
        const releaseAt = now + timing.controlReleaseMs
        await updateReleases(trx, [{ visitId: holder.visit_id, releaseAt }])
        return
      }
      await store.putController(trx, {
        machineId,
        userId,
        since: holder?.since ?? new Date(now),
        until: new Date(now + timing.writeControlMs),
      })
    },

    announce: (machineId) => events.enqueueWrite(machineId),
  } satisfies ControlPort & Record<string, unknown>
}

const aboutOf = (visit: VisitRow) => ({
  machineId: visit.machine_id,
  userId: visit.user_id,
  visitId: visit.id,
})
