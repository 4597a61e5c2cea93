import { useQueryClient } from '@tanstack/react-query'
import { type Bulk, BulkDialog } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import type { TableView } from '../../shared/ui/table/use-table-view.ts'
import { operatorKey } from './operator-queries.ts'

interface OperatorBulkProps<Row> {
  bulk: Bulk<Row>
  view: Pick<TableView, 'select'>
  onClose: () => void
}

/** An act on several rows of the back office, whose lists are reloaded afterwards. */
export function OperatorBulk<Row>({ bulk, view, onClose }: OperatorBulkProps<Row>) {
  const queries = useQueryClient()
  return (
    <BulkDialog
      bulk={bulk}
      view={view}
      onClose={onClose}
      onSettled={() => queries.invalidateQueries({ queryKey: operatorKey })}
    />
  )
}
