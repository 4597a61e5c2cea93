/** Enterprise spaces: who belongs to them, what they own and look after, and for whom owners open a machine. */

export { createEnterpriseGuards, type EnterpriseGuards } from './enterprise-guards.ts'
export { type EnterprisesDeps, enterprisesRoutes } from './enterprises-routes.ts'
export { endMaintenance } from './maintenance-store.ts'
export { updateSpaceState } from './spaces-store.ts'
