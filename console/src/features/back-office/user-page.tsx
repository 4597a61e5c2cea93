import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { emptyMark, formatBytes, formatDate, formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { Button } from '../../shared/ui/button.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { AuditTable } from './audit-section.tsx'
import { useOperatorText } from './operator-text.ts'
import { OutboxTable } from './outbox-section.tsx'
import type { SubjectList } from './search.ts'
import { UserEnterprises, UserMachines, UserSessions, UserVisits } from './subject-lists.tsx'
import { SubjectPage, SubjectState } from './subject-page.tsx'
import { userQuery } from './subject-queries.ts'
import { lockUserAct, operatorAct } from './user-acts.ts'

/** One person: account, devices, enterprises, sessions, visits, messages and audit entries. */
export function UserPage({ id, list }: { id: number; list: SubjectList | undefined }) {
  const all = useOperatorText()
  const { users: t, pages } = all
  const query = useQuery(userQuery(id))
  const myId = useQuery(personQuery).data?.userid
  const [act, setAct] = useState<Act>()
  const user = query.data
  if (!user) return <SubjectState part="users" query={query} />
  const states = { active: t.active, locked: t.locked, leaving: t.leaving }
  return (
    <>
      <SubjectPage
        part="users"
        id={id}
        name={user.name}
        tags={
          <>
            {user.isOperator && <Tag>{t.operator}</Tag>}
            {user.state !== 'active' && <Tag tone="bad">{states[user.state]}</Tag>}
          </>
        }
        actions={
          id !== myId && (
            <>
              <Button onClick={() => setAct(operatorAct(all, user))}>
                {user.isOperator ? t.removeOperator : t.makeOperator}
              </Button>
              <Button onClick={() => setAct(lockUserAct(all, user))}>
                {user.state === 'locked' ? t.unlock : t.lock}
              </Button>
            </>
          )
        }
        facts={[
          [pages.id, id],
          [t.columns.email, user.email || emptyMark],
          [t.columns.phone, user.phone || emptyMark],
          [t.columns.state, states[user.state]],
          user.leavesAt !== null && [pages.leaves, formatExact(user.leavesAt)],
          [t.columns.seen, <RelativeTime key="seen" at={user.lastSeenAt} />],
          [t.columns.created, formatDate(user.createdAt)],
          [t.columns.machines, formatNumber(user.machines)],
          [t.columns.enterprises, formatNumber(user.enterprises)],
          [pages.twoFactor, user.twoFactor ? pages.on : pages.off],
          [pages.lang, pages.langs[user.lang] ?? user.lang],
          [
            pages.storage,
            pages.storageOf(formatBytes(user.storage.bytes), formatBytes(user.storage.bytesMax)),
          ],
          [pages.timeZone, user.timeZone ?? pages.browserZone],
          [pages.expiry, pages.days(formatNumber(user.loginExpiryDays))],
        ]}
        list={list}
        lists={{
          machines: () => <UserMachines id={id} />,
          enterprises: () => <UserEnterprises id={id} />,
          sessions: () => <UserSessions id={id} />,
          visits: () => <UserVisits id={id} />,
          outbox: () => <OutboxTable id="user.outbox" userId={id} isTitleHidden />,
          audit: () => <AuditTable id="user.audit" about={{ aboutUserId: id }} isTitleHidden />,
        }}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
    </>
  )
}
