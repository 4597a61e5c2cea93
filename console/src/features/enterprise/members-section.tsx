import { enterprises, mayCall } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { type Member, membersQuery, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { usePendingAction } from '../../shared/session/pending-action.ts'
import { rememberSpace } from '../../shared/session/space.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { type Bulk, BulkDialog } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { PersonName } from '../../shared/ui/people/person-name.tsx'
import { RowActions, TagsCell } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { pagedList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { Tag } from '../../shared/ui/tag.tsx'
import type { SectionProps } from './manage-section.ts'
import { MemberDialog } from './member-dialog.tsx'
import { SentInvitations } from './sent-invitations.tsx'

const keyOf = ({ userId }: Member) => userId
const nameOf = ({ name }: Member) => name

/** The members of an enterprise and their rights. */
export function MembersSection({ space, permission }: SectionProps): ReactNode {
  const t = useText().enterprises.manage.members
  const { manage } = useText().enterprises
  const { eid } = space
  const queries = useQueryClient()
  const view = useTableView({ id: 'enterprise.members' })
  const { page, search } = view.ask
  const members = useQuery(membersQuery(eid, page, search))
  const myId = useQuery(personQuery).data?.userid
  const [edited, edit] = useState<Member | 'new'>()
  usePendingAction('inviteMember', () => edit('new'))
  const [asked, ask] = useState<Confirmation>()
  const [bulk, setBulk] = useState<Bulk<Member>>()
  const acts = useMemberActs({ space, permission })
  const columns = useMemberColumns({ ...acts, myId, edit, ask })

  const removeMany = (chosen: readonly Member[]): Bulk<Member> => ({
    title: t.removeMany(chosen.length),
    body: t.removeBody,
    action: t.remove,
    danger: true,
    done: t.removedMany(chosen.length),
    rows: chosen,
    ...{ keyOf, nameOf },
    run: ({ userId }) => call(enterprises.removeMember, { eid, userId }, { noNotice: true }),
  })

  return (
    <>
      {mayCall(enterprises.listSentInvitations, permission) && <SentInvitations eid={eid} />}
      <DataTable
        title={manage.tabs.members}
        view={view}
        source={pagedList(members, {
          load: (wanted) => queries.fetchQuery(membersQuery(eid, wanted, search)),
        })}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        fileName={manage.tabs.members}
        {...(mayCall(enterprises.updateMember, permission) && {
          bulk: (chosen: readonly Member[]) => {
            const others = chosen.filter((member) => member.userId !== myId && acts.mayChange(member))
            return (
              others.length > 0 && (
                <Button size="small" onClick={() => setBulk(removeMany(others))}>
                  {t.remove}
                </Button>
              )
            )
          },
        })}
        empty={{ icon: 'user', title: t.noMatch }}
        actions={
          mayCall(enterprises.inviteMember, permission) && (
            <Button kind="primary" icon="plus" onClick={() => edit('new')}>
              {t.invite}
            </Button>
          )
        }
      />
      {edited && (
        <MemberDialog
          eid={eid}
          member={edited === 'new' ? undefined : edited}
          isOwner={permission.role === 'owner'}
          onClose={() => edit(undefined)}
        />
      )}
      {bulk && (
        <BulkDialog
          bulk={bulk}
          view={view}
          onClose={() => setBulk(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: spaceKey(eid) })}
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

interface MemberActs {
  readonly mayChange: (member: Member) => boolean
  readonly leave: () => Confirmation
  readonly remove: (member: Member) => Confirmation
}

/** The actions on members, each with its confirmation. */
function useMemberActs({ space, permission }: SectionProps): MemberActs {
  const t = useText().enterprises.manage.members
  const queries = useQueryClient()
  const navigate = useNavigate()
  const myId = useQuery(personQuery).data?.userid
  return useMemo(() => {
    const { eid, name } = space
    return {
      /** Owners are changed by owners only. */
      mayChange: (member) =>
        mayCall(enterprises.updateMember, permission) &&
        (member.role !== 'owner' || permission.role === 'owner'),
      leave: () => ({
        title: t.leaveTitle(name),
        body: t.leaveBody,
        action: t.leave,
        done: t.left,
        call: async () => {
          await call(enterprises.removeMember, { eid, userId: myId ?? 0 })
          rememberSpace(0, 0)
          await navigate({ to: '/index/' })
          await queries.invalidateQueries({ queryKey: ['enterprises'] })
        },
      }),
      remove: (member) => ({
        title: t.removeTitle(member.name),
        body: t.removeBody,
        action: t.remove,
        done: t.removed(member.name),
        call: () => call(enterprises.removeMember, { eid, userId: member.userId }),
      }),
    }
  }, [t, space, permission, myId, navigate, queries])
}

interface MemberColumnsOptions extends MemberActs {
  readonly myId: number | undefined
  readonly edit: (member: Member) => void
  readonly ask: (confirmation: Confirmation) => void
}

function useMemberColumns(options: MemberColumnsOptions): readonly TableColumn<Member>[] {
  const { mayChange, leave, remove, myId, edit, ask } = options
  const { access, enterprises: words, table } = useText()
  const t = words.manage.members
  return useMemo((): readonly TableColumn<Member>[] => {
    const rightsOf = ({ role, rights }: Member) =>
      role === 'member' ? rights.map((right) => words.rights[right]) : [t.all]
    return [
      {
        id: 'person',
        title: t.columns.person,
        ...{ width: 180, grow: 1.4, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: ({ name, accountMasked, leaving }) => (
          <PersonName
            name={name}
            minor={accountMasked}
            tags={
              leaving && (
                <span title={access.leavingHint}>
                  <Tag>{access.leaving}</Tag>
                </span>
              )
            }
          />
        ),
      },
      {
        id: 'role',
        title: t.columns.role,
        ...{ width: 110, rank: 2 },
        value: ({ role }) => words.roles[role],
      },
      {
        id: 'rights',
        title: t.columns.rights,
        ...{ width: 170, grow: 2, rank: 3, card: 'plain' },
        value: (member) => rightsOf(member).join(', '),
        cell: (member) =>
          member.role !== 'member' ? (
            t.all
          ) : member.rights.length === 0 ? (
            t.none
          ) : (
            <TagsCell tags={rightsOf(member)} />
          ),
      },
      {
        id: 'seen',
        title: t.columns.seen,
        ...{ width: 110, rank: 4 },
        value: ({ lastSeen }) => lastSeen,
        csv: ({ lastSeen }) => timeCell(lastSeen),
        cell: ({ lastSeen }) => <RelativeTime at={lastSeen} />,
      },
      actionsColumn<Member>(table.actions, 84, (member) => (
        <RowActions>
          {mayChange(member) && (
            <IconButton
              icon="edit"
              size="small"
              label={`${t.edit}: ${member.name}`}
              onClick={() => edit(member)}
            />
          )}
          {member.userId === myId ? (
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
        </RowActions>
      )),
    ]
  }, [t, access, words, table, mayChange, leave, remove, myId, edit, ask])
}
