import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { AccountsModule } from '../accounts/index.ts'
import type { ListProjects, MachineListsModule } from '../machine-lists/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import type { OutgoingModule } from '../outgoing/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import type { VisitAddress, VisitsModule } from '../visits/index.ts'
import { createEnterpriseGuards, type EnterpriseGuards } from './enterprise-guards.ts'
import { enterprisesRoutes } from './enterprises-routes.ts'
import { findMachineIdByWindow } from './maintenance-store.ts'
import { ownerFollower } from './next-owner.ts'

export interface EnterprisesModule extends Module {
  readonly guards: EnterpriseGuards
}

interface Deps {
  readonly access: AccessPort
  readonly accounts: AccountsModule
  readonly messages: MessagesModule
  readonly outgoing: OutgoingModule
  readonly link: EdgeLink
  readonly telemetry: TelemetryModule
  readonly lists: MachineListsModule
  readonly listProjects: ListProjects
  readonly visits: VisitsModule
  readonly address: VisitAddress
}

/** Enterprise spaces. */
export function createEnterprisesModule(kernel: Kernel, deps: Deps): EnterprisesModule {
  const { db, pools, bus, facts, config } = kernel
  return {
    name: 'enterprises',
    roles: ['api'],
    guards: createEnterpriseGuards(db),
    follows: [ownerFollower],
    machineOf: { maintenance: (windowId) => findMachineIdByWindow(db, windowId) },
    routes: enterprisesRoutes({
      db,
      lists: pools.lists,
      bus,
      mailbox: deps.messages.mailbox,
      facts,
      access: deps.access,
      link: deps.link,
      telemetry: deps.telemetry.store,
      unchanged: deps.lists.unchanged,
      visitUrlOf: (code, consoleHost) => deps.address.entryUrl({ code, target: 'page' }, consoleHost),
      listProjects: deps.listProjects,
      openVisit: deps.visits.visits.openVisit,
      outgoing: deps.outgoing.outgoing,
      publicUrl: config.PUBLIC_URL,
      unsubscribeUrlOf: deps.outgoing.unsubscribeUrlOf,
      isMadeByOperators: config.ENTERPRISES_BY === 'operators',
      isOperator: deps.accounts.isOperator,
    }),
  }
}
