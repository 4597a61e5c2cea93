/** Notifications of alarms: receivers, channels and times; the only module that writes notifications. */
export { mayStillNotify } from './may-still-notify.ts'
export { createNotificationsModule } from './notifications-module.ts'
export { createReportRequests, type ReportConsent, type ReportRequests } from './report-requests.ts'
export { listMailsOff } from './settings-store.ts'
