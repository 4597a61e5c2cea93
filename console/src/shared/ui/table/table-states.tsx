import type { ReactNode } from 'react'
import { useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import { EmptyState, ListFailed } from '../empty-state.tsx'
import type { IconName } from '../icon-paths.ts'
import { ShapeWait } from '../shape-wait.tsx'
import type { TableSource } from './table-source.ts'

export interface EmptyWords {
  readonly icon: IconName
  readonly title: string
  readonly hint?: ReactNode
  /** The way on. */
  readonly action?: ReactNode
}

interface TableEmptyProps {
  source: TableSource<unknown>
  isNarrowed: boolean
  /** By words, not by filters alone. */
  isSearched: boolean
  empty: EmptyWords
  rowHeight: number
  onClear: () => void
}

const skeletonRows = 6

/** In place of rows, by the cause: not allowed, failed, still loading, nothing yet, or nothing that matches. */
export function TableEmpty({ source, isNarrowed, isSearched, empty, rowHeight, onClear }: TableEmptyProps) {
  const { table: t } = useText()
  if (source.isRefused) return <EmptyState icon="lock" title={t.refused} hint={t.refusedHint} />
  if (source.isFailed) return <ListFailed isFetching={source.isFetching} retry={source.retry} />
  if (!source.rows) return <ShapeWait shape="list" rows={skeletonRows} height={rowHeight} />
  // If the list is empty anyway, its search or filter is not the cause.
  const hasNone = source.page ? source.page.hasNone === true : source.rows.length === 0
  if (isNarrowed && !hasNone)
    return (
      <EmptyState
        icon="search"
        title={isSearched ? t.noMatch : t.noneFiltered}
        hint={isSearched ? t.noMatchHint : t.noneFilteredHint}
      >
        <Button onClick={onClear}>{t.clearFilter}</Button>
      </EmptyState>
    )
  return (
    <EmptyState icon={empty.icon} title={empty.title} hint={empty.hint}>
      {empty.action}
    </EmptyState>
  )
}
