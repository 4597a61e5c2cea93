import type { AnswerOf, operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { emptyMark, formatDate, formatExact, formatMinute, formatNumber } from '../../shared/i18n/index.ts'
import { PageActs } from '../../shared/resource/acts.tsx'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { AuditSection } from './audit-section.tsx'
import { machineNameOf, useLabelAct } from './machines-section.tsx'
import { operatorActs } from './operator-list.tsx'
import { machineQuery, useTypeNames } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'
import type { SubjectList } from './search.ts'
import { MachineHolders, Visits } from './subject-lists.tsx'
import { SubjectPage, SubjectState } from './subject-page.tsx'

type Machine = AnswerOf<typeof operator.getMachine>

/** One machine: its register entry, connection and limits, the people with rights, visits and audit entries. */
export function MachinePage({ id, list }: { id: number; list: SubjectList | undefined }) {
  const all = useOperatorText()
  const { machines: t, pages } = all
  const query = useQuery(machineQuery(id))
  const nameOfType = useTypeNames()
  const label = useLabelAct()
  const machine = query.data
  if (!machine) return <SubjectState part="machines" query={query} />
  const { limits } = machine
  const name = machineNameOf(machine)
  return (
    <>
      <SubjectPage
        part="machines"
        id={id}
        name={name}
        actions={<PageActs acts={[label.act]} row={machine} name={name} {...operatorActs} />}
        facts={[
          [t.columns.code, <CopyCode key="code" code={machine.machineCode} />],
          [pages.id, id],
          [t.columns.type, nameOfType(machine.type) || emptyMark],
          [pages.model, machine.model || emptyMark],
          [t.columns.owner, <Owner key="owner" machine={machine} none={t.none} />],
          [pages.ownedSince, machine.ownedSince === null ? pages.never : formatDate(machine.ownedSince)],
          [t.columns.created, formatDate(machine.createdAt)],
          [t.columns.seen, machine.online ? t.online : <RelativeTime key="seen" at={machine.lastSeenAt} />],
          [pages.connection, connectionOf(pages, machine.connection)],
          [
            pages.clock,
            machine.clockOffsetMs === null
              ? pages.unknown
              : pages.clockOffset(formatNumber(machine.clockOffsetMs, 0)),
          ],
          [pages.timeZone, machine.timeZone],
          [pages.cloud, machine.cloudService ? pages.on : pages.off],
          [pages.approval, pages.approvals[machine.checkType] ?? machine.checkType],
          [pages.people, pages.peopleCount(formatNumber(machine.bkeys), formatNumber(machine.visitors))],
          [pages.limits, pages.limitsOf(formatNumber(limits.values), formatNumber(limits.tags))],
        ]}
        list={list}
        lists={{
          holders: () => <MachineHolders id={id} />,
          visits: () => <Visits id={id} of="machines" />,
          audit: () => <AuditSection id="machine.audit" about={{ aboutMachineId: id }} />,
        }}
      />
      {label.dialog}
    </>
  )
}

/** The owner's name, which leads to the owner's page. */
function Owner({ machine, none }: { machine: Machine; none: string }): ReactNode {
  const { owner, ownerUserId, ownerEid } = machine
  if (ownerUserId !== null)
    return (
      <Link to="/backManage" search={{ part: 'users', id: ownerUserId }}>
        {owner}
      </Link>
    )
  if (ownerEid === null) return none
  return (
    <Link to="/backManage" search={{ part: 'enterprises', id: ownerEid }}>
      {owner}
    </Link>
  )
}

/** The connection it has, or had last. */
function connectionOf(t: OperatorText['pages'], connection: Machine['connection']): string {
  if (!connection) return t.noConnection
  const { protocol, address, startedAt, endedAt } = connection
  return endedAt === null
    ? t.connected(protocol, address, formatMinute(startedAt))
    : t.disconnected(protocol, address, formatExact(endedAt))
}
