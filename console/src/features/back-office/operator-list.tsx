import type { UseQueryResult } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useId } from 'react'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { Pager } from '../../shared/ui/pager.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { Segmented } from '../../shared/ui/segmented.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import css from './operator-list.module.css'
import { useOperatorText } from './operator-text.ts'
import type { ListState } from './use-list.ts'

interface Paged<Row> {
  readonly list: readonly Row[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

interface OperatorListProps<Row, Only extends string> {
  title: string
  lead: string
  query: UseQueryResult<Paged<Row>>
  state: ListState<Only>
  /** What is searched, as the field says it. */
  searched: string
  /** What the list can be narrowed to, by its value. */
  filters?: Readonly<Record<Only, string>>
  columns: readonly string[]
  /** The grid the columns stand in. */
  template: string
  row: (row: Row) => ReactNode
  empty: { readonly icon: IconName; readonly title: string; readonly hint?: string }
  /** The platform counted no further than this. */
  countedMax?: number
  /** Buttons beside the search. */
  children?: ReactNode
}

const skeletonRows = 5
const everything = 'all'

/** A list of the back office: page after page, searched by the platform. */
export function OperatorList<Row, Only extends string = never>(props: OperatorListProps<Row, Only>) {
  const {
    title,
    lead,
    query,
    state,
    searched,
    filters,
    columns,
    template,
    row,
    empty,
    countedMax,
    children,
  } = props
  const t = useOperatorText()
  const { app } = useText()
  const titleId = useId()
  const { data } = query
  const isNarrowed = state.ask.search !== '' || state.ask.only !== undefined

  function content(): ReactNode {
    if (query.isError && !data)
      return (
        <EmptyState icon="warning" title={t.failed} hint={t.failedHint}>
          <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
            {app.retry}
          </Button>
        </EmptyState>
      )
    if (data?.list.length === 0)
      return isNarrowed ? (
        <EmptyState icon="search" title={t.noMatch} hint={t.noMatchHint} />
      ) : (
        <EmptyState {...empty} />
      )
    return (
      <>
        <div className={css.names} aria-hidden="true">
          {columns.map((name) => (
            <span key={name} className="cut">
              {name}
            </span>
          ))}
        </div>
        {data ? <ul aria-labelledby={titleId}>{data.list.map(row)}</ul> : <Skeletons />}
      </>
    )
  }

  return (
    <section
      className={css.panel}
      style={{ '--columns': template } as CSSProperties}
      aria-labelledby={titleId}
      aria-busy={query.isFetching}
    >
      <header className={css.head}>
        <div className={css.words}>
          <h2 id={titleId} className={css.title}>
            {title}
            {data && (
              <span className={css.count}>
                {(data.total === countedMax ? t.totalAtLeast : t.total)(formatNumber(data.total))}
              </span>
            )}
          </h2>
          <p className={css.lead}>{lead}</p>
        </div>
        <div className={css.tools}>
          <SearchField label={searched} value={state.typed} onChange={state.type} className={css.search} />
          {children}
        </div>
        {filters && (
          <Segmented
            label={title}
            size="small"
            className={css.filters}
            options={[
              { value: everything, label: t.all },
              ...Object.entries<string>(filters).map(([value, label]) => ({ value, label })),
            ]}
            value={state.ask.only ?? everything}
            onChange={(value) => state.narrow(value === everything ? undefined : (value as Only))}
          />
        )}
      </header>
      {content()}
      {data && (
        <Pager isFoot page={data.page} pages={Math.ceil(data.total / data.pageSize)} onPage={state.turnTo} />
      )}
    </section>
  )
}

interface CellProps {
  /** The column's name, said on a phone, where a row is a card. */
  caption?: string
  children: ReactNode
  /** On a phone: a line of its own. */
  wide?: boolean
}

/** What stands in a column. */
export function Cell({ caption, children, wide = false }: CellProps) {
  return (
    <div className={classes(css.cell, wide && css.wide)}>
      {caption && <span className={css.caption}>{caption}</span>}
      {children}
    </div>
  )
}

interface NameCellProps {
  name: string
  /** Under it, smaller. */
  minor?: ReactNode
  tags?: ReactNode
}

/** A row's first column: what it is. */
export function NameCell({ name, minor, tags }: NameCellProps) {
  return (
    <div className={css.first}>
      <p className={css.name}>
        <span className="cut" title={name}>
          {name}
        </span>
        {tags}
      </p>
      {minor && <div className={css.minor}>{minor}</div>}
    </div>
  )
}

/** A word about a row, in a colour that means something: good, soon bad, bad, or neither. */
export function Tag({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  children: ReactNode
}) {
  return <span className={classes(css.tag, tone !== 'plain' && css[tone])}>{children}</span>
}

function Skeletons() {
  return (
    <ul aria-hidden="true">
      {Array.from({ length: skeletonRows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <li key={place} className={css.row}>
          <Skeleton width={140 + place * 16} />
          <Skeleton width={80} />
        </li>
      ))}
    </ul>
  )
}

/** The classes a section's own rows are made of. */
export const rowCss = { row: css.row, actions: css.actions, minor: css.minor } as const
