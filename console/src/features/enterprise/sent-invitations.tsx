import { type AnswerOf, enterprises } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sentInvitationsQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { PersonName } from '../../shared/ui/people/person-name.tsx'
import { RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { useAct } from '../../shared/ui/use-act.ts'

type Sent = AnswerOf<typeof enterprises.listSentInvitations>[number]

const keyOf = ({ id }: Sent) => id
const nameOf = ({ name }: Sent) => name

/** People who are invited and have not answered; renders nothing if there are none. */
export function SentInvitations({ eid }: { eid: number }) {
  const { enterprises: words, table } = useText()
  const t = words.manage.members
  const query = useQuery(sentInvitationsQuery(eid))
  const view = useTableView({ id: 'enterprise.invitations' })
  const { mutate, isPending } = useAct<number>({
    call: (id) => call(enterprises.removeInvitation, { eid, id }),
    done: t.withdrawn,
    touched: [spaceKey(eid)],
  })
  const columns = useMemo(
    (): readonly TableColumn<Sent>[] => [
      {
        id: 'person',
        title: t.columns.person,
        ...{ width: 170, grow: 1.4, rank: 0, card: 'name' },
        value: nameOf,
        cell: ({ name, accountMasked }) => <PersonName name={name} minor={accountMasked} />,
      },
      {
        id: 'role',
        title: t.columns.role,
        ...{ width: 120, rank: 2 },
        value: ({ role }) => words.roles[role],
      },
      {
        id: 'at',
        title: t.invitedAt,
        ...{ width: 130, grow: 0.5, rank: 3 },
        value: ({ at }) => at,
        csv: ({ at }) => timeCell(at),
        cell: ({ at }) => <RelativeTime at={at} />,
      },
      actionsColumn<Sent>(table.actions, 130, ({ id, name }) => (
        <RowActions>
          <Button size="small" disabled={isPending} onClick={() => mutate(id)}>
            {t.withdraw}
            <span className="sr-only">{name}</span>
          </Button>
        </RowActions>
      )),
    ],
    [t, words, table, mutate, isPending],
  )
  if (!query.data?.length) return null
  return (
    <DataTable
      title={t.waiting}
      view={view}
      source={wholeList(query)}
      columns={columns}
      rowKey={keyOf}
      rowName={nameOf}
      hasKeys={false}
      empty={{ icon: 'user', title: t.waiting }}
    />
  )
}
