/** Limits of exports (rules/data-centre.md: exports). */
export const exportLimits = {
  exportTagsMax: 500,
  exportSamplesMax: 100_000_000,
  /** Rows of an xlsx file, on as many sheets as they need. */
  exportXlsxRowsMax: 5_000_000,
  /** Exports of a person that wait or run. */
  exportsOpenMax: 10,
  /** Exports that a person's list shows. */
  exportsListed: 100,
  /** Lifetime of a file. */
  exportHours: 24,
  previewRows: 20,
  /** The longest stretch of time, in milliseconds. */
  exportMsMax: 5 * 366 * 86_400_000,
} as const

export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** `wide`: a row for each time and a column for each variable; `long`: a row for each value. */
export const exportLayouts = ['wide', 'long', 'sheetPerMachine'] as const
export type ExportLayout = (typeof exportLayouts)[number]

/** Lengths of an interval, in seconds; `day` is a day of the file's time zone, which may have 23 or 25 hours. */
export const exportIntervals = ['1', '10', '60', '300', '600', '900', '1800', '3600', 'day'] as const
export type ExportInterval = (typeof exportIntervals)[number]

export const exportAggregates = ['avg', 'min', 'max', 'first', 'last', 'count', 'sum', 'delta'] as const
export type ExportAggregate = (typeof exportAggregates)[number]

/** `displaced`: its file went before its time, because others needed the room. */
export const exportStates = [
  'waiting',
  'running',
  'ready',
  'failed',
  'cancelled',
  'expired',
  'displaced',
] as const
export type ExportState = (typeof exportStates)[number]
