import type { AnswerOf, applications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { visitTimesQuery } from '../../entities/access/access-queries.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { emptyMark, useText } from '../../shared/i18n/index.ts'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { pagedList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { useAdministration } from './administration.ts'
import { personColumn, personNameOf } from './person-cell.tsx'
import css from './rows.module.css'

type VisitTime = AnswerOf<typeof applications.listVisitTimes>['list'][number]

const keyOf = ({ userId, id }: VisitTime) => `${userId} ${id}`

/** Current and former visitors and applicants: the result, and until when. */
export function TimesSection() {
  const { machineId } = useAdministration()
  const t = useText().access
  const view = useTableView({ id: 'keys.times' })
  const query = useQuery(visitTimesQuery(machineId, view.ask.page))
  const columns = useMemo(
    (): readonly TableColumn<VisitTime>[] => [
      personColumn<VisitTime>(t.columns.person),
      {
        id: 'status',
        title: t.times.status,
        ...{ width: 120, grow: 0.8, rank: 2 },
        value: ({ status }) => t.times.statuses[status],
      },
      {
        id: 'until',
        title: t.columns.until,
        ...{ width: 150, grow: 1.1, rank: 3 },
        value: ({ visitTime }) => visitTime,
        csv: false,
        cell: ({ status, visitTime }) =>
          status === 'approved' ? <VisitTimeText visitTime={visitTime} /> : emptyMark,
      },
    ],
    [t],
  )
  return (
    <DataTable
      title={t.tabs.times}
      lead={t.times.lead}
      view={view}
      source={pagedList(query)}
      columns={columns}
      rowKey={keyOf}
      rowName={personNameOf}
      rowClass={({ status }) => (status === 'approved' || status === 'waiting' ? undefined : css.over)}
      empty={{ icon: 'clock', title: t.times.empty, hint: t.times.emptyHint }}
    />
  )
}
