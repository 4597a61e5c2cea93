import type { visits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes, useText } from '../../../shared/i18n/index.ts'
import { TimeSpan } from '../../../shared/ui/data/time-span.tsx'
import { Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { useVisitChanges } from '../changes/use-visit-changes.tsx'
import css from '../pane-visits.module.css'
import { visitHistoryQuery } from '../visit-queries.ts'
import { formatSpan } from '../visit-time.ts'
import { endWords, lengthOf, rightWords, targetWords } from '../visit-words.ts'
import { type HistoryFilter, periodOf, usualFilter } from './history-filter.ts'
import { HistoryTools } from './history-tools.tsx'
import { PagedSection } from './paged-section.tsx'

const UsedPorts = lazyPart(() => import('../ports/used-ports.tsx').then((module) => module.UsedPorts))

interface VisitHistoryProps {
  machineId: number
  machineName: string
  /** A key sees all visits, and the report of them; other people their own. */
  isKey: boolean
}

/** Past visits, newest first, with a filter and an export. */
export function VisitHistory({ machineId, machineName, isKey }: VisitHistoryProps) {
  const t = useText().visits.pane
  const [filter, setFilter] = useState(usualFilter)
  const [page, setPage] = useState(1)
  const visitFilter = filterOf(machineId, filter)
  return (
    <PagedSection
      title={isKey ? t.history : t.historyOwn}
      none={filter === usualFilter ? t.historyNone : t.filter.noMatch}
      tools={
        <HistoryTools
          filter={filter}
          visitFilter={visitFilter}
          machineName={machineName}
          isKey={isKey}
          onFilter={(next) => {
            setFilter(next)
            setPage(1)
          }}
        />
      }
      answer={useQuery(visitHistoryQuery(visitFilter, page))}
      page={page}
      onPage={setPage}
      row={(visit) => <PastVisit key={visit.sessionId} visit={visit} />}
    />
  )
}

function filterOf(machineId: number, filter: HistoryFilter) {
  const who = filter.who.trim()
  return { machineId, ...periodOf(filter, Date.now()), ...(who ? { who } : {}) }
}

function PastVisit({ visit }: { visit: visits.Visit }) {
  const text = useText()
  const t = text.visits
  const { sessionId, machine, user, from, until, mode, bytesIn, bytesOut, by } = visit
  const { machineId } = machine
  const { toggle, record } = useVisitChanges({ machineId, sessionId, user: user.name, mode })
  const target = targetWords(visit, text)
  const ending = endWords(visit, text)
  return (
    <li className={css.row}>
      <Stack gap={2} grows className={css.words}>
        <Row as="p" gap={8} shrinks leading={18} className={css.first}>
          <b className="cut" title={user.name}>
            {user.name}
          </b>
          {user.me && (
            <Text fixed tone="quiet" size={12}>
              {t.you}
            </Text>
          )}
          <Text fixed tone="quiet" size={12}>
            {t.modes[mode]}
          </Text>
          {target && (
            <Text fixed tone="quiet" size={12}>
              {target}
            </Text>
          )}
          <span className={`${css.end} cut`} title={ending}>
            {ending}
          </span>
        </Row>
        <p className={css.facts}>
          {by && <span>{rightWords(visit, text)}</span>}
          <TimeSpan from={from} to={until} />
          <span>{formatSpan(lengthOf(visit, until))}</span>
          <span data-tip={t.pane.bytes(formatBytes(bytesOut), formatBytes(bytesIn))}>
            ↓ {formatBytes(bytesOut)} ↑ {formatBytes(bytesIn)}
          </span>
          {toggle}
        </p>
        {visit.ports.length > 0 && <UsedPorts ports={visit.ports} />}
      </Stack>
      {record}
    </li>
  )
}
