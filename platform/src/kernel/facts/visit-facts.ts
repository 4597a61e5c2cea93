import type { visits } from '@busbar/contract'

/** Something about one visit, by its visitor. */
interface OfVisit {
  readonly machineId: number
  readonly userId: number
  readonly visitId: number
}

/** Facts of visits and of the control of machines, by kind. */
export interface VisitFacts {
  'visit.opened': OfVisit & { readonly target: string }
  /** It may last longer, or until another instant. */
  'visit.prolonged': OfVisit
  /** `holder`: the person who was notified of its request for control. */
  'visit.ended': OfVisit & {
    readonly reason: visits.VisitEndReason
    readonly endedBy: number | null
    readonly holder: number | null
  }
  /** A visit controls the machine; `from`: the person who did before. */
  'control.taken': OfVisit & { readonly from: number | null }
  'control.freed': OfVisit
  'control.kept': OfVisit
  /** A visit asks for control, or withdraws that; `holder`: the person to notify. */
  'control.asked': OfVisit & { readonly holder: number | null }
  'control.unasked': OfVisit & { readonly holder: number | null }
}
