/** Scheduled reports of people and enterprises: pdf, xlsx and csv, by e-mail and for download. */
export { createReportsModule } from './reports-module.ts'
export { nextReportAt } from './reports-service.ts'
export { insertReport, setRecipients } from './reports-store.ts'
