import { sql } from 'kysely'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import { alarmsRoutes } from './alarms-routes.ts'
import { endAlarms } from './alarms-store.ts'
import { findAlarmMachine, listAlarmMachines } from './alarms-views.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { centreRoutes } from './centre-routes.ts'
import { shelvesRoutes } from './shelves-routes.ts'
import { endDueShelves, type ShelvesDeps } from './shelves-service.ts'
import { endShelves, findShelveMachine } from './shelves-store.ts'
import type { TagSource } from './tag-names.ts'

/** A shelving counts as ended at its time; its event follows within this. */
const endShelvesEveryS = 10

interface Deps {
  readonly access: AccessPort
  readonly tags: TagSource
  /** The machine of a rule, asked of the module that keeps rules: that one depends on this one. */
  readonly findRuleMachine: ShelvesDeps['findRuleMachine']
}

/** Alarms of machines. */
export function createAlarmsModule({ db, facts }: Kernel, { access, tags, findRuleMachine }: Deps): Module {
  const deps = { db, facts, access, tags, findRuleMachine }
  return {
    name: 'alarms',
    roles: ['api', 'edge', 'jobs'],
    routes: [...alarmsRoutes(deps), ...centreRoutes(deps), ...shelvesRoutes(deps), ...bulkRoutes(deps)],
    machineOf: {
      alarm: (id) => findAlarmMachine(db, id),
      alarms: (ids) => listAlarmMachines(db, ids),
      shelve: (id) => findShelveMachine(db, id),
    },
    jobs: [
      {
        name: 'alarms.endShelves',
        everyS: endShelvesEveryS,
        run: ({ now }) => endDueShelves(deps, now),
      },
    ],
    follows: [
      onNextOwner('alarms.ownerChanged', async (trx, { machineId, at }) => {
        // In the time of the former owner: the journal of the next one begins at the change.
        const before = new Date(at - 1)
        const ended = await endAlarms(trx, { machineId }, before)
        const isOfMachine = sql`machine_id = ${machineId}`
        const unshelved = await endShelves(trx, isOfMachine, { at: before, reason: 'owner' })
        await facts.recordAll(trx, [...ended, ...unshelved])
      }),
    ],
  }
}
