import { operator } from '@busbar/contract'
import { type ReactNode, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import type { Act } from '../../shared/resource/acts.tsx'
import type { TextColumn } from '../../shared/resource/columns.tsx'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { OperatorList, operatorPages, useOpenSubject } from './operator-list.tsx'
import { useTypeNames } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

type Machine = Pick<operator.MachineRow, 'machineId' | 'machineCode' | 'ownerKind'>
type Presence = Pick<operator.MachineRow, 'online' | 'lastSeenAt'>

/** The name of a machine; one that nobody named is known by its code. */
export const machineNameOf = ({ name, machineCode }: { name: string; machineCode: string }) =>
  name || machineCode

export const codeColumn: TextColumn<{ readonly machineCode: string }, unknown> = {
  kind: 'text',
  value: 'machineCode',
  ...{ width: 190, grow: 0, card: 'plain' },
  csv: ({ machineCode }) => ({ code: machineCode }),
  cell: ({ machineCode }) => <CopyCode code={machineCode} />,
}

/** When a machine was heard last; one that is connected is heard now. */
export const seenColumn = (online: string): TextColumn<Presence, unknown> => ({
  kind: 'text',
  value: ({ online: isOnline, lastSeenAt }) => (isOnline ? Number.MAX_SAFE_INTEGER : lastSeenAt),
  ...{ width: 120, grow: 0 },
  csv: ({ lastSeenAt }) => timeCell(lastSeenAt),
  cell: ({ online: isOnline, lastSeenAt }) => (isOnline ? online : <RelativeTime at={lastSeenAt} />),
})

/**
 * Makes a new label for a machine without an owner. `dialog` shows the passwords and secrets of those that were made,
 * which the platform gives only once.
 */
export function useLabelAct(): { act: Act<Machine>; dialog: ReactNode } {
  const { machines: t, bulk } = useOperatorText()
  const [made, setMade] = useState<readonly operator.MachineSecrets[]>([])
  const [isShown, show] = useState(false)
  const close = () => {
    show(false)
    setMade([])
  }
  return {
    act: {
      label: t.newLabel,
      fits: ({ ownerKind }) => ownerKind === 'none',
      asks: {
        title: ({ machineCode }) => t.confirmLabel(machineCode),
        many: (count) => bulk(t.newLabel, count),
        body: t.confirmLabelBody,
      },
      run: async ({ machineId }, options) => {
        const label = await call(operator.renewMachineLabel, { id: machineId }, options)
        setMade((before) => [...before, label])
      },
      onClosed: () => show(true),
    },
    dialog: isShown && made.length > 0 && <LabelDialog machines={made} onClose={close} />,
  }
}

/** Every machine that may be added, and the way to register more. */
export function MachinesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.machines
  const nameOfType = useTypeNames()
  const open = useOpenSubject()
  const label = useLabelAct()
  return (
    <>
      <OperatorList
        id="operator.machines"
        title={all.parts.machines}
        lead={t.lead}
        rows={operatorPages(operator.listMachines, {})}
        rowKey="machineId"
        titles={t.columns}
        columns={{
          machine: { kind: 'name', value: machineNameOf, order: 'name' },
          code: { ...codeColumn, order: 'code', rank: 2 },
          type: {
            kind: 'text',
            value: ({ type }) => nameOfType(type),
            minor: ({ model }) => model,
            order: 'type',
            rank: 6,
          },
          owner: {
            kind: 'text',
            value: ({ ownerKind, owner }) => (ownerKind === 'none' ? t.none : owner),
            minor: ({ ownerKind }) => ownerKind === 'enterprise' && t.enterprise,
            rank: 4,
          },
          seen: { ...seenColumn(t.online), order: 'lastSeenAt', rank: 5 },
          created: { kind: 'time', value: 'createdAt', as: 'day', order: 'createdAt', rank: 7 },
        }}
        filters={{ only: { title: t.columns.owner, choices: t.filters } }}
        search={t.search}
        onOpen={({ machineId }) => open('machines', machineId)}
        add={{ label: t.import, opens: (close) => <ImportDialog onClose={close} /> }}
        acts={[label.act]}
        empty={{ icon: 'devices', title: t.empty, hint: t.emptyHint }}
      />
      {label.dialog}
    </>
  )
}
