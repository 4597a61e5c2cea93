import type { Guards } from './kernel/http/guards.ts'
import { collectMachinesOf } from './kernel/http/machines-of.ts'
import { collectProjectOf } from './kernel/http/projects-of.ts'
import type { Module } from './kernel/module.ts'
import type { AccessPort } from './modules/access/index.ts'
import type { AccountsModule } from './modules/accounts/index.ts'
import type { BrandsModule } from './modules/brands/index.ts'
import type { EnterprisesModule } from './modules/enterprises/index.ts'

interface Deps {
  readonly accounts: AccountsModule
  readonly access: AccessPort
  readonly brands: BrandsModule
  readonly enterprises: EnterprisesModule
  readonly projects: Pick<Guards, 'hasProjectRight'>
}

/** The checks of all routes, from the modules that make them. Throws for a route that cannot be guarded. */
export function collectGuards(
  modules: readonly Module[],
  { accounts, access, brands, enterprises, projects }: Deps,
): Guards {
  return {
    findSession: accounts.findSession,
    isOperator: accounts.isOperator,
    brands: brands.directory,
    hasMachineRight: access.has,
    maySetMachines: access.maySet,
    denialReason: access.denialReason,
    machinesOf: collectMachinesOf(modules),
    projectOf: collectProjectOf(modules),
    hasProjectRight: projects.hasProjectRight,
    ...enterprises.guards,
  }
}
