import { applications } from '@busbar/contract'
import { accessKey, rowsPerPage } from '../../entities/access/access-queries.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { emptyMark, useText } from '../../shared/i18n/index.ts'
import { List } from '../../shared/resource/list.tsx'
import { pages } from '../../shared/resource/rows.ts'
import { useAdministration } from './administration.ts'
import { personColumn } from './person-cell.tsx'
import css from './rows.module.css'

/** Current and former visitors and applicants: the result, and until when. */
export function TimesSection() {
  const { machineId } = useAdministration()
  const t = useText().access
  return (
    <List
      id="keys.times"
      title={t.tabs.times}
      lead={t.times.lead}
      rows={pages(
        applications.listVisitTimes,
        { deviceId: machineId },
        { under: accessKey(machineId), size: rowsPerPage },
      )}
      rowKey={({ userId, id }) => `${userId} ${id}`}
      titles={{ ...t.columns, status: t.times.status }}
      columns={{
        person: personColumn(),
        status: { kind: 'state', value: 'status', words: t.times.statuses, grow: 0.8 },
        until: {
          kind: 'text',
          value: 'visitTime',
          csv: false,
          cell: ({ status, visitTime }) =>
            status === 'approved' ? <VisitTimeText visitTime={visitTime} /> : emptyMark,
        },
      }}
      rowClass={({ status }) => (status === 'approved' || status === 'waiting' ? undefined : css.over)}
      empty={{ icon: 'clock', title: t.times.empty, hint: t.times.emptyHint }}
    />
  )
}
