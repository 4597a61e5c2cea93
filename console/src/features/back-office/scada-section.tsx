import { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { formatNumber } from '../../shared/i18n/index.ts'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { Tag } from '../../shared/ui/tag.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'
import { ScadaDialog } from './scada-dialog.tsx'

type ScadaRow = operator.ScadaRow

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** With less time left than this, a request is urgent. */
const soonMs = 4 * hourMs

/** Requests to register a SCADA computer, the longest waiting first. */
export function ScadaSection(): ReactNode {
  const all = useOperatorText()
  const t = all.scada
  const dialog = (close: () => void, row: ScadaRow) => <ScadaDialog row={row} onClose={close} />
  return (
    <OperatorList
      id="operator.scada"
      title={all.parts.scada}
      lead={t.lead}
      rows={operatorPages(operator.listScadaRequests, {})}
      rowKey="id"
      titles={{ ...t.columns, ticket: t.fields.ticket }}
      columns={{
        company: { kind: 'name', value: 'company', minor: ({ area }) => area, order: 'company' },
        ticket: { kind: 'text', value: 'ticketNo', width: 130, grow: 0, rank: 6 },
        contact: {
          kind: 'text',
          value: 'email',
          minor: ({ phone }) => phone,
          csv: ({ email, phone }) => `${email} ${phone}`,
          width: 180,
          rank: 4,
          card: 'plain',
        },
        project: {
          kind: 'text',
          value: 'project',
          minor: ({ purpose }) => t.purposes[purpose],
          grow: 1.4,
          rank: 5,
          card: 'plain',
        },
        clock: {
          kind: 'text',
          value: 'answerBy',
          csv: ({ answerBy }) => timeCell(answerBy),
          cell: (row) => <Clock row={row} />,
          order: 'createdAt',
          width: 150,
          grow: 0,
          rank: 2,
          card: 'plain',
        },
      }}
      filters={{ only: { title: t.columns.clock, choices: t.filters, first: 'open' } }}
      search={t.search}
      opens={dialog}
      acts={[
        { label: t.answer, fits: ({ answeredAt }) => answeredAt === null, opens: dialog },
        { label: t.view, fits: ({ answeredAt }) => answeredAt !== null, opens: dialog },
      ]}
      empty={{ icon: 'desktop', title: t.empty, hint: t.emptyHint }}
    />
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
