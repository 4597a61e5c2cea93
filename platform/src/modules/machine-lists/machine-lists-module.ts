import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Module } from '../../kernel/module.ts'
import { removeKeyTags } from './list-entries-store.ts'

/** People's lists of machines. */
export function createMachineListsModule(): Module {
  return {
    name: 'machine-lists',
    roles: ['api', 'jobs'],
    follows: [
      onNextOwner('machineLists.ownerChanged', (trx, { machineId }) => removeKeyTags(trx, machineId)),
    ],
  }
}
