import { ApiError } from '@busbar/contract'
import { type ReactNode, useState } from 'react'
import { refusalWords } from '../../api/refusal-words.ts'
import { formatNumber, useLang, useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import type { RowKey } from '../data/virtual-grid.tsx'
import { Dialog } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import { Row, Text } from '../layout/layout.tsx'
import type { TableView } from '../table/use-table-view.ts'
import { showToast } from '../toast/toast-store.ts'
import css from './bulk-dialog.module.css'
import { type BulkFailure, runBulk, runParts } from './run-bulk.ts'

/** An act on each of several rows. */
export interface Bulk<Row> {
  /** Names the act and the number of rows. */
  readonly title: string
  readonly body: ReactNode
  /** The label of the button. */
  readonly action: string
  readonly danger?: boolean
  /** False: fields of the body are not complete yet. */
  readonly isReady?: boolean
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => RowKey
  readonly nameOf: (row: Row) => string
  readonly run: (row: Row) => Promise<unknown>
  /** Of one call of `runMany`. */
  readonly rowsPerCall?: number
  /** Runs it for many rows by one call of the platform, and returns the refused ones; without it one by one. */
  readonly runMany?: (rows: readonly Row[]) => Promise<readonly BulkFailure<Row>[]>
  readonly done?: string | undefined
  /** Names the failure of the only row; otherwise the words of all acts. */
  readonly failed?: string
}

export interface BulkDialogProps<Row> {
  bulk: Bulk<Row>
  /** The list whose rows they are: rows that failed stay selected in it. */
  view: Pick<TableView, 'select'>
  onClose: () => void
  /** Runs after an attempt, because the data may have changed. */
  onSettled: () => Promise<unknown>
}

/** Asks for confirmation, runs it row by row, and names each row that failed with the reason. */
export function BulkDialog<Row>({ bulk, view, onClose, onSettled }: BulkDialogProps<Row>) {
  const { app, table: t } = useText()
  const lang = useLang()
  const [doneCount, setDone] = useState<number>()
  const [failures, setFailures] = useState<readonly BulkFailure<Row>[]>()
  const isRunning = doneCount !== undefined
  const rows = failures ? failures.map(({ row }) => row) : bulk.rows

  async function start() {
    setDone(0)
    const { runMany } = bulk
    const failed =
      runMany && rows.length > 1
        ? await runParts(rows, runMany, bulk.rowsPerCall ?? rows.length, setDone)
        : await runBulk(rows, bulk.run, setDone)
    view.select(new Set(failed.map(({ row }) => bulk.keyOf(row))))
    await onSettled().catch(() => undefined)
    setDone(undefined)
    setFailures(failed)
    if (failed.length > 0) return
    if (bulk.done !== undefined) showToast(bulk.done)
    onClose()
  }

  const why = (error: unknown) => {
    if (!(error instanceof ApiError)) return t.bulkUnknown
    // The request, or its answer, was lost on the way.
    const isLost = error.code === '' && (error.http === 0 || error.http === 408)
    return isLost ? t.bulkUnreachable : refusalWords(error, lang) || t.bulkUnknown
  }
  return (
    <Dialog
      title={bulk.title}
      {...(!isRunning && { onClose })}
      actions={
        <>
          <Button disabled={isRunning} onClick={onClose}>
            {failures ? app.close : app.cancel}
          </Button>
          <Button
            kind={bulk.danger ? 'danger' : 'primary'}
            busy={isRunning}
            disabled={bulk.isReady === false}
            onClick={() => void start()}
          >
            {failures ? app.retry : bulk.action}
          </Button>
        </>
      }
    >
      {!failures && (
        <Text as="div" pretty>
          {bulk.body}
        </Text>
      )}
      {isRunning && (
        <Text as="p" above={12} tone="quiet" numbers role="status">
          {t.bulkRunning(formatNumber(doneCount), formatNumber(rows.length))}
        </Text>
      )}
      {failures && !isRunning && (
        <div role="alert">
          <Row as="p" gap={6} tone="crit">
            <Icon name="warning" size={14} />
            {bulk.rows.length === 1
              ? (bulk.failed ?? t.bulkFailedOne)
              : t.bulkFailed(formatNumber(failures.length))}
          </Row>
          <ul className={css.rows}>
            {failures.map(({ row, error }) => (
              <li key={bulk.keyOf(row)}>
                <Text shrinks weight={500} breaks className={css.name}>
                  {bulk.nameOf(row)}
                </Text>
                <span className={css.why}>{why(error)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}
