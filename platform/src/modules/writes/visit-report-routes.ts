import { visits as contract, limits } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Visits } from '../visits/index.ts'
import { type Db, findReportedMachine, listFirstWrites } from './writes-store.ts'
import { presentWrite } from './writes-views.ts'

const dayMs = 86_400_000

export interface VisitReportDeps {
  readonly db: Db
  readonly listVisitsOfSpan: Visits['listOfSpan']
}

/** A report of remote maintenance: the visitors of a machine in a span of time, and the writes to it. */
export function visitReportRoutes({ db, listVisitsOfSpan }: VisitReportDeps): Binding[] {
  return [
    bind(contract.getVisitReport, async ({ machineId, from, to }, { user, lang }) => {
      if (to <= from || to - from > limits.visitReportDaysMax * dayMs) throw new Failure('SPAN_INVALID')
      const span = { from: new Date(from), to: new Date(to) }
      const { reportVisitsMax, reportWritesMax } = limits
      // One more than its limit, to find out whether it is complete.
      const [machine, visits, writes] = await Promise.all([
        findReportedMachine(db, machineId, user.userId),
        listVisitsOfSpan(machineId, span, user.userId, reportVisitsMax + 1),
        listFirstWrites(db, machineId, span, lang, reportWritesMax + 1),
      ])
      return {
        machine: { machineId, machineCode: machine.code, name: machine.name },
        from,
        to,
        visits: visits.slice(0, reportVisitsMax),
        writes: writes.slice(0, reportWritesMax).map(presentWrite),
        isCut: visits.length > reportVisitsMax || writes.length > reportWritesMax,
      }
    }),
  ]
}
