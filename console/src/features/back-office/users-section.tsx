import type { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { formatDate, useText } from '../../shared/i18n/index.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { OperatorBulk } from './operator-bulk.tsx'
import { usersQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useOpenSubject } from './subject-lists.tsx'
import { useOnly, useOperatorList } from './use-operator-list.ts'
import { lockUserAct, operatorAct, updateUser } from './user-acts.ts'

type User = operator.UserRow
type LockState = (typeof operator.lockStates)[number]

const keyOf = ({ userId }: User) => userId
const nameOf = ({ name }: User) => name
/** All users, with the operator's actions on them. */
export function UsersSection(): ReactNode {
  const all = useOperatorText()
  const t = all.users
  const list = useOperatorList({ id: 'users', queryOf: usersQuery })
  const [act, setAct] = useState<Act>()
  const [bulk, setBulk] = useState<Bulk<User>>()
  const open = useOpenSubject()
  const columns = useUserColumns(setAct)
  const filters = useOnly<User>(t.columns.state, t.filters)

  const askMany = (users: readonly User[], state: LockState) => {
    const action = state === 'locked' ? t.lock : t.unlock
    setBulk({
      title: all.bulk(action, users.length),
      body: state === 'locked' ? t.confirmLockBody : users.map(nameOf).join(', '),
      action,
      danger: state === 'locked',
      rows: users,
      ...{ keyOf, nameOf },
      run: ({ userId }) => updateUser(userId, { state }),
      done: all.done,
    })
  }

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.users}
        lead={t.lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        onOpen={({ userId }) => open('users', userId)}
        fileName={all.parts.users}
        empty={{ icon: 'user', title: t.empty }}
        bulk={(users) => (
          <>
            <Button size="small" onClick={() => askMany(users, 'locked')}>
              {t.lock}
            </Button>
            <Button size="small" onClick={() => askMany(users, 'active')}>
              {t.unlock}
            </Button>
          </>
        )}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {bulk && <OperatorBulk bulk={bulk} view={list.view} onClose={() => setBulk(undefined)} />}
    </>
  )
}

function useUserColumns(setAct: (act: Act) => void): readonly TableColumn<User>[] {
  const all = useOperatorText()
  const t = all.users
  const { table } = useText()
  const myId = useQuery(personQuery).data?.userid

  return useMemo(() => {
    const states = { active: t.active, locked: t.locked, leaving: t.leaving }
    return [
      {
        id: 'person',
        title: t.columns.person,
        ...{ width: 160, grow: 1.6, rank: 0, pinned: 'start', card: 'name', sort: 'platform' },
        value: nameOf,
        cell: (user) => <NameCell name={user.name} tags={user.isOperator && <Tag>{t.operator}</Tag>} />,
      },
      {
        id: 'email',
        title: t.columns.email,
        ...{ width: 180, grow: 1.4, rank: 3, card: 'plain', sort: 'platform' },
        value: ({ email }) => email,
      },
      {
        id: 'phone',
        title: t.columns.phone,
        width: 130,
        rank: 5,
        card: 'plain',
        value: ({ phone }) => phone,
      },
      {
        id: 'state',
        title: t.columns.state,
        ...{ width: 90, rank: 2 },
        value: ({ state }) => states[state],
        cell: ({ state }) => (state === 'active' ? t.active : <Tag tone="bad">{states[state]}</Tag>),
      },
      { id: 'machines', title: t.columns.machines, width: 96, rank: 6, value: ({ machines }) => machines },
      {
        id: 'enterprises',
        title: t.columns.enterprises,
        ...{ width: 112, rank: 7 },
        value: ({ enterprises }) => enterprises,
      },
      {
        id: 'seen',
        title: t.columns.seen,
        ...{ width: 110, rank: 4 },
        value: ({ lastSeenAt }) => lastSeenAt,
        csv: ({ lastSeenAt }) => timeCell(lastSeenAt),
        cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
      },
      {
        id: 'created',
        title: t.columns.created,
        ...{ width: 110, rank: 8, sort: 'platform' },
        value: ({ createdAt }) => createdAt,
        csv: ({ createdAt }) => timeCell(createdAt),
        cell: ({ createdAt }) => formatDate(createdAt),
      },
      actionsColumn<User>(table.actions, 204, (user) =>
        user.userId === myId ? null : (
          <RowActions>
            <Button kind="ghost" size="small" onClick={() => setAct(operatorAct(all, user))}>
              {user.isOperator ? t.removeOperator : t.makeOperator}
              <span className="sr-only">{user.name}</span>
            </Button>
            <Button kind="ghost" size="small" onClick={() => setAct(lockUserAct(all, user))}>
              {user.state === 'locked' ? t.unlock : t.lock}
              <span className="sr-only">{user.name}</span>
            </Button>
          </RowActions>
        ),
      ),
    ]
  }, [t, all, table, myId, setAct])
}
