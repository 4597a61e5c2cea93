import type { Kernel } from '../kernel/kernel.ts'
import type { AccessDoor } from '../modules/access/index.ts'
import type { AccountsModule } from '../modules/accounts/index.ts'
import { findMachineIdByApplication } from '../modules/applications/index.ts'
import type { BrandsModule } from '../modules/brands/index.ts'
import type { EnterprisesModule } from '../modules/enterprises/index.ts'
import type { TelemetryModule } from '../modules/telemetry/index.ts'
import type { Guards } from './guards.ts'

interface Deps {
  readonly accounts: AccountsModule
  readonly access: AccessDoor
  readonly brands: BrandsModule
  readonly enterprises: EnterprisesModule
  readonly telemetry: TelemetryModule
}

/** The checks of all routes, from the modules that make them. */
export function collectGuards({ db }: Kernel, deps: Deps): Guards {
  const { accounts, access, brands, enterprises, telemetry } = deps
  return {
    findSession: accounts.findSession,
    isOperator: accounts.isOperator,
    brands: brands.directory,
    hasMachineRight: access.has,
    whyNot: access.whyNot,
    machineOfCode: access.machineOfCode,
    machineOfGrant: access.machineOfGrant,
    machineOfApplication: (applicationId) => findMachineIdByApplication(db, applicationId),
    machinesOfTags: (tagIds) => telemetry.store.machinesOfTags(tagIds),
    ...enterprises.guards,
  }
}
