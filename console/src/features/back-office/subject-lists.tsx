import type { operator } from '@busbar/contract'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { ExactTime, NameCell } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { useOperatorText } from './operator-text.ts'
import type { SubjectPart } from './search.ts'
import {
  joinedColumn,
  machineColumns,
  machineNameOf,
  nameColumn,
  rightColumns,
  visitColumns,
} from './subject-columns.tsx'
import {
  enterpriseMachinesQuery,
  holdersQuery,
  machineVisitsQuery,
  membersQuery,
  userEnterprisesQuery,
  userMachinesQuery,
  userSessionsQuery,
  userVisitsQuery,
} from './subject-queries.ts'
import { useOperatorList } from './use-operator-list.ts'

interface OfOne {
  id: number
}

const machineIdOf = ({ machineId }: { readonly machineId: number }) => machineId
const userIdOf = ({ userId }: { readonly userId: number }) => userId
const eidOf = ({ eid }: { readonly eid: number }) => eid
const idOf = ({ id }: { readonly id: number }) => id
const nameOf = ({ name }: { readonly name: string }) => name

/** Opens the page of a person, a machine or an enterprise. */
export function useOpenSubject() {
  const navigate = useNavigate()
  return useCallback(
    (part: SubjectPart, id: number) => void navigate({ to: '/backManage', search: { part, id } }),
    [navigate],
  )
}

/** The machines that a person has or may enter. */
export function UserMachines({ id }: OfOne) {
  const { pages: t, machines } = useOperatorText()
  const { modes } = useText().access
  const open = useOpenSubject()
  const list = useOperatorList({ id: 'user.machines', queryOf: userMachinesQuery(id) })
  const columns = useMemo(
    (): readonly TableColumn<operator.HeldMachine>[] => [
      ...machineColumns<operator.HeldMachine>(t, machines.online),
      ...rightColumns<operator.HeldMachine>(t, modes),
    ],
    [t, machines, modes],
  )
  return (
    <DataTable
      {...list}
      title={t.lists.machines}
      isTitleHidden
      columns={columns}
      rowKey={machineIdOf}
      rowName={machineNameOf}
      fileName={t.lists.machines}
      onOpen={({ machineId }) => open('machines', machineId)}
      empty={{ icon: 'devices', title: t.empty.machines }}
    />
  )
}

/** The enterprises that a person belongs to. */
export function UserEnterprises({ id }: OfOne) {
  const t = useOperatorText().pages
  const { roles } = useText().enterprises
  const open = useOpenSubject()
  const list = useOperatorList({ id: 'user.enterprises', queryOf: userEnterprisesQuery(id) })
  const columns = useMemo(
    (): readonly TableColumn<operator.Membership>[] => [
      nameColumn<operator.Membership>(t.columns.enterprise),
      roleColumn<operator.Membership>(t.columns.role, roles),
      joinedColumn<operator.Membership>(t),
    ],
    [t, roles],
  )
  return (
    <DataTable
      {...list}
      title={t.lists.enterprises}
      isTitleHidden
      columns={columns}
      rowKey={eidOf}
      rowName={nameOf}
      fileName={t.lists.enterprises}
      onOpen={({ eid }) => open('enterprises', eid)}
      empty={{ icon: 'group', title: t.empty.enterprises }}
    />
  )
}

const roleColumn = <Row extends { readonly role: string }>(
  title: string,
  roles: Readonly<Record<string, string>>,
): TableColumn<Row> => ({
  id: 'role',
  title,
  ...{ width: 130, grow: 0.6, rank: 2, card: 'plain' },
  value: ({ role }) => roles[role] ?? role,
})

/** The terminals where a person is signed in. */
export function UserSessions({ id }: OfOne) {
  const t = useOperatorText().pages
  const list = useOperatorList({ id: 'user.sessions', queryOf: userSessionsQuery(id) })
  const columns = useMemo((): readonly TableColumn<operator.SessionRow>[] => {
    const terminalOf = ({ terminal, terminalType }: operator.SessionRow) =>
      terminal || (t.terminals[terminalType] ?? '')
    return [
      {
        id: 'terminal',
        title: t.columns.terminal,
        ...{ width: 180, grow: 1.6, rank: 0, pinned: 'start', card: 'name' },
        value: terminalOf,
        cell: (session) => <NameCell name={terminalOf(session)} minor={t.terminals[session.terminalType]} />,
      },
      {
        id: 'ip',
        title: t.columns.ip,
        ...{ width: 140, grow: 0.6, rank: 2, card: 'plain' },
        value: ({ ip }) => ip,
        cell: ({ ip }) => <span className="mono cut">{ip}</span>,
      },
      {
        id: 'seen',
        title: t.columns.seen,
        ...{ width: 120, rank: 3 },
        value: ({ lastSeenAt }) => lastSeenAt,
        csv: ({ lastSeenAt }) => timeCell(lastSeenAt),
        cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
      },
      {
        id: 'signedIn',
        title: t.columns.signedIn,
        ...{ width: 178, rank: 4 },
        value: ({ createdAt }) => createdAt,
        csv: ({ createdAt }) => timeCell(createdAt),
        cell: ({ createdAt }) => <ExactTime at={createdAt} />,
      },
      {
        id: 'expires',
        title: t.columns.expires,
        ...{ width: 178, rank: 5 },
        value: ({ expiresAt }) => expiresAt,
        csv: ({ expiresAt }) => timeCell(expiresAt),
        cell: ({ expiresAt }) => <ExactTime at={expiresAt} />,
      },
    ]
  }, [t])
  return (
    <DataTable
      {...list}
      title={t.lists.sessions}
      isTitleHidden
      columns={columns}
      rowKey={idOf}
      rowName={({ terminal }) => terminal}
      fileName={t.lists.sessions}
      empty={{ icon: 'desktop', title: t.empty.sessions }}
    />
  )
}

