import type { visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatExact, formatMinute, formatShortClock, useText } from '../../i18n/index.ts'
import { PagedSection } from './paged-section.tsx'
import css from './pane-visits.module.css'
import { visitHistoryQuery } from './visit-queries.ts'
import { formatBytes, formatSpan } from './visit-time.ts'

/** Visits that are over, newest first. */
export function VisitHistory({ machineId, isKey }: { machineId: number; isKey: boolean }) {
  const t = useText().visits.pane
  const [page, setPage] = useState(1)
  return (
    <PagedSection
      title={isKey ? t.history : t.historyOwn}
      none={t.historyNone}
      answer={useQuery(visitHistoryQuery(machineId, page))}
      page={page}
      onPage={setPage}
      row={(visit) => <PastVisit key={visit.sessionId} visit={visit} />}
    />
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
