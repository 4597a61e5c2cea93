import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { emptyMark, formatExact } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { outgoingQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import css from './outbox-section.module.css'
import { useList } from './use-list.ts'

const template = 'minmax(180px, 1fr) minmax(260px, 2.4fr) 110px 150px'

/** SMS and e-mails of the platform, newest first. */
export function OutboxSection(): ReactNode {
  const all = useOperatorText()
  const t = all.outbox
  const state = useList<'sms' | 'email'>()
  const query = useQuery(outgoingQuery(state.ask))
  return (
    <OperatorList
      title={all.parts.outbox}
      lead={t.lead}
      query={query}
      state={state}
      searched={t.search}
      filters={t.filters}
      columns={Object.values(t.columns)}
      template={template}
      empty={{ icon: 'mail', title: t.empty, hint: t.emptyHint }}
      countedMax={operator.rowsCountedMax}
      row={(row) => (
        <li key={row.id} className={rowCss.row}>
          <NameCell name={row.to} minor={t.filters[row.kind]} />
          <Cell wide>
            {row.text ? (
              <details className={css.message}>
                <summary className="cut">{row.subject || row.text}</summary>
                <p className={css.text}>{row.text}</p>
              </details>
            ) : (
              <span className="cut">{row.subject || emptyMark}</span>
            )}
          </Cell>
          <Cell caption={t.columns.state} wide>
            <Tag tone={row.state === 'failed' ? 'bad' : row.state === 'sent' ? 'good' : 'plain'}>
              {t.states[row.state] ?? row.state}
            </Tag>
            {row.error && <p className={rowCss.minor}>{row.error}</p>}
          </Cell>
          <Cell caption={t.columns.at} wide>
            <time dateTime={new Date(row.at).toISOString()}>{formatExact(row.at)}</time>
          </Cell>
        </li>
      )}
    >
      <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
        {all.refresh}
      </Button>
    </OperatorList>
  )
}
