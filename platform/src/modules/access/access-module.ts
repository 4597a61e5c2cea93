import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { MessagesModule } from '../messages/index.ts'
import type { AccessPort } from './access-port.ts'
import { accessRoutes, type ProjectReach } from './access-routes.ts'
import { removeOldFailures } from './machine-password-store.ts'
import { ownershipRoutes } from './ownership/ownership-routes.ts'
import { expireTransfers } from './ownership/transfers-service.ts'
import { TimedRights } from './timed-rights.ts'

interface Deps {
  readonly access: AccessPort
  readonly messages: MessagesModule
  readonly listProjectReach: ProjectReach
}

/** Rights to machines, and their ownership. */
export function createAccessModule(kernel: Kernel, deps: Deps): Module {
  const { access, listProjectReach } = deps
  const { mailbox } = deps.messages
  const { db, bus, facts, now } = kernel
  const timedRights = new TimedRights(kernel)
  return {
    name: 'access',
    roles: ['api', 'jobs'],
    machineOf: { code: access.machineOfCode, grant: access.machineOfGrant },
    routes: [
      ...accessRoutes({ db, bus, mailbox, facts, access, listProjectReach }),
      ...ownershipRoutes({ db, bus, mailbox, facts, access }),
    ],
    jobs: [
      ...timedRights.jobs,
      { name: 'access.expireTransfers', everyS: 300, run: () => expireTransfers({ db, facts }, now()) },
      { name: 'access.removeOldFailures', everyS: 300, run: () => removeOldFailures(db, now()) },
    ],
  }
}
