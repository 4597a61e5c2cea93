import type { ReactNode } from 'react'
import { useText } from '../../i18n/index.ts'
import { Button } from '../button.tsx'
import { EmptyState, ListFailed } from '../empty-state.tsx'
import type { IconName } from '../icon-paths.ts'
import { Row } from '../layout/layout.tsx'
import { Skeleton } from '../skeleton.tsx'
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
  if (!source.rows) return <SkeletonRows height={rowHeight} />
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

/** Rows to come, as high as they will be, so that nothing moves when they are there. */
function SkeletonRows({ height }: { height: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: skeletonRows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Row key={place} line="bottom" padX={16} gap={24} style={{ height }}>
          <Skeleton width={`${24 + ((place * 7) % 12)}%`} />
          <Skeleton width="14%" />
          <Skeleton width="10%" />
        </Row>
      ))}
    </div>
  )
}
