import { visits as contract, limits } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { VisitChangesModule } from '../visit-changes/index.ts'
import type { Visits } from '../visits/index.ts'
import { type Db, findReportedMachine, listFirstWrites } from './writes-store.ts'
import { presentWrite } from './writes-views.ts'

const dayMs = 86_400_000

export interface VisitReportDeps {
  readonly db: Db
  readonly listVisitsOfSpan: Visits['listOfSpan']
  readonly changes: Pick<VisitChangesModule['changes'], 'listOfVisits'>
}

/** A report of remote maintenance: the visitors of a machine in a span of time, and the writes to it. */
export function visitReportRoutes({ db, listVisitsOfSpan, changes }: VisitReportDeps): Binding[] {
  return [
    bind(contract.getVisitReport, async ({ machineId, from, to }, { user, lang }) => {
      if (to <= from || to - from > limits.visitReportDaysMax * dayMs) throw new Failure('SPAN_INVALID')
      const span = { from: new Date(from), to: new Date(to) }
      const { reportVisitsMax, reportWritesMax, reportChangesMax } = limits
      // One more than its limit, to find out whether it is complete.
      const [machine, visits, writes] = await Promise.all([
        findReportedMachine(db, machineId, user.userId),
        listVisitsOfSpan(machineId, span, user.userId, reportVisitsMax + 1),
        listFirstWrites(db, machineId, span, lang, reportWritesMax + 1),
      ])
      const shown = visits.slice(0, reportVisitsMax)
      const ids = shown.map(({ sessionId }) => sessionId)
      const left = await changes.listOfVisits(machineId, ids, lang, reportChangesMax)
      const users = new Map(shown.map((visit) => [visit.sessionId, visit.user.name]))
      return {
        machine: { machineId, machineCode: machine.code, name: machine.name },
        from,
        to,
        visits: shown,
        writes: writes.slice(0, reportWritesMax).map(presentWrite),
        changes: left.changes.map((one) => ({ ...one, user: users.get(one.sessionId) ?? '' })),
        isCut: visits.length > reportVisitsMax || writes.length > reportWritesMax || left.isCut,
      }
    }),
  ]
}
