/** Limits of scheduled reports (rules/data-centre.md: reports). */
export const reportLimits = {
  /** Reports of a person, and of an enterprise. */
  reportsPerSpace: 50,
  reportNameMax: 30,
  machinesPerReport: 30,
  tagsPerReport: 60,
  recipientsPerReport: 20,
  /** Mails with reports of a person or an enterprise in a day; above it files are made and not sent. */
  mailsPerOwner: 50,
  /** Alarms that a report lists one by one. */
  alarmsPerReport: 200,
  longestAlarms: 10,
  /** Pages of a preview. */
  previewPages: 6,
  /** Runs of a report that are listed, and that are kept. */
  runsPerReport: 30,
  /** The files of a run are kept for so long, in days. */
  filesKeptDays: 90,
} as const
