import { operator } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import type { Act } from './act-dialog.tsx'
import type { OperatorText } from './operator-text.ts'

type Machine = Pick<operator.MachineRow, 'machineId' | 'machineCode'>

/**
 * Makes a new label for a machine without an owner; `onLabel` gets its password and secret, which the
 * platform gives only once.
 */
export function labelAct(
  { machines: t }: OperatorText,
  { machineId, machineCode }: Machine,
  onLabel: (label: operator.MachineSecrets) => void,
): Act {
  return {
    title: t.confirmLabel(machineCode),
    body: t.confirmLabelBody,
    action: t.newLabel,
    danger: true,
    run: async () => {
      onLabel(await call(operator.renewMachineLabel, { id: machineId }, { noNotice: true }))
    },
  }
}
