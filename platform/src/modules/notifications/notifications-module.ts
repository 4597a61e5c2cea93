import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessDoor } from '../access/index.ts'
import type { TagSource } from '../alarms/index.ts'
import type { EnterprisesModule } from '../enterprises/index.ts'
import { notificationsRoutes } from './notifications-routes.ts'
import { removeMachineSettings } from './settings-store.ts'

interface Deps {
  readonly access: AccessDoor
  readonly tags: TagSource
  readonly enterprises: EnterprisesModule
}

/** Tells people of alarms. */
export function createNotificationsModule(
  { db, pools }: Kernel,
  { access, tags, enterprises }: Deps,
): Module {
  return {
    name: 'notifications',
    roles: ['api', 'jobs'],
    routes: notificationsRoutes({ db, lists: pools.lists, access, tags, guards: enterprises.guards }),
    follows: [
      onNextOwner('notifications.ownerChanged', (trx, { machineId }) =>
        removeMachineSettings(trx, machineId),
      ),
    ],
  }
}
