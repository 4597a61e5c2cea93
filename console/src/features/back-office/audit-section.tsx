import { type AnswerOf, operator } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { emptyMark, formatExact, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { ExactTime, Lines, NameCell } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { DetailDialog } from './detail-dialog.tsx'
import { type AuditSubject, auditQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useOnly, useOperatorList } from './use-operator-list.ts'

type AuditRow = AnswerOf<typeof operator.listAudit>['list'][number]

const keyOf = ({ id }: AuditRow) => id

/** Every audited act, newest first; entries are never changed. */
export function AuditSection(): ReactNode {
  return <AuditTable id="audit" lead={useOperatorText().audit.lead} />
}

interface AuditTableProps {
  /** The list's own name. */
  id: string
  /** The person or thing that the entries are about. */
  about?: AuditSubject
  lead?: string
  isTitleHidden?: boolean
}

/** Entries of the audit log: all of them, or those about one subject. */
export function AuditTable({ id, about, lead, isTitleHidden = false }: AuditTableProps): ReactNode {
  const all = useOperatorText()
  const t = all.audit
  const { actions } = useText().account.safety
  const list = useOperatorList({
    id,
    queryOf: (ask) => auditQuery(ask, about),
    countedMax: operator.rowsCountedMax,
  })
  const filters = useOnly<AuditRow>(t.columns.result, t.filters)
  const [opened, setOpened] = useState<AuditRow>()

  const columns = useMemo(
    (): readonly TableColumn<AuditRow>[] => [
      {
        id: 'at',
        title: t.columns.at,
        ...{
          width: 178,
          rank: 1,
          pinned: 'start',
          card: 'plain',
          filter: { kind: 'dateRange' },
          sort: 'platform',
        },
        value: ({ at }) => at,
        csv: ({ at }) => timeCell(at),
        cell: ({ at }) => <ExactTime at={at} />,
      },
      {
        id: 'actor',
        title: t.columns.actor,
        ...{ width: 120, grow: 1, rank: 2 },
        value: ({ actor }) => actor || t.stranger,
        cell: ({ actor }) => <NameCell name={actor || t.stranger} />,
      },
      {
        id: 'action',
        title: t.columns.action,
        ...{ width: 150, grow: 1.2, rank: 0, card: 'name' },
        value: ({ action }) => action,
        cell: ({ action }) => (
          <Lines main={actions[action] ?? action} minor={actions[action] !== undefined && action} />
        ),
      },
      {
        id: 'target',
        title: t.columns.target,
        ...{ width: 130, grow: 1.2, rank: 4, card: 'plain' },
        value: ({ target }) => target,
      },
      {
        id: 'from',
        title: t.columns.from,
        ...{ width: 130, grow: 1, rank: 5, card: 'plain' },
        value: ({ ip }) => ip,
        csv: ({ ip, terminal }) => `${ip} ${terminal}`.trim(),
        cell: ({ ip, terminal }) => <Lines main={<span className="mono">{ip}</span>} minor={terminal} />,
      },
      {
        id: 'result',
        title: t.columns.result,
        ...{ width: 92, rank: 3 },
        value: ({ result }) => (result === 'ok' ? t.ok : t.refused),
        // Only what was refused has a colour: nearly every row is fine.
        cell: ({ result }) => (result === 'ok' ? t.ok : <Tag tone="warn">{t.refused}</Tag>),
      },
      {
        id: 'sealed',
        title: t.columns.sealed,
        ...{ width: 80, rank: 6, sort: false },
        value: ({ sealed }) => (sealed ? t.sealed : t.open),
        cell: ({ sealed }) => (
          <span data-tip={sealed ? t.sealed : t.open}>
            <Icon name={sealed ? 'lock' : 'clock'} size={14} />
            <span className="sr-only">{sealed ? t.sealed : t.open}</span>
          </span>
        ),
      },
    ],
    [t, actions],
  )

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.audit}
        isTitleHidden={isTitleHidden}
        lead={lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={({ action }) => actions[action] ?? action}
        search={t.search}
        fileName={all.parts.audit}
        onOpen={setOpened}
        empty={{ icon: 'shield', title: t.empty }}
        actions={
          <Button icon="refresh" busy={list.source.isFetching} onClick={list.source.retry}>
            {all.refresh}
          </Button>
        }
      />
      {opened && (
        <DetailDialog
          title={actions[opened.action] ?? opened.action}
          facts={[
            [t.columns.at, formatExact(opened.at)],
            [t.columns.actor, opened.actor || t.stranger],
            [
              t.columns.action,
              <span key="action" className="mono">
                {opened.action}
              </span>,
            ],
            [t.columns.target, opened.target || emptyMark],
            [t.columns.from, [opened.ip, opened.terminal].filter(Boolean).join(' · ') || emptyMark],
            [t.columns.result, opened.result === 'ok' ? t.ok : t.refused],
            [t.columns.sealed, opened.sealed ? t.sealed : t.open],
          ]}
          text={
            Object.keys(opened.detail).length > 0 ? JSON.stringify(opened.detail, undefined, 1) : undefined
          }
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}
