/** Writing to machines: the wish, what became of it, and the log of all of it. */

export { visitReportRoutes } from './visit-report-routes.ts'
export { writesRoutes } from './writes-routes.ts'
export { WritesService } from './writes-service.ts'
