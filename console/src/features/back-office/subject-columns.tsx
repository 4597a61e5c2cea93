import type { operator } from '@busbar/contract'
import { formatDate } from '../../shared/i18n/index.ts'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { ExactTime, Lines, NameCell } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import type { OperatorText } from './operator-text.ts'

type Pages = OperatorText['pages']
type Right = Pick<operator.HeldMachine, 'role' | 'until' | 'readOnly'>
type Machine = Pick<operator.MachineRow, 'name' | 'machineCode' | 'online' | 'lastSeenAt'>

/** The name, the code and the presence of a machine. */
export function machineColumns<Row extends Machine>(t: Pages, online: string): TableColumn<Row>[] {
  return [
    {
      id: 'machine',
      title: t.columns.machine,
      ...{ width: 150, grow: 1.4, rank: 0, pinned: 'start', card: 'name' },
      value: machineNameOf,
      cell: (row) => <NameCell name={machineNameOf(row)} />,
    },
    {
      id: 'code',
      title: t.columns.code,
      ...{ width: 190, rank: 3, card: 'plain' },
      value: ({ machineCode }) => machineCode,
      csv: ({ machineCode }) => ({ code: machineCode }),
      cell: ({ machineCode }) => <CopyCode code={machineCode} />,
    },
    {
      id: 'seen',
      title: t.columns.lastOnline,
      ...{ width: 120, rank: 4 },
      // A connected machine counts as heard now.
      value: ({ online: isOnline, lastSeenAt }) => (isOnline ? Number.MAX_SAFE_INTEGER : lastSeenAt),
      csv: ({ lastSeenAt }) => timeCell(lastSeenAt),
      cell: ({ online: isOnline, lastSeenAt }) => (isOnline ? online : <RelativeTime at={lastSeenAt} />),
    },
  ]
}

export const machineNameOf = ({ name, machineCode }: Machine) => name || machineCode

/** A person's role on a machine, and its end. */
export function rightColumns<Row extends Right>(
  t: Pages,
  modes: Readonly<Record<'ro' | 'rw', string>>,
): TableColumn<Row>[] {
  return [
    {
      id: 'role',
      title: t.columns.role,
      ...{ width: 110, rank: 2, card: 'plain' },
      value: ({ role }) => t.roles[role],
      cell: ({ role, readOnly }) => <Lines main={t.roles[role]} minor={modes[readOnly ? 'ro' : 'rw']} />,
    },
    {
      id: 'until',
      title: t.columns.until,
      ...{ width: 178, rank: 5 },
      value: ({ until }) => until ?? Number.MAX_SAFE_INTEGER,
      csv: ({ until }) => (until === null ? t.forever : timeCell(until)),
      cell: ({ until }) => (until === null ? t.forever : <ExactTime at={until} />),
    },
  ]
}

/** The day of joining. */
export const joinedColumn = <Row extends { readonly joinedAt: number }>(t: Pages): TableColumn<Row> => ({
  id: 'joined',
  title: t.columns.joined,
  ...{ width: 120, rank: 4 },
  value: ({ joinedAt }) => joinedAt,
  csv: ({ joinedAt }) => timeCell(joinedAt),
  cell: ({ joinedAt }) => formatDate(joinedAt),
})

/** The name by which a row is known. */
export const nameColumn = <Row extends { readonly name: string }>(title: string): TableColumn<Row> => ({
  id: 'name',
  title,
  ...{ width: 160, grow: 1.6, rank: 0, pinned: 'start', card: 'name' },
  value: ({ name }) => name,
  cell: ({ name }) => <NameCell name={name} />,
})

/** Beginning, end and outcome of a visit; before them who visited, and which machine. */
export function visitColumns(
  t: Pages,
  of: 'users' | 'machines',
  modes: Readonly<Record<'ro' | 'rw', string>>,
  reasons: Readonly<Record<NonNullable<operator.VisitRow['reason']>, string>>,
): TableColumn<operator.VisitRow>[] {
  const nameOf = ({ user, machine }: operator.VisitRow) => (of === 'users' ? machine : user)
  return [
    {
      id: 'name',
      title: of === 'users' ? t.columns.machine : t.columns.person,
      ...{ width: 150, grow: 1.4, rank: 0, pinned: 'start', card: 'name' },
      value: nameOf,
      cell: (visit) => <NameCell name={nameOf(visit)} minor={visit.target} />,
    },
    {
      id: 'mode',
      title: t.columns.may,
      width: 110,
      rank: 5,
      value: ({ mode }) => modes[mode],
    },
    {
      id: 'started',
      title: t.columns.started,
      ...{ width: 178, rank: 2, card: 'plain' },
      value: ({ startedAt }) => startedAt,
      csv: ({ startedAt }) => timeCell(startedAt),
      cell: ({ startedAt }) => <ExactTime at={startedAt} />,
    },
    {
      id: 'ended',
      title: t.columns.ended,
      ...{ width: 178, rank: 4 },
      value: ({ endedAt }) => endedAt ?? Number.MAX_SAFE_INTEGER,
      csv: ({ endedAt }) => (endedAt === null ? t.goesOn : timeCell(endedAt)),
      cell: ({ endedAt }) => (endedAt === null ? t.goesOn : <ExactTime at={endedAt} />),
    },
    {
      id: 'how',
      title: t.columns.how,
      ...{ width: 150, grow: 1, rank: 3, card: 'plain' },
      value: ({ reason }) => (reason === null ? '' : reasons[reason]),
    },
  ]
}
