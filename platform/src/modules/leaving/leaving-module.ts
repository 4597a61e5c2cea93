import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { CodesModule } from '../accounts/verification-codes/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import { erasePeople } from './erase-people.ts'
import { eraseSpaces } from './erase-spaces.ts'
import { expireHandovers } from './handovers-service.ts'
import { leavingRoutes } from './leaving-routes.ts'

interface Deps {
  readonly codes: CodesModule
  readonly messages: MessagesModule
}

/** Deleting accounts and enterprises. */
export function createLeavingModule(kernel: Kernel, { codes: { codeDeps }, messages }: Deps): Module {
  const { db, facts, logger, now } = kernel
  const { mailbox } = messages
  const erasing = { db, mailbox, facts, logger }
  return {
    name: 'leaving',
    roles: ['api', 'jobs'],
    routes: leavingRoutes({ codeDeps, mailbox }),
    jobs: [
      { name: 'leaving.expireHandovers', everyS: 300, run: () => expireHandovers({ db, mailbox }, now()) },
      { name: 'leaving.erasePeople', everyS: 300, run: () => erasePeople(erasing, now()) },
      { name: 'leaving.eraseSpaces', everyS: 300, run: () => eraseSpaces(erasing, now()) },
    ],
  }
}
