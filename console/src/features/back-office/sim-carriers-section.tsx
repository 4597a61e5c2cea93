import type { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { SimStateMark } from '../../entities/sim/sim-state.tsx'
import { formatMinute } from '../../shared/i18n/index.ts'
import { whole } from '../../shared/resource/rows.ts'
import { Lines } from '../../shared/ui/table/cells.tsx'
import { Tag, type TagTone } from '../../shared/ui/tag.tsx'
import { DetailDialog } from './detail-dialog.tsx'
import { OperatorList } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'
import { simCarriersQuery } from './sim-queries.ts'
import { useOperatorSimsText } from './sims-text.ts'

type Account = operator.CarrierRow
type Health = keyof ReturnType<typeof useOperatorSimsText>['carriers']['health']

const tones: Readonly<Record<Health, TagTone>> = { ok: 'good', failing: 'bad', never: 'plain' }

const healthOf = ({ failedAt, succeededAt }: Account): Health => {
  if (failedAt !== null) return 'failing'
  return succeededAt === null ? 'never' : 'ok'
}

/** The accounts at carriers: whether they answer, how old their figures are, and the meaning of their states. */
export function SimCarriersSection(): ReactNode {
  const all = useOperatorText()
  const { carriers: t } = useOperatorSimsText()
  const words = (close: () => void, row: Account) => <Words account={row} onClose={close} />
  return (
    <OperatorList
      id="operator.simCarriers"
      title={all.parts.simCarriers}
      lead={t.lead}
      rows={whole(simCarriersQuery)}
      rowKey="name"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'name', minor: ({ kind }: Account) => t.kinds[kind] },
        health: {
          kind: 'text',
          value: (row) => t.health[healthOf(row)],
          cell: (row) => (
            <Lines
              main={<Tag tone={tones[healthOf(row)]}>{t.health[healthOf(row)]}</Tag>}
              minor={
                row.failedAt !== null &&
                t.failedAt(t.faults[row.fault] ?? row.fault, formatMinute(row.failedAt))
              }
            />
          ),
          width: 220,
          grow: 2,
          rank: 2,
          card: 'plain',
        },
        cards: { kind: 'count', value: 'cards', width: 90, rank: 5 },
        waiting: { kind: 'count', value: 'waiting', width: 90, rank: 4 },
        oldest: { kind: 'time', value: 'oldestAsOf', as: 'ago', width: 130, rank: 3 },
        answered: { kind: 'time', value: 'succeededAt', as: 'ago', width: 130, rank: 6 },
      }}
      isSelectable={false}
      isRefreshed
      opens={words}
      acts={[{ label: t.words, opens: words }]}
      empty={{ icon: 'cloud', title: t.empty, hint: t.emptyHint }}
    />
  )
}

function Words({ account, onClose }: { account: Account; onClose: () => void }) {
  const { carriers: t } = useOperatorSimsText()
  return (
    <DetailDialog
      title={t.wordsOf(account.name)}
      facts={account.states.map(
        ({ word, state }) => [word, <SimStateMark key={word} state={state} />] as const,
      )}
      text={t.wordsLead}
      onClose={onClose}
    />
  )
}
