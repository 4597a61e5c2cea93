import type { TableColumn } from './column.ts'
import { isShown, pinOf, type TableSettings } from './settings.ts'

/** The columns that a person sees, in their order: those pinned to the start, the others, those pinned to the end. */
export function shownColumns<Row>(
  columns: readonly TableColumn<Row>[],
  settings: TableSettings,
): TableColumn<Row>[] {
  const shown = columns.filter((column) => isShown(column, settings))
  const at = (edge: 'start' | 'end' | undefined) => shown.filter((column) => pinOf(column, settings) === edge)
  return [...at('start'), ...at(undefined), ...at('end')]
}
