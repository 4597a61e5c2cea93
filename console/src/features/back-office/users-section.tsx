import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatDate, formatNumber } from '../../shared/i18n/index.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { showNotice } from '../../shared/ui/notice-store.ts'
import { type Act, ActDialog } from './act-dialog.tsx'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { usersQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useList } from './use-list.ts'

type User = operator.UserRow

const template = 'minmax(160px, 1.8fr) 90px 60px 70px 100px 100px minmax(190px, 1fr)'

/** Everybody, with what an operator may do about them. */
export function UsersSection(): ReactNode {
  const all = useOperatorText()
  const t = all.users
  const state = useList<'locked' | 'operators'>()
  const query = useQuery(usersQuery(state.ask))
  const { data: me } = useQuery(personQuery)
  const [act, setAct] = useState<Act>()

  function ask(
    user: User,
    change: { state?: (typeof operator.lockStates)[number]; isOperator?: boolean },
  ): void {
    const run = () => call(operator.updateUser, { id: user.userId, ...change }, { noNotice: true })
    const onDone = () => showNotice(all.done)
    if (change.isOperator === true)
      setAct({
        title: t.confirmOperator(user.name),
        body: t.confirmOperatorBody,
        action: t.makeOperator,
        run,
        onDone,
      })
    else if (change.isOperator === false)
      setAct({
        title: t.confirmRemoval(user.name),
        body: t.confirmRemovalBody,
        action: t.removeOperator,
        danger: true,
        run,
        onDone,
      })
    else if (change.state === 'locked')
      setAct({
        title: t.confirmLock(user.name),
        body: t.confirmLockBody,
        action: t.lock,
        danger: true,
        run,
        onDone,
      })
    else setAct({ title: t.unlock, body: user.name, action: t.unlock, run, onDone })
  }

  return (
    <>
      <OperatorList
        title={all.parts.users}
        lead={t.lead}
        query={query}
        state={state}
        searched={t.search}
        filters={t.filters}
        columns={Object.values(t.columns)}
        template={template}
        empty={{ icon: 'user', title: t.empty }}
        row={(user) => (
          <li key={user.userId} className={rowCss.row}>
            <NameCell
              name={user.name}
              minor={[user.phone, user.email].filter(Boolean).join(' · ')}
              tags={user.isOperator && <Tag tone="accent">{t.operator}</Tag>}
            />
            <Cell caption={t.columns.state}>
              {user.state === 'active' ? (
                t.active
              ) : (
                <Tag tone="bad">{user.state === 'locked' ? t.locked : t.leaving}</Tag>
              )}
            </Cell>
            <Cell caption={t.columns.machines}>{formatNumber(user.machines)}</Cell>
            <Cell caption={t.columns.enterprises}>{formatNumber(user.enterprises)}</Cell>
            <Cell caption={t.columns.seen}>
              <RelativeTime at={user.lastSeenAt} />
            </Cell>
            <Cell caption={t.columns.created}>{formatDate(user.createdAt)}</Cell>
            <div className={rowCss.actions}>
              {user.userId !== me?.userid && (
                <>
                  <Button
                    kind="ghost"
                    size="small"
                    onClick={() => ask(user, { isOperator: !user.isOperator })}
                  >
                    {user.isOperator ? t.removeOperator : t.makeOperator}
                    <span className="sr-only">{user.name}</span>
                  </Button>
                  <Button
                    kind="ghost"
                    size="small"
                    onClick={() => ask(user, { state: user.state === 'locked' ? 'active' : 'locked' })}
                  >
                    {user.state === 'locked' ? t.unlock : t.lock}
                    <span className="sr-only">{user.name}</span>
                  </Button>
                </>
              )}
            </div>
          </li>
        )}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
    </>
  )
}
