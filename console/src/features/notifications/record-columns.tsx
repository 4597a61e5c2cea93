import type { notifications } from '@busbar/contract'
import type { Text } from '../../shared/i18n/text.ts'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { ExactTime, Lines } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { Tag, type TagTone } from '../../shared/ui/tag.tsx'

type State = notifications.SendRecordState

const tones: Partial<Record<State, TagTone>> = {
  delivered: 'good',
  failed: 'bad',
  noStock: 'bad',
  limited: 'warn',
}

interface RecordRow {
  readonly createTime: number
  readonly machine: string
  readonly name: string
  readonly state: State
  readonly reason: notifications.NotificationReason | ''
  readonly digestCount: number
  readonly settledAt: number | null
}

/** The result of a message: a word, and the reason if it adds something. */
export function sayOutcome(t: Text['notifications'], { state, reason }: RecordRow): [string, string] {
  const isSaid = reason === '' || reason === state
  return [t.states[state], isSaid ? '' : t.reasons[reason]]
}

/** The columns that the records of SMS and of e-mails share. */
export function recordColumns<Row extends RecordRow>(t: Text['notifications']) {
  const { columns, digest } = t.sent
  return {
    at: {
      id: 'at',
      title: columns.at,
      ...{ width: 172, rank: 3, card: 'plain', filter: { kind: 'dateRange' } },
      value: ({ createTime }) => createTime,
      csv: ({ createTime }) => timeCell(createTime),
      cell: ({ createTime }) => <ExactTime at={createTime} />,
    },
    device: {
      id: 'device',
      title: columns.device,
      ...{ width: 130, grow: 1.2, rank: 4, card: 'plain' },
      value: ({ machine }) => machine,
      cell: ({ machine, digestCount }) => (
        <Lines main={machine} minor={digestCount > 1 && digest(String(digestCount))} />
      ),
    },
    state: {
      id: 'state',
      title: columns.state,
      ...{ width: 150, grow: 0.8, rank: 2, card: 'plain' },
      value: (row) => sayOutcome(t, row).filter(Boolean).join(' · '),
      cell: (row) => {
        const [word, why] = sayOutcome(t, row)
        return <Lines main={<Tag tone={tones[row.state] ?? 'plain'}>{word}</Tag>} minor={why} />
      },
    },
    settledAt: {
      id: 'settledAt',
      title: columns.settledAt,
      ...{ width: 172, rank: 9, card: 'none', isHiddenFirst: true },
      value: ({ settledAt }) => settledAt,
      csv: ({ settledAt }) => (settledAt === null ? '' : timeCell(settledAt)),
      cell: ({ settledAt }) => <ExactTime at={settledAt} />,
    },
  } satisfies Record<string, TableColumn<Row>>
}
