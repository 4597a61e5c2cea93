import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { type Bulk, BulkDialog } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import type { TableView } from '../../shared/ui/table/use-table-view.ts'
import { useAdministration } from './administration.ts'

interface Person {
  readonly userId: number
  readonly name: string
}

/** Something that is done to each of several people. */
export interface PeopleAct<Row> {
  readonly id: 'end' | 'remove' | 'lower' | 'block' | 'lift'
  /** The label of the button. */
  readonly action: string
  readonly danger?: boolean
  readonly run: (row: Row) => Promise<unknown>
}

interface PeopleButtonsProps<Row> {
  acts: readonly PeopleAct<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => number
  onAsk: (bulk: Bulk<Row>) => void
}

/** The buttons for the selected people; each asks for confirmation. */
export function PeopleButtons<Row extends Person>({ acts, rows, keyOf, onAsk }: PeopleButtonsProps<Row>) {
  const t = useText().access.bulk
  return acts.map(({ id, action, danger = false, run }) => (
    <Button
      key={id}
      size="small"
      onClick={() =>
        onAsk({
          title: t.titles[id](rows.length),
          body: t.bodies[id],
          action,
          danger,
          rows,
          keyOf,
          nameOf: ({ name }) => name,
          run,
          done: t.done,
        })
      }
    >
      {action}
    </Button>
  ))
}

interface PeopleBulkProps<Row> {
  bulk: Bulk<Row>
  view: Pick<TableView, 'select'>
  onClose: () => void
}

/** Asks for confirmation, and runs the act; the page is reloaded afterwards. */
export function PeopleBulk<Row>({ bulk, view, onClose }: PeopleBulkProps<Row>) {
  const { refresh } = useAdministration()
  return <BulkDialog bulk={bulk} view={view} onClose={onClose} onSettled={refresh} />
}
