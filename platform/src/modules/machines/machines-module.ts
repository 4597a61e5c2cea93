import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { ListProjects, MachineListsModule } from '../machine-lists/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import type { VisitsModule } from '../visits/index.ts'
import { machinesRoutes } from './machines-routes.ts'

interface Deps {
  readonly access: AccessPort
  readonly link: EdgeLink
  readonly lists: MachineListsModule
  readonly listProjects: ListProjects
  readonly telemetry: TelemetryModule
  readonly visits: VisitsModule
}

/** Machines, and each person's list of them. */
export function createMachinesModule(kernel: Kernel, deps: Deps): Module {
  const { db, pools, bus, facts } = kernel
  return {
    name: 'machines',
    roles: ['api'],
    machineOf: { machine: async (machineId) => machineId, machines: async (machineIds) => machineIds },
    routes: machinesRoutes({
      db,
      lists: pools.lists,
      bus,
      access: deps.access,
      facts,
      link: deps.link,
      unchanged: deps.lists.unchanged,
      telemetry: deps.telemetry.store,
      listBusy: deps.visits.visits.listBusy,
      listProjects: deps.listProjects,
    }),
  }
}
