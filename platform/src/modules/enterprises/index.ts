/**
 * Enterprise spaces: their members, the devices that they own and maintain, and the windows in which owners open a
 * machine.
 */

export { addRegisteredDevice } from './devices-service.ts'
export type { EnterpriseGuards } from './enterprise-guards.ts'
export { createEnterprisesModule, type EnterprisesModule } from './enterprises-module.ts'
export { removeDueSpace, updateSpaceLeaving, updateSpaceProjects, updateSpaceState } from './spaces-store.ts'
