import { enterprises } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { sentInvitationsQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import css from '../../shared/ui/people/people.module.css'
import { Panel } from '../../shared/ui/people/people-panel.tsx'
import { useAct } from '../../shared/ui/use-act.ts'

const template = 'minmax(180px, 1.4fr) 120px minmax(120px, 1fr) auto'

/** Those who are invited and have not answered; nothing where there is nobody. */
export function SentInvitations({ eid }: { eid: number }) {
  const { enterprises: words } = useText()
  const t = words.manage.members
  const { data: invitations = [] } = useQuery(sentInvitationsQuery(eid))
  const withdraw = useAct<number>({
    call: (id) => call(enterprises.removeInvitation, { eid, id }),
    done: t.withdrawn,
    touched: [spaceKey(eid)],
  })
  if (invitations.length === 0) return null
  return (
    <Panel title={t.waiting} count={t.count(invitations.length)} template={template}>
      <ul>
        {invitations.map((invitation) => (
          <li key={invitation.id} className={css.row}>
            <div className={css.person}>
              <Avatar name={invitation.name} size={28} />
              <span className={css.lines}>
                <span className={css.name}>
                  <span className="cut" title={invitation.name}>
                    {invitation.name}
                  </span>
                </span>
                <span className={css.minor}>{invitation.accountMasked}</span>
              </span>
            </div>
            <span className={css.tag}>{words.roles[invitation.role]}</span>
            <RelativeTime at={invitation.at} className={css.plain} />
            <div className={css.actions}>
              <Button
                size="small"
                disabled={withdraw.isPending}
                onClick={() => withdraw.mutate(invitation.id)}
              >
                {t.withdraw}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
