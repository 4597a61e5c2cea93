import { telemetry as contract, limits, visits } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { WritesService } from './writes-service.ts'
import { type Db, findWrite, listMachineWrites, listVisitWrites } from './writes-store.ts'
import { presentOutcome, presentWrite } from './writes-views.ts'

export interface WritesRoutesDeps {
  readonly db: Db
  readonly service: WritesService
  /** The visit, if it is the user's own or of a machine they hold a key of. */
  findVisibleVisit(userId: number, visitId: number, now: number): Promise<object | undefined>
}

export function writesRoutes({ db, service, findVisibleVisit }: WritesRoutesDeps): Binding[] {
  return [
    bind(contract.writeTag, async ({ machineId, tagId, value, reason }, { user, lang }) => {
      const request = { userId: user.userId, machineId, tagId, value, note: reason ?? '', lang }
      return { commandId: await service.write(request), state: 'sent' as const }
    }),

    bind(contract.getWrite, async ({ machineId, commandId }, { user }) => {
      const row = await findWrite(db, { machineId, commandId, userId: user.userId })
      if (!row) throw new Failure('404')
      return presentOutcome(row)
    }),

    bind(visits.listVisitWrites, async ({ sessionId }, { user, now, lang }) => {
      if (!(await findVisibleVisit(user.userId, sessionId, now))) throw new Failure('404')
      return (await listVisitWrites(db, sessionId, lang, limits.writesPerList)).map(presentWrite)
    }),

    bind(visits.listMachineWrites, async ({ machineId, page, pageSize }, { lang }) => {
      const { rows, total } = await listMachineWrites(db, machineId, lang, { page, pageSize })
      return { list: rows.map(presentWrite), total, page, pageSize }
    }),
  ]
}
