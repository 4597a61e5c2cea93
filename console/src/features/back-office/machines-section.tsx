import { operator } from '@busbar/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatDate, formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { Lines, NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { labelAct } from './label-act.ts'
import { LabelDialog } from './label-dialog.tsx'
import { OperatorBulk } from './operator-bulk.tsx'
import { machinesQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useOpenSubject } from './subject-lists.tsx'
import { useOnly, useOperatorList } from './use-operator-list.ts'
import { useTypeNames } from './use-type-names.ts'

type Machine = operator.MachineRow

const keyOf = ({ machineId }: Machine) => machineId
const nameOf = ({ name, machineCode }: Machine) => name || machineCode

/** Every machine that may be added, and the way to register more. */
export function MachinesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.machines
  const { table } = useText()
  const list = useOperatorList({ id: 'machines', queryOf: machinesQuery })
  const filters = useOnly<Machine>(t.columns.owner, t.filters)
  const nameOfType = useTypeNames()
  const [isImporting, setImporting] = useState(false)
  const [act, setAct] = useState<Act>()
  const open = useOpenSubject()
  const [labels, setLabels] = useState<readonly operator.MachineSecrets[]>([])
  const [bulk, setBulk] = useState<Bulk<Machine>>()

  const columns = useMemo((): readonly TableColumn<Machine>[] => {
    const ownerOf = ({ ownerKind, owner }: Machine) => (ownerKind === 'none' ? t.none : owner)
    return [
      {
        id: 'machine',
        title: t.columns.machine,
        ...{ width: 150, grow: 1.4, rank: 0, pinned: 'start', card: 'name', sort: 'platform' },
        value: nameOf,
        cell: ({ name }) => <NameCell name={name} />,
      },
      {
        id: 'code',
        title: t.columns.code,
        ...{ width: 190, rank: 2, card: 'plain', sort: 'platform' },
        value: ({ machineCode }) => machineCode,
        csv: ({ machineCode }) => ({ code: machineCode }),
        cell: ({ machineCode }) => <CopyCode code={machineCode} />,
      },
      {
        id: 'type',
        title: t.columns.type,
        ...{ width: 120, grow: 1, rank: 6, sort: 'platform' },
        value: ({ type }) => nameOfType(type),
        cell: ({ type, model }) => <Lines main={nameOfType(type)} minor={model} />,
      },
      {
        id: 'owner',
        title: t.columns.owner,
        ...{ width: 120, grow: 1, rank: 4 },
        value: ownerOf,
        cell: (machine) => (
          <Lines main={ownerOf(machine)} minor={machine.ownerKind === 'enterprise' && t.enterprise} />
        ),
      },
      {
        id: 'seen',
        title: t.columns.seen,
        ...{ width: 110, rank: 5, sort: 'platform' },
        // A connected machine counts as heard now.
        value: ({ online, lastSeenAt }) => (online ? Number.MAX_SAFE_INTEGER : lastSeenAt),
        csv: ({ lastSeenAt }) => timeCell(lastSeenAt),
        cell: ({ online, lastSeenAt }) => (online ? t.online : <RelativeTime at={lastSeenAt} />),
      },
      {
        id: 'created',
        title: t.columns.created,
        ...{ width: 110, rank: 7, sort: 'platform' },
        value: ({ createdAt }) => createdAt,
        csv: ({ createdAt }) => timeCell(createdAt),
        cell: ({ createdAt }) => formatDate(createdAt),
      },
      actionsColumn<Machine>(table.actions, 116, (machine) =>
        machine.ownerKind === 'none' ? (
          <RowActions>
            <Button
              kind="ghost"
              size="small"
              onClick={() => setAct(labelAct(all, machine, (label) => setLabels([label])))}
            >
              {t.newLabel}
              <span className="sr-only">{machine.machineCode}</span>
            </Button>
          </RowActions>
        ) : null,
      ),
    ]
  }, [t, all, table, nameOfType])

  const askLabels = (machines: readonly Machine[]) =>
    setBulk({
      title: all.bulk(t.newLabel, machines.length),
      body: t.confirmLabelBody,
      action: t.newLabel,
      danger: true,
      rows: machines,
      ...{ keyOf, nameOf },
      run: async ({ machineId }) => {
        const label = await call(operator.renewMachineLabel, { id: machineId }, { noNotice: true })
        setLabels((before) => [...before, label])
      },
      done: all.done,
    })

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.machines}
        lead={t.lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        onOpen={({ machineId }) => open('machines', machineId)}
        fileName={all.parts.machines}
        empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
        bulk={(machines) => {
          const free = machines.filter(({ ownerKind }) => ownerKind === 'none')
          return (
            free.length > 0 && (
              <Button size="small" onClick={() => askLabels(free)}>
                {t.newLabel} ({formatNumber(free.length)})
              </Button>
            )
          )
        }}
        actions={
          <Button kind="primary" icon="plus" onClick={() => setImporting(true)}>
            {t.import}
          </Button>
        }
      />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {bulk && <OperatorBulk bulk={bulk} view={list.view} onClose={() => setBulk(undefined)} />}
      {labels.length > 0 && !act && !bulk && <LabelDialog machines={labels} onClose={() => setLabels([])} />}
    </>
  )
}
