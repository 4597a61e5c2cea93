import type { AnswerOf, applications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useId, useState } from 'react'
import { rowsPerPage, visitTimesQuery } from '../../entities/access/access-queries.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Pager } from '../../shared/ui/pager.tsx'
import people from '../../shared/ui/people/people.module.css'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useAdministration } from './administration.ts'
import css from './applications-section.module.css'
import { PersonCell } from './person-cell.tsx'

type VisitTime = AnswerOf<typeof applications.listVisitTimes>['list'][number]

const template = 'minmax(170px, 1.5fr) minmax(110px, 0.8fr) minmax(150px, 1.1fr)'

/** Everybody who visits, did, or asked to: what became of it, and until when. */
export function TimesSection() {
  const { machineId } = useAdministration()
  const { access: t, app } = useText()
  const titleId = useId()
  const [page, setPage] = useState(1)
  const query = useQuery(visitTimesQuery(machineId, page))
  const { data } = query

  function content(): ReactNode {
    if (!data) {
      return query.isError ? (
        <EmptyState icon="warning" title={t.failed.title} hint={t.failed.hint}>
          <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
            {app.retry}
          </Button>
        </EmptyState>
      ) : (
        <div className={css.waiting}>
          <Skeleton width={180} />
          <Skeleton width={240} />
        </div>
      )
    }
    if (data.total === 0) return <EmptyState icon="clock" title={t.times.empty} hint={t.times.emptyHint} />
    return (
      <>
        <div className={people.names} aria-hidden="true">
          <span>{t.columns.person}</span>
          <span>{t.times.status}</span>
          <span>{t.columns.until}</span>
        </div>
        <ul aria-labelledby={titleId}>
          {data.list.map((time) => (
            <TimeRow key={`${time.userId} ${time.id}`} time={time} />
          ))}
        </ul>
      </>
    )
  }

  return (
    <section
      className={people.panel}
      style={{ '--columns': template } as CSSProperties}
      aria-labelledby={titleId}
      aria-busy={query.isPending}
    >
      <header className={people.head}>
        <div className={people.words}>
          <h2 id={titleId} className={people.title}>
            {t.tabs.times}
            {data && data.total > 0 && <span className={people.count}>{t.count(data.total)}</span>}
          </h2>
          <p className={people.lead}>{t.times.lead}</p>
        </div>
        {data && (
          <Pager size="small" page={page} pages={Math.ceil(data.total / rowsPerPage)} onPage={setPage} />
        )}
      </header>
      {content()}
    </section>
  )
}

function TimeRow({ time }: { time: VisitTime }) {
  const t = useText().access.times
  const { status, visitTime } = time
  const isApproved = status === 'approved'
  return (
    <li className={classes(people.row, !isApproved && status !== 'waiting' && people.over)}>
      <PersonCell person={time} />
      <span className={classes(people.tag, isApproved && people.bkey)}>{t.statuses[status]}</span>
      {isApproved ? (
        <VisitTimeText visitTime={visitTime} className={classes(people.line, people.end)} />
      ) : (
        <span className={people.none}>—</span>
      )}
    </li>
  )
}
