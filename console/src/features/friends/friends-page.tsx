import { accounts } from '@busbar/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { type Friend, friendsQuery } from '../../entities/person/friend-queries.ts'
import { formatDate } from '../../shared/i18n/format.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { Select } from '../../shared/ui/select/select.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { AddFriendDialog } from './add-friend-dialog.tsx'
import css from './friends-page.module.css'
import { RemoveFriendDialog } from './remove-friend-dialog.tsx'

/** The people one knows, and what one shares with each. */
export function FriendsPage(): ReactNode {
  const { account, app } = useText()
  const t = account.friends
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<accounts.FriendOrder>('added')
  const wanted = useDeferredValue(search.trim())
  const query = useInfiniteQuery(friendsQuery(wanted, order))
  const { isError, isFetching, isFetchingNextPage, hasNextPage, refetch, fetchNextPage } = query
  const friends = query.data?.pages.flat()
  const hasNone = wanted === '' && friends?.length === 0 && !query.isPlaceholderData
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Friend>()
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  )
  return (
    <Page title={t.title} lead={t.lead} actions={friends && !hasNone ? add : undefined}>
      <section className={css.panel} aria-label={t.title} aria-busy={!friends && !isError}>
        {hasNone ? (
          <EmptyState icon="user" title={t.empty} hint={t.emptyHint}>
            {add}
          </EmptyState>
        ) : isError && !friends ? (
          <EmptyState icon="offline" title={account.loadFailed} hint={account.loadFailedHint}>
            <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
              {app.retry}
            </Button>
          </EmptyState>
        ) : (
          <>
            <div className={css.tools}>
              <SearchField label={t.search} value={search} onChange={setSearch} className={css.search} />
              <OrderSelect value={order} onChange={setOrder} />
            </div>
            <div className={css.names} aria-hidden="true">
              <span>{t.columns.person}</span>
              <span>{t.columns.account}</span>
              <span>{t.columns.shared}</span>
              <span>{t.columns.since}</span>
            </div>
            {friends ? <Rows friends={friends} onRemove={setLeaving} /> : <Waiting />}
            {friends?.length === 0 && <EmptyState icon="search" title={t.noMatch} hint={t.noMatchHint} />}
            <div className={css.foot}>
              <p className="numbers" role="status">
                {friends && (hasNextPage ? t.countSoFar : t.count)(friends.length)}
              </p>
              {hasNextPage && (
                <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {t.more}
                </Button>
              )}
            </div>
          </>
        )}
      </section>
      {isAdding && <AddFriendDialog onClose={() => setAdding(false)} />}
      {leaving && <RemoveFriendDialog friend={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

interface OrderSelectProps {
  value: accounts.FriendOrder
  onChange: (order: accounts.FriendOrder) => void
}

function OrderSelect({ value, onChange }: OrderSelectProps) {
  const t = useText().account.friends
  return (
    <Select
      label={t.order}
      isLabelHidden
      className={css.order}
      choices={accounts.friendOrders.map((order) => ({ value: order, label: t.orders[order] }))}
      value={value}
      onChange={onChange}
    />
  )
}

interface RowsProps {
  friends: readonly Friend[]
  onRemove: (friend: Friend) => void
}

function Rows({ friends, onRemove }: RowsProps) {
  const { account } = useText()
  const t = account.friends
  return (
    <ul>
      {friends.map((friend) => (
        <li key={friend.userid} className={css.row}>
          <div className={css.person}>
            <Avatar name={friend.name} size={30} />
            <div className={css.words}>
              <p className="cut" title={friend.name}>
                {friend.name}
              </p>
              {friend.remark && (
                <p className={`${css.minor} cut`} title={friend.remark}>
                  {friend.remark}
                </p>
              )}
            </div>
          </div>
          <div className={css.account}>
            <span className={css.caption}>{t.columns.account}</span>
            <p className="numbers cut" title={friend.accountMasked}>
              {friend.accountMasked}
            </p>
          </div>
          <div>
            <span className={css.caption}>{t.columns.shared}</span>
            <p className="numbers">{t.sharedMachines(friend.sharedMachines)}</p>
          </div>
          <div>
            <span className={css.caption}>{t.columns.since}</span>
            <p className="numbers">{friend.added ? formatDate(friend.since) : t.viaMachines}</p>
          </div>
          <div className={css.action}>
            {friend.added && (
              <Button size="small" onClick={() => onRemove(friend)}>
                {t.remove}
                <span className="sr-only">{friend.name}</span>
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Waiting() {
  return (
    <ul aria-hidden="true">
      {[140, 110, 170].map((width) => (
        <li key={width} className={css.row}>
          <Skeleton width={width} />
          <Skeleton width={120} />
          <Skeleton width={40} />
          <Skeleton width={80} />
        </li>
      ))}
    </ul>
  )
}
