import type { AnswerOf, visits as contract } from '@busbar/contract'
import { lengthOf } from '../../entities/visit/visit-words.ts'

export interface VisitTotals {
  readonly visits: number
  readonly people: number
  readonly lengthMs: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly writes: number
  readonly confirmed: number
  /** Values that visits left different. */
  readonly changes: number
}

type Report = Pick<AnswerOf<typeof contract.getVisitReport>, 'visits' | 'writes' | 'changes'>

/** The totals of a report. People are counted by their id, not by their names. */
export function sumUp({ visits, writes, changes }: Report, now: number): VisitTotals {
  const sum = (amountOf: (visit: contract.Visit) => number) =>
    visits.reduce((total, visit) => total + amountOf(visit), 0)
  return {
    visits: visits.length,
    people: new Set(visits.map(({ user }) => user.userId)).size,
    lengthMs: sum((visit) => lengthOf(visit, now)),
    bytesIn: sum(({ bytesIn }) => bytesIn),
    bytesOut: sum(({ bytesOut }) => bytesOut),
    writes: writes.length,
    confirmed: writes.filter(({ state }) => state === 'confirmed').length,
    changes: changes.length,
  }
}

const dayMs = 86_400_000
const usualDays = 30

/** The default period of a report: the last weeks, up to now. */
export function usualPeriod(now: number): { from: number; to: number } {
  return { from: now - usualDays * dayMs, to: now }
}
