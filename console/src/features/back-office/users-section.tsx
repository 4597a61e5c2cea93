import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Act, calls } from '../../shared/resource/acts.tsx'
import { personQuery } from '../../shared/session/account-queries.ts'
import { Tag } from '../../shared/ui/tag.tsx'
import { OperatorList, operatorPages, useOpenSubject } from './operator-list.tsx'
import { type OperatorText, useOperatorText } from './operator-text.ts'

type User = Pick<operator.UserRow, 'userId' | 'name' | 'state' | 'isOperator'>

const namesOf = (users: readonly User[]) => users.map(({ name }) => name).join(', ')

/** The acts of an operator on users; the operator's own account is left out. */
export function userActs(
  { users: t, bulk, done }: OperatorText,
  myId: number | undefined,
): readonly Act<User>[] {
  const update = (
    change: { state?: 'active' | 'locked'; isOperator?: boolean },
    isFor: (user: User) => boolean,
  ) => ({
    ...calls(operator.updateUser, ({ userId }: User) => ({ id: userId, ...change })),
    fits: (user: User) => user.userId !== myId && isFor(user),
    done,
  })
  return [
    {
      ...update({ state: 'locked' }, ({ state }) => state !== 'locked'),
      label: t.lock,
      asks: {
        title: ({ name }) => t.confirmLock(name),
        many: (count) => bulk(t.lock, count),
        body: t.confirmLockBody,
      },
    },
    {
      ...update({ state: 'active' }, ({ state }) => state === 'locked'),
      label: t.unlock,
      danger: false,
      asks: { title: () => t.unlock, many: (count) => bulk(t.unlock, count), body: namesOf },
    },
    {
      ...update({ isOperator: true }, ({ isOperator }) => !isOperator),
      label: t.makeOperator,
      place: 'menu',
      danger: false,
      asks: { title: ({ name }) => t.confirmOperator(name), body: t.confirmOperatorBody },
    },
    {
      ...update({ isOperator: false }, ({ isOperator }) => isOperator),
      label: t.removeOperator,
      place: 'menu',
      asks: { title: ({ name }) => t.confirmRemoval(name), body: t.confirmRemovalBody },
    },
  ]
}

/** All users, with the operator's actions on them. */
export function UsersSection(): ReactNode {
  const all = useOperatorText()
  const t = all.users
  const myId = useQuery(personQuery).data?.userid
  const open = useOpenSubject()
  return (
    <OperatorList
      id="operator.users"
      title={all.parts.users}
      lead={t.lead}
      rows={operatorPages(operator.listUsers, {})}
      rowKey="userId"
      titles={t.columns}
      columns={{
        person: {
          kind: 'name',
          value: 'name',
          order: 'name',
          width: 160,
          tags: ({ isOperator }) => isOperator && <Tag>{t.operator}</Tag>,
        },
        email: {
          kind: 'text',
          value: 'email',
          order: 'email',
          width: 180,
          grow: 1.4,
          rank: 3,
          card: 'plain',
        },
        phone: { kind: 'text', value: 'phone', width: 130, rank: 5, grow: 0, card: 'plain' },
        state: {
          kind: 'state',
          value: 'state',
          words: t,
          tones: { locked: 'bad', leaving: 'bad' },
          width: 90,
          rank: 2,
        },
        machines: { kind: 'count', value: 'machines', width: 96, rank: 6 },
        enterprises: { kind: 'count', value: 'enterprises', rank: 7 },
        seen: { kind: 'time', value: 'lastSeenAt', as: 'ago', rank: 4 },
        created: { kind: 'time', value: 'createdAt', as: 'day', order: 'createdAt', rank: 8 },
      }}
      filters={{ only: { title: t.columns.state, choices: t.filters } }}
      search={t.search}
      onOpen={({ userId }) => open('users', userId)}
      acts={userActs(all, myId)}
      empty={{ icon: 'user', title: t.empty }}
    />
  )
}
