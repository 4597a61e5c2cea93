import type { Kernel } from '../../../kernel/kernel.ts'
import type { Module } from '../../../kernel/module.ts'
import type { MessagesModule } from '../../messages/index.ts'
import type { AccessPort } from '../index.ts'
import { ApplicationExpiry } from './application-expiry.ts'
import { applicationsRoutes } from './applications-routes.ts'
import { findMachineIdByApplication } from './applications-store.ts'
import { type Asker, enterByTicket } from './apply-service.ts'
import { createFindDenial, type FindDenial } from './entry-denial.ts'

export interface ApplicationsModule extends Module {
  /** Gives a visit for a ticket of the machine's password; see `enterByTicket`. */
  enterByTicket(caller: Asker, wish: Parameters<typeof enterByTicket>[2]): Promise<void>
  readonly findDenial: FindDenial
}

interface Deps {
  readonly access: AccessPort
  readonly messages: MessagesModule
}

/** Applications for rights over a machine. */
export function createApplicationsModule(kernel: Kernel, { access, messages }: Deps): ApplicationsModule {
  const { db, bus, facts, logger, now } = kernel
  const { mailbox } = messages
  const expiry = new ApplicationExpiry({ db, facts, logger, now })
  return {
    name: 'applications',
    roles: ['api', 'jobs'],
    machineOf: { application: (id) => findMachineIdByApplication(db, id) },
    enterByTicket: (caller, wish) => enterByTicket({ db, bus, mailbox, facts, access }, caller, wish),
    findDenial: createFindDenial(db, access),
    routes: applicationsRoutes({ db, bus, mailbox, facts, access }),
    jobs: expiry.jobs,
  }
}
