import type { AnswerOf, operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { emptyMark, formatDate, formatExact, formatMinute, formatNumber } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { AuditTable } from './audit-section.tsx'
import { labelAct } from './label-act.ts'
import { LabelDialog } from './label-dialog.tsx'
import { type OperatorText, useOperatorText } from './operator-text.ts'
import type { SubjectList } from './search.ts'
import { MachineHolders, MachineVisits } from './subject-lists.tsx'
import { SubjectPage, SubjectState } from './subject-page.tsx'
import { machineQuery } from './subject-queries.ts'
import { useTypeNames } from './use-type-names.ts'

type Machine = AnswerOf<typeof operator.getMachine>

/** One machine: its register entry, connection and limits, the people with rights, visits and audit entries. */
export function MachinePage({ id, list }: { id: number; list: SubjectList | undefined }) {
  const all = useOperatorText()
  const { machines: t, pages } = all
  const query = useQuery(machineQuery(id))
  const nameOfType = useTypeNames()
  const [act, setAct] = useState<Act>()
  const [label, setLabel] = useState<operator.MachineSecrets>()
  const machine = query.data
  if (!machine) return <SubjectState part="machines" query={query} />
  const { limits } = machine
  return (
    <>
      <SubjectPage
        part="machines"
        id={id}
        name={machine.name || machine.machineCode}
        actions={
          machine.ownerKind === 'none' && (
            <Button onClick={() => setAct(labelAct(all, machine, setLabel))}>{t.newLabel}</Button>
          )
        }
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
          visits: () => <MachineVisits id={id} />,
          audit: () => <AuditTable id="machine.audit" about={{ aboutMachineId: id }} isTitleHidden />,
        }}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {label && !act && <LabelDialog machines={[label]} onClose={() => setLabel(undefined)} />}
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
