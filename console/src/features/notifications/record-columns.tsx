import type { notifications } from '@busbar/contract'
import { sayReason } from '../../entities/alarm/notification-words.ts'
import { formatNumber } from '../../shared/i18n/index.ts'
import type { Text } from '../../shared/i18n/text.ts'
import type { ListColumn } from '../../shared/resource/columns.tsx'
import { Tag, type TagTone } from '../../shared/ui/tag.tsx'
import css from './notifications.module.css'

type State = notifications.SendRecordState

const tones: Partial<Record<State, TagTone>> = {
  delivered: 'good',
  failed: 'bad',
  noStock: 'bad',
  limited: 'warn',
  kept: 'warn',
}

interface RecordRow {
  readonly createTime: number
  readonly alarmId: number
  readonly machine: string
  readonly name: string
  readonly state: State
  readonly reason: notifications.NotificationReason | ''
  readonly digestCount: number
  readonly settledAt: number | null
}

type RecordChannel = 'sms' | 'email'

interface Span {
  readonly startTime?: number
  readonly endTime?: number
}

/** The result of a message: a word, and the reason if it adds something. */
function sayOutcome(t: Text['notifications'], channel: RecordChannel, row: RecordRow): [string, string] {
  return [t.states[row.state], row.reason === row.state ? '' : sayReason(t, { channel, ...row })]
}

/** An alarm reaches a recipient only once per message, so time and recipient identify a row. */
export const recordKey = (row: RecordRow, address: string) =>
  `${row.createTime} ${row.alarmId} ${address} ${row.name}`

/** The columns that the records of SMS and of e-mails share. */
export function recordColumns(t: Text['notifications'], channel: RecordChannel) {
  return {
    at: { kind: 'time', value: 'createTime', between: ['startTime', 'endTime'], rank: 3, card: 'plain' },
    device: {
      kind: 'text',
      value: 'machine',
      minor: ({ digestCount }) => digestCount > 1 && t.sent.digest(formatNumber(digestCount)),
      grow: 1.2,
      rank: 4,
      card: 'plain',
    },
    state: {
      kind: 'text',
      value: (row) => sayOutcome(t, channel, row).filter(Boolean).join(' · '),
      cell: (row) => <Tag tone={tones[row.state] ?? 'plain'}>{sayOutcome(t, channel, row)[0]}</Tag>,
      minor: (row) => sayOutcome(t, channel, row)[1],
      width: 150,
      grow: 0.8,
      rank: 2,
      card: 'plain',
    },
    settledAt: { kind: 'time', value: 'settledAt', rank: 9, card: 'none', isHiddenFirst: true },
  } satisfies Record<string, ListColumn<RecordRow, Span>>
}

/** The words that were sent. */
export const textColumn = <Field extends 'text' | 'subject'>(field: Field) =>
  ({
    kind: 'text',
    value: field,
    cell: (row: Readonly<Record<Field, string>>) => (
      <span className={css.text} title={row[field]}>
        {row[field]}
      </span>
    ),
    width: 180,
    grow: 2.4,
    rank: 5,
    card: 'plain',
  }) as const

/** The filter of both records. */
export const recordFilters = (t: Text['notifications']) => ({
  state: { title: t.sent.columns.state, choices: t.states },
})
