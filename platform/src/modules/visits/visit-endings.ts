import type { visits as contract } from '@busbar/contract'
import type { Kysely } from 'kysely'
import { withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import { removeDueController } from './control-release-store.ts'
import { findController, lockController, removeController, removeControlRequest } from './controller-store.ts'
import type { VisitEvents } from './visit-events.ts'
import { updateVisitCounts, updateVisitEnded, type VisitCounts } from './visits-store.ts'

/** Which visit. */
export interface VisitRef {
  readonly visitId: number
  readonly machineId: number
  readonly userId: number
}

/** How a visit ended. */
export interface Ending extends VisitRef {
  readonly reason: contract.VisitEndReason
  readonly endedBy: number | null
  /** Epoch milliseconds. */
  readonly at: number
  /** Ends it only without a sign of life after this instant. */
  readonly idleBefore?: Date
  /** What it moved since it was last counted. */
  readonly counts?: VisitCounts
}

/** What endings stand on. */
export interface VisitEndingsDeps {
  readonly db: Kysely<DB>
  readonly events: VisitEvents
}

/** Writes how visits end, and tells: other processes by right_changes, people by their pages. */
export class VisitEndings {
  readonly #deps: VisitEndingsDeps
  /** What could not be written yet. */
  readonly #unsaved = new Map<number, Ending>()

  constructor(deps: VisitEndingsDeps) {
    this.#deps = deps
  }

  /** Writes an end that is certain; one that cannot be written is kept for `retry`, and thrown. */
  async save(ending: Ending): Promise<void> {
    this.#unsaved.set(ending.visitId, ending)
    await this.try(ending)
    this.#unsaved.delete(ending.visitId)
  }

  async retry(): Promise<void> {
    for (const ending of [...this.#unsaved.values()]) await this.save(ending)
  }

  /** Writes an end; false when the visit had ended before, or is alive after all. */
  async try(ending: Ending): Promise<boolean> {
    const { db, events } = this.#deps
    const { visitId, machineId, userId, counts } = ending
    const told = await withTransaction(db, async (trx) => {
      await lockController(trx, machineId)
      if (counts) await updateVisitCounts(trx, [counts])
      if (!(await updateVisitEnded(trx, visitId, { ...ending, at: new Date(ending.at) }))) return undefined
      const freed = await removeController(trx, visitId)
      const asked = await removeControlRequest(trx, visitId)
      await recordRightChange(trx, { userId, machineId, reason: 'visit' })
      const holder = asked ? await findController(trx, machineId, new Date(ending.at)) : undefined
      return { freed, holder: holder?.user_id }
    })
    if (!told) return false
    events.enqueueVisit(visitId, told.holder)
    if (told.freed) events.enqueueMachine(machineId)
    return true
  }

  /**
   * Frees the controller of a visit whose visitor may only watch from here on, or with `by` one that was to fall free by
   * then; false when it was kept, or held none.
   */
  async freeController({ visitId, machineId, userId }: VisitRef, by?: Date): Promise<boolean> {
    const { db, events } = this.#deps
    const isFreed = await withTransaction(db, async (trx) => {
      await lockController(trx, machineId)
      const wasFreed = by ? await removeDueController(trx, visitId, by) : await removeController(trx, visitId)
      if (!wasFreed) return false
      await recordRightChange(trx, { userId, machineId, reason: 'visit' })
      return true
    })
    if (!isFreed) return false
    events.enqueueMachine(machineId)
    return true
  }
}
