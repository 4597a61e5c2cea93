/** Leaving for good: who may, how it is taken back, and erasing what is personal afterwards. */
export { erasePeople } from './erase-people.ts'
export { eraseSpaces } from './erase-spaces.ts'
export { expireHandovers } from './handovers-service.ts'
export { type LeavingDeps, leavingRoutes } from './leaving-routes.ts'
