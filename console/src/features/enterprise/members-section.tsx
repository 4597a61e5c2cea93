import { enterprises, mayCall } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useState } from 'react'
import {
  type Member,
  membersPerPage,
  membersQuery,
  spaceKey,
} from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { rememberSpace } from '../../shared/session/space.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { Pager } from '../../shared/ui/pager.tsx'
import { ListWait } from '../../shared/ui/people/list-wait.tsx'
import css from '../../shared/ui/people/people.module.css'
import { Panel } from '../../shared/ui/people/people-panel.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import pageCss from './manage-page.module.css'
import type { SectionProps } from './manage-section.ts'
import { MemberDialog } from './member-dialog.tsx'
import { SentInvitations } from './sent-invitations.tsx'

const template = 'minmax(180px, 1.4fr) 120px minmax(160px, 2fr) 110px 72px'

/** Who belongs to the enterprise, and what each may do. */
export function MembersSection({ space, permission }: SectionProps): ReactNode {
  const { access, enterprises: words } = useText()
  const t = words.manage.members
  const { eid } = space
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [page, setPage] = useState(1)
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const members = useQuery(membersQuery(eid, page, wanted))
  const { data: person } = useQuery(personQuery)
  const [edited, edit] = useState<Member | 'new'>()
  const [asked, ask] = useState<Confirmation>()
  const total = members.data?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / membersPerPage))
  /** Owners are changed by owners only (decision 18). */
  const mayChange = (member: Member) =>
    mayCall(enterprises.updateMember, permission) && (member.role !== 'owner' || permission.role === 'owner')

  const leave = (): Confirmation => ({
    title: t.leaveTitle(space.name),
    body: t.leaveBody,
    action: t.leave,
    done: t.left,
    call: async () => {
      await call(enterprises.removeMember, { eid, userId: person?.userid ?? 0 })
      rememberSpace(0, 0)
      await navigate({ to: '/index/' })
      await queries.invalidateQueries({ queryKey: ['enterprises'] })
    },
  })
  const remove = (member: Member): Confirmation => ({
    title: t.removeTitle(member.name),
    body: t.removeBody,
    action: t.remove,
    done: t.removed(member.name),
    call: () => call(enterprises.removeMember, { eid, userId: member.userId }),
  })

  return (
    <>
      {mayCall(enterprises.listSentInvitations, permission) && <SentInvitations eid={eid} />}
      <Panel
        title={words.manage.tabs.members}
        count={members.data && t.count(total)}
        template={template}
        columns={[t.columns.person, t.columns.role, t.columns.rights, t.columns.seen]}
        tools={
          <>
            <SearchField
              label={t.search}
              value={search}
              onChange={(text) => {
                setSearch(text)
                setPage(1)
              }}
              className={css.search}
            />
            {mayCall(enterprises.inviteMember, permission) && (
              <Button kind="primary" icon="plus" onClick={() => edit('new')}>
                {t.invite}
              </Button>
            )}
          </>
        }
      >
        <ListWait query={members} />
        <ul aria-busy={members.isPending}>
          {members.data?.list.map((member) => (
            <li key={member.userId} className={css.row}>
              <div className={css.person}>
                <Avatar name={member.name} size={28} />
                <span className={css.lines}>
                  <span className={css.name}>
                    <span className="cut" title={member.name}>
                      {member.name}
                    </span>
                    {member.leaving && (
                      <span className={css.tag} title={access.leavingHint}>
                        {access.leaving}
                      </span>
                    )}
                  </span>
                  <span className={css.minor}>{member.accountMasked}</span>
                </span>
              </div>
              <span className={css.tag}>{words.roles[member.role]}</span>
              <Rights member={member} />
              <span className={classes(css.plain, css.indent, member.lastSeen === null && pageCss.unknown)}>
                {member.lastSeen === null ? '—' : <RelativeTime at={member.lastSeen} />}
              </span>
              <div className={css.actions}>
                {mayChange(member) && (
                  <IconButton
                    icon="sliders"
                    size="small"
                    label={`${t.edit}: ${member.name}`}
                    onClick={() => edit(member)}
                  />
                )}
                {member.userId === person?.userid ? (
                  <IconButton icon="signOut" size="small" label={t.leave} onClick={() => ask(leave())} />
                ) : (
                  mayChange(member) && (
                    <IconButton
                      icon="trash"
                      size="small"
                      label={t.removeTitle(member.name)}
                      onClick={() => ask(remove(member))}
                    />
                  )
                )}
              </div>
            </li>
          ))}
        </ul>
        {members.data?.list.length === 0 && <p className={css.noMatch}>{t.noMatch}</p>}
        <Pager isFoot page={page} pages={pages} onPage={setPage} />
      </Panel>
      {edited && (
        <MemberDialog
          eid={eid}
          member={edited === 'new' ? undefined : edited}
          isOwner={permission.role === 'owner'}
          onClose={() => edit(undefined)}
        />
      )}
      {asked && (
        <ConfirmDialog
          confirmation={asked}
          onClose={() => ask(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: spaceKey(eid) })}
        />
      )}
    </>
  )
}

function Rights({ member }: { member: Pick<Member, 'role' | 'rights'> }) {
  const { enterprises: words } = useText()
  const t = words.manage.members
  if (member.role !== 'member') return <span className={css.plain}>{t.all}</span>
  if (member.rights.length === 0) return <span className={css.plain}>{t.none}</span>
  return (
    <span className={pageCss.rights}>
      {member.rights.map((right) => (
        <span key={right} className={css.tag}>
          {words.rights[right]}
        </span>
      ))}
    </span>
  )
}
