/** How the reporting of a project goes, from the modules that send its rows. */
export interface ReportingFigures {
  readonly lagMs: number | null
  readonly lagRows: number | null
  /** The name of the destination that is furthest behind or fails. */
  readonly worstTarget: string | null
  readonly isFailing: boolean
}

/** The modules that send rows tell how it goes; projects know nothing of streams and destinations. */
export interface ReportingSource {
  listFigures(projectIds: readonly number[]): Promise<ReadonlyMap<number, ReportingFigures>>
  /** When the last row of each of these links was told. */
  listLastRows(linkIds: readonly number[]): Promise<ReadonlyMap<number, Date>>
}

/** Before a module sends rows. */
export const noReporting: ReportingSource = {
  listFigures: async () => new Map(),
  listLastRows: async () => new Map(),
}
