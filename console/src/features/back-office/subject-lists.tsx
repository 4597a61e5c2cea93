import { operator } from '@busbar/contract'
import { useText } from '../../shared/i18n/index.ts'
import type { ListColumn } from '../../shared/resource/columns.tsx'
import { codeColumn, machineNameOf, seenColumn } from './machines-section.tsx'
import { OperatorList, operatorPages, useOpenSubject } from './operator-list.tsx'
import { useOperatorText } from './operator-text.ts'

interface OfOne {
  id: number
}

type Right = Pick<operator.HeldMachine, 'role' | 'until' | 'readOnly'>

/** A person's role on a machine, and its end. */
function useRightColumns() {
  const t = useOperatorText().pages
  const { modes } = useText().access
  return {
    role: {
      kind: 'state',
      value: 'role',
      words: t.roles,
      minor: ({ readOnly }) => modes[readOnly ? 'ro' : 'rw'],
      rank: 2,
      card: 'plain',
    },
    until: { kind: 'time', value: 'until', endless: t.forever, rank: 5 },
  } satisfies Record<string, ListColumn<Right, unknown>>
}

/** The name, the code and the presence of a machine. */
function useMachineColumns() {
  const { machines } = useOperatorText()
  return {
    machine: { kind: 'name', value: machineNameOf, grow: 1.4 },
    code: { ...codeColumn, rank: 3 },
    lastOnline: { ...seenColumn(machines.online), rank: 4 },
  } as const
}

/** The role in an enterprise; one of another version has its own name. */
function useMemberRole() {
  const roles: Readonly<Record<string, string>> = useText().enterprises.roles
  return {
    kind: 'text',
    value: ({ role }: { readonly role: string }) => roles[role] ?? role,
    width: 130,
    grow: 0.6,
    rank: 2,
    card: 'plain',
  } as const
}

/** The machines that a person has or may enter. */
export function UserMachines({ id }: OfOne) {
  const t = useOperatorText().pages
  const open = useOpenSubject()
  return (
    <OperatorList
      id="operator.user.machines"
      title={t.lists.machines}
      isTitleHidden
      rows={operatorPages(operator.listUserMachines, { id })}
      rowKey="machineId"
      titles={t.columns}
      columns={{ ...useMachineColumns(), ...useRightColumns() }}
      onOpen={({ machineId }) => open('machines', machineId)}
      empty={{ icon: 'devices', title: t.empty.machines }}
    />
  )
}

/** The enterprises that a person belongs to. */
export function UserEnterprises({ id }: OfOne) {
  const t = useOperatorText().pages
  const open = useOpenSubject()
  return (
    <OperatorList
      id="operator.user.enterprises"
      title={t.lists.enterprises}
      isTitleHidden
      rows={operatorPages(operator.listUserEnterprises, { id })}
      rowKey="eid"
      titles={t.columns}
      columns={{
        enterprise: { kind: 'name', value: 'name' },
        role: useMemberRole(),
        joined: { kind: 'time', value: 'joinedAt', as: 'day', rank: 4 },
      }}
      onOpen={({ eid }) => open('enterprises', eid)}
      empty={{ icon: 'group', title: t.empty.enterprises }}
    />
  )
}

/** The terminals where a person is signed in. */
export function UserSessions({ id }: OfOne) {
  const t = useOperatorText().pages
  const kindOf = ({ terminalType }: operator.SessionRow) => t.terminals[terminalType] ?? ''
  return (
    <OperatorList
      id="operator.user.sessions"
      title={t.lists.sessions}
      isTitleHidden
      rows={operatorPages(operator.listUserSessions, { id })}
      rowKey="id"
      titles={t.columns}
      columns={{
        terminal: { kind: 'name', value: (row) => row.terminal || kindOf(row), minor: kindOf },
        ip: {
          kind: 'text',
          value: 'ip',
          cell: ({ ip }) => <span className="mono cut">{ip}</span>,
          grow: 0.6,
          rank: 2,
          card: 'plain',
        },
        seen: { kind: 'time', value: 'lastSeenAt', as: 'ago', rank: 3 },
        signedIn: { kind: 'time', value: 'createdAt', rank: 4 },
        expires: { kind: 'time', value: 'expiresAt', rank: 5 },
      }}
      empty={{ icon: 'desktop', title: t.empty.sessions }}
    />
  )
}

