import { notifications } from '@busbar/contract'
import { useText } from '../../../shared/i18n/index.ts'
import { List } from '../../../shared/resource/list.tsx'
import { pages } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { paging } from '../notification-queries.ts'
import { recordColumns, recordFilters, recordKey, textColumn } from '../record-columns.tsx'

/** The SMS of a space and their results, the latest first. */
export function SmsRecords({ space }: { space: PageSpace }) {
  const { eid } = space.asked
  const t = useText().notifications
  const { at, device, state, settledAt } = recordColumns(t, 'sms')
  return (
    <List
      id="notifications.sms"
      title={t.sent.title}
      rows={
        eid === undefined
          ? pages(notifications.listSmsRecords, {}, paging)
          : pages(notifications.listEnterpriseSmsRecords, { eid }, paging)
      }
      rowKey={(row) => recordKey(row, row.phoneMasked)}
      titles={t.sent.columns}
      columns={{
        to: {
          kind: 'name',
          value: 'name',
          minor: ({ phoneMasked }) => phoneMasked,
          width: 190,
          grow: 1,
        },
        at,
        device,
        text: textColumn('text'),
        segments: { kind: 'count', value: 'segments', width: 90, rank: 6 },
        state,
        settledAt,
      }}
      filters={recordFilters(t)}
      isExported
      empty={{ icon: 'mail', title: t.sent.empty, hint: t.sent.emptyHint }}
    />
  )
}
