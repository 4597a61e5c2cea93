import { useMemo } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { NameCell } from '../../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { type SendRecord, smsRecordsQuery } from '../notification-queries.ts'
import css from '../notifications.module.css'
import { recordColumns } from '../record-columns.tsx'
import { useNotificationList } from '../use-notification-list.ts'

/** An alarm reaches a phone only once per message, so time and phone identify a row. */
const keyOf = (row: SendRecord) => `${row.createTime} ${row.alarmId} ${row.phoneMasked} ${row.name}`
const nameOf = ({ name, phoneMasked }: SendRecord) => name || phoneMasked

/** The SMS of a space and their results, the latest first. */
export function SmsRecords({ space }: { space: PageSpace }) {
  const t = useText().notifications
  const list = useNotificationList('sms', (ask) => smsRecordsQuery(space.asked, ask))
  const columns = useMemo((): readonly TableColumn<SendRecord>[] => {
    const shared = recordColumns<SendRecord>(t)
    return [
      {
        id: 'phone',
        title: t.sent.columns.phone,
        ...{ width: 140, grow: 0.8, rank: 0, card: 'name' },
        value: ({ phoneMasked }) => phoneMasked,
        cell: ({ name, phoneMasked }) => <NameCell name={phoneMasked || name} minor={phoneMasked && name} />,
      },
      shared.at,
      shared.device,
      {
        id: 'text',
        title: t.sent.columns.text,
        ...{ width: 180, grow: 2.4, rank: 5, card: 'plain' },
        value: ({ text }) => text,
        cell: ({ text }) => (
          <span className={css.text} title={text}>
            {text}
          </span>
        ),
      },
      {
        id: 'segments',
        title: t.sent.columns.segments,
        ...{ width: 90, rank: 6 },
        value: ({ segments }) => segments,
      },
      shared.state,
      shared.settledAt,
    ]
  }, [t])
  return (
    <DataTable
      title={t.sent.title}
      view={list.view}
      source={list.source}
      columns={columns}
      rowKey={keyOf}
      rowName={nameOf}
      fileName={t.sent.title}
      empty={{ icon: 'mail', title: t.sent.empty, hint: t.sent.emptyHint }}
    />
  )
}
