import type { CsvCell } from '@busbar/contract'
import { liveValues } from '../../entities/machine/live-values.ts'
import type { Machine } from '../../entities/machine/machine.ts'
import { sayStates } from '../../entities/machine/machine-state.ts'
import type { Text } from '../../shared/i18n/index.ts'
import { fileStamp, isoLocal, timeCell } from '../../shared/ui/data/csv.ts'
import { saveFile } from '../../shared/ui/data/save-file.ts'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { formatRows } from '../../shared/ui/table/table-csv.ts'

/** Hands the devices to the browser's downloads, as a file for a spreadsheet. */
export function saveDevices(
  title: string,
  columns: readonly TableColumn<Machine>[],
  machines: readonly Machine[],
  text: Text,
): void {
  const content = formatRows(exportedColumns(columns, text), machines)
  saveFile(`${title} ${fileStamp(Date.now())}.csv`, content, 'text/csv;charset=utf-8')
}

/** The columns of the file: a row says code and state in its first cell, a file has a column for each. */
export function exportedColumns(
  columns: readonly TableColumn<Machine>[],
  text: Text,
): TableColumn<Machine>[] {
  const t = text.machines
  const ofName: TableColumn<Machine>[] = [
    { id: 'code', title: t.facts.code, width: 0, rank: 0, csv: ({ code }) => ({ code }) },
    {
      id: 'state',
      title: t.columns.state,
      width: 0,
      rank: 0,
      value: (machine) => sayStates(machine, t.states),
    },
  ]
  const cells = cellsOf(text)
  return columns
    .filter(({ id }) => id !== 'code' && id !== 'state')
    .flatMap((column) => (column.id === 'name' ? [column, ...ofName] : [column]))
    .map((column) => {
      const csv = cells[column.id]
      return csv ? { ...column, csv } : column
    })
}

/** Cells that say more than the value a column is sorted by. */
function cellsOf(text: Text): Record<string, (machine: Machine) => CsvCell> {
  return {
    keyValue: ({ overview }) => {
      const tag = overview?.keyTag
      if (!tag) return null
      const live = liveValues.get(tag.tagId)
      const isLive = live !== undefined && live.time >= (tag.time ?? 0)
      const { text: value, unit } = formatTagValue(isLive ? live.value : tag.value, tag, text.machines.bool)
      return `${tag.name}: ${value}${unit && ` ${unit}`}`
    },
    window: ({ enterprise }) => {
      const window = enterprise?.window
      return window
        ? { exact: `${isoLocal(window.start)}/${window.stop === null ? '..' : isoLocal(window.stop)}` }
        : null
    },
    added: ({ enterprise }) => timeCell(enterprise?.addedAt ?? null),
    lastSeen: ({ lastSeen }) => timeCell(lastSeen),
  }
}
