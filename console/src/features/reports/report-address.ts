import { reports } from '@busbar/contract'

/** The address from which the browser saves a file of a report. */
export const reportFileUrl = (fileId: number): string =>
  reports.downloadReport.path.replace(':fileId', String(fileId))
