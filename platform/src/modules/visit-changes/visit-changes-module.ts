import { visits as contract, limits } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import type { VisitsModule } from '../visits/index.ts'
import { followVisits, keepJob } from './keep-values.ts'
import { PortWrites } from './port-writes.ts'
import { VisitChanges } from './visit-changes.ts'

export interface VisitChangesModule extends Module {
  readonly changes: Pick<VisitChanges, 'find' | 'listOfVisits'>
  readonly portWrites: Pick<PortWrites, 'keep'>
}

interface Deps {
  readonly access: AccessPort
  readonly visits: VisitsModule
  readonly telemetry: TelemetryModule
  readonly link: EdgeLink
}

/** The values that a visit left different, by whom and by which way (rules/visits.md: changes of a visit). */
export function createVisitChangesModule(kernel: Kernel, deps: Deps): VisitChangesModule {
  const { db, jobs, logger, now } = kernel
  const { access, link, visits } = deps
  const telemetry = deps.telemetry.store
  const changes = new VisitChanges({ db, telemetry, link, now })
  const portWrites = new PortWrites({ db, telemetry, logger, placesMax: limits.portPlacesPerVisitMax, now })
  const keeping = { db, jobs, telemetry, link, now }
  return {
    name: 'visitChanges',
    roles: ['api', 'visits', 'jobs'],
    changes,
    portWrites,
    follows: [followVisits(keeping)],
    jobs: [keepJob(keeping)],
    routes: [
      bind(contract.getVisitChanges, async ({ sessionId }, { user, now: at, lang }) => {
        const visit = await visits.visits.findVisible(user.userId, sessionId, at)
        if (!visit) throw new Failure('404')
        const isReader = await access.has(user.userId, 'visitor+', [visit.machineId], at)
        return changes.find(sessionId, lang, isReader)
      }),
    ],
    start: () => portWrites.start(),
    stop: () => portWrites.stop(),
  }
}
