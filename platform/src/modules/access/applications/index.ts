/** Applications for a machine's rights, and the answers of its keys. */
export { createListAnswerable } from './answerable.ts'
export { ApplicationExpiry } from './application-expiry.ts'
export { type ApplicationsModule, createApplicationsModule } from './applications-module.ts'
export { listOwnApplications } from './applications-store.ts'
export { addBkey, updateLevel } from './bkeys-service.ts'
export { createFindDenial } from './entry-denial.ts'
