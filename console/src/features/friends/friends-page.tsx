import { accounts } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { SettingsPage } from '../../entities/account/settings-page.tsx'
import { type Friend, friendsKey, friendsQuery } from '../../entities/person/friend-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatDate } from '../../shared/i18n/format.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { type Bulk, BulkDialog } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { PersonName } from '../../shared/ui/people/person-name.tsx'
import { RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { AddFriendDialog } from './add-friend-dialog.tsx'

const keyOf = ({ userid }: Friend) => userid
const nameOf = ({ name }: Friend) => name

/** The caller's friends, and the devices in common with each. */
export function FriendsPage(): ReactNode {
  const { account, table } = useText()
  const t = account.friends
  const queries = useQueryClient()
  const query = useQuery(friendsQuery)
  const view = useTableView({ id: 'friends' })
  const [isAdding, setAdding] = useState(false)
  const [asked, ask] = useState<Confirmation>()
  const [bulk, setBulk] = useState<Bulk<Friend>>()

  const columns = useMemo(
    (): readonly TableColumn<Friend>[] => [
      {
        id: 'person',
        title: t.columns.person,
        ...{ width: 170, grow: 1.6, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name, remark }) => <PersonName name={name} minor={remark} />,
      },
      {
        id: 'account',
        title: t.columns.account,
        ...{ width: 150, grow: 1.2, rank: 2, card: 'plain' },
        value: ({ accountMasked }) => accountMasked,
      },
      {
        id: 'shared',
        title: t.columns.shared,
        ...{ width: 132, rank: 3 },
        value: ({ sharedMachines }) => sharedMachines,
        cell: ({ sharedMachines }) => t.sharedMachines(sharedMachines),
      },
      {
        id: 'since',
        title: t.columns.since,
        ...{ width: 140, rank: 4 },
        value: ({ added, since }) => (added ? since : null),
        csv: ({ added, since }) => (added ? timeCell(since) : t.viaMachines),
        cell: ({ added, since }) => (added ? formatDate(since) : t.viaMachines),
      },
      actionsColumn<Friend>(table.actions, 100, (friend) =>
        friend.added ? (
          <RowActions>
            <Button
              size="small"
              onClick={() =>
                // Only the masked account is known here, so the act cannot be undone and is confirmed first.
                ask({
                  title: t.removeTitle(friend.name),
                  body: t.removeBody,
                  action: t.remove,
                  done: t.removed(friend.name),
                  call: () => call(accounts.removeFriend, { id: friend.userid }),
                })
              }
            >
              {t.remove}
              <span className="sr-only">{friend.name}</span>
            </Button>
          </RowActions>
        ) : null,
      ),
    ],
    [t, table],
  )

  const removeMany = (friends: readonly Friend[]): Bulk<Friend> => ({
    title: t.removeMany(friends.length),
    body: t.removeBody,
    action: t.remove,
    danger: true,
    done: t.removedMany(friends.length),
    rows: friends,
    ...{ keyOf, nameOf },
    run: ({ userid }) => call(accounts.removeFriend, { id: userid }, { noNotice: true }),
  })

  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  )
  return (
    <SettingsPage title={t.title} lead={t.lead} actions={query.data?.length ? add : undefined}>
      <DataTable
        title={t.title}
        isTitleHidden
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        searched={({ remark }) => [remark]}
        fileName={t.title}
        bulk={(friends) => {
          const added = friends.filter((friend) => friend.added)
          return (
            added.length > 0 && (
              <Button size="small" onClick={() => setBulk(removeMany(added))}>
                {t.remove}
              </Button>
            )
          )
        }}
        empty={{ icon: 'user', title: t.empty, hint: t.emptyHint, action: add }}
      />
      {isAdding && <AddFriendDialog onClose={() => setAdding(false)} />}
      {asked && (
        <ConfirmDialog
          confirmation={asked}
          onClose={() => ask(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: friendsKey })}
        />
      )}
      {bulk && (
        <BulkDialog
          bulk={bulk}
          view={view}
          onClose={() => setBulk(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: friendsKey })}
        />
      )}
    </SettingsPage>
  )
}
