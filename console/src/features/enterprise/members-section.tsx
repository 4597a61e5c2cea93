import { enterprises, mayCall } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  type Member,
  membersPerPage,
  refreshMs,
  spaceKey,
} from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { pages } from '../../shared/resource/rows.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { usePendingAction } from '../../shared/session/pending-action.ts'
import { rememberSpace } from '../../shared/session/space.ts'
import { Tag } from '../../shared/ui/tag.tsx'
import type { SectionProps } from './manage-section.ts'
import { MemberDialog } from './member-dialog.tsx'
import { rightsColumn } from './rights-column.tsx'
import { SentInvitations } from './sent-invitations.tsx'

/** The members of an enterprise and their rights. */
export function MembersSection({ space: { eid, name: spaceName }, permission }: SectionProps): ReactNode {
  const { access, enterprises: words } = useText()
  const t = words.manage.members
  const queries = useQueryClient()
  const navigate = useNavigate()
  const myId = useQuery(personQuery).data?.userid
  const [isInviting, invite] = useState(false)
  usePendingAction('inviteMember', () => invite(true))
  const isOwner = permission.role === 'owner'
  /** Owners are changed by owners only. */
  const mayChange = ({ role }: Member) => role !== 'owner' || isOwner
  const rights = rightsColumn<Member>(words)

  async function leave() {
    await call(enterprises.removeMember, { eid, userId: myId ?? 0 })
    rememberSpace(0, 0)
    await navigate({ to: '/index/' })
    await queries.invalidateQueries({ queryKey: ['enterprises'] })
  }

  return (
    <>
      {mayCall(enterprises.listSentInvitations, permission) && <SentInvitations {...{ eid, isOwner }} />}
      <List
        id="enterprise.members"
        title={words.manage.tabs.members}
        rows={pages(
          enterprises.listMembers,
          { eid },
          { under: spaceKey(eid), size: membersPerPage, refreshMs },
        )}
        rowKey="userId"
        titles={t.columns}
        columns={{
          person: {
            kind: 'person',
            value: 'name',
            minor: ({ accountMasked }) => accountMasked,
            tags: ({ leaving }) =>
              leaving && (
                <span title={access.leavingHint}>
                  <Tag>{access.leaving}</Tag>
                </span>
              ),
          },
          role: { kind: 'state', value: 'role', words: words.roles },
          rights,
          seen: { kind: 'time', value: 'lastSeen', as: 'ago' },
        }}
        search={t.search}
        isExported
        permission={permission}
        touched={[spaceKey(eid)]}
        add={{ label: t.invite, route: enterprises.inviteMember, run: () => invite(true) }}
        acts={[
          {
            label: t.edit,
            icon: 'edit',
            route: enterprises.updateMember,
            fits: mayChange,
            opens: (close, member) => (
              <MemberDialog
                {...{ eid, member, isOwner }}
                save={(changed) => call(enterprises.updateMember, { ...changed, eid, userId: member.userId })}
                onClose={close}
              />
            ),
          },
          {
            label: t.leave,
            icon: 'signOut',
            of: () => t.leave,
            fits: ({ userId }) => userId === myId,
            run: leave,
            asks: { title: () => t.leaveTitle(spaceName), body: t.leaveBody },
            done: t.left,
          },
          {
            ...calls(enterprises.removeMember, ({ userId }: Member) => ({ eid, userId })),
            // The call itself is open to everybody for themselves.
            route: enterprises.updateMember,
            label: t.remove,
            icon: 'trash',
            of: ({ name }) => t.removeTitle(name),
            fits: (member) => member.userId !== myId && mayChange(member),
            asks: { title: ({ name }) => t.removeTitle(name), many: t.removeMany, body: t.removeBody },
            done: ({ name }) => t.removed(name),
            doneMany: t.removedMany,
          },
        ]}
        empty={{ icon: 'user', title: t.noMatch }}
      />
      {isInviting && <MemberDialog {...{ eid, isOwner }} member={undefined} onClose={() => invite(false)} />}
    </>
  )
}
