import { notifications } from '@busbar/contract'
import type { ReactNode } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { List } from '../../../shared/resource/list.tsx'
import { pages } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { paging } from '../notification-queries.ts'
import { recordColumns, recordFilters, recordKey, textColumn } from '../record-columns.tsx'
import { ContactsList } from './contacts-list.tsx'

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
  const { eid } = space.asked
  const t = useText().notifications
  const { at, device, state, settledAt } = recordColumns(t, 'email')
  return (
    <List
      id="notifications.email"
      title={t.mails.title}
      rows={
        eid === undefined
          ? pages(notifications.listEmailRecords, {}, paging)
          : pages(notifications.listEnterpriseEmailRecords, { eid }, paging)
      }
      rowKey={(row) => recordKey(row, row.emailMasked)}
      titles={{ ...t.sent.columns, ...t.mails.columns }}
      columns={{
        to: {
          kind: 'name',
          value: 'name',
          minor: ({ emailMasked }) => emailMasked,
          width: 200,
        },
        at,
        device,
        subject: textColumn('subject'),
        state,
        settledAt,
      }}
      filters={recordFilters(t)}
      isExported
      empty={{ icon: 'mail', title: t.mails.empty, hint: t.mails.emptyHint }}
    />
  )
}
