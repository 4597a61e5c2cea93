/** The streams of projects: the rows of each, numbered in the order of their arrival. */

export { type HistoryWindow, readHistory, readUntilOf } from './history-rows.ts'
export { createProjectStreamModule, type ProjectStreamModule } from './project-stream-module.ts'
export {
  gapRow,
  historyRowId,
  type NewRow,
  type RowKind,
  rowId,
  rowJson,
  type StreamRow,
} from './stream-row.ts'
export type { ProjectStreams, ReadLimits, StreamHead } from './stream-store.ts'
