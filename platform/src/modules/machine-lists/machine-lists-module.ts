import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { counter } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import { trimListChanges } from './list-changes-store.ts'
import { removeKeyTags } from './list-entries-store.ts'
import { UnchangedLists } from './unchanged-lists.ts'

/** Lists that were not requested for between one and two intervals are read anew. */
const trimEveryS = 600

export interface MachineListsModule extends Module {
  readonly unchanged: UnchangedLists
}

/** People's lists of machines. */
export function createMachineListsModule({ db, now }: Kernel): MachineListsModule {
  const unchanged = new UnchangedLists({ db, now })
  return {
    name: 'machine-lists',
    roles: ['api', 'jobs'],
    unchanged,
    jobs: [{ name: 'machineLists.trimChanges', everyS: trimEveryS, run: () => trimListChanges(db) }],
    follows: [
      onNextOwner('machineLists.ownerChanged', (trx, { machineId }) => removeKeyTags(trx, machineId)),
    ],
    metrics: () => [
      counter(
        'busbar_lists_unchanged_total',
        'Lists of machines answered as unchanged without reading them',
        unchanged.answered,
      ),
    ],
  }
}
