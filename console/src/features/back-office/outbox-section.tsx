import { type AnswerOf, operator } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { emptyMark, formatExact } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { ExactTime, Lines, NameCell } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { DetailDialog } from './detail-dialog.tsx'
import { outgoingQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useOnly, useOperatorList } from './use-operator-list.ts'

type OutgoingRow = AnswerOf<typeof operator.listOutgoing>['list'][number]

const keyOf = ({ id }: OutgoingRow) => id
const nameOf = ({ to }: OutgoingRow) => to

/** SMS and e-mails of the platform, newest first. */
export function OutboxSection(): ReactNode {
  return <OutboxTable id="outbox" lead={useOperatorText().outbox.lead} />
}

interface OutboxTableProps {
  /** The list's own name. */
  id: string
  /** Only messages to an account of this person. */
  userId?: number
  lead?: string
  isTitleHidden?: boolean
}

/** The messages sent: all of them, or those to one person. */
export function OutboxTable({ id, userId, lead, isTitleHidden = false }: OutboxTableProps): ReactNode {
  const all = useOperatorText()
  const t = all.outbox
  const list = useOperatorList({
    id,
    queryOf: (ask) => outgoingQuery(ask, userId),
    countedMax: operator.rowsCountedMax,
  })
  const filters = useOnly<OutgoingRow>(t.columns.to, t.filters)
  const [opened, setOpened] = useState<OutgoingRow>()
  const stateOf = ({ state }: OutgoingRow) => t.states[state] ?? state

  const columns = useMemo(
    (): readonly TableColumn<OutgoingRow>[] => [
      {
        id: 'to',
        title: t.columns.to,
        ...{ width: 170, grow: 1, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ to, kind }) => <NameCell name={to} minor={t.filters[kind]} />,
      },
      {
        id: 'text',
        title: t.columns.text,
        ...{ width: 200, grow: 2.4, rank: 2, card: 'plain' },
        value: ({ subject, text }) => subject || text,
      },
      {
        id: 'state',
        title: t.columns.state,
        ...{ width: 130, grow: 0.6, rank: 3, card: 'plain' },
        value: ({ state }) => t.states[state] ?? state,
        cell: ({ state, error }) => (
          <Lines
            main={state === 'failed' ? <Tag tone="bad">{t.states[state]}</Tag> : (t.states[state] ?? state)}
            minor={error}
          />
        ),
      },
      {
        id: 'at',
        title: t.columns.at,
        ...{ width: 178, rank: 4, card: 'plain', sort: 'platform' },
        value: ({ at }) => at,
        csv: ({ at }) => timeCell(at),
        cell: ({ at }) => <ExactTime at={at} />,
      },
    ],
    [t],
  )

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.outbox}
        isTitleHidden={isTitleHidden}
        lead={lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        fileName={all.parts.outbox}
        onOpen={setOpened}
        empty={{ icon: 'mail', title: t.empty, hint: t.emptyHint }}
        actions={
          <Button icon="refresh" busy={list.source.isFetching} onClick={list.source.retry}>
            {all.refresh}
          </Button>
        }
      />
      {opened && (
        <DetailDialog
          title={opened.to}
          facts={[
            [t.columns.at, formatExact(opened.at)],
            [t.columns.state, [stateOf(opened), opened.error].filter(Boolean).join(' · ')],
            [t.columns.subject, opened.subject || emptyMark],
          ]}
          text={opened.text || undefined}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}