/** The visits of a person, or at a machine: begin, end and outcome of each. */
export function Visits({ id, of }: OfOne & { of: 'users' | 'machines' }) {
  const t = useOperatorText().pages
  const { access, visits } = useText()
  const open = useOpenSubject()
  const isOfUser = of === 'users'
  const route = isOfUser ? operator.listUserVisits : operator.listMachineVisits
  return (
    <OperatorList
      id={isOfUser ? 'operator.user.visits' : 'operator.machine.visits'}
      title={t.lists.visits}
      isTitleHidden
      rows={operatorPages(route, { id })}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: {
          kind: 'name',
          title: isOfUser ? t.columns.machine : t.columns.person,
          value: isOfUser ? 'machine' : 'user',
          minor: ({ target }) => target,
        },
        may: { kind: 'state', value: 'mode', words: access.modes, rank: 5 },
        started: { kind: 'time', value: 'startedAt', rank: 2, card: 'plain' },
        ended: { kind: 'time', value: 'endedAt', endless: t.goesOn, rank: 4 },
        how: {
          kind: 'text',
          value: ({ reason }) => reason && visits.reasons[reason],
          rank: 3,
          card: 'plain',
        },
      }}
      onOpen={({ userId, machineId }) => (isOfUser ? open('machines', machineId) : open('users', userId))}
      empty={{ icon: 'clock', title: t.empty.visits }}
    />
  )
}

/** The people with a right over a machine. */
export function MachineHolders({ id }: OfOne) {
  const t = useOperatorText().pages
  const open = useOpenSubject()
  return (
    <OperatorList
      id="operator.machine.holders"
      title={t.lists.holders}
      isTitleHidden
      rows={operatorPages(operator.listMachineHolders, { id })}
      rowKey="userId"
      titles={t.columns}
      columns={{
        person: { kind: 'name', value: 'name' },
        ...useRightColumns(),
        since: { kind: 'time', value: 'since', rank: 6 },
      }}
      onOpen={({ userId }) => open('users', userId)}
      empty={{ icon: 'key', title: t.empty.holders }}
    />
  )
}

/** The people of an enterprise. */
export function EnterpriseMembers({ id: eid }: OfOne) {
  const t = useOperatorText().pages
  const open = useOpenSubject()
  return (
    <OperatorList
      id="operator.enterprise.members"
      title={t.lists.members}
      isTitleHidden
      rows={operatorPages(operator.listEnterpriseMembers, { eid })}
      rowKey="userId"
      titles={t.columns}
      columns={{
        person: { kind: 'name', value: 'name' },
        role: useMemberRole(),
        joined: { kind: 'time', value: 'joinedAt', as: 'day', rank: 4 },
      }}
      onOpen={({ userId }) => open('users', userId)}
      empty={{ icon: 'user', title: t.empty.members }}
    />
  )
}

/** The devices of an enterprise, own ones and those of customers. */
export function EnterpriseMachines({ id: eid }: OfOne) {
  const t = useOperatorText().pages
  const open = useOpenSubject()
  return (
    <OperatorList
      id="operator.enterprise.machines"
      title={t.lists.machines}
      isTitleHidden
      rows={operatorPages(operator.listEnterpriseMachines, { eid })}
      rowKey="machineId"
      titles={t.columns}
      columns={{
        ...useMachineColumns(),
        kind: { kind: 'state', value: 'kind', words: t.kinds, rank: 2, card: 'plain' },
      }}
      onOpen={({ machineId }) => open('machines', machineId)}
      empty={{ icon: 'devices', title: t.empty.machines }}
    />
  )
}
