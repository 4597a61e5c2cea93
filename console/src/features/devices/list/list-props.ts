import type { Dispatch, SetStateAction } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { RowKey } from '../../../shared/ui/data/virtual-grid.tsx'
import type { Bulk } from '../bulk/bulk-acts.ts'
import type { LookingProps } from './use-looking.ts'
import type { MachineListView } from './use-machine-list.ts'

/** The props of the wide and the narrow list: the same list, drawn as a table or as cards. */
export interface MachineListProps {
  readonly view: MachineListView
  /** The machine open in the pane. */
  readonly openId: number | null
  /** The machine the keyboard is on. */
  readonly activeKey: number | null
  readonly onActiveChange: (machineId: number) => void
  readonly onOpen: (machine: Machine) => void
  /** Called with the machines that are rendered. */
  readonly onVisibleChange: (machineIds: readonly number[]) => void
  /** Opens the dialog, with a code filled in. */
  readonly onAdd: (code?: string) => void
  readonly lookingProps: LookingProps
  /** Machines that are selected, for an act on many. */
  readonly selected: ReadonlySet<RowKey>
  readonly select: Dispatch<SetStateAction<ReadonlySet<RowKey>>>
  readonly onBulk: (bulk: Bulk) => void
}
