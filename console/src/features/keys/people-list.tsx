import type { UseQueryResult } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useId, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import css from '../../shared/ui/people/people.module.css'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { filterPeople } from './people-order.ts'

interface Person {
  readonly userId: number
  readonly name: string
  readonly phone: string
  readonly email: string
}

interface PeopleListProps<P extends Person> {
  title: string
  lead: string
  /** Said beside the count: how many of them are over, say. */
  countNote?: string | undefined
  query: UseQueryResult<readonly P[]>
  /** In the order they are shown; the query's own where that says enough. */
  people: readonly P[] | undefined
  /** Names of the columns and the grid they stand in. */
  columns: readonly string[]
  template: string
  row: (person: P) => ReactNode
  /** What to do next where there is nobody. */
  empty: ReactNode
  /** The one button of the list. */
  add?: ReactNode
  children?: ReactNode
}

/** Fewer are found at a glance. */
const searchFrom = 8
const skeletonRows = 3
/** Drawn at once; more by a press. Whoever is looked for among hundreds is searched. */
const rowsPerStep = 100

/** A list of people with its search, and what stands there while it loads, fails or is empty. */
export function PeopleList<P extends Person>(props: PeopleListProps<P>) {
  const { title, lead, countNote, query, people, columns, template, row, empty, add } = props
  const t = useText().access
  const titleId = useId()
  const [search, setSearch] = useState('')
  const [rowsMax, setRowsMax] = useState(rowsPerStep)
  const shown = people && filterPeople(people, search)
  const isSearched = people !== undefined && (people.length >= searchFrom || search !== '')

  function content(): ReactNode {
    if (!shown || !people) return query.isError ? <Failed query={query} /> : <Skeletons />
    if (people.length === 0) return <div className={css.body}>{empty}</div>
    if (shown.length === 0) {
      return (
        <p className={css.noMatch}>
          {t.noMatch(search.trim())}
          <Button size="small" onClick={() => setSearch('')}>
            {t.clearSearch}
          </Button>
        </p>
      )
    }
    return (
      <>
        <div className={css.names} aria-hidden="true">
          {columns.map((name) => (
            <span key={name} className="cut">
              {name}
            </span>
          ))}
        </div>
        <ul aria-labelledby={titleId}>{shown.slice(0, rowsMax).map(row)}</ul>
        {shown.length > rowsMax && (
          <p className={css.further}>
            <Button size="small" onClick={() => setRowsMax(rowsMax + rowsPerStep)}>
              {t.further(shown.length - rowsMax)}
            </Button>
          </p>
        )}
      </>
    )
  }

  return (
    <section
      className={css.panel}
      style={{ '--columns': template } as CSSProperties}
      aria-labelledby={titleId}
      aria-busy={query.isPending}
    >
      <header className={css.head}>
        <div className={css.words}>
          <h2 id={titleId} className={css.title}>
            {title}
            {people && people.length > 0 && (
              <span className={css.count}>
                {[t.count(people.length), countNote].filter(Boolean).join(' · ')}
              </span>
            )}
          </h2>
          <p className={css.lead}>{lead}</p>
        </div>
        {(isSearched || add) && (
          <div className={css.tools}>
            {isSearched && (
              <SearchField label={t.search} value={search} onChange={setSearch} className={css.search} />
            )}
            {add}
          </div>
        )}
      </header>
      {content()}
      {props.children}
    </section>
  )
}

function Failed({ query }: { query: Pick<UseQueryResult, 'isFetching' | 'refetch'> }) {
  const { access: t, app } = useText()
  return (
    <div className={css.body}>
      <EmptyState icon="warning" title={t.failed.title} hint={t.failed.hint}>
        <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
          {app.retry}
        </Button>
      </EmptyState>
    </div>
  )
}

function Skeletons() {
  return (
    <ul aria-hidden="true">
      {Array.from({ length: skeletonRows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <li key={place} className={css.row}>
          <span className={css.person}>
            <Skeleton width={28} height={28} />
            <Skeleton width={110 + place * 18} />
          </span>
          <Skeleton width={88} />
        </li>
      ))}
    </ul>
  )
}
