import { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { emptyMark, formatExact } from '../../shared/i18n/index.ts'
import { DetailDialog } from './detail-dialog.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'

interface OutboxSectionProps {
  /** Only messages to an account of this person. */
  userId?: number
}

/** SMS and e-mails of the platform, newest first. */
export function OutboxSection({ userId }: OutboxSectionProps): ReactNode {
  const all = useOperatorText()
  const t = all.outbox
  const isOfOne = userId !== undefined
  const reasonOf = ({ kind, state, error }: operator.OutgoingRow) =>
    state === 'kept' ? t.noService[kind] : error
  return (
    <OperatorList
      id={isOfOne ? 'operator.user.outbox' : 'operator.outbox'}
      title={all.parts.outbox}
      isTitleHidden={isOfOne}
      lead={isOfOne ? undefined : t.lead}
      rows={operatorPages(operator.listOutgoing, isOfOne ? { userId } : {}, {
        countedMax: operator.rowsCountedMax,
      })}
      rowKey="id"
      titles={t.columns}
      columns={{
        to: { kind: 'name', value: 'to', minor: ({ kind }) => t.filters[kind], grow: 1 },
        text: {
          kind: 'text',
          value: ({ subject, text }) => subject || text,
          width: 200,
          grow: 2.4,
          rank: 2,
          card: 'plain',
        },
        state: {
          kind: 'state',
          value: 'state',
          words: t.states,
          tones: { failed: 'bad' },
          minor: reasonOf,
          grow: 0.6,
          rank: 3,
          card: 'plain',
        },
        at: { kind: 'time', value: 'at', order: 'at', rank: 4, card: 'plain' },
      }}
      filters={{ kind: { title: t.columns.to, choices: t.filters } }}
      search={t.search}
      isRefreshed
      opens={(close, row) => (
        <DetailDialog
          title={row.to}
          facts={[
            [t.columns.at, formatExact(row.at)],
            [t.columns.state, [t.states[row.state], reasonOf(row)].filter(Boolean).join(' · ')],
            [t.columns.subject, row.subject || emptyMark],
          ]}
          text={row.text || undefined}
          onClose={close}
        />
      )}
      empty={{ icon: 'mail', title: t.empty, hint: t.emptyHint }}
    />
  )
}
