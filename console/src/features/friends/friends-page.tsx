import { accounts } from '@busbar/contract'
import type { ReactNode } from 'react'
import { SettingsPage } from '../../entities/account/settings-page.tsx'
import { type Friend, friendsKey, friendsQuery } from '../../entities/person/friend-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { AddFriendDialog } from './add-friend-dialog.tsx'

/** The caller's friends, and the devices in common with each. */
export function FriendsPage(): ReactNode {
  const t = useText().account.friends
  return (
    <SettingsPage title={t.title} lead={t.lead}>
      <List
        id="friends"
        title={t.title}
        isTitleHidden
        rows={whole(friendsQuery)}
        rowKey="userid"
        titles={t.columns}
        columns={{
          person: { kind: 'person', value: 'name', minor: ({ remark }) => remark },
          account: { kind: 'text', value: 'accountMasked', grow: 1.2, card: 'plain' },
          shared: { kind: 'count', value: 'sharedMachines', words: t.sharedMachines, width: 132 },
          since: {
            kind: 'time',
            value: ({ added, since }) => (added ? since : null),
            as: 'day',
            none: t.viaMachines,
            width: 140,
          },
        }}
        search={t.search}
        searched={({ remark }) => [remark]}
        isExported
        touched={[friendsKey]}
        add={{ label: t.add, opens: (close) => <AddFriendDialog onClose={close} /> }}
        acts={[
          {
            // Only the masked account is known here, so the act cannot be undone and is confirmed first.
            ...calls(accounts.removeFriend, ({ userid }: Friend) => ({ id: userid })),
            label: t.remove,
            fits: ({ added }) => added,
            asks: { title: ({ name }) => t.removeTitle(name), many: t.removeMany, body: t.removeBody },
            done: ({ name }) => t.removed(name),
            doneMany: t.removedMany,
          },
        ]}
        empty={{ icon: 'user', title: t.empty, hint: t.emptyHint }}
      />
    </SettingsPage>
  )
}
