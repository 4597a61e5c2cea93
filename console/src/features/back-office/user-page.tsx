import { useQuery } from '@tanstack/react-query'
import { emptyMark, formatBytes, formatDate, formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { PageActs } from '../../shared/resource/acts.tsx'
import { personQuery } from '../../shared/session/account-queries.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { AuditSection } from './audit-section.tsx'
import { operatorActs } from './operator-list.tsx'
import { userQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { OutboxSection } from './outbox-section.tsx'
import type { SubjectList } from './search.ts'
import { UserEnterprises, UserMachines, UserSessions, Visits } from './subject-lists.tsx'
import { SubjectPage, SubjectState } from './subject-page.tsx'
import { userActs } from './users-section.tsx'

/** One person: account, devices, enterprises, sessions, visits, messages and audit entries. */
export function UserPage({ id, list }: { id: number; list: SubjectList | undefined }) {
  const all = useOperatorText()
  const { users: t, pages } = all
  const query = useQuery(userQuery(id))
  const myId = useQuery(personQuery).data?.userid
  const user = query.data
  if (!user) return <SubjectState part="users" query={query} />
  return (
    <SubjectPage
      part="users"
      id={id}
      name={user.name}
      tags={
        <>
          {user.isOperator && <Tag>{t.operator}</Tag>}
          {user.state !== 'active' && <Tag tone="bad">{t[user.state]}</Tag>}
        </>
      }
      actions={<PageActs acts={userActs(all, myId)} row={user} name={user.name} {...operatorActs} />}
      facts={[
        [pages.id, id],
        [t.columns.email, user.email || emptyMark],
        [t.columns.phone, user.phone || emptyMark],
        [t.columns.state, t[user.state]],
        user.leavesAt !== null && [pages.leaves, formatExact(user.leavesAt)],
        [t.columns.seen, <RelativeTime key="seen" at={user.lastSeenAt} />],
        [t.columns.created, formatDate(user.createdAt)],
        [t.columns.machines, formatNumber(user.machines)],
        [t.columns.enterprises, formatNumber(user.enterprises)],
        [pages.twoFactor, user.twoFactor ? pages.on : pages.off],
        [pages.lang, pages.langs[user.lang] ?? user.lang],
        [pages.storage, pages.storageOf(formatBytes(user.storage.bytes), formatBytes(user.storage.bytesMax))],
        [pages.timeZone, user.timeZone ?? pages.browserZone],
        [pages.expiry, pages.days(formatNumber(user.loginExpiryDays))],
      ]}
      list={list}
      lists={{
        machines: () => <UserMachines id={id} />,
        enterprises: () => <UserEnterprises id={id} />,
        sessions: () => <UserSessions id={id} />,
        visits: () => <Visits id={id} of="users" />,
        outbox: () => <OutboxSection userId={id} />,
        audit: () => <AuditSection id="user.audit" about={{ aboutUserId: id }} />,
      }}
    />
  )
}
