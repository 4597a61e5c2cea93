import { projects as contract, projectLimits } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import { auditAct } from '../audit/index.ts'
import { listAllProjects } from './operator-store.ts'
import * as store from './projects-store.ts'
import { presentForOperator } from './projects-views.ts'
import type { ReportingSource } from './reporting-figures.ts'
import * as servers from './servers-store.ts'

interface Deps {
  readonly db: Database
  readonly reporting: ReportingSource
}

/** All projects in the back office. */
export function operatorRoutes({ db, reporting }: Deps): Binding[] {
  return [
    bind(contract.listAllProjects, async ({ page, pageSize, search = '' }, { now }) => {
      const pattern = `%${escapeLike(search.trim().toLowerCase())}%`
      const slice = { offset: (page - 1) * pageSize, count: pageSize, pattern }
      const { rows, total } = await listAllProjects(db, slice, now)
      const figures = await reporting.listFigures(rows.map(({ id }) => id))
      const list = rows.map((row) => presentForOperator(row, figures.get(row.id)))
      return { list, total, page, pageSize }
    }),

    bind(contract.createReportingServer, async (server, context) => {
      const id = await withTransaction(db, async (trx) => {
        if ((await servers.countServers(trx)) >= projectLimits.reportingServers)
          throw new Failure('REPORTING_SERVERS_FULL')
        const made = await servers.createServer(trx, server, new Date(context.now))
        await auditAct(trx, context, {
          action: 'reportingServer.create',
          target: server.name,
          detail: { ...server },
        })
        return made
      })
      return { id }
    }),

    bind(contract.deleteReportingServer, async ({ id }, context) => {
      await withTransaction(db, async (trx) => {
        const name = await servers.deleteServer(trx, id)
        if (name === undefined) throw new Failure('404')
        await auditAct(trx, context, { action: 'reportingServer.delete', target: name, detail: { id } })
      })
      return {}
    }),

    bind(contract.stopProject, async ({ id, stopped }, context) => {
      await withTransaction(db, async (trx) => {
        const project = await store.lockProject(trx, id)
        if (!project) throw new Failure('404')
        await store.stopProject(trx, id, stopped)
        await recordRightChange(trx, { projectId: id, reason: 'project' })
        const action = stopped ? 'project.stop' : 'project.resume'
        await auditAct(trx, context, { action, target: project.name, detail: { projectId: id } })
      })
      return {}
    }),
  ]
}
