import type { operator } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { Lines, NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { scadaQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { ScadaDialog } from './scada-dialog.tsx'
import { useOnly, useOperatorList } from './use-operator-list.ts'

type ScadaRow = operator.ScadaRow

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** With less time left than this, a request is urgent. */
const soonMs = 4 * hourMs

const keyOf = ({ id }: ScadaRow) => id
const nameOf = ({ company }: ScadaRow) => company

/** Requests to register a SCADA computer, the longest waiting first. */
export function ScadaSection(): ReactNode {
  const all = useOperatorText()
  const t = all.scada
  const { table } = useText()
  const list = useOperatorList({ id: 'scada', queryOf: scadaQuery, only: 'open' })
  const filters = useOnly<ScadaRow>(t.columns.clock, t.filters)
  const [opened, setOpened] = useState<ScadaRow>()

  const columns = useMemo(
    (): readonly TableColumn<ScadaRow>[] => [
      {
        id: 'company',
        title: t.columns.company,
        ...{ width: 180, grow: 1.3, rank: 0, pinned: 'start', card: 'name', sort: 'platform' },
        value: nameOf,
        cell: ({ company, area }) => <NameCell name={company} minor={area} />,
      },
      { id: 'ticket', title: t.fields.ticket, width: 130, rank: 6, value: ({ ticketNo }) => ticketNo },
      {
        id: 'contact',
        title: t.columns.contact,
        ...{ width: 180, grow: 1, rank: 4, card: 'plain' },
        value: ({ email }) => email,
        csv: ({ email, phone }) => `${email} ${phone}`,
        cell: ({ email, phone }) => <Lines main={email} minor={phone} />,
      },
      {
        id: 'project',
        title: t.columns.project,
        ...{ width: 160, grow: 1.4, rank: 5, card: 'plain' },
        value: ({ project }) => project,
        cell: ({ project, purpose }) => <Lines main={project} minor={t.purposes[purpose]} />,
      },
      {
        id: 'clock',
        title: t.columns.clock,
        ...{ width: 150, rank: 2, card: 'plain', sort: 'platform' },
        value: ({ answerBy }) => answerBy,
        csv: ({ answerBy }) => timeCell(answerBy),
        cell: (row) => <Clock row={row} />,
      },
      actionsColumn<ScadaRow>(table.actions, 92, (row) => (
        <RowActions>
          <Button size="small" onClick={() => setOpened(row)}>
            {row.answeredAt === null ? t.answer : t.view}
            <span className="sr-only">{row.company}</span>
          </Button>
        </RowActions>
      )),
    ],
    [t, table],
  )

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.scada}
        lead={t.lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        fileName={all.parts.scada}
        onOpen={setOpened}
        empty={{ icon: 'desktop', title: t.empty, hint: t.emptyHint }}
      />
      {opened && <ScadaDialog row={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** The remaining part of the 24 hours, or the answer. */
function Clock({ row }: { row: ScadaRow }) {
  const t = useOperatorText().scada
  const now = useNow(minuteMs)
  if (row.answeredAt !== null) return row.approved ? t.approved : t.refused
  const leftMs = row.answerBy - now
  if (leftMs <= 0) return <Tag tone="bad">{t.late(formatNumber(Math.floor(-leftMs / hourMs)))}</Tag>
  const hours = Math.floor(leftMs / hourMs)
  const minutes = Math.floor((leftMs % hourMs) / minuteMs)
  return (
    <Tag tone={leftMs < soonMs ? 'warn' : 'plain'}>{t.left(formatNumber(hours), formatNumber(minutes))}</Tag>
  )
}
