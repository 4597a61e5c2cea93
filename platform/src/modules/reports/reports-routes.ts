import { reports as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import * as service from './reports-service.ts'

/** The calls for scheduled reports. */
export function reportsRoutes(deps: service.ReportsDeps): Binding[] {
  return [
    bind(contract.listReports, ({ eid }, context) => service.listReports(deps, eid, context)),
    bind(contract.getReport, ({ id }, context) => service.getReport(deps, context, id)),
    bind(contract.createReport, async ({ eid, ...wish }, context) => ({
      id: await service.addReport(deps, context, eid, wish),
    })),
    bind(contract.updateReport, async ({ id, ...wish }, context) => {
      await service.changeReport(deps, context, id, wish)
      return {}
    }),
    bind(contract.deleteReport, async ({ id }, context) => {
      await service.deleteReport(deps, context, id)
      return {}
    }),
    bind(contract.runReport, async ({ id, send }, context) => ({
      runId: await service.startRun(deps, context, id, send),
      sends: send,
    })),
    bind(contract.previewReport, (wish, context) => service.preview(deps, context, wish)),
    bind(contract.listReportRecipients, (wish, context) => service.listRecipientChoices(deps, wish, context)),
    bind(contract.listReportRuns, ({ id }, context) => service.listRuns(deps, context, id)),
    bind(contract.downloadReport, ({ fileId }, context) => service.openFile(deps, context, fileId)),
  ]
}
