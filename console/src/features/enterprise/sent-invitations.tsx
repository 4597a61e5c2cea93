import { type AnswerOf, enterprises } from '@busbar/contract'
import { sentInvitationsQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { MemberDialog } from './member-dialog.tsx'
import { rightsColumn } from './rights-column.tsx'

type Sent = AnswerOf<typeof enterprises.listSentInvitations>[number]

/** People who are invited and have not answered; renders nothing if there are none. */
export function SentInvitations({ eid, isOwner }: { eid: number; isOwner: boolean }) {
  const { enterprises: words } = useText()
  const t = words.manage.members
  return (
    <List
      id="enterprise.invitations"
      title={t.waiting}
      rows={whole(sentInvitationsQuery(eid))}
      rowKey="id"
      titles={{ ...t.columns, at: t.invitedAt }}
      columns={{
        person: { kind: 'person', value: 'name', minor: ({ accountMasked }) => accountMasked },
        role: { kind: 'state', value: 'role', words: words.roles },
        rights: rightsColumn<Sent>(words),
        at: { kind: 'time', value: 'at', as: 'ago', grow: 0.5 },
      }}
      hasKeys={false}
      isHiddenWhile="empty"
      touched={[spaceKey(eid)]}
      acts={[
        {
          label: t.edit,
          icon: 'edit',
          fits: ({ role }) => role !== 'owner' || isOwner,
          opens: (close, sent) => (
            <MemberDialog
              {...{ eid, isOwner }}
              member={sent}
              save={(changed) => call(enterprises.updateInvitation, { ...changed, eid, id: sent.id })}
              onClose={close}
            />
          ),
        },
        {
          ...calls(enterprises.removeInvitation, ({ id }: Sent) => ({ eid, id })),
          label: t.withdraw,
          done: t.withdrawn,
        },
      ]}
      empty={{ icon: 'user', title: t.waiting }}
    />
  )
}
