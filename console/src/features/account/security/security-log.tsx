import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatExact, formatMinute } from '../../../shared/i18n/format.ts'
import { useText } from '../../../shared/i18n/language.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Panel, Text } from '../../../shared/ui/layout/layout.tsx'
import { Pager } from '../../../shared/ui/pager.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { logEntriesPerPage, securityLogQuery } from '../safety/safety-queries.ts'
import css from './security-log.module.css'

/** The security-relevant acts of the account, and where they came from. */
export function SecurityLog() {
  const { account, app } = useText()
  const t = account.safety
  const [page, setPage] = useState(1)
  const { data, isError, isFetching, refetch } = useQuery(securityLogQuery(page))
  const pages = data ? Math.max(1, Math.ceil(data.total / logEntriesPerPage)) : 1
  return (
    <Panel above={16} aria-labelledby="log-title" aria-busy={!data && !isError}>
      <Text id="log-title" as="h2" pad="12 16" size="14/20">
        {t.history}
      </Text>
      {isError && !data ? (
        <EmptyState icon="offline" title={account.loadFailed} hint={account.loadFailedHint}>
          <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
            {app.retry}
          </Button>
        </EmptyState>
      ) : data?.total === 0 ? (
        <p className={css.empty}>{t.historyEmpty}</p>
      ) : data ? (
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t.columns.at}</th>
              <th scope="col">{t.columns.action}</th>
              <th scope="col">{t.columns.from}</th>
              <th scope="col">{t.columns.result}</th>
            </tr>
          </thead>
          <tbody>
            {data.list.map((entry, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal, and none moves within a page
              <tr key={`${entry.at} ${place}`}>
                <td className="numbers">
                  <time dateTime={new Date(entry.at).toISOString()} title={formatExact(entry.at)}>
                    {formatMinute(entry.at)}
                  </time>
                </td>
                <td>{t.actions[entry.action] ?? entry.action}</td>
                <td>
                  <span className="mono">{entry.ip}</span>
                  <Text tone="quiet" size="11/14" className={css.minor}>
                    {[entry.place, entry.terminal].filter(Boolean).join(' · ')}
                  </Text>
                </td>
                <td className={entry.result === 'refused' ? css.refused : undefined}>
                  {t.results[entry.result]}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <div className={css.empty}>
          <Skeleton width={320} />
        </div>
      )}
      <Pager isFoot page={page} pages={pages} onPage={setPage} />
    </Panel>
  )
}
