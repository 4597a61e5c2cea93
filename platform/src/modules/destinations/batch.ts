import { gapRow, rowId, type StreamRow } from '../project-stream/index.ts'
import { isSent, type LaneChoice } from './lane-rules.ts'
import type { LaneSettings, LaneState } from './lanes-store.ts'
import { formatRow } from './row-forms.ts'

/** Bytes of a request before it is packed. */
export const bodyBytesMax = 1024 * 1024
/** A comma or a line's end after each row, and the brackets around them. */
const bytesBetween = 2

/** The rows of one request, or those that a lane goes past without one. */
export interface Batch {
  /** The number and the time of the last row of the stream that it covers. */
  readonly toNo: number
  readonly toTime: number
  readonly rows: readonly StreamRow[]
  /** As they are sent. */
  readonly texts: readonly string[]
  /** Rows that the quota counts. */
  readonly counted: number
  /** Rows of this time were gone before they were sent. */
  readonly gap: { readonly from: number; readonly to: number } | undefined
  /** Whether more rows would not be added to it. */
  readonly isFull: boolean
  /** It ends before a row that the quota has no room for. */
  readonly isQuotaOver: boolean
}

export interface BatchOptions {
  readonly settings: Pick<LaneSettings, 'projectId' | 'format' | 'rowsMax' | 'createdAt' | 'hasRows'>
  readonly state: Pick<LaneState, 'ackedNo' | 'ackedTime' | 'batchToNo' | 'epoch'>
  readonly choice: LaneChoice
  /** Rows that the quota has room for. */
  readonly left: number
  zoneOf(machineId: number | null): string
}

/** The next batch out of the rows after the last that was delivered, in their order. */
export function cutBatch(ahead: readonly StreamRow[], options: BatchOptions): Batch {
  const { settings, state, choice, left, zoneOf } = options
  const rows: StreamRow[] = []
  const texts: string[] = []
  let [bytes, counted] = [0, 0]
  const gap = findGap(ahead[0], options)
  let toNo = gap ? (ahead[0]?.no ?? 1) - 1 : state.ackedNo
  let toTime = gap?.to ?? (state.ackedTime ?? settings.createdAt).getTime()
  const end = (isFull: boolean, isQuotaOver = false): Batch => {
    return {
      toNo,
      toTime,
      rows,
      texts,
      counted,
      gap: settings.hasRows ? gap : undefined,
      isFull,
      isQuotaOver,
    }
  }
  const add = (row: StreamRow, text: string) => {
    rows.push(row)
    texts.push(text)
    bytes += Buffer.byteLength(text) + bytesBetween
    if (row.kind === 'row') counted++
  }
  if (gap && settings.hasRows) {
    const no = state.ackedNo + 1
    const row = { no, id: rowId(settings.projectId, state.epoch ?? '', no), ...gapRow(gap.from, gap.to) }
    add(row, formatRow(row, 'json', ''))
  }
  for (const row of ahead) {
    if (state.batchToNo !== null && row.no > state.batchToNo) return end(true)
    if (isSent(row, choice)) {
      if (row.kind === 'row' && counted >= left) return end(true, true)
      const text = formatRow(row, settings.format, zoneOf(row.machineId))
      const isNext = rows.length === 0 || bytes + Buffer.byteLength(text) + bytesBetween <= bodyBytesMax
      // A request that is tried again has the rows that it had.
      if (state.batchToNo === null && (rows.length >= settings.rowsMax || !isNext)) return end(true)
      add(row, text)
    }
    toNo = row.no
    toTime = row.time
  }
  return end(toNo === state.batchToNo)
}

/** The stream's numbers have no holes: rows before the first that is kept are gone. */
function findGap(first: StreamRow | undefined, { settings, state }: BatchOptions): Batch['gap'] {
  if (!first || first.no === state.ackedNo + 1) return undefined
  return { from: (state.ackedTime ?? settings.createdAt).getTime(), to: first.time }
}