/** The visits of a person. */
export function UserVisits({ id }: OfOne) {
  const list = useOperatorList({ id: 'user.visits', queryOf: userVisitsQuery(id) })
  return <Visits list={list} of="users" />
}

/** The people who were at a machine. */
export function MachineVisits({ id }: OfOne) {
  const list = useOperatorList({ id: 'machine.visits', queryOf: machineVisitsQuery(id) })
  return <Visits list={list} of="machines" />
}

interface VisitsProps {
  list: Pick<Parameters<typeof DataTable<operator.VisitRow>>[0], 'view' | 'source'>
  of: 'users' | 'machines'
}

function Visits({ list, of }: VisitsProps) {
  const t = useOperatorText().pages
  const { access, visits } = useText()
  const open = useOpenSubject()
  const columns = useMemo(
    () => visitColumns(t, of, access.modes, visits.reasons),
    [t, of, access.modes, visits.reasons],
  )
  return (
    <DataTable
      {...list}
      title={t.lists.visits}
      isTitleHidden
      columns={columns}
      rowKey={idOf}
      rowName={({ user, machine }) => (of === 'users' ? machine : user)}
      fileName={t.lists.visits}
      onOpen={({ userId, machineId }) =>
        of === 'users' ? open('machines', machineId) : open('users', userId)
      }
      empty={{ icon: 'clock', title: t.empty.visits }}
    />
  )
}

/** The people with a right over a machine. */
export function MachineHolders({ id }: OfOne) {
  const t = useOperatorText().pages
  const { modes } = useText().access
  const open = useOpenSubject()
  const list = useOperatorList({ id: 'machine.holders', queryOf: holdersQuery(id) })
  const columns = useMemo(
    (): readonly TableColumn<operator.HolderRow>[] => [
      nameColumn<operator.HolderRow>(t.columns.person),
      ...rightColumns<operator.HolderRow>(t, modes),
      {
        id: 'since',
        title: t.columns.since,
        ...{ width: 178, rank: 6 },
        value: ({ since }) => since,
        csv: ({ since }) => timeCell(since),
        cell: ({ since }) => <ExactTime at={since} />,
      },
    ],
    [t, modes],
  )
  return (
    <DataTable
      {...list}
      title={t.lists.holders}
      isTitleHidden
      columns={columns}
      rowKey={userIdOf}
      rowName={nameOf}
      fileName={t.lists.holders}
      onOpen={({ userId }) => open('users', userId)}
      empty={{ icon: 'key', title: t.empty.holders }}
    />
  )
}

/** The people of an enterprise. */
export function EnterpriseMembers({ id }: OfOne) {
  const t = useOperatorText().pages
  const { roles } = useText().enterprises
  const open = useOpenSubject()
  const list = useOperatorList({ id: 'enterprise.members', queryOf: membersQuery(id) })
  const columns = useMemo(
    (): readonly TableColumn<operator.MemberRow>[] => [
      nameColumn<operator.MemberRow>(t.columns.person),
      roleColumn<operator.MemberRow>(t.columns.role, roles),
      joinedColumn<operator.MemberRow>(t),
    ],
    [t, roles],
  )
  return (
    <DataTable
      {...list}
      title={t.lists.members}
      isTitleHidden
      columns={columns}
      rowKey={userIdOf}
      rowName={nameOf}
      fileName={t.lists.members}
      onOpen={({ userId }) => open('users', userId)}
      empty={{ icon: 'user', title: t.empty.members }}
    />
  )
}

/** The devices of an enterprise, own ones and those of customers. */
export function EnterpriseMachines({ id }: OfOne) {
  const { pages: t, machines } = useOperatorText()
  const open = useOpenSubject()
  const list = useOperatorList({ id: 'enterprise.machines', queryOf: enterpriseMachinesQuery(id) })
  const columns = useMemo(
    (): readonly TableColumn<operator.EnterpriseMachine>[] => [
      ...machineColumns<operator.EnterpriseMachine>(t, machines.online),
      {
        id: 'kind',
        title: t.columns.kind,
        ...{ width: 120, rank: 2, card: 'plain' },
        value: ({ kind }) => t.kinds[kind] ?? kind,
      },
    ],
    [t, machines],
  )
  return (
    <DataTable
      {...list}
      title={t.lists.machines}
      isTitleHidden
      columns={columns}
      rowKey={machineIdOf}
      rowName={machineNameOf}
      fileName={t.lists.machines}
      onOpen={({ machineId }) => open('machines', machineId)}
      empty={{ icon: 'devices', title: t.empty.machines }}
    />
  )
}
