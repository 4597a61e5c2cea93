/** Who asks for a machine's rights, and how its keys answer (decision 23). */
export { createListAnswerable } from './answerable.ts'
export { ApplicationExpiry } from './application-expiry.ts'
export { applicationsRoutes } from './applications-routes.ts'
export { findMachineIdByApplication, listOwnApplications } from './applications-store.ts'
export { type Asker, enterByTicket } from './apply-service.ts'
export { addBkey, updateLevel } from './bkeys-service.ts'
export { createWhyNot, type FindWhyNot } from './why-not.ts'
