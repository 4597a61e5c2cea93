import type { visits as contract } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { startDeadline } from '../../kernel/deadline.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { RightsWatch } from '../../kernel/rights/rights-watch.ts'
import type { AccessPort } from '../access/index.ts'
import type { EmbeddingPort } from './embedding.ts'
import { decideMsMax, type LiveVisit } from './live-visit.ts'
import { learnTarget } from './targets.ts'
import type { VisitClock } from './visit-clock.ts'
import { type Decision, decideVisit } from './visit-decision.ts'
import type { VisitEndings } from './visit-endings.ts'
import { updateVisitEnd } from './visits-store.ts'

export interface VisitDeciderDeps {
  readonly db: Kysely<DB>
  readonly logger: Logger
  readonly decisions: { readonly db: Kysely<DB>; readonly access: AccessPort }
  readonly embeddings: EmbeddingPort
  readonly rights: Pick<RightsWatch, 'whenFresh'>
  readonly link: Pick<EdgeLink, 'tunnel'>
  readonly facts: Pick<Facts, 'record'>
  readonly endings: VisitEndings
  readonly clock: VisitClock
  now(): number
  /** It is over already: cut and remembered. */
  forget(visit: LiveVisit, reason: contract.VisitEndReason): void
  end(visit: LiveVisit, reason: contract.VisitEndReason): Promise<void>
  track(work: Promise<unknown>): void
}

/** Applies a decision: streams without a right are cut in the same turn, and the consequences are written after it. */
export class VisitDecider {
  readonly #deps: VisitDeciderDeps

  constructor(deps: VisitDeciderDeps) {
    this.#deps = deps
  }

  /** One run of a visit's decision. `isLast`: nothing changed since it began. */
  async decide(visit: LiveVisit, isLast: () => boolean): Promise<void> {
    const { decisions, embeddings, rights, logger, now, forget, end, track } = this.#deps
    let decision: Decision
    const callOff = startDeadline(decideMsMax, () => visit.suspend())
    try {
      decision = await decideVisit({ ...decisions, embeddings }, visit, now())
    } catch (error) {
      logger.warn({ err: error, visit: visit.visitId }, 'visit.decideFailed')
      visit.suspend()
      return
    } finally {
      callOff()
    }
    if (visit.ended) return
    if (decision.kind === 'over') forget(visit, decision.reason)
    else if (decision.kind === 'lost') track(end(visit, decision.reason))
    else if (isLast() && (await rights.whenFresh()) && isLast() && !visit.ended) this.#allow(visit, decision)
  }

  #allow(visit: LiveVisit, decision: Decision & { kind: 'allowed' }): void {
    const { clock, track } = this.#deps
    visit.markActive(decision.activeAt)
    visit.allow(decision.permission)
    clock.arm(visit)
    if (decision.storedUntil !== visit.until) track(this.#storeUntil(visit))
    if (decision.readOnly) track(this.#limit(visit, decision.controls))
  }

  async #storeUntil(visit: LiveVisit): Promise<void> {
    const { db, facts, now } = this.#deps
    const { visitId, machineId, userId } = visit
    await withTransaction(db, async (trx) => {
      await updateVisitEnd(trx, visitId, new Date(visit.until))
      await facts.record(trx, { kind: 'visit.prolonged', machineId, userId, visitId, at: now() })
    })
  }

  /** A person with read-only access holds no controller, and may stay only in pages that can be made read-only. */
  async #limit(visit: LiveVisit, controls: boolean): Promise<void> {
    const { endings, link, end } = this.#deps
    if (controls) await endings.freeController(visit)
    await learnTarget(link, visit)
    if (visit.canWatch === false && !visit.ended) await end(visit, 'rightLost')
  }
}
