import { EditMachineDialog } from './edit/edit-machine-dialog.tsx'
import { RemoveMachineDialog } from './edit/remove-machine-dialog.tsx'
import { GroupsDialog } from './groups/groups-dialog.tsx'
import { MachineGroupsDialog } from './groups/machine-groups-dialog.tsx'
import type { MachineAct } from './machine-acts.ts'
import { TransferDialog } from './transfer/transfer-dialog.tsx'

interface MachineDialogsProps {
  act: MachineAct
  onClose: () => void
  onRemoved: (machineId: number) => void
}

/** The dialog of what is being done to a machine or to the groups. */
export function MachineDialogs({ act, onClose, onRemoved }: MachineDialogsProps) {
  switch (act.kind) {
    case 'edit':
      return <EditMachineDialog machine={act.machine} onClose={onClose} />
    case 'groups':
      return <MachineGroupsDialog machine={act.machine} onClose={onClose} />
    case 'transfer':
      return (
        <TransferDialog subject={{ machineId: act.machine.id, name: act.machine.name }} onClose={onClose} />
      )
    case 'remove':
      return <RemoveMachineDialog machine={act.machine} onClose={onClose} onRemoved={onRemoved} />
    case 'manageGroups':
      return <GroupsDialog onClose={onClose} />
  }
}
