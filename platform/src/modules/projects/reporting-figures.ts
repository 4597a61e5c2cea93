/** How the reporting of a project goes, from the modules that send its rows. */
export interface ReportingFigures {
  /** A destination is on. */
  readonly isOn: boolean
  readonly lagMs: number | null
  readonly lagRows: number | null
  /** The name of the destination that is furthest behind or fails. */
  readonly worstTarget: string | null
  readonly isFailing: boolean
}

/** The modules that send rows tell how it goes; projects know nothing of streams and destinations. */
export interface ReportingSource {
  listFigures(projectIds: readonly number[]): Promise<ReadonlyMap<number, ReportingFigures>>
  /** When the last row of each link of a project was told, epoch milliseconds; not of those long ago. */
  listLastRows(projectId: number): Promise<ReadonlyMap<number, number>>
}
