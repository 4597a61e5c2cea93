/** A row of a project's stream. */
export interface NewRow {
  /** The link of the machine that told it; null where it is about the project. */
  readonly linkId: number | null
  readonly machineId: number | null
  readonly kind: RowKind
  /** Epoch milliseconds. */
  readonly time: number
  readonly late: boolean
  /** The row as JSON without its beginning `{"id":…,`. */
  readonly text: string
}

export interface NumberedRow extends NewRow {
  readonly no: number
}

export interface StreamRow extends NumberedRow {
  readonly id: string
}

/** The stored numbers of the kinds are their places: none is moved. */
export const rowKinds = ['row', 'gap', 'event'] as const
export type RowKind = (typeof rowKinds)[number]

/** The id of a row, the same in each try. Numbers are given again after a restore, so the epoch is part of it. */
export const rowId = (projectId: number, epoch: string, no: number): string =>
  [projectId, epoch.slice(0, 8), no].join('-')

/** The id of a row of history, the same in each reading. */
export const historyRowId = (projectId: number, { linkId, time }: NewRow): string =>
  `${projectId}-h${linkId}-${time}`

/** A row as it is sent. */
export const rowJson = ({ id, text }: StreamRow): string => `{"id":"${id}",${text}`

/** A span of time whose rows are lost, of one machine or of all. */
export function gapRow(
  from: number,
  to: number,
  link?: { readonly linkId: number; readonly machineId: number; readonly machineCode: string },
): NewRow {
  const machine = link ? `"machineCode":${JSON.stringify(link.machineCode)},` : ''
  return {
    linkId: link?.linkId ?? null,
    machineId: link?.machineId ?? null,
    kind: 'gap',
    time: to,
    late: false,
    text: `${machine}"time":${to},"gap":{"from":${from},"to":${to}}}`,
  }
}
