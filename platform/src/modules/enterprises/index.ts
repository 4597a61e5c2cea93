/** Enterprise spaces: who belongs to them, what they own and look after, and for whom owners open a machine. */

export type { EnterpriseGuards } from './enterprise-guards.ts'
export { createEnterprisesModule, type EnterprisesModule } from './enterprises-module.ts'
export { endMaintenance } from './maintenance-store.ts'
export { removeDueSpace, updateSpaceLeaving, updateSpaceProjects, updateSpaceState } from './spaces-store.ts'
