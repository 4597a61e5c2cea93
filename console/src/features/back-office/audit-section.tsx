import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { emptyMark, formatExact, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { auditQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import css from './outbox-section.module.css'
import { useList } from './use-list.ts'

const template = '150px minmax(110px, 1fr) minmax(130px, 1fr) minmax(140px, 1.4fr) minmax(120px, 1fr) 130px'

/** What was done, newest first; nobody can change it here or anywhere. */
export function AuditSection(): ReactNode {
  const all = useOperatorText()
  const t = all.audit
  const { actions } = useText().account.safety
  const state = useList<'ok' | 'refused'>()
  const query = useQuery(auditQuery(state.ask))
  return (
    <OperatorList
      title={all.parts.audit}
      lead={t.lead}
      query={query}
      state={state}
      searched={t.search}
      filters={t.filters}
      columns={Object.values(t.columns)}
      template={template}
      empty={{ icon: 'shield', title: t.empty }}
      countedMax={operator.rowsCountedMax}
      row={(row) => (
        <li key={row.id} className={rowCss.row}>
          <Cell wide>
            <time dateTime={new Date(row.at).toISOString()}>{formatExact(row.at)}</time>
          </Cell>
          <NameCell name={row.actor || t.stranger} />
          <Cell caption={t.columns.action} wide>
            <p>{actions[row.action] ?? row.action}</p>
            {actions[row.action] && <p className={rowCss.minor}>{row.action}</p>}
          </Cell>
          <Cell caption={t.columns.target} wide>
            {Object.keys(row.detail).length > 0 ? (
              <details className={css.message}>
                <summary>{row.target || t.details}</summary>
                <p className={css.text}>{JSON.stringify(row.detail, undefined, 1)}</p>
              </details>
            ) : (
              row.target || emptyMark
            )}
          </Cell>
          <Cell caption={t.columns.from} wide>
            <span className="mono">{row.ip}</span>
            {row.terminal && <p className={rowCss.minor}>{row.terminal}</p>}
          </Cell>
          <Cell caption={t.columns.result}>
            <span className={css.result}>
              <Tag tone={row.result === 'ok' ? 'good' : 'bad'}>{row.result === 'ok' ? t.ok : t.refused}</Tag>
              <span data-tip={row.sealed ? t.sealed : t.open}>
                <Icon name={row.sealed ? 'lock' : 'clock'} size={14} />
                <span className="sr-only">{row.sealed ? t.sealed : t.open}</span>
              </span>
            </span>
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
