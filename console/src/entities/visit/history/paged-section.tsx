import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Box, Row } from '../../../shared/ui/layout/layout.tsx'
import { Pager } from '../../../shared/ui/pager.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { PaneFailed } from '../pane-failed.tsx'
import css from '../pane-visits.module.css'
import { rowsPerPage } from '../visit-queries.ts'

interface Page<Row> {
  readonly list: readonly Row[]
  readonly total: number
}

interface PagedSectionProps<Row> {
  title: string
  /** Shown if there are no rows. */
  none: string
  /** Filters the rows, or acts on all of them. */
  tools?: ReactNode
  answer: Pick<UseQueryResult<Page<Row>>, 'data' | 'isError' | 'refetch'>
  /** Which page it is of, counted from 1. */
  page: number
  onPage: (page: number) => void
  row: (row: Row) => ReactNode
}

/** A section of the pane with a past in pages, newest first. */
export function PagedSection<Row>({ title, none, tools, answer, page, onPage, row }: PagedSectionProps<Row>) {
  const titleId = useId()
  const { data, isError, refetch } = answer

  function content(): ReactNode {
    if (!data && isError) return <PaneFailed onRetry={() => void refetch()} />
    if (!data) return <Skeleton height={40} className={css.skeleton} />
    if (data.list.length === 0)
      return (
        <Row as="p" padY={6} gap={12} tone="quiet">
          {none}
        </Row>
      )
    return (
      <Box as="ul" above={4}>
        {data.list.map(row)}
      </Box>
    )
  }

  return (
    <section className={css.section} aria-labelledby={titleId} aria-busy={!data && !isError}>
      <Row as="header" gap={12} justify="between" className={css.head}>
        <h3 id={titleId}>{title}</h3>
        {data && (
          <Pager size="small" page={page} pages={Math.ceil(data.total / rowsPerPage)} onPage={onPage} />
        )}
      </Row>
      {tools}
      {content()}
    </section>
  )
}
