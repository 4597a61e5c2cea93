import { type ReactNode, useMemo } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { NameCell } from '../../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../../shared/ui/table/column.ts'
import { DataTable } from '../../../shared/ui/table/data-table.tsx'
import { emailRecordsQuery, type MailRecord } from '../notification-queries.ts'
import css from '../notifications.module.css'
import { recordColumns } from '../record-columns.tsx'
import { useNotificationList } from '../use-notification-list.ts'
import { ContactsList } from './contacts-list.tsx'

const keyOf = (row: MailRecord) => `${row.createTime} ${row.alarmId} ${row.emailMasked} ${row.name}`
const nameOf = ({ name, emailMasked }: MailRecord) => name || emailMasked

/** The e-mails of a space: the people without an account who get them, and what was sent. */
export function EmailPart({ space }: { space: PageSpace }): ReactNode {
  return (
    <>
      <ContactsList space={space} />
      <EmailRecords space={space} />
    </>
  )
}

/** The e-mails of a space and their results, the latest first. */
function EmailRecords({ space }: { space: PageSpace }) {
  const t = useText().notifications
  const list = useNotificationList('email', (ask) => emailRecordsQuery(space.asked, ask))
  const columns = useMemo((): readonly TableColumn<MailRecord>[] => {
    const shared = recordColumns<MailRecord>(t)
    return [
      {
        id: 'email',
        title: t.mails.columns.email,
        ...{ width: 170, grow: 1, rank: 0, card: 'name' },
        value: ({ emailMasked }) => emailMasked,
        cell: ({ name, emailMasked }) => <NameCell name={emailMasked || name} minor={emailMasked && name} />,
      },
      shared.at,
      shared.device,
      {
        id: 'subject',
        title: t.mails.columns.subject,
        ...{ width: 180, grow: 2.4, rank: 5, card: 'plain' },
        value: ({ subject }) => subject,
        cell: ({ subject }) => (
          <span className={css.text} title={subject}>
            {subject}
          </span>
        ),
      },
      shared.state,
      shared.settledAt,
    ]
  }, [t])
  return (
    <DataTable
      title={t.mails.title}
      view={list.view}
      source={list.source}
      columns={columns}
      rowKey={keyOf}
      rowName={nameOf}
      fileName={t.mails.title}
      empty={{ icon: 'mail', title: t.mails.empty, hint: t.mails.emptyHint }}
    />
  )
}
