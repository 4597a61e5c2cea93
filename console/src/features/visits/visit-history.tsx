import type { visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatExact, formatMinute, formatShortClock, useText } from '../../i18n/index.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PaneFailed, PanePages } from './pane-pages.tsx'
import css from './pane-visits.module.css'
import { visitHistoryQuery } from './visit-queries.ts'
import { formatBytes, formatSpan } from './visit-time.ts'

/** Visits that are over, newest first. */
export function VisitHistory({ machineId, isKey }: { machineId: number; isKey: boolean }) {
  const t = useText().visits.pane
  const [page, setPage] = useState(1)
  const { data, isError, refetch } = useQuery(visitHistoryQuery(machineId, page))
  return (
    <section className={css.section} aria-labelledby="visits-history">
      <header className={css.head}>
        <h3 id="visits-history">{isKey ? t.history : t.historyOwn}</h3>
        {data && <PanePages page={page} total={data.total} onPage={setPage} />}
      </header>
      {!data ? (
        isError ? (
          <PaneFailed onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={40} className={css.skeleton} />
        )
      ) : data.list.length === 0 ? (
        <p className={css.none}>{t.historyNone}</p>
      ) : (
        <ul className={css.rows}>
          {data.list.map((visit) => (
            <PastVisit key={visit.sessionId} visit={visit} />
          ))}
        </ul>
      )}
    </section>
  )
}

function PastVisit({ visit }: { visit: visits.Visit }) {
  const t = useText().visits
  const { user, from, until, mode, reason, bytesIn, bytesOut, endedBy } = visit
  const target = visit.kind === 'tcp' ? t.pane.tcp : t.targets.names[visit.target] ? '' : visit.target
  const isOneDay = new Date(from).toDateString() === new Date(until).toDateString()
  return (
    <li className={css.row}>
      <div className={css.words}>
        <p className={css.first}>
          <b className="cut" title={user.name}>
            {user.name}
          </b>
          {user.me && <span className={css.you}>{t.you}</span>}
          <span className={css.mode}>{t.modes[mode]}</span>
          {target && <span className={css.mode}>{target}</span>}
          <span className={`${css.end} cut`} title={endedBy ?? undefined}>
            {reason === 'ended' && endedBy ? t.pane.endedBy(endedBy) : reason && t.reasons[reason]}
          </span>
        </p>
        <p className={css.facts}>
          <span title={`${formatExact(from)} – ${formatExact(until)}`}>
            {formatMinute(from)} – {isOneDay ? formatShortClock(until) : formatMinute(until)}
          </span>
          <span>{formatSpan(until - from)}</span>
          <span data-tip={t.pane.bytes(formatBytes(bytesOut), formatBytes(bytesIn))}>
            ↓ {formatBytes(bytesOut)} ↑ {formatBytes(bytesIn)}
          </span>
        </p>
      </div>
    </li>
  )
}
