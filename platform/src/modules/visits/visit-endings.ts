import type { visits as contract } from '@busbar/contract'
import type { Kysely } from 'kysely'
import { withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { removeDueController } from './control-release-store.ts'
import { findController, lockController, removeController, removeControlRequest } from './controller-store.ts'
import { updateVisitCounts, updateVisitEnded, type VisitCounts } from './visits-store.ts'

/** Which visit. */
export interface VisitRef {
  readonly visitId: number
  readonly machineId: number
  readonly userId: number
}

/** The end of a visit. */
export interface Ending extends VisitRef {
  readonly reason: contract.VisitEndReason
  readonly endedBy: number | null
  /** Epoch milliseconds. */
  readonly at: number
  /** Ends it only without a sign of life after this instant. */
  readonly idleBefore?: Date
  /** Its bytes and requests since they were last stored. */
  readonly counts?: VisitCounts
}

/** The parts that endings use. */
export interface VisitEndingsDeps {
  readonly db: Kysely<DB>
  readonly facts: Pick<Facts, 'record' | 'recordAll'>
  now(): number
}

/** Writes how visits end, and records it: every process and people's pages follow that. */
export class VisitEndings {
  readonly #deps: VisitEndingsDeps
  /** Endings that could not be written yet. */
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
    const { db, facts } = this.#deps
    const { visitId, machineId, userId, counts, reason, endedBy, at } = ending
    return withTransaction(db, async (trx) => {
      await lockController(trx, machineId)
      if (counts) await updateVisitCounts(trx, [counts])
      if (!(await updateVisitEnded(trx, visitId, { ...ending, at: new Date(at) }))) return false
      const freed = await removeController(trx, visitId)
      const asked = await removeControlRequest(trx, visitId)
      const controller = asked ? await findController(trx, machineId, new Date(at)) : undefined
      const holder = controller?.user_id ?? null
      const about = { machineId, userId, visitId, at }
      const ended: NewFact[] = [{ kind: 'visit.ended', ...about, reason, endedBy, holder }]
      if (freed) ended.push({ kind: 'control.freed', ...about })
      await facts.recordAll(trx, ended)
      return true
    })
  }

  /**
   * Frees the controller of a visit whose visitor may only watch from here on, or with `by` one that was to fall free by
   * then; false when it was kept, or held none.
   */
  async freeController({ visitId, machineId, userId }: VisitRef, by?: Date): Promise<boolean> {
    const { db, facts, now } = this.#deps
    return withTransaction(db, async (trx) => {
      await lockController(trx, machineId)
      const wasFreed = by ? await removeDueController(trx, visitId, by) : await removeController(trx, visitId)
      if (!wasFreed) return false
      await facts.record(trx, { kind: 'control.freed', machineId, userId, visitId, at: now() })
      return true
    })
  }
}
