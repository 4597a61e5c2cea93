import { useMutation } from '@tanstack/react-query'
import { formatNumber, useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import { fileStamp } from '../data/csv.ts'
import { saveFile } from '../data/save-file.ts'
import { showToast } from '../toast/toast-store.ts'
import { formatRows } from './table-csv.ts'
import type { TablePage, TableSource } from './table-source.ts'
import type { ShownRows } from './use-rows.ts'

/** More than a person reads, to end an endless export. */
const rowsMax = 10_000

interface ExportButtonProps<Row> {
  source: TableSource<Row>
  shown: ShownRows<Row>
  fileName: string
}

/** Saves the filtered rows, with the visible columns, as a file for a spreadsheet. */
export function ExportButton<Row>({ source, shown, fileName }: ExportButtonProps<Row>) {
  const t = useText().table
  const { page } = source
  const save = useMutation({
    mutationFn: async () => (page?.load ? listAll(page, page.load) : shown.rows),
    onSuccess(rows) {
      const text = formatRows(shown.columns, rows)
      saveFile(`${fileName} ${fileStamp(Date.now())}.csv`, text, 'text/csv;charset=utf-8')
      const all = page?.load ? page.total : rows.length
      if (rows.length < all) showToast(t.exportCut(formatNumber(rows.length), formatNumber(all)), 'info')
      else showToast(t.exported(formatNumber(rows.length)))
    },
    onError: () => showToast(t.exportFailed, 'failure'),
  })
  return (
    <Button
      size="small"
      kind="ghost"
      icon="download"
      busy={save.isPending}
      disabled={shown.rows.length === 0}
      data-tip={t.exportHint}
      onClick={() => save.mutate()}
    >
      {t.export}
    </Button>
  )
}

/** All pages of the current query. */
async function listAll<Row>(
  { total, pageSize }: TablePage<Row>,
  load: NonNullable<TablePage<Row>['load']>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  const pages = Math.ceil(Math.min(total, rowsMax) / pageSize)
  for (let page = 1; page <= pages; page++) {
    const { list } = await load(page)
    rows.push(...list)
    if (list.length < pageSize) break
  }
  return rows.slice(0, rowsMax)
}
